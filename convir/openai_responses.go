package convir

import (
	"strconv"

	"reassay/wire"
)

// responseReader reads a whole response.
//
// Sources, read on 2026-11-30: https://platform.openai.com/docs/api-reference/responses/object; openai-go 3.99.0,
// responses/response.go. partTable and knownFields cite the page of each item.
type responseReader struct {
	unread unreadCounter
	reply  Reply
	choice Choice
	cited  []Event // the citations and logprobs of the text that is being read: they stand behind all of it
}

// echoed are the controls that a response repeats from its request.
var echoed = []string{
	"tools", "tool_choice", "parallel_tool_calls", "temperature", "top_p", "max_output_tokens", "max_tool_calls",
	"text", "reasoning", "truncation", "instructions", "metadata", "store", "background", "previous_response_id",
	"conversation", "prompt", "prompt_cache_key", "prompt_cache_retention", "safety_identifier", "service_tier",
	"top_logprobs", "user",
}

func parseOpenAIResponses(body wire.Value) Reply {
	r := &responseReader{unread: unreadCounter{dialect: wire.OpenAIResponses}}
	switch {
	case !body.Exists():
	case body.Kind() != wire.Object:
		r.fault(NotAnObject, "", body)
	case responseError(body).Exists():
		r.unread.object("error body", "", body)
		r.reply.Error = responseError(body)
	default:
		r.body(body)
	}
	r.reply.Unread = r.unread.list()
	return r.reply
}

// responseError is the error that a body tells in place of a response, or Missing.
func responseError(body wire.Value) wire.Value {
	if body.Get("object").Str() == "response" || body.Get("output").Exists() {
		return wire.Value{}
	}
	if e := body.Get("error"); e.Present() {
		return e
	}
	if body.Get("type").Str() == "error" {
		return body
	}
	return wire.Value{}
}

func (r *responseReader) fault(code FaultCode, path string, got wire.Value) {
	r.reply.Faults = append(r.reply.Faults, Fault{Code: code, Path: path, Got: got})
}

func (r *responseReader) emit(e Event) { r.choice.Events = append(r.choice.Events, e) }

// str is a field that must be a string. Absent and null are "".
func (r *responseReader) str(path, key string, v wire.Value) string {
	s := v.Get(key)
	if s.Present() && s.Kind() != wire.String {
		r.fault(WrongType, path+"."+key, s)
	}
	return s.Str()
}

func (r *responseReader) body(body wire.Value) {
	r.unread.object("response", "", body)
	r.reply.ID, r.reply.Model = body.Get("id").Str(), body.Get("model").Str()
	r.reply.Error = orMissing(body.Get("error"))
	output := body.Get("output")
	switch output.Kind() {
	case wire.Array:
	case wire.Missing, wire.Null:
		r.fault(MissingField, "output", output)
	default:
		r.fault(WrongType, "output", output)
	}
	for i, item := range output.Elems() {
		r.item("output["+strconv.Itoa(i)+"]", item)
	}
	r.flush()
	if e := r.reply.Error; e.Exists() {
		r.emit(Event{Kind: ErrorEvent, Data: e, Path: "error"})
	}
	r.stop(body)
	r.usage(body.Get("usage"))
	r.reply.Echo = echoOf(body)
	r.reply.Choices = []Choice{r.choice}
}

func orMissing(v wire.Value) wire.Value {
	if v.Present() {
		return v
	}
	return wire.Value{}
}

// echoOf are the controls that the response repeats, null ones included.
func echoOf(body wire.Value) wire.Value {
	var members []wire.Member
	for _, key := range echoed {
		members = append(members, wire.Member{Key: key, Value: body.Get(key)})
	}
	if echo := wire.Obj(members...); len(echo.Members()) > 0 {
		return echo
	}
	return wire.Value{}
}

// flush puts the citations and logprobs of a run of texts behind the run: they say something about the text and do
// not part it, so that neighbouring text is joined across them.
func (r *responseReader) flush() {
	r.choice.Events = append(r.choice.Events, r.cited...)
	r.cited = nil
}

// stop reads why the response ended. Calls do not change its status: that it waits for their results is said by the
// calls (Function calling guide, "Handling function calls"). A refusal ends as completed, like an answer.
func (r *responseReader) stop(body wire.Value) {
	status, details := body.Get("status"), body.Get("incomplete_details")
	r.unread.object("incomplete details", "incomplete_details", details)
	s := Stop{Raw: status.Str(), Path: "status"}
	if status.Present() && status.Kind() != wire.String {
		r.fault(WrongType, "status", status)
		s.Raw = string(status.JSON())
	}
	if reason := details.Get("reason"); s.Raw == "incomplete" && reason.Str() != "" {
		s.Raw, s.Path = reason.Str(), "incomplete_details.reason"
	}
	s.Given = s.Raw != ""
	s.Outcome, s.Known = StopOutcome(wire.OpenAIResponses, s.Raw)
	if s.Outcome == Complete {
		switch {
		case hasCall(r.choice.Events):
			s.Outcome = ToolCalls
		case refuses(r.choice.Events):
			s.Outcome = Refused
		}
	}
	r.choice.Stop = s
}

func hasCall(events []Event) bool {
	for _, e := range events {
		if e.Kind == ToolCall {
			return true
		}
	}
	return false
}

