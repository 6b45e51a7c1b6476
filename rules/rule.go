package rules

// Rule is one check on a reply. A nil Check marks a rule that cannot apply to replies; Doc says why.
type Rule struct {
	ID     string // "S05": also the file's prefix, the fixtures' folder and the command-line argument
	Title  string // "presence of events"
	Doc    string // what it checks, why, and what to do about a finding; Markdown
	Source string // where the rule comes from, with an address
	Tier   Tier
	Since  string   // the version of the catalogue that brought it
	Needs  []string // what must have been captured, in words of [Need]

	// Rank orders the rules' work: a rule of lower rank looks first and names what it explains, so that one fault
	// is one finding. Rules of one rank look in the catalogue's order.
	Rank int
	// First runs before any Check: for what is to be named before the faults of the grammar that come with it.
	First func(*Pass)
	// Check looks at the legs and what still differs, and reports.
	Check func(*Pass)
	// Last runs when every rule's Check has: for what holds only where no other rule named it.
	Last func(*Pass)
}

// The words of Needs.
const (
	NeedsReply     = "a reply to the caller" // the stream or the non-stream leg
	NeedsStream    = "a stream leg"
	NeedsReference = "a reference"     // an upstream leg, or a second leg of the same content
	NeedsRequest   = "a request leg"   // declared tools, options
	NeedsUpstream  = "an upstream leg" // the model's own reply
	NeedsEcho      = "an echoed reply" // Responses echo their controls
	NeedsEquality  = "MR-S applicable" // both legs of fixed content
)
