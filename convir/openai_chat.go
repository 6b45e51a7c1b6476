package convir

import (
	"sort"
	"strconv"

	"reassay/wire"
)

// completionReader reads a whole chat completion.
//
// Sources, read on 2026-11-30: https://platform.openai.com/docs/api-reference/chat/object; openai-go 3.99.0,
// chatcompletion.go. partTable and knownFields cite the page of each part.
type completionReader struct {
	unread unreadCounter
	reply  Reply
}

// completionChoice is one choice that is being read.
type completionChoice struct {
	*completionReader
	choice Choice
}

func parseOpenAIChat(body wire.Value) Reply {
	r := &completionReader{unread: unreadCounter{dialect: wire.OpenAIChat}}
	switch {
	case !body.Exists():
	case body.Kind() != wire.Object:
		r.fault(NotAnObject, "", body)
	default:
		r.body(body)
	}
	r.reply.Unread = r.unread.list()
	return r.reply
}

func (r *completionReader) fault(code FaultCode, path string, got wire.Value) {
	r.reply.Faults = append(r.reply.Faults, Fault{Code: code, Path: path, Got: got})
}

// str is a field that must be a string. Absent and null are "".
func (r *completionReader) str(path, key string, v wire.Value) string {
	s := v.Get(key)
	if s.Present() && s.Kind() != wire.String {
		r.fault(WrongType, path+"."+key, s)
	}
	return s.Str()
}

func (r *completionReader) body(body wire.Value) {
	choices := body.Get("choices")
	r.reply.Error = chatError(body)
	if !choices.Present() && r.reply.Error.Exists() {
		r.unread.object("error body", "", body)
		return
	}
	r.unread.object("completion", "", body.With("error", wire.Value{}))
	r.reply.ID, r.reply.Model = body.Get("id").Str(), body.Get("model").Str()
	r.usage(body.Get("usage"))
	switch choices.Kind() {
	case wire.Array:
	case wire.Missing, wire.Null:
		r.fault(MissingField, "choices", choices)
	default:
		r.fault(WrongType, "choices", choices)
	}
	for i, v := range choices.Elems() {
		r.choice(i, v)
	}
	if len(r.reply.Choices) > 0 {
		r.citations(body.Get("citations"))
	}
	sort.SliceStable(r.reply.Choices, func(i, j int) bool { return r.reply.Choices[i].Index < r.reply.Choices[j].Index })
}

// chatError is the error that a body tells, or Missing: {"error": {...}} (OpenAI, Error codes), or a flat object
// {"object": "error", "message": ...} (vLLM).
func chatError(body wire.Value) wire.Value {
	if e := body.Get("error"); e.Present() {
		return e
	}
	if body.Get("object").Str() == "error" || !body.Get("choices").Present() && body.Get("message").Kind() == wire.String {
		return body
	}
	return wire.Value{}
}

// usage reads the counts in Chat's own terms: cached tokens are among the prompt tokens.
func (r *completionReader) usage(u wire.Value) {
	if u.Present() && u.Kind() != wire.Object {
		r.fault(WrongType, "usage", u)
	}
	prompt, completion := u.Get("prompt_tokens_details"), u.Get("completion_tokens_details")
	r.unread.object("usage", "usage", u)
	r.unread.object("prompt tokens", "usage.prompt_tokens_details", prompt)
	r.unread.object("completion tokens", "usage.completion_tokens_details", completion)
	r.reply.Usage = Usage{
		Raw:       u,
		Input:     countOf(u.Get("prompt_tokens")),
		Output:    countOf(u.Get("completion_tokens")),
		Total:     countOf(u.Get("total_tokens")),
		CacheRead: countOf(prompt.Get("cached_tokens")),
		Reasoning: countOf(completion.Get("reasoning_tokens")),
	}
}

func (r *completionReader) choice(i int, v wire.Value) {
	path := "choices[" + strconv.Itoa(i) + "]"
	if v.Kind() != wire.Object {
		r.fault(NotAnObject, path, v)
		r.unread.add("choices[]")
		return
	}
	r.unread.object("choice", "choices[]", v)
	c := &completionChoice{completionReader: r, choice: Choice{Index: i, Path: path}}
	if n, ok := v.Get("index").Int(); ok {
		c.choice.Index = n
	}
	message := v.Get("message")
	if message.Kind() == wire.Object {
		c.message(path+".message", message)
	} else {
		r.fault(MissingField, path+".message", message)
	}
	c.logprobs(path+".logprobs", v.Get("logprobs"))
	if e := v.Get("error"); e.Present() {
		c.emit(Event{Kind: ErrorEvent, Data: e, Path: path + ".error"})
		if !r.reply.Error.Exists() {
			r.reply.Error = e
		}
	}
	c.stop(path+".finish_reason", v)
	r.reply.Choices = append(r.reply.Choices, c.choice)
}

func (c *completionChoice) emit(e Event) { c.choice.Events = append(c.choice.Events, e) }

