package python

// The request's tools, as lib/_parsing/_completions.py of openai 2.54.0 reads them: dicts of the caller's making.

// member is v.get(key, otherwise).
func member(v value, key string, otherwise value) (value, error) {
	if v.kind != kindDict {
		return none, noAttribute(v, "get")
	}
	if x, ok := v.dict().get(key); ok {
		return x, nil
	}
	return otherwise, nil
}

// toolFunctionMember is tool.get("function", {}).get(key).
func toolFunctionMember(tool value, key string) (value, error) {
	function, err := member(tool, "function", ofDict(&dict{}))
	if err != nil {
		return none, err
	}
	return member(function, key, none)
}

// isFunctionTool is tool["type"] == "function".
func isFunctionTool(tool value) (bool, error) {
	kind, err := item(tool, ofStr("type"))
	return kind.isStr("function"), err
}

// convertTools is _make_tools of resources/responses/responses.py, for tools that are plain dicts: it refuses those of
// Chat Completions before anything is asked. 3.57.0, lib/_response_resources.py, makes a list of a namespace's tools.
func convertTools(tools []value, w ways) ([]value, error) {
	out := make([]value, 0, len(tools))
	for _, tool := range tools {
		kind, err := item(tool, ofStr("type"))
		switch {
		case err != nil:
			return nil, err
		case kind.isStr("namespace") && w.knowsPhases:
			if tool, err = listed(tool); err != nil {
				return nil, err
			}
		case kind.isStr("function") && tool.dict().find("function") >= 0:
			return nil, raise("Exception", "Expected Chat Completions function tool shape to be created using `openai.pydantic_function_tool()`")
		}
		out = append(out, tool)
	}
	return out, nil
}

// listed is {**tool, "tools": list(tool["tools"])}.
func listed(tool value) (value, error) {
	tools, err := item(tool, ofStr("tools"))
	if err != nil {
		return none, err
	}
	nested, err := iterate(tools)
	if err != nil {
		return none, err
	}
	d := newDict(tool.dict().size())
	for i, k := range tool.dict().keys {
		d.set(k, tool.dict().vals[i])
	}
	d.set("tools", ofList(&list{elems: nested}))
	return ofDict(d), nil
}

// toolNamed is the first function tool of that name, None without one: get_input_tool_by_name.
func (s *chatStream) toolNamed(name value) (value, error) {
	for _, tool := range s.tools {
		ok, err := isFunctionTool(tool)
		if err != nil {
			return none, err
		}
		if !ok {
			continue
		}
		own, err := toolFunctionMember(tool, "name")
		if err != nil {
			return none, err
		}
		if equal(own, name) {
			return tool, nil
		}
	}
	return none, nil
}

// hasParseableInput is has_parseable_input: the response format is a class, or a tool is strict.
func (s *chatStream) hasParseableInput() (bool, error) {
	if s.rich {
		return true, nil
	}
	for _, tool := range s.tools {
		ok, err := isFunctionTool(tool)
		if err != nil {
			return false, err
		}
		if !ok {
			continue
		}
		function, err := member(tool, "function", none)
		if err != nil {
			return false, err
		}
		strict, err := member(function, "strict", none)
		if err != nil || strict.truth() {
			return strict.truth(), err
		}
	}
	return false, nil
}

// parseArguments is parse_function_tool_arguments: the arguments of a call of a strict tool as JSON, None for others.
func (s *chatStream) parseArguments(function value, depth int) (value, error) {
	name, err := attribute(function, "name")
	if err != nil {
		return none, err
	}
	tool, err := s.toolNamed(name)
	if err != nil || !tool.truth() {
		return none, err
	}
	declared, err := member(tool, "function", none)
	if err != nil {
		return none, err
	}
	strict, err := member(declared, "strict", none)
	if err != nil || !strict.truth() {
		return none, err
	}
	arguments, err := attribute(function, "arguments")
	if err != nil {
		return none, err
	}
	return loadsOf(arguments, depth)
}

// parseMessage is maybe_parse_content: the content as the response format's class, None where that is none.
func (s *chatStream) parseMessage(message value) (value, error) {
	if !s.rich {
		return none, nil
	}
	content, err := attribute(message, "content")
	if err != nil || !content.truth() {
		return none, err
	}
	refusal, err := attribute(message, "refusal")
	if err != nil || refusal.truth() {
		return none, err
	}
	return parsedClass(content)
}
