package assemble

// The faults that putting a stream together can meet. A code says what was seen, not who is to blame: rules decide.
const (
	// Any dialect.
	BadJSON       FaultCode = "bad_json"         // an event's data is not JSON
	NotAnObject   FaultCode = "not_an_object"    // an event's data is JSON but no object
	EmptyData     FaultCode = "empty_data"       // a frame with an event name and no data
	WrongType     FaultCode = "wrong_type"       // a field of another JSON type than the dialect's
	MissingField  FaultCode = "missing_field"    // a field that the dialect requires is absent or null
	UnknownEvent  FaultCode = "unknown_event"    // an event or delta type that no document lists; kept as opaque
	AfterTerminal FaultCode = "after_terminal"   // an event after the dialect's last one
	AfterFinish   FaultCode = "after_finish"     // content for a choice that already had its finish reason
	NoFinish      FaultCode = "no_finish"        // a choice, or the whole stream, never got its finish or stop reason
	NoTerminal    FaultCode = "no_terminal"      // the dialect's terminal event never came
	CutFrame      FaultCode = "cut_frame"        // the last frame has no blank line: a standard client drops it
	ErrorMidway   FaultCode = "error_midway"     // the stream told an error
	FinishChanged FaultCode = "finish_changed"   // a second, different finish reason for one choice
	FinishEmpty   FaultCode = "finish_empty"     // the finish reason is the empty string
	EventMismatch FaultCode = "event_mismatch"   // the event line and the payload's type differ
	ForeignDone   FaultCode = "foreign_done"     // [DONE] in a dialect that has none
	DoneMissing   FaultCode = "done_missing"     // Chat: no [DONE] at the end
	DoneSpaced    FaultCode = "done_spaced"      // Chat: [DONE] with white space around it, which SDKs compare exactly (tolerated; noted)
	ObjectInvalid FaultCode = "object_invalid"   // the object field is not the dialect's word for a chunk or reply
	IDChanged     FaultCode = "reply_id_changed" // the reply's id changes midway

	// Indices, ids and blocks.
	IndexMissing   FaultCode = "index_missing"    // no index, or null, where one is required
	IndexInvalid   FaultCode = "index_invalid"    // negative, fractional, or no number
	IndexStart     FaultCode = "index_start"      // the first index is not 0
	IndexGap       FaultCode = "index_gap"        // an index that skips one never opened
	IndexReused    FaultCode = "index_reused"     // a second call, block or item under an index that another has
	CallIDMissing  FaultCode = "call_id_missing"  // a call that never got an id
	CallIDEmpty    FaultCode = "call_id_empty"    // a call whose id is "" when it opens
	CallIDReused   FaultCode = "call_id_reused"   // two calls with one id
	CallIDRepeated FaultCode = "call_id_repeated" // the same id again on a later delta of the call
	NameMissing    FaultCode = "name_missing"     // a call that never got a name, or ""
	NameRepeated   FaultCode = "name_repeated"    // the name again on a later delta of the call
	TypeMissing    FaultCode = "type_missing"     // a call that never got its type
	TypeNull       FaultCode = "type_null"        // a later delta of the call has type null, which the schema does not allow
	TypeInvalid    FaultCode = "type_invalid"     // a call whose type is not the one that its members belong to
	RoleInvalid    FaultCode = "role_invalid"     // a role other than assistant (model for Gemini)
	RoleMissing    FaultCode = "role_missing"     // no role at all
	RoleRepeated   FaultCode = "role_repeated"    // the role on a later delta
	ArgsNotJSON    FaultCode = "args_not_json"    // a finished call's arguments are not JSON
	ArgsNotObject  FaultCode = "args_not_object"  // a finished call's arguments are JSON but no object
	ArgsEmpty      FaultCode = "args_empty"       // a finished call's arguments are "", null or absent
	ArgsCut        FaultCode = "args_cut"         // arguments that end inside JSON when the stream ends

	// Block and item life cycle (Messages, Responses).
	NoStart          FaultCode = "no_start"          // an event before message_start or response.created
	StartTwice       FaultCode = "start_twice"       // a second message_start or response.created
	BlockNotOpen     FaultCode = "block_not_open"    // a delta or stop for a block, item or part that is not open
	BlockOverlap     FaultCode = "block_overlap"     // a block opens while another is open (Messages)
	BlockLeftOpen    FaultCode = "block_left_open"   // a block, item or part that was never closed
	DeltaMismatch    FaultCode = "delta_mismatch"    // a delta of another kind than its block
	SignatureTwice   FaultCode = "signature_twice"   // more than one signature delta in a block
	SequenceInvalid  FaultCode = "sequence_invalid"  // sequence_number missing, or not rising by one
	ItemIDMismatch   FaultCode = "item_id_mismatch"  // an event's item_id is not its item's
	DoneMismatch     FaultCode = "done_mismatch"     // a done event's value differs from its deltas' sum
	FinalMismatch    FaultCode = "final_mismatch"    // the terminal event's object differs from what the events built
	StatusMismatch   FaultCode = "status_mismatch"   // the terminal event's name and the object's status differ
	ItemDuplicated   FaultCode = "item_duplicated"   // an item announced twice
	UsageRepeated    FaultCode = "usage_repeated"    // usage on more than one chunk (tolerated; noted)
	ReasoningDoubled FaultCode = "reasoning_doubled" // one text under two names (reasoning and reasoning_content); read once
)
