package python

// choiceEvents is ChoiceEventState: which "done" events a choice has already given.
type choiceEvents struct {
	content, refusal, logprobsContent, logprobsRefusal bool

	doneTools   map[int64]bool
	currentTool value // None before the first tool call
}

// isDone reports whether the tool call at that index has ended. It served as an index: it is an int that fits.
func (c *choiceEvents) isDone(index value) bool { return c.doneTools[int64(index.bits)] }

func (c *choiceEvents) setDone(index value) {
	if c.doneTools == nil {
		c.doneTools = map[int64]bool{}
	}
	c.doneTools[int64(index.bits)] = true
}

// events counts the events of a chunk and raises what making them raises: _build_events.
func (s *chatStream) events(chunk *model) (int, error) {
	given, err := iterate(chunk.vals[chunk.class.at("choices")])
	if err != nil {
		return 0, err
	}
	n := 1
	for _, choice := range given {
		more, err := s.choiceEvents(choice)
		if err != nil {
			return 0, err
		}
		n += more
	}
	return n, nil
}

func (s *chatStream) choiceEvents(choice value) (int, error) {
	index, err := attribute(choice, "index")
	if err != nil {
		return 0, err
	}
	state, err := s.eventsOf(index)
	if err != nil {
		return 0, err
	}
	snapshot, err := item(s.snapshot.vals[s.snapshot.class.at("choices")], index)
	if err != nil {
		return 0, err
	}
	delta, err := attribute(choice, "delta")
	if err != nil {
		return 0, err
	}
	n := 0
	for _, name := range []string{"content", "refusal"} {
		given, err := attribute(delta, name)
		if err != nil {
			return 0, err
		}
		if given.isNone() {
			continue
		}
		there, err := follow(snapshot, "message", name)
		if err != nil {
			return 0, err
		}
		if !there.isNone() {
			n++
		}
	}
	tools, err := s.toolEvents(delta, snapshot)
	if err != nil {
		return 0, err
	}
	logprobs, err := s.logprobEvents(choice, snapshot)
	if err != nil {
		return 0, err
	}
	done, err := s.doneEvents(state, delta, snapshot)
	return n + tools + logprobs + done, err
}

// eventsOf is _get_choice_state: by list position, a new one at the end where there is none.
func (s *chatStream) eventsOf(index value) (*choiceEvents, error) {
	at, ok, err := position(index, len(s.choices))
	switch {
	case err == nil && !ok:
		return nil, raise("TypeError", "list indices must be integers or slices, not %s", index.className())
	case err != nil || at < 0 || at >= len(s.choices):
		s.choices = append(s.choices, &choiceEvents{})
		return s.choices[len(s.choices)-1], nil
	}
	return s.choices[at], nil
}

