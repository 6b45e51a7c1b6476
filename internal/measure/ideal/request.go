package ideal

import "reassay/wire"

// Request is what the caller asks in dialect d, streamed: the parts of it that a judge of replies looks at.
func (a Ask) Request(d wire.Dialect, model string) wire.Value {
	switch d {
	case wire.OpenAIChat:
		return a.chat(model)
	case wire.OpenAIResponses:
		return a.responses().With("model", wire.Of(model))
	case wire.AnthropicMessages:
		return a.messages(model)
	default:
		return a.gemini()
	}
}

const parameters = `{"type":"object","properties":{"location":{"type":"string"}},"additionalProperties":true}`

func (a Ask) chat(model string) wire.Value {
	v := Obj("model", model, "messages", []wire.Value{Obj("role", "user", "content", "Please reply.")}, "stream", true,
		"stream_options", Obj("include_usage", true))
	var tools []wire.Value
	for _, t := range a.Tools {
		if t.Custom {
			tools = append(tools, Obj("type", "custom", "custom", Obj("name", t.Name)))
			continue
		}
		tools = append(tools, Obj("type", "function", "function", Obj("name", t.Name, "parameters", JSON(parameters))))
	}
	if tools != nil {
		v = v.With("tools", wire.Arr(tools...))
	}
	if a.Forced != "" {
		v = v.With("tool_choice", Obj("type", "function", "function", Obj("name", a.Forced)))
	}
	switch a.Format {
	case "json_object":
		v = v.With("response_format", Obj("type", "json_object"))
	case "json_schema":
		v = v.With("response_format", Obj("type", "json_schema", "json_schema", Obj("name", "answer", "strict", true, "schema", JSON(a.Schema))))
	}
	if a.Candidates > 1 {
		v = v.With("n", wire.OfInt(a.Candidates))
	}
	if a.Logprobs {
		v = v.With("logprobs", wire.OfBool(true))
	}
	return v
}

func responsesFormat(a Ask) wire.Value {
	switch a.Format {
	case "json_object":
		return Obj("type", "json_object")
	case "json_schema":
		return Obj("type", "json_schema", "name", "answer", "strict", true, "schema", JSON(a.Schema))
	}
	return Obj("type", "text")
}

func (a Ask) responses() wire.Value {
	v := Obj("input", "Please reply.", "stream", true, "max_output_tokens", 4096, "temperature", wire.OfNum("0.7"),
		"top_p", wire.OfNum("0.9"), "parallel_tool_calls", true)
	var tools []wire.Value
	for _, t := range a.Tools {
		if t.Custom {
			tools = append(tools, Obj("type", "custom", "name", t.Name))
			continue
		}
		tools = append(tools, Obj("type", "function", "name", t.Name, "parameters", JSON(parameters), "strict", false))
	}
	if tools != nil {
		v = v.With("tools", wire.Arr(tools...)).With("tool_choice", wire.Of("auto"))
	}
	if a.Forced != "" {
		v = v.With("tool_choice", Obj("type", "function", "name", a.Forced))
	}
	if a.Format != "" {
		v = v.With("text", Obj("format", responsesFormat(a)))
	}
	return v
}

func (a Ask) messages(model string) wire.Value {
	v := Obj("model", model, "max_tokens", 4096, "messages", []wire.Value{Obj("role", "user", "content", "Please reply.")}, "stream", true)
	var tools []wire.Value
	for _, t := range a.Tools {
		tools = append(tools, Obj("name", t.Name, "input_schema", JSON(parameters)))
	}
	if tools != nil {
		v = v.With("tools", wire.Arr(tools...))
	}
	if a.Forced != "" {
		v = v.With("tool_choice", Obj("type", "tool", "name", a.Forced))
	}
	if a.Format == "json_schema" {
		v = v.With("output_config", Obj("format", Obj("type", "json_schema", "schema", JSON(a.Schema))))
	}
	return v
}

func (a Ask) gemini() wire.Value {
	v := Obj("contents", []wire.Value{Obj("role", "user", "parts", []wire.Value{Obj("text", "Please reply.")})})
	var tools []wire.Value
	for _, t := range a.Tools {
		tools = append(tools, Obj("name", t.Name, "parameters", JSON(`{"type":"OBJECT","properties":{"location":{"type":"STRING"}}}`)))
	}
	if tools != nil {
		v = v.With("tools", wire.Arr(Obj("functionDeclarations", tools)))
	}
	if a.Forced != "" {
		v = v.With("toolConfig", Obj("functionCallingConfig", Obj("mode", "ANY", "allowedFunctionNames", []wire.Value{wire.Of(a.Forced)})))
	}
	config := Obj()
	if a.Format != "" {
		config = config.With("responseMimeType", wire.Of("application/json"))
	}
	if a.Format == "json_schema" {
		config = config.With("responseJsonSchema", JSON(a.Schema))
	}
	if a.Candidates > 1 {
		config = config.With("candidateCount", wire.OfInt(a.Candidates))
	}
	if a.Logprobs {
		config = config.With("responseLogprobs", wire.OfBool(true))
	}
	if len(config.Members()) > 0 {
		v = v.With("generationConfig", config)
	}
	return v
}
