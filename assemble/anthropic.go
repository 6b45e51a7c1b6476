package assemble

import (
	"reassay/sse"
	"reassay/wire"
)

// Sources for this file and anthropic_block.go, read on 2026-11-30:
//
//	https://platform.claude.com/docs/en/build-with-claude/streaming, "Event types", "Content block delta types",
//	  "Error events", "Raw HTTP stream response"
//	https://platform.claude.com/docs/en/api/messages, the response body
//	@anthropic-ai/sdk 1.14.0, resources/messages/messages.d.ts and resources/beta/messages/messages.d.ts:
//	  RawMessageStreamEvent, RawContentBlockDelta, ContentBlock and their beta forms, which list more

// anthropicEventFields are the events of a Messages stream with the fields that their documentation gives them.
var anthropicEventFields = map[string]map[string]bool{
	"message_start":       set("type", "message"),
	"content_block_start": set("type", "index", "content_block"),
	"content_block_delta": set("type", "index", "delta"),
	"content_block_stop":  set("type", "index"),
	"message_delta":       set("type", "delta", "usage", "context_management", "input_transformations"),
	"message_stop":        set("type"),
	"ping":                set("type"),
	"error":               set("type", "error", "request_id"),
}

func set(keys ...string) map[string]bool {
	m := make(map[string]bool, len(keys))
	for _, k := range keys {
		m[k] = true
	}
	return m
}

// messages is a Messages stream on its way to a whole message.
type messages struct {
	*record
	out      Assembled
	message  object // what message_start and message_delta said, content and usage apart
	usage    object
	started  bool
	orphaned bool // NoStart was noted
	blocks   []*block
	byIndex  map[string]*block // by the index as it was spelt
	ids      map[string]bool   // of calls
	next     int               // the lowest index that no block had and all blocks are below
	current  *block            // the block that was opened last
	open     int
	pending  []blockFault
}

// blockFault is a fault whose path is known when the blocks have their places in the content.
type blockFault struct {
	fault  int // in record.faults
	block  *block
	suffix string
}

func assembleAnthropic(s sse.Stream) Assembled {
	m := &messages{record: newRecord(s), byIndex: map[string]*block{}, ids: map[string]bool{}}
	m.framing()
	for _, e := range s.Events {
		m.event(e)
	}
	return m.finish()
}

func (m *messages) event(e sse.Event) {
	here := At{e.Frame, e.Offset}
	switch {
	case e.Type == sse.Done:
		m.fault(ForeignDone, here, "", wire.Of(string(e.Raw)), wire.Value{})
		return
	case m.out.Terminal:
		m.fault(AfterTerminal, here, "", wire.Of(e.Type), wire.Value{})
	}
	if !m.payload(e) {
		return
	}
	m.name(e)
	fields, known := anthropicEventFields[e.Type]
	switch {
	case !known && e.Data.Get("error").Present():
		m.failed(e)
		return
	case !known:
		m.fault(UnknownEvent, here, e.Type, e.Data, wire.Value{})
		m.skip(e.Type)
		return
	}
	m.skipUnknown(e.Data, e.Type+".", fields)
	if !m.started && !m.orphaned && e.Type != "message_start" && e.Type != "ping" && e.Type != "error" {
		m.orphaned = true
		m.fault(NoStart, here, "", wire.Of(e.Type), wire.Of("message_start"))
	}
	switch e.Type {
	case "message_start":
		m.start(e)
	case "content_block_start":
		m.blockStart(e)
	case "content_block_delta":
		m.blockDelta(e)
	case "content_block_stop":
		m.blockStop(e)
	case "message_delta":
		m.delta(e)
	case "message_stop":
		m.out.Terminal = true
	case "error":
		m.failed(e)
	}
}

// name compares the two places where an event says what it is. Official SDKs drop an event whose event line is
// missing or names none of theirs (@anthropic-ai/sdk core/streaming: Stream.fromSSEResponse). A gateway's own ping
// may be an empty object.
func (m *messages) name(e sse.Event) {
	said := e.Data.Get("type")
	if said.Str() == "" {
		if e.Type != "ping" {
			m.fault(MissingField, At{e.Frame, e.Offset}, e.Name+".type", said, wire.Value{})
		}
		return
	}
	if m.stream.Form == sse.FormSSE && e.Name != said.Str() {
		got := wire.Value{}
		if e.Name != "" {
			got = wire.Of(e.Name)
		}
		m.fault(EventMismatch, m.at(e, said), said.Str(), got, said)
	}
}

func (m *messages) failed(e sse.Event) {
	payload := e.Data.Get("error")
	if !payload.Present() {
		m.fault(MissingField, At{e.Frame, e.Offset}, "error.error", payload, wire.Value{})
		payload = e.Data
	}
	at := m.at(e, payload)
	m.fault(ErrorMidway, at, "", payload, wire.Value{})
	if !m.out.Error.Exists() {
		m.out.Error, m.out.ErrorAt = payload, at
	}
}

func (m *messages) start(e sse.Event) {
	msg := e.Data.Get("message")
	here := At{e.Frame, e.Offset}
	switch {
	case msg.Kind() != wire.Object:
		m.wrongField(e, "message_start.message", msg)
	case m.started:
		m.fault(StartTwice, here, "", msg, wire.Value{})
		if id := msg.Get("id"); !wire.Equal(id, m.message.get("id")) {
			m.fault(IDChanged, m.at(e, id), "id", id, m.message.get("id"))
		}
	default:
		m.adopt(e, msg)
	}
	m.started = true
}

