package python

// parse is parse_response of openai 2.54.0, lib/_parsing/_responses.py: the whole response with what was parsed of it.
func (s *responsesStream) parse(response value) (*model, error) {
	given, err := attribute(response, "output")
	if err != nil {
		return nil, err
	}
	items, err := s.iterate(given)
	if err != nil {
		return nil, err
	}
	output := &list{}
	for _, item := range items {
		built, err := s.finalItem(item)
		if err != nil {
			return nil, err
		}
		output.elems = append(output.elems, built)
	}
	d, err := toDict(response.model())
	if err != nil {
		return nil, err
	}
	d.set("output", ofList(output))
	v, err := construct(s.shapes.finalResponse, ofDict(d))
	return v.model(), err
}

func (s *responsesStream) finalItem(item value) (value, error) {
	kind, err := attribute(item, "type")
	if err != nil {
		return none, err
	}
	switch {
	case kind.isStr("message"):
		return s.finalMessage(item)
	case kind.isStr("function_call"):
		d, err := toDict(item.model())
		if err != nil {
			return none, err
		}
		parsed, err := s.parseArguments(item)
		if err != nil {
			return none, err
		}
		d.set("parsed_arguments", parsed)
		return construct(s.shapes.functionCall, ofDict(d))
	}
	return item, nil
}

func (s *responsesStream) finalMessage(message value) (value, error) {
	given, err := attribute(message, "content")
	if err != nil {
		return none, err
	}
	parts, err := s.iterate(given)
	if err != nil {
		return none, err
	}
	content := &list{}
	for _, part := range parts {
		kind, err := attribute(part, "type")
		if err != nil {
			return none, err
		}
		if kind.isStr("output_text") {
			if part, err = s.finalText(part, message); err != nil {
				return none, err
			}
		}
		content.elems = append(content.elems, part)
	}
	d, err := toDict(message.model())
	if err != nil {
		return none, err
	}
	d.set("content", ofList(content))
	return construct(s.shapes.finalOutputMessage, ofDict(d))
}

func (s *responsesStream) finalText(part, message value) (value, error) {
	d, err := toDict(part.model())
	if err != nil {
		return none, err
	}
	text, err := attribute(part, "text")
	if err != nil {
		return none, err
	}
	parsed, err := s.parseText(text, message)
	if err != nil {
		return none, err
	}
	d.set("parsed", parsed)
	return construct(s.shapes.finalText, ofDict(d))
}

// iterate goes over an output or a content.
func (s *responsesStream) iterate(v value) ([]value, error) {
	if s.ways.knowsPhases {
		return iterateOr(v)
	}
	return iterate(v)
}

// parseText is parse_text: the text of a message as the text format's class, None where that is none or the message is
// not the final answer.
func (s *responsesStream) parseText(text, message value) (value, error) {
	if s.ways.knowsPhases {
		phase, err := attribute(message, "phase")
		if err != nil || !phase.isNone() && !phase.isStr("final_answer") {
			return none, err
		}
	}
	if !s.rich {
		return none, nil
	}
	return parsedClass(text)
}

// parseArguments is parse_function_tool_arguments: the arguments of a call of a strict tool as JSON, None for others.
func (s *responsesStream) parseArguments(call value) (value, error) {
	name, err := attribute(call, "name")
	if err != nil {
		return none, err
	}
	if s.ways.knowsPhases {
		tool, known, err := s.toolIn(call, name)
		if err != nil {
			return none, err
		}
		if known && !tool.truth() {
			return none, nil
		}
		if known {
			return s.parseFor(tool, call)
		}
	}
	for _, tool := range s.tools {
		ok, err := isFunctionTool(tool)
		if err != nil {
			return none, err
		}
		if !ok {
			continue
		}
		own, err := member(tool, "name", none)
		if err != nil {
			return none, err
		}
		if equal(own, name) {
			return s.parseFor(tool, call)
		}
	}
	return none, nil
}

// toolIn is the part of get_input_tool_by_name that looks at the namespace of a call: the tool in it, none where there
// is no such tool; known is false where the tools outside of namespaces decide.
func (s *responsesStream) toolIn(call, name value) (tool value, known bool, err error) {
	namespace, err := attribute(call, "namespace")
	if err != nil || namespace.isNone() {
		return none, false, err
	}
	for _, tool := range s.tools {
		kind, err := item(tool, ofStr("type"))
		if err != nil {
			return none, false, err
		}
		if !kind.isStr("namespace") {
			continue
		}
		own, err := item(tool, ofStr("name"))
		if err != nil {
			return none, false, err
		}
		if !equal(own, namespace) {
			continue
		}
		tool, err := toolAmong(tool, name)
		return tool, true, err
	}
	return none, !equal(namespace, name), nil
}

// toolAmong is the function of that name among the tools of a namespace.
func toolAmong(namespace, name value) (value, error) {
	tools, err := item(namespace, ofStr("tools"))
	if err != nil {
		return none, err
	}
	nested, err := iterate(tools)
	if err != nil {
		return none, err
	}
	for _, tool := range nested {
		ok, err := isFunctionTool(tool)
		if err != nil {
			return none, err
		}
		if !ok {
			continue
		}
		own, err := item(tool, ofStr("name"))
		if err != nil {
			return none, err
		}
		if equal(own, name) {
			return tool, nil
		}
	}
	return none, nil
}

func (s *responsesStream) parseFor(tool, call value) (value, error) {
	strict, err := member(tool, "strict", none)
	if err != nil || !strict.truth() {
		return none, err
	}
	arguments, err := attribute(call, "arguments")
	if err != nil {
		return none, err
	}
	return loadsOf(arguments, s.depth)
}
