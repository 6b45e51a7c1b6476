package convir

import (
	"strconv"
	"strings"

	"reassay/wire"
)

// messageReader reads a whole message of the Messages API.
//
// Sources, read on 2026-11-30: https://platform.claude.com/docs/en/api/messages/create, the response;
// https://platform.claude.com/docs/en/api/beta/messages/create for beta blocks; @anthropic-ai/sdk 1.14.0,
// resources/beta/messages/messages.d.ts. partTable and knownFields cite the page of each part.
type messageReader struct {
	unread unreadCounter
	reply  Reply
	choice Choice
	cited  []Event // the citations of the text that is being read: they stand behind all of it
}

func parseAnthropic(body wire.Value) Reply {
	r := &messageReader{unread: unreadCounter{dialect: wire.AnthropicMessages}}
	switch {
	case !body.Exists():
	case body.Kind() != wire.Object:
		r.fault(NotAnObject, "", body)
	case body.Get("error").Present():
		r.unread.object("error", "", body)
		r.reply.Error = body.Get("error")
	default:
		r.message(body)
	}
	r.reply.Unread = r.unread.list()
	return r.reply
}

func (r *messageReader) fault(code FaultCode, path string, got wire.Value) {
	r.reply.Faults = append(r.reply.Faults, Fault{Code: code, Path: path, Got: got})
}

func (r *messageReader) emit(e Event) { r.choice.Events = append(r.choice.Events, e) }

func (r *messageReader) message(body wire.Value) {
	r.unread.object("message", "", body)
	r.reply.ID, r.reply.Model = body.Get("id").Str(), body.Get("model").Str()
	r.choice.Role = body.Get("role").Str()
	content := body.Get("content")
	switch content.Kind() {
	case wire.Array:
	case wire.Missing, wire.Null:
		r.fault(MissingField, "content", content)
	default:
		r.fault(WrongType, "content", content)
		r.emit(Event{Kind: Text, Text: content.Str(), Path: "content"})
	}
	for i, b := range content.Elems() {
		r.block("content["+strconv.Itoa(i)+"]", b)
	}
	r.citations()
	r.stop(body)
	r.usage(body.Get("usage"))
	r.reply.Choices = []Choice{r.choice}
}

// citations puts the citations of a run of text blocks behind the run: a citation says where text comes from and does
// not part it, so that neighbouring text is joined across it.
func (r *messageReader) citations() {
	r.choice.Events = append(r.choice.Events, r.cited...)
	r.cited = nil
}

func (r *messageReader) block(path string, b wire.Value) {
	if b.Kind() != wire.Object {
		r.fault(NotAnObject, path, b)
		r.citations()
		r.emit(Event{Kind: Opaque, Data: b, Path: path})
		r.unread.add("content[]")
		return
	}
	kind := b.Get("type").Str()
	if kind != "text" {
		r.citations()
	}
	switch kind {
	case "text":
		r.text(path, b)
	case "thinking":
		r.thinking(path, b)
	case "redacted_thinking":
		r.emit(Event{Kind: RedactedReasoning, Type: kind, Signature: r.str(path, "data", b), Path: path})
	case "tool_use":
		r.emit(r.call(ToolCall, path, b))
	case "server_tool_use":
		r.emit(r.call(ServerToolCall, path, b))
	case "mcp_tool_use":
		e := r.call(ServerToolCall, path, b)
		e.Data = wire.Obj(wire.Member{Key: "server_name", Value: b.Get("server_name")})
		r.emit(e)
	case "container_upload":
		r.emit(Event{Kind: Media, Type: kind, Data: b, Path: path})
	case "compaction", "fallback", "mcp_tool_listing":
		r.emit(Event{Kind: Opaque, Type: kind, Data: b, Path: path})
	default:
		if fieldIndex[wire.AnthropicMessages]["block "+kind] == nil {
			r.emit(Event{Kind: Opaque, Type: kind, Data: b, Path: path})
			r.unread.add(strings.TrimSuffix("content[]."+kind, "."))
			return
		}
		r.result(path, kind, b)
	}
	r.unread.object("block "+kind, "content[]", b)
}

// str is a field that must be a string. Absent and null are "".
func (r *messageReader) str(path, key string, b wire.Value) string {
	v := b.Get(key)
	if v.Present() && v.Kind() != wire.String {
		r.fault(WrongType, path+"."+key, v)
	}
	return v.Str()
}

