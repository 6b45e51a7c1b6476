package python

// messageStream is MessageStream of anthropic 2.14.0, lib/streaming/_messages.py: a snapshot of the message that every
// event is added to (accumulate_event), and the events that the caller gets for it (build_events).
type messageStream struct {
	shapes   *messagesShapes
	ways     messagesWays
	rich     bool // output_format is a class
	work     *budget
	snapshot *model // ParsedMessage; nil before message_start
	inputs   toolInputs
}

// messagesShapes are the classes that the stream builds.
type messagesShapes struct {
	event, message, block *typ

	toolUse, serverToolUse *class // the blocks whose input comes in pieces
}

// messagesWays are what the versions of anthropic-python do in different ways. The zero value is 2.14.0; each member
// names the file of 0.121.0 where the difference stands.
type messagesWays struct {
	// Only events whose name is known are read, and one whose data lacks a type gets its name for one: _streaming.py,
	// Stream.__stream__. (2.14.0 reads every event that has a name and data.)
	readsNamed bool

	// An event before message_start raises; 2.14.0 hands it to the caller: lib/streaming/_messages.py, accumulate_event.
	wantsStart bool

	// An event of an unknown type is not handed to the caller: lib/streaming/_messages.py, build_events.
	dropsUnknown bool

	// A block is built of all fields of the one that started it, those that it was not given included:
	// lib/streaming/_messages.py, accumulate_event, model_dump().
	dumpsUnset bool

	// The text of a tool's input is kept in an attribute of its block, which is not read as JSON where it cannot be, and
	// what the JSON reader raises is passed on bare: lib/streaming/_messages.py, accumulate_event, JSON_BUF_PROPERTY.
	keepsInputInBlock bool

	// Events of a tool's input are for blocks whose type is "tool_use": lib/streaming/_messages.py, build_events.
	tellsToolUse bool

	// A message_delta without stop_details keeps those that there are, and its container and output_tokens_details are
	// not looked at: lib/streaming/_messages.py, accumulate_event.
	keepsDetails bool
}

// handle takes an event and tells how many it gives rise to: __stream__.
func (s *messageStream) handle(event value) (fired int, err error) {
	if s.snapshot == nil && !s.ways.wantsStart {
		kind, err := attribute(event, "type")
		if err != nil {
			return 0, err
		}
		if !kind.isStr("message_start") {
			return 1, nil
		}
	}
	if event.kind != kindModel {
		text, err := str(event)
		if err != nil {
			return 0, err
		}
		return 0, raise("TypeError", "Unexpected event runtime type, after deserialising twice - %s - <class '%s'>", text, event.className())
	}
	kind, err := attribute(event, "type")
	if err != nil {
		return 0, err
	}
	if s.snapshot == nil {
		err = s.begin(event, kind)
	} else {
		err = s.accumulate(event, kind)
	}
	if err != nil {
		return 0, err
	}
	return s.events(event, kind)
}

// begin makes the snapshot of the message in message_start.
func (s *messageStream) begin(event, kind value) error {
	if !kind.isStr("message_start") {
		text, err := str(kind)
		if err != nil {
			return err
		}
		return raise("RuntimeError", "Unexpected event order, got %s before \"message_start\"", text)
	}
	message, err := attribute(event, "message")
	if err != nil {
		return err
	}
	d, err := dumped(owned(message), false)
	if err != nil {
		return err
	}
	v, err := construct(s.shapes.message, d)
	s.snapshot = v.model()
	return err
}

// dumped is v.model_dump() with all its fields, or v.to_dict().
func dumped(v value, unset bool) (value, error) {
	if v.kind != kindModel {
		return none, noAttribute(v, map[bool]string{false: "to_dict", true: "model_dump"}[unset])
	}
	d, err := dumping{unset: unset, aliases: !unset}.model(v.model(), nil)
	return ofDict(d), err
}

// accumulate is accumulate_event for every event but the first.
func (s *messageStream) accumulate(event, kind value) error {
	if kind.kind != kindStr {
		return nil
	}
	switch kind.text {
	case "content_block_start":
		return appendTo(s.content(), func() (value, error) {
			block, err := attribute(event, "content_block")
			if err != nil {
				return none, err
			}
			d, err := dumped(owned(block), s.ways.dumpsUnset)
			if err != nil {
				return none, err
			}
			return construct(s.shapes.block, d)
		})
	case "content_block_delta":
		return s.addDelta(event)
	case "content_block_stop":
		return s.parseBlock(event)
	case "message_delta":
		return s.addMessageDelta(event)
	}
	return nil
}

func (s *messageStream) content() value { return s.snapshot.vals[s.snapshot.class.at("content")] }

// block is snapshot.content[event.index].
func (s *messageStream) block(event value) (block, index value, err error) {
	if index, err = attribute(event, "index"); err != nil {
		return none, none, err
	}
	block, err = item(s.content(), index)
	return block, index, err
}

// typed is v.name and its type.
func typed(v value, name string) (x, kind value, err error) {
	if x, err = attribute(v, name); err != nil {
		return none, none, err
	}
	kind, err = attribute(x, "type")
	return x, kind, err
}

// isType is v.type == name.
func isType(v value, name string) (bool, error) {
	kind, err := attribute(v, "type")
	return kind.isStr(name), err
}