// message reads what the message says: reasoning, answer, refusal, calls, and what hangs on them. In this dialect
// nothing says in which order text and calls were made.
func (c *completionChoice) message(path string, m wire.Value) {
	c.unread.object("message", "choices[].message", m)
	c.choice.Role = c.str(path, "role", m)
	answer, thoughts := c.content(path+".content", m.Get("content"))
	c.reasoning(path, m, thoughts)
	sign(answer, thoughtSignature(m))
	c.choice.Events = append(c.choice.Events, answer...)
	c.emit(Event{Kind: Refusal, Text: c.str(path, "refusal", m), Path: path + ".refusal"})
	c.calls(path+".tool_calls", m.Get("tool_calls"))
	if f := m.Get("function_call"); f.Present() {
		e := Event{Kind: ToolCall, Type: "function_call", Path: path + ".function_call"}
		c.function(&e, e.Path, "choices[].message.function_call", f)
		c.emit(e)
	}
	c.list(Citation, path+".annotations", m.Get("annotations"))
	if a := m.Get("audio"); a.Present() {
		c.emit(Event{Kind: Media, Type: "audio", ID: a.Get("id").Str(), Data: a, Path: path + ".audio"})
	}
	c.list(Media, path+".images", m.Get("images"))
	if x := m.Get("provider_specific_fields").With("thought_signature", wire.Value{}).With("thought_signatures", wire.Value{}); len(x.Members()) > 0 {
		c.emit(Event{Kind: Opaque, Type: "provider_specific_fields", Data: x, Path: path + ".provider_specific_fields"})
	}
	c.blocks(path+".content_blocks", m.Get("content_blocks"), answer)
	for _, x := range m.Members() {
		if !fieldIndex[wire.OpenAIChat]["message"][x.Key] && x.Value.Present() {
			c.emit(Event{Kind: Opaque, Type: x.Key, Data: x.Value, Path: path + "." + x.Key})
		}
	}
}

// list emits one event for each element of an array.
func (c *completionChoice) list(kind Kind, path string, v wire.Value) {
	if v.Present() && v.Kind() != wire.Array {
		c.fault(WrongType, path, v)
	}
	for i, e := range v.Elems() {
		c.emit(Event{Kind: kind, Type: e.Get("type").Str(), Data: e, Path: path + "[" + strconv.Itoa(i) + "]"})
	}
}

// content reads the answer: a string, or the parts of servers that send a list.
func (c *completionChoice) content(path string, v wire.Value) (answer, thoughts []Event) {
	switch v.Kind() {
	case wire.Missing, wire.Null:
	case wire.String:
		answer = append(answer, Event{Kind: Text, Text: v.Str(), Path: path})
	case wire.Array:
		for i, p := range v.Elems() {
			e := c.part(path+"["+strconv.Itoa(i)+"]", p)
			if e.Kind == Reasoning {
				thoughts = append(thoughts, e)
			} else {
				answer = append(answer, e)
			}
		}
	default:
		c.fault(WrongType, path, v)
		c.unread.add("choices[].message.content")
		answer = append(answer, Event{Kind: Opaque, Data: v, Path: path})
	}
	return answer, thoughts
}

// part reads one part of a content list.
func (c *completionChoice) part(path string, p wire.Value) Event {
	e := Event{Kind: Opaque, Type: p.Get("type").Str(), Data: p, Path: path}
	switch e.Type {
	case "text", "output_text":
		e.Kind, e.Text, e.Type, e.Data = Text, c.str(path, "text", p), "", wire.Value{}
	case "refusal":
		e.Kind, e.Text, e.Type, e.Data = Refusal, c.str(path, "refusal", p), "", wire.Value{}
	case "thinking":
		e.Kind, e.Text, e.Type, e.Data, e.Extension = Reasoning, thinkingText(p.Get("thinking")), "", wire.Value{}, "content"
	case "reference":
		e.Kind = Citation
	case "image_url", "input_audio", "file":
		e.Kind = Media
	default:
		c.unread.add("choices[].message.content[]." + e.Type)
	}
	return e
}

// thinkingText is the text of a thinking part: a string, or Mistral's list of text parts.
func thinkingText(v wire.Value) string {
	if v.Kind() == wire.String {
		return v.Str()
	}
	parts := make([]string, 0, len(v.Elems()))
	for _, p := range v.Elems() {
		parts = append(parts, p.Get("text").Str())
	}
	return wire.Join(parts...)
}