func (r *messageReader) text(path string, b wire.Value) {
	r.emit(Event{Kind: Text, Text: r.str(path, "text", b), Path: path})
	list := b.Get("citations")
	if list.Present() && list.Kind() != wire.Array {
		r.fault(WrongType, path+".citations", list)
	}
	for i, c := range list.Elems() {
		r.cited = append(r.cited, Event{Kind: Citation, Type: c.Get("type").Str(), Data: c, Path: path + ".citations[" + strconv.Itoa(i) + "]"})
		r.unread.object("citation", "content[].citations[]", c)
	}
}

// thinking reads a thinking block. With display "omitted" its text is empty and the signature alone carries the
// reasoning, which only the vendor can then read.
func (r *messageReader) thinking(path string, b wire.Value) {
	e := Event{Kind: Reasoning, Text: r.str(path, "thinking", b), Signature: r.str(path, "signature", b), Path: path}
	if e.Text == "" && e.Signature != "" {
		e.Kind, e.Type = RedactedReasoning, "thinking"
	}
	r.emit(e)
}

func (r *messageReader) call(kind Kind, path string, b wire.Value) Event {
	e := Event{Kind: kind, ID: r.str(path, "id", b), Type: b.Get("type").Str(), Name: r.str(path, "name", b), Path: path}
	e.Args = r.input(path+".input", b.Get("input"))
	return e
}

// input reads a call's input, which is an object. Anything else is kept as it stands; a string that is no JSON is
// how assemble hands on arguments that a stream cut off or broke: its value is missing.
func (r *messageReader) input(path string, v wire.Value) Args {
	if !v.Present() {
		return Args{}
	}
	a := Args{Raw: string(v.JSON()), Value: v, Given: true}
	switch {
	case v.Kind() == wire.Object:
	case v.Kind() == wire.String && !isJSON(v.Str()):
		a.Raw, a.Value = v.Str(), wire.Value{}
		r.fault(ArgsNotJSON, path, v)
	default:
		r.fault(ArgsNotObject, path, v)
	}
	return a
}

func isJSON(s string) bool {
	_, err := wire.Parse([]byte(s))
	return err == nil
}

// result reads the result of a tool that ran at the vendor's: every block type that ends in _tool_result.
func (r *messageReader) result(path, kind string, b wire.Value) {
	content := b.Get("content")
	r.emit(Event{
		Kind: ServerToolResult, Type: kind, ID: r.str(path, "tool_use_id", b), Data: content, Path: path,
		IsError: b.Get("is_error").True() || strings.HasSuffix(content.Get("type").Str(), "_error"),
	})
}

// stop reads why the message ended. A refusal's explanation, where there is one, is what the reply says in place of
// an answer.
func (r *messageReader) stop(body wire.Value) {
	reason := body.Get("stop_reason")
	s := Stop{Raw: reason.Str(), Sequence: body.Get("stop_sequence").Str(), Path: "stop_reason"}
	if reason.Present() && reason.Kind() != wire.String {
		r.fault(WrongType, "stop_reason", reason)
		s.Raw = string(reason.JSON())
	}
	s.Given = s.Raw != ""
	s.Outcome, s.Known = StopOutcome(wire.AnthropicMessages, s.Raw)
	r.choice.Stop = s
	details := body.Get("stop_details")
	r.unread.object("stop_details", "stop_details", details)
	if text := details.Get("explanation").Str(); text != "" {
		r.emit(Event{Kind: Refusal, Type: details.Get("type").Str(), Text: text, Data: details, Path: "stop_details"})
	}
}

// usage reads the counts in the API's own terms: cached tokens stand beside input_tokens, and there is no total.
func (r *messageReader) usage(u wire.Value) {
	if u.Present() && u.Kind() != wire.Object {
		r.fault(WrongType, "usage", u)
	}
	r.unread.object("usage", "usage", u)
	r.reply.Usage = Usage{
		Raw:       u,
		Input:     countOf(u.Get("input_tokens")),
		Output:    countOf(u.Get("output_tokens")),
		CacheRead: countOf(u.Get("cache_read_input_tokens")),
		Reasoning: countOf(u.Path("output_tokens_details", "thinking_tokens")),
	}
}