func (s *messageStream) addDelta(event value) error {
	block, index, err := s.block(event)
	if err != nil {
		return err
	}
	delta, kind, err := typed(event, "delta")
	if err != nil || kind.kind != kindStr {
		return err
	}
	switch kind.text {
	case "text_delta":
		return extendWhere(block, "text", "text", delta)
	case "thinking_delta":
		return extendWhere(block, "thinking", "thinking", delta)
	case "signature_delta":
		ok, err := isType(block, "thinking")
		if err != nil || !ok {
			return err
		}
		return copyAttribute(delta, block, "signature")
	case "citations_delta":
		ok, err := isType(block, "text")
		if err != nil || !ok {
			return err
		}
		return addCitation(block, delta)
	case "input_json_delta":
		if !s.tracksInput(block) {
			return nil
		}
		return s.addInput(block, index, func() (value, error) { return bytesOf(delta) })
	}
	return nil
}

// tracksInput reports whether the block is an instance of TRACKS_TOOL_INPUT.
func (s *messageStream) tracksInput(block value) bool {
	return block.kind == kindModel && (block.model().class == s.shapes.toolUse || block.model().class == s.shapes.serverToolUse)
}

// extendWhere is block.name += delta.name where the block is of that type.
func extendWhere(block value, kind, name string, delta value) error {
	ok, err := isType(block, kind)
	if err != nil || !ok {
		return err
	}
	old, err := attribute(block, name)
	if err != nil {
		return err
	}
	more, err := attribute(delta, name)
	if err != nil {
		return err
	}
	sum, err := addAssign(old, owned(more))
	if err != nil {
		return err
	}
	return assignAttribute(block, name, sum)
}

// copyAttribute is to.name = from.name.
func copyAttribute(from, to value, name string) error {
	v, err := attribute(from, name)
	if err != nil {
		return err
	}
	return assignAttribute(to, name, owned(v))
}

func addCitation(block, delta value) error {
	there, err := attribute(block, "citations")
	if err != nil {
		return err
	}
	if there.truth() {
		return appendTo(there, func() (value, error) {
			citation, err := attribute(delta, "citation")
			return owned(citation), err
		})
	}
	citation, err := attribute(delta, "citation")
	if err != nil {
		return err
	}
	return assignAttribute(block, "citations", ofList(&list{elems: []value{owned(citation)}}))
}

// parseBlock parses the text of a block that has ended, where the caller gave a class for it.
func (s *messageStream) parseBlock(event value) error {
	block, _, err := s.block(event)
	if err != nil {
		return err
	}
	ok, err := isType(block, "text")
	if err != nil || !ok || !s.rich {
		return err
	}
	text, err := attribute(block, "text")
	if err != nil {
		return err
	}
	parsed, err := parsedClass(text)
	if err != nil {
		return err
	}
	return assignAttribute(block, "parsed_output", parsed)
}

// addMessageDelta takes what message_delta tells of the whole message: how it stopped, and what it used.
func (s *messageStream) addMessageDelta(event value) error {
	delta, err := attribute(event, "delta")
	if err != nil {
		return err
	}
	snapshot := ofModel(s.snapshot)
	for _, name := range []string{"stop_reason", "stop_sequence"} {
		if err := copyAttribute(delta, snapshot, name); err != nil {
			return err
		}
	}
	if s.ways.keepsDetails {
		err = copyGiven(delta, snapshot, "stop_details")
	} else if err = copyAttribute(delta, snapshot, "stop_details"); err == nil {
		err = copyGiven(delta, snapshot, "container")
	}
	if err != nil {
		return err
	}
	told, err := attribute(event, "usage")
	if err != nil {
		return err
	}
	tokens, err := attribute(told, "output_tokens")
	if err != nil {
		return err
	}
	usage, err := attribute(snapshot, "usage")
	if err != nil {
		return err
	}
	if err := assignAttribute(usage, "output_tokens", owned(tokens)); err != nil {
		return err
	}
	counts := []string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "server_tool_use", "output_tokens_details"}
	if s.ways.keepsDetails {
		counts = counts[:4]
	}
	for _, name := range counts {
		if err := copyGiven(told, usage, name); err != nil {
			return err
		}
	}
	return nil
}

// copyGiven is to.name = from.name where that is not None.
func copyGiven(from, to value, name string) error {
	v, err := attribute(from, name)
	if err != nil || v.isNone() {
		return err
	}
	return assignAttribute(to, name, owned(v))
}

// events tells how many events the caller gets for one of the stream, and raises what making them raises.
func (s *messageStream) events(event, kind value) (fired int, err error) {
	switch kind.text {
	case "message_start", "message_delta", "message_stop", "content_block_start":
		return 1, nil
	case "content_block_delta":
		return s.deltaEvents(event)
	case "content_block_stop":
		_, _, err := s.block(event)
		return 1, err
	}
	if s.ways.dropsUnknown {
		return 0, nil
	}
	return 1, nil
}

// deltaEvents are the delta itself and one that tells what has come together of its block so far, where the two fit.
func (s *messageStream) deltaEvents(event value) (fired int, err error) {
	block, _, err := s.block(event)
	if err != nil {
		return 0, err
	}
	_, kind, err := typed(event, "delta")
	if err != nil {
		return 0, err
	}
	fits := false
	switch {
	case kind.isStr("text_delta"), kind.isStr("citations_delta"):
		fits, err = isType(block, "text")
	case kind.isStr("thinking_delta"), kind.isStr("signature_delta"):
		fits, err = isType(block, "thinking")
	case kind.isStr("input_json_delta") && s.ways.tellsToolUse:
		fits, err = isType(block, "tool_use")
	case kind.isStr("input_json_delta"):
		fits = s.tracksInput(block)
	}
	if fits {
		return 2, err
	}
	return 1, err
}

// final is get_final_message.
func (s *messageStream) final() (*model, error) {
	if s.snapshot == nil {
		return nil, assertion()
	}
	return s.snapshot, s.inputs.settle()
}