// adopt takes message_start's message as the beginning of the whole one.
func (m *messages) adopt(e sse.Event, msg wire.Value) {
	for _, key := range []string{"id", "model"} {
		if v := msg.Get(key); v.Kind() == wire.String {
			m.wrote(key, m.at(e, v))
		} else {
			m.wrongField(e, key, v)
		}
	}
	switch role := msg.Get("role"); {
	case !role.Present():
		m.fault(RoleMissing, m.at(e, msg), "role", role, wire.Of("assistant"))
	case role.Str() != "assistant":
		m.fault(RoleInvalid, m.at(e, role), "role", role, wire.Of("assistant"))
	}
	content := msg.Get("content")
	if content.Kind() != wire.Array {
		m.wrongField(e, "content", content)
	} else if len(content.Elems()) > 0 {
		m.fault(WrongType, m.at(e, content), "content", content, wire.Arr())
	}
	for _, v := range content.Elems() {
		b := &block{start: v, kind: v.Get("type").Str(), index: m.next, indexed: true, closed: true}
		b.first, b.last = m.at(e, v), m.at(e, v)
		m.byIndex[string(wire.OfInt(m.next).JSON())] = b
		m.blocks = append(m.blocks, b)
		m.next++
	}
	early := m.message.value() // what a message_delta said before
	m.message = object{}
	m.message.lay(msg)
	m.message.lay(early)
	m.mergeUsage(e, msg.Get("usage"))
	if stop := msg.Get("stop_reason"); stop.Present() {
		m.wrote("stop_reason", m.at(e, stop))
	}
}

// wrongField notes a required field of e that is absent, null or of another type.
func (m *messages) wrongField(e sse.Event, path string, v wire.Value) {
	if v.Present() {
		m.fault(WrongType, m.at(e, v), path, v, wire.Value{})
		return
	}
	m.fault(MissingField, At{e.Frame, e.Offset}, path, v, wire.Value{})
}

// delta takes a message_delta: top-level changes of the message and the usage so far.
func (m *messages) delta(e sse.Event) {
	d := e.Data.Get("delta")
	if d.Kind() != wire.Object {
		m.wrongField(e, "message_delta.delta", d)
	}
	for _, f := range d.Members() {
		if f.Key == "stop_reason" {
			m.stopReason(e, f.Value)
			continue
		}
		m.change(e, f.Key, f.Value)
	}
	for _, key := range []string{"context_management", "input_transformations"} {
		m.change(e, key, e.Data.Get(key))
	}
	m.mergeUsage(e, e.Data.Get("usage"))
}

// change sets a field of the message. A null does not undo what an earlier event said.
func (m *messages) change(e sse.Event, key string, v wire.Value) {
	if !v.Exists() || v.Kind() == wire.Null && m.message.get(key).Present() {
		return
	}
	m.message.set(key, v)
	if v.Present() {
		m.wrote(key, m.at(e, v))
	}
}

func (m *messages) stopReason(e sse.Event, v wire.Value) {
	before := m.message.get("stop_reason")
	switch {
	case v.Present() && v.Kind() != wire.String:
		m.fault(WrongType, m.at(e, v), "stop_reason", v, wire.Value{})
	case v.Kind() == wire.String && v.Str() == "":
		m.fault(FinishEmpty, m.at(e, v), "stop_reason", v, wire.Value{})
	}
	if before.Str() != "" && !wire.Equal(before, v) {
		m.fault(FinishChanged, m.at(e, v), "stop_reason", v, before)
		if v.Str() == "" {
			return
		}
	}
	m.change(e, "stop_reason", v)
}

// mergeUsage lays a usage object over the one so far: the counts of message_delta are cumulative and replace those
// of message_start; what they do not name, or name as null, stays.
func (m *messages) mergeUsage(e sse.Event, u wire.Value) {
	if u.Kind() != wire.Object {
		m.wrongField(e, e.Type+".usage", u)
		return
	}
	m.wrote("usage", m.at(e, u))
	for _, f := range u.Members() {
		if f.Value.Present() || !m.usage.get(f.Key).Exists() {
			m.usage.set(f.Key, f.Value)
		}
	}
}

// cutsBlocks are the stop reasons by which a call may end inside its arguments.
// Source: https://platform.claude.com/docs/en/agents-and-tools/tool-use/fine-grained-tool-streaming, "Handling
// invalid JSON in tool responses"; handling-stop-reasons, "refusal".
var cutsBlocks = set("max_tokens", "model_context_window_exceeded", "refusal")

func (m *messages) finish() Assembled {
	stop := m.message.get("stop_reason")
	m.out.Finish = stop.Str() != ""
	content := m.content(cutsBlocks[stop.Str()])
	told := m.out.Error.Exists() // an error event is a documented end: what is missing behind it is no fault of its own
	if !told && !m.out.Finish {
		m.fault(NoFinish, m.end(), "stop_reason", stop, wire.Value{})
	}
	if !told && !m.out.Terminal {
		m.fault(NoTerminal, m.end(), "message_stop", wire.Value{}, wire.Value{})
	}
	if !m.message.empty() || len(m.blocks) > 0 {
		m.message.set("content", content)
		if !m.usage.empty() {
			m.message.set("usage", m.usage.value())
		}
		m.out.Body = m.message.value()
	}
	m.into(&m.out)
	return m.out
}