// usage reads the counts in the API's own terms: cached tokens are among the input tokens.
func (r *responseReader) usage(u wire.Value) {
	if u.Present() && u.Kind() != wire.Object {
		r.fault(WrongType, "usage", u)
	}
	input, output := u.Get("input_tokens_details"), u.Get("output_tokens_details")
	r.unread.object("usage", "usage", u)
	r.unread.object("input tokens", "usage.input_tokens_details", input)
	r.unread.object("output tokens", "usage.output_tokens_details", output)
	r.reply.Usage = Usage{
		Raw:       u,
		Input:     countOf(u.Get("input_tokens")),
		Output:    countOf(u.Get("output_tokens")),
		Total:     countOf(u.Get("total_tokens")),
		CacheRead: countOf(input.Get("cached_tokens")),
		Reasoning: countOf(output.Get("reasoning_tokens")),
	}
}

// item reads one output item.
func (r *responseReader) item(path string, v wire.Value) {
	kind := v.Get("type").Str()
	if kind != "message" {
		r.flush()
	}
	shape := "item " + kind
	if v.Kind() != wire.Object || fieldIndex[wire.OpenAIResponses][shape] == nil {
		if v.Kind() != wire.Object {
			r.fault(NotAnObject, path, v)
		}
		r.unread.add("output[]." + kind)
		r.emit(Event{Kind: Opaque, Type: kind, Data: v, Path: path})
		return
	}
	r.unread.object(shape, "output[]", v)
	switch kind {
	case "message":
		r.message(path, v)
	case "reasoning":
		r.reasoning(path, v)
	case "function_call", "custom_tool_call":
		r.functionCall(path, v, kind)
	case "computer_call", "local_shell_call", "apply_patch_call", "shell_call":
		r.actionCall(path, v, kind)
	case "code_interpreter_call":
		r.codeCall(path, v)
	case "program":
		r.emit(Event{Kind: Code, ID: v.Get("call_id").Str(), Type: kind, Text: r.str(path, "code", v), Data: v, Path: path})
	case "program_output":
		r.emit(Event{Kind: CodeResult, ID: v.Get("call_id").Str(), Type: kind, Text: r.str(path, "result", v), Data: v, Path: path})
	case "image_generation_call":
		r.emit(Event{Kind: Media, ID: v.Get("id").Str(), Type: kind, IsError: failed(v), Data: v, Path: path})
	case "mcp_approval_response", "additional_tools", "compaction":
		r.emit(Event{Kind: Opaque, ID: v.Get("id").Str(), Type: kind, Signature: r.str(path, "encrypted_content", v), Data: v, Path: path})
	default:
		r.serverTool(path, v, kind)
	}
}

// message reads a message item. The reply's role is that of its messages; one that is not the assistant's shows.
func (r *responseReader) message(path string, v wire.Value) {
	if role := r.str(path, "role", v); r.choice.Role == "" || role != "assistant" {
		r.choice.Role = role
	}
	if phase := r.str(path, "phase", v); phase != "" {
		r.choice.Phases = append(r.choice.Phases, Event{Kind: Opaque, Type: "phase", Text: phase, Path: path + ".phase"})
	}
	content := v.Get("content")
	switch content.Kind() {
	case wire.Array:
	case wire.String:
		r.fault(WrongType, path+".content", content)
		r.emit(Event{Kind: Text, Text: content.Str(), Path: path + ".content"})
	case wire.Missing, wire.Null:
		r.fault(MissingField, path+".content", content)
	default:
		r.fault(WrongType, path+".content", content)
	}
	for i, p := range content.Elems() {
		r.part(path+".content["+strconv.Itoa(i)+"]", p)
	}
}

// part reads one part of a message.
func (r *responseReader) part(path string, p wire.Value) {
	kind := p.Get("type").Str()
	if kind != "output_text" {
		r.flush()
	}
	if fieldIndex[wire.OpenAIResponses]["part "+kind] == nil {
		if p.Kind() != wire.Object {
			r.fault(NotAnObject, path, p)
		}
		r.unread.add("output[].content[]." + kind)
		r.emit(Event{Kind: Opaque, Type: kind, Data: p, Path: path})
		return
	}
	r.unread.object("part "+kind, "output[].content[]", p)
	switch kind {
	case "output_text":
		r.emit(Event{Kind: Text, Text: r.str(path, "text", p), Path: path})
		r.annotations(path+".annotations", p.Get("annotations"))
		if l := p.Get("logprobs"); len(l.Elems()) > 0 {
			r.cited = append(r.cited, Event{Kind: Logprobs, Data: l, Path: path + ".logprobs"})
		}
	case "refusal":
		r.emit(Event{Kind: Refusal, Text: r.str(path, "refusal", p), Path: path})
	case "reasoning_text", "summary_text":
		r.emit(Event{Kind: Reasoning, Type: kind, Text: r.str(path, "text", p), Path: path})
	default:
		r.emit(Event{Kind: Media, Type: kind, Data: p, Path: path})
	}
}

func (r *responseReader) annotations(path string, v wire.Value) {
	if v.Present() && v.Kind() != wire.Array {
		r.fault(WrongType, path, v)
	}
	for i, a := range v.Elems() {
		kind := a.Get("type").Str()
		if fieldIndex[wire.OpenAIResponses]["citation "+kind] == nil {
			r.unread.add("output[].content[].annotations[]." + kind)
		} else {
			r.unread.object("citation "+kind, "output[].content[].annotations[]", a)
		}
		r.cited = append(r.cited, Event{Kind: Citation, Type: kind, Data: a, Path: path + "[" + strconv.Itoa(i) + "]"})
	}
}
