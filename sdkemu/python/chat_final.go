package python

// final is get_final_completion: parse_chat_completion of lib/_parsing/_completions.py over the snapshot.
func (s *chatStream) final() (*model, error) {
	if s.snapshot == nil {
		return nil, assertion()
	}
	given, err := iterate(s.snapshot.vals[s.snapshot.class.at("choices")])
	if err != nil {
		return nil, err
	}
	choices := &list{}
	for _, choice := range given {
		built, err := s.finalChoice(choice)
		if err != nil {
			return nil, err
		}
		choices.elems = append(choices.elems, built)
	}
	d, err := dumping{aliases: true}.model(s.snapshot, exceptChoices)
	if err != nil {
		return nil, err
	}
	d.set("choices", ofList(choices))
	completion, err := construct(s.shapes.finalCompletion, ofDict(d))
	return completion.model(), err
}

func (s *chatStream) finalChoice(choice value) (value, error) {
	reason, err := attribute(choice, "finish_reason")
	if err != nil {
		return none, err
	}
	if err := raiseForFinish(reason, s.snapshot); err != nil {
		return none, err
	}
	message, err := attribute(choice, "message")
	if err != nil {
		return none, err
	}
	calls, err := s.finalToolCalls(message)
	if err != nil {
		return none, err
	}
	d, err := choiceDict(choice.model())
	if err != nil {
		return none, err
	}
	m, err := toDict(message.model())
	if err != nil {
		return none, err
	}
	parsed, err := s.parseMessage(message)
	if err != nil {
		return none, err
	}
	m.set("parsed", parsed)
	m.set("tool_calls", calls)
	d.set("message", ofDict(m))
	return construct(s.shapes.finalChoice, ofDict(d))
}

// exceptChoices leaves out what the final choices take the place of. They were dumped for them: nothing in them raises.
var exceptChoices = &exclusion{fields: map[string]*exclusion{"choices": excluded}}

var exceptLogprobs = &exclusion{fields: map[string]*exclusion{"logprobs": excluded}}

// choiceDict is choice.to_dict() with the logprobs, which may be as long as the stream, as they are: dumping them and
// building them again would give the same.
func choiceDict(choice *model) (*dict, error) {
	at := choice.class.at("logprobs")
	if err := dumps(choice.vals[at]); err != nil {
		return nil, err
	}
	d, err := dumping{aliases: true}.model(choice, exceptLogprobs)
	if err == nil && choice.set.has(at) {
		d.set("logprobs", choice.vals[at])
	}
	return d, err
}

// finalToolCalls are a message's tool calls, those of functions with their parsed arguments; None when there are none.
func (s *chatStream) finalToolCalls(message value) (value, error) {
	given, err := attribute(message, "tool_calls")
	if err != nil {
		return none, err
	}
	calls, err := iterateOr(given)
	if err != nil || len(calls) == 0 {
		return none, err
	}
	out := &list{}
	for _, call := range calls {
		kind, err := attribute(call, "type")
		if err != nil {
			return none, err
		}
		switch {
		case kind.isStr("function"):
			if call, err = s.finalToolCall(call); err != nil {
				return none, err
			}
		case kind.isStr("custom"):
			// The SDK means to log the call's name and to leave the call out. What it reads the name from is a plain
			// dict at best: this never succeeds.
			if _, err := attribute(call, "id"); err != nil {
				return none, err
			}
			if _, err := follow(call, "custom", "name"); err != nil {
				return none, err
			}
			return none, &limitError{what: "custom tool calls: one with a name"}
		}
		out.elems = append(out.elems, call)
	}
	return ofList(out), nil
}

func (s *chatStream) finalToolCall(call value) (value, error) {
	d, err := toDict(call.model())
	if err != nil {
		return none, err
	}
	dumped, ok := d.get("function")
	if !ok {
		return none, raise("KeyError", "'function'")
	}
	if dumped.kind != kindDict {
		return none, raise("TypeError", "'%s' object is not a mapping", dumped.className())
	}
	function, err := attribute(call, "function")
	if err != nil {
		return none, err
	}
	parsed, err := s.parseArguments(function, s.depth.final)
	if err != nil {
		return none, err
	}
	dumped.dict().set("parsed_arguments", parsed)
	d.set("function", dumped)
	return construct(s.shapes.toolCall, ofDict(d))
}