// calls reads tool_calls.
func (c *completionChoice) calls(path string, v wire.Value) {
	if v.Present() && v.Kind() != wire.Array {
		c.fault(WrongType, path, v)
		c.unread.add("choices[].message.tool_calls")
		c.emit(Event{Kind: Opaque, Type: "tool_calls", Data: v, Path: path})
	}
	for i, call := range v.Elems() {
		at := path + "[" + strconv.Itoa(i) + "]"
		if call.Kind() != wire.Object {
			c.fault(NotAnObject, at, call)
			continue
		}
		c.unread.object("call", "choices[].message.tool_calls[]", call)
		e := Event{Kind: ToolCall, ID: c.str(at, "id", call), Type: c.str(at, "type", call), Signature: thoughtSignature(call), Path: at}
		custom, function := call.Get("custom"), call.Get("function")
		switch {
		case custom.Kind() == wire.Object && function.Kind() != wire.Object:
			c.unread.object("custom", "choices[].message.tool_calls[].custom", custom)
			e.Name = c.str(at+".custom", "name", custom)
			input := custom.Get("input")
			e.Args = Args{Raw: c.str(at+".custom", "input", custom), Given: input.Present()}
		case function.Kind() == wire.Object:
			c.function(&e, at+".function", "choices[].message.tool_calls[].function", function)
		default:
			c.fault(MissingField, at+".function", function)
		}
		c.emit(e)
	}
}

func (c *completionChoice) function(e *Event, path, unread string, f wire.Value) {
	c.unread.object("function", unread, f)
	e.Name = c.str(path, "name", f)
	var code FaultCode
	e.Args, code = argumentsOf(f.Get("arguments"))
	if code != "" {
		c.fault(code, path+".arguments", f.Get("arguments"))
	}
}

// argumentsOf reads a function call's arguments: the text of a JSON object. Anything else is kept as it stands, and
// the code says what is wrong.
func argumentsOf(v wire.Value) (a Args, code FaultCode) {
	switch {
	case !v.Present():
		return Args{}, ArgsEmpty
	case v.Kind() != wire.String:
		return Args{Raw: string(v.JSON()), Value: v, Given: true}, WrongType
	}
	a = Args{Raw: v.Str(), Given: true}
	value, err := wire.Parse([]byte(a.Raw))
	switch {
	case a.Raw == "":
		return a, ArgsEmpty
	case err != nil:
		return a, ArgsNotJSON
	}
	a.Value = value
	if value.Kind() != wire.Object {
		code = ArgsNotObject
	}
	return a, code
}

// thoughtSignature is the signature that a message or call carries for Gemini: in extra_content as Google documents
// it, or in provider_specific_fields as LiteLLM does.
func thoughtSignature(v wire.Value) string {
	if s := v.Path("extra_content", "google", "thought_signature").Str(); s != "" {
		return s
	}
	fields := v.Get("provider_specific_fields")
	if s := fields.Get("thought_signature").Str(); s != "" {
		return s
	}
	return fields.Get("thought_signatures").At(0).Str()
}

// sign puts a message's signature on its answer: on the last text, which is the part that Gemini signs.
func sign(answer []Event, signature string) {
	for i := len(answer) - 1; i >= 0 && signature != ""; i-- {
		if answer[i].Kind == Text {
			answer[i].Signature = signature
			return
		}
	}
}

func (c *completionChoice) logprobs(path string, v wire.Value) {
	if v.Present() && v.Kind() != wire.Object {
		c.fault(WrongType, path, v)
	}
	c.unread.object("logprobs", "choices[].logprobs", v)
	if len(v.Get("content").Elems())+len(v.Get("refusal").Elems()) > 0 {
		c.emit(Event{Kind: Logprobs, Data: v, Path: path})
	}
}

// stop reads why the choice ended. A refusal ends with stop like an answer; that it is one is said by the refusal
// itself (OpenAI, Structured outputs guide, "Refusals").
func (c *completionChoice) stop(path string, choice wire.Value) {
	reason := choice.Get("finish_reason")
	s := Stop{Raw: reason.Str(), Path: path}
	if reason.Present() && reason.Kind() != wire.String {
		c.fault(WrongType, path, reason)
		s.Raw = string(reason.JSON())
	}
	s.Given = s.Raw != ""
	s.Outcome, s.Known = StopOutcome(wire.OpenAIChat, s.Raw)
	if s.Sequence = choice.Get("stop_reason").Str(); s.Sequence == "" {
		s.Sequence = choice.Get("matched_stop").Str()
	}
	if s.Outcome == Complete && refuses(c.choice.Events) {
		s.Outcome = Refused
	}
	c.choice.Stop = s
}

// refuses reports whether a choice holds a refusal and no answer beside it.
func refuses(events []Event) bool {
	refused := false
	for _, e := range events {
		switch {
		case e.Kind == Refusal && e.Text != "":
			refused = true
		case e.Kind == Text && e.Text != "", e.Kind == ToolCall:
			return false
		}
	}
	return refused
}

// citations reads Perplexity's list of sources, which stands beside the choices.
func (r *completionReader) citations(v wire.Value) {
	first := &r.reply.Choices[0]
	for i, e := range v.Elems() {
		first.Events = append(first.Events, Event{Kind: Citation, Data: e, Extension: "citations", Path: "citations[" + strconv.Itoa(i) + "]"})
	}
}
