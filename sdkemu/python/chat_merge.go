package python

// mergeChoice merges a chunk's choice into the snapshot's choice at that list position: the try block of
// _accumulate_chunk. An IndexError, from wherever in it, means that the choice is opened instead.
func (s *chatStream) mergeChoice(choice value) (snapshot value, err error) {
	index, err := attribute(choice, "index")
	if err != nil {
		return none, err
	}
	snapshot, err = item(s.snapshot.vals[s.snapshot.class.at("choices")], index)
	if err != nil {
		return none, err
	}
	old, err := attribute(snapshot, "message")
	if err != nil {
		return none, err
	}
	calls, err := attribute(old, "tool_calls")
	if err != nil {
		return none, err
	}
	previous, err := iterateOr(calls)
	if err != nil {
		return none, err
	}
	delta, err := attribute(choice, "delta")
	if err != nil {
		return none, err
	}
	if delta.kind == kindModel && s.appendInPlace(old.model(), delta.model()) {
		return snapshot, nil
	}
	if err := s.work.spend(1 + len(previous)); err != nil {
		return none, err
	}
	message, err := s.mergeMessage(old.model(), delta)
	if err != nil {
		return none, err
	}
	if err := assignAttribute(snapshot, "message", message); err != nil {
		return none, err
	}
	if err := keepParsedArguments(message, previous); err != nil {
		return none, err
	}
	s.settle(message.model())
	return snapshot, nil
}

// exceptParsed is what the SDK adds to a message: a delta cannot carry it on. It is left out where the function of a
// tool call is an object; where it is a list of objects, what the SDK asks for does not fit, and they keep theirs.
var exceptParsed = &exclusion{fields: map[string]*exclusion{
	"parsed": excluded,
	"tool_calls": {items: &exclusion{fields: map[string]*exclusion{
		"function": {fields: map[string]*exclusion{"parsed_arguments": excluded}},
	}}},
}}

// mergeMessage dumps a message, merges the delta into the dump and builds a message of it again. Afterwards every
// field that a class declares counts as set.
func (s *chatStream) mergeMessage(old *model, delta value) (value, error) {
	acc, err := dumping{unset: true}.model(old, exceptParsed)
	if err != nil {
		return none, err
	}
	d, err := deltaDict(owned(delta))
	if err != nil {
		return none, err
	}
	if err := s.ways.accumulate(acc, d); err != nil {
		return none, err
	}
	return construct(s.shapes.message, ofDict(acc))
}

// keepParsedArguments gives the tool calls that were there before their parsed arguments back.
func keepParsedArguments(message value, previous []value) error {
	for i, old := range previous {
		calls, err := attribute(message, "tool_calls")
		if err != nil {
			return err
		}
		if !calls.truth() {
			calls = ofList(&list{})
		}
		call, err := item(calls, ofInt(int64(i)))
		if err != nil {
			return err
		}
		kind, err := attribute(old, "type")
		if err != nil {
			return err
		}
		if !kind.isStr("function") {
			continue
		}
		if kind, err = attribute(call, "type"); err != nil {
			return err
		}
		if !kind.isStr("function") {
			return assertion()
		}
		parsed, err := follow(old, "function", "parsed_arguments")
		if err != nil {
			return err
		}
		function, err := attribute(call, "function")
		if err != nil {
			return err
		}
		if err := assignAttribute(function, "parsed_arguments", parsed); err != nil {
			return err
		}
	}
	return nil
}