// toolEvents are the events for the deltas of function calls.
func (s *chatStream) toolEvents(delta, snapshot value) (int, error) {
	given, err := attribute(delta, "tool_calls")
	if err != nil || !given.truth() {
		return 0, err
	}
	calls, err := follow(snapshot, "message", "tool_calls")
	if err != nil {
		return 0, err
	}
	if calls.isNone() {
		return 0, assertion()
	}
	deltas, err := iterate(given)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, d := range deltas {
		index, err := attribute(d, "index")
		if err != nil {
			return 0, err
		}
		call, err := item(calls, index)
		if err != nil {
			return 0, err
		}
		kind, err := attribute(call, "type")
		if err != nil {
			return 0, err
		}
		if !kind.isStr("function") {
			continue
		}
		function, err := attribute(d, "function")
		if err != nil {
			return 0, err
		}
		if function.isNone() {
			return 0, assertion()
		}
		for _, name := range []string{"name", "arguments", "parsed_arguments"} {
			if _, err := follow(call, "function", name); err != nil {
				return 0, err
			}
		}
		if _, err := attribute(function, "arguments"); err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}

func (s *chatStream) logprobEvents(choice, snapshot value) (int, error) {
	given, err := attribute(choice, "logprobs")
	if err != nil || given.isNone() {
		return 0, err
	}
	there, err := attribute(snapshot, "logprobs")
	if err != nil || there.isNone() {
		return 0, err
	}
	n := 0
	for _, name := range []string{"content", "refusal"} {
		more, err := attribute(given, name)
		if err != nil {
			return 0, err
		}
		if !more.truth() {
			continue
		}
		all, err := attribute(there, name)
		if err != nil {
			return 0, err
		}
		if !all.truth() {
			continue
		}
		for _, entries := range []value{more, all} {
			if err := s.buildEntries(entries); err != nil {
				return 0, err
			}
		}
		n++
	}
	return n, nil
}

// buildEntries raises what building an event's logprobs of entries raises. Entries are objects of their class already,
// save where building them raised before and the SDK kept them as they came.
func (s *chatStream) buildEntries(entries value) error {
	if entries.kind != kindList {
		return nil
	}
	l := entries.list()
	for i, all := l.built, true; i < len(l.elems); i++ {
		e := l.elems[i]
		if _, err := construct(s.shapes.logprobEntry, e); err != nil {
			return err
		}
		if all = all && e.kind != kindDict && e.kind != kindList; all {
			l.built = i + 1
		}
	}
	return nil
}

// doneEvents is get_done_events: what ended when the choice finished or went on to another tool call.
func (s *chatStream) doneEvents(state *choiceEvents, delta, snapshot value) (int, error) {
	n := 0
	reason, err := attribute(snapshot, "finish_reason")
	if err != nil {
		return 0, err
	}
	if reason.truth() {
		if n, err = s.contentDone(state, snapshot); err != nil {
			return 0, err
		}
		if !state.currentTool.isNone() && !state.isDone(state.currentTool) {
			done, err := s.toolDone(state, snapshot)
			if err != nil {
				return 0, err
			}
			n += done
		}
	}
	given, err := attribute(delta, "tool_calls")
	if err != nil {
		return 0, err
	}
	calls, err := iterateOr(given)
	if err != nil {
		return 0, err
	}
	for _, call := range calls {
		index, err := attribute(call, "index")
		if err != nil {
			return 0, err
		}
		if !sameIndex(state.currentTool, index) {
			more, err := s.contentDone(state, snapshot)
			if err != nil {
				return 0, err
			}
			n += more
			if !state.currentTool.isNone() {
				more, err := s.toolDone(state, snapshot)
				if err != nil {
					return 0, err
				}
				n += more
			}
		}
		state.currentTool = owned(index)
	}
	return n, nil
}

// contentDone is _content_done_events.
func (s *chatStream) contentDone(state *choiceEvents, snapshot value) (int, error) {
	message, err := attribute(snapshot, "message")
	if err != nil {
		return 0, err
	}
	n := 0
	content, err := attribute(message, "content")
	if err != nil {
		return 0, err
	}
	if content.truth() && !state.content {
		state.content = true
		parsed, err := s.parseMessage(message)
		if err != nil {
			return 0, err
		}
		if err := assignAttribute(message, "parsed", parsed); err != nil {
			return 0, err
		}
		n++
	}
	refusal, err := attribute(message, "refusal")
	if err != nil {
		return 0, err
	}
	if !refusal.isNone() && !state.refusal {
		state.refusal = true
		n++
	}
	logprobs, err := attribute(snapshot, "logprobs")
	if err != nil || logprobs.isNone() {
		return n, err
	}
	for _, part := range []struct {
		name string
		done *bool
	}{{"content", &state.logprobsContent}, {"refusal", &state.logprobsRefusal}} {
		entries, err := attribute(logprobs, part.name)
		if err != nil {
			return 0, err
		}
		if entries.isNone() || *part.done {
			continue
		}
		*part.done = true
		if err := s.buildEntries(entries); err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}

// toolDone is _add_tool_done_event for the current tool call.
func (s *chatStream) toolDone(state *choiceEvents, snapshot value) (int, error) {
	index := state.currentTool
	if state.isDone(index) {
		return 0, nil
	}
	state.setDone(index)
	calls, err := follow(snapshot, "message", "tool_calls")
	if err != nil {
		return 0, err
	}
	if calls.isNone() {
		return 0, assertion()
	}
	call, err := item(calls, index)
	if err != nil {
		return 0, err
	}
	kind, err := attribute(call, "type")
	if err != nil || !kind.isStr("function") {
		return 0, err
	}
	function, err := attribute(call, "function")
	if err != nil {
		return 0, err
	}
	parsed, err := s.parseArguments(function, s.depth.arguments)
	if err != nil {
		return 0, err
	}
	return 1, assignAttribute(function, "parsed_arguments", parsed)
}
