package assemble

import (
	"sort"
	"strconv"

	"reassay/sse"
	"reassay/wire"
)

// chatKeys are the fields of a chunk that openAIChatEvents lists, by their place.
var chatKeys = struct{ chunk, choice, delta, call, function, custom, functionCall, audio, logprobs map[string]bool }{
	chunk:        keysBelow(openAIChatEvents, ""),
	choice:       keysBelow(openAIChatEvents, "choices[]"),
	delta:        keysBelow(openAIChatEvents, "choices[].delta"),
	call:         keysBelow(openAIChatEvents, "choices[].delta.tool_calls[]"),
	function:     keysBelow(openAIChatEvents, "choices[].delta.tool_calls[].function"),
	custom:       keysBelow(openAIChatEvents, "choices[].delta.tool_calls[].custom"),
	functionCall: keysBelow(openAIChatEvents, "choices[].delta.function_call"),
	audio:        keysBelow(openAIChatEvents, "choices[].delta.audio"),
	logprobs:     keysBelow(openAIChatEvents, "choices[].logprobs"),
}

// chatHead are a chunk's own fields, in the order in which the whole reply has them.
var chatHead = []string{"id", "object", "created", "model", "service_tier", "system_fingerprint"}

// chatRequired are those of them that the chunk object always has.
var chatRequired = map[string]bool{"id": true, "object": true, "created": true, "model": true}

// chatReply is a Chat reply that is being put together.
type chatReply struct {
	*spotRecord
	head    map[string]wire.Value
	extra   extras // the chunk's other fields
	usage   wire.Value
	choices []*chatChoice
	byIndex map[int]*chatChoice
	any     bool // whether a chunk of a reply came at all
	done    bool
	err     wire.Value
	errAt   At
}

// assembleOpenAIChat puts a stream of chat completion chunks together to a chat completion object.
// Source: OpenAI API reference, "Chat Completions: Streaming" and "The chat completion object", with the extensions
// that event_table_openai_chat.go lists.
//
// Body is what the format says, not what some client makes of it: nothing after [DONE] and nothing in a frame that a
// client would drop counts; calls are told apart by index and, where an index is used again under a new id, by id.
func assembleOpenAIChat(s sse.Stream) Assembled {
	c := &chatReply{
		spotRecord: newSpotRecord(s),
		head:       map[string]wire.Value{},
		byIndex:    map[int]*chatChoice{},
	}
	c.framing()
	if s.Form == sse.FormArray {
		c.fault(NotAnObject, At{}, "", wire.Value{}, wire.Value{})
	}
	for _, e := range s.Events {
		c.event(e)
	}
	return c.assembled()
}

// event takes one payload. What follows [DONE] is noted and not read.
func (c *chatReply) event(e sse.Event) {
	at := At{e.Frame, e.Offset}
	if c.done {
		c.fault(AfterTerminal, at, "", wire.Of(string(e.Raw)), wire.Value{})
		return
	}
	switch {
	case e.Type == sse.Done && e.Err == nil && !e.Data.Exists():
		c.done = true
		if string(e.Raw) != sse.Done {
			c.fault(DoneSpaced, at, "", wire.Of(string(e.Raw)), wire.Of(sse.Done))
		}
	case c.cutOff(e):
	case c.payload(e):
		c.chunk(e)
	}
}

func (c *chatReply) chunk(e sse.Event) {
	chunk := e.Data
	if payload := chatError(e); payload.Exists() {
		if !c.err.Exists() {
			c.err, c.errAt = payload, c.at(e, payload)
		}
		c.fault(ErrorMidway, c.at(e, payload), "error", payload, wire.Value{})
		if !chunk.Get("choices").Present() {
			return
		}
	}
	choices := chunk.Get("choices")
	if !c.known(chunk) {
		c.fault(UnknownEvent, c.at(e, chunk), "", chunk, wire.Value{})
		c.once(MissingField, c.at(e, chunk), nil, "choices", choices, wire.Value{})
		name := e.Type
		if name == "" {
			name = "(event)"
		}
		c.skip(name)
		return
	}
	c.any = true
	c.chunkHead(e)
	switch choices.Kind() {
	case wire.Missing, wire.Null:
		c.once(MissingField, c.at(e, orParent(choices, chunk)), nil, "choices", choices, wire.Value{})
	case wire.Array:
		for _, v := range choices.Elems() {
			c.choice(e, v)
		}
	default:
		c.once(WrongType, c.at(e, choices), nil, "choices", choices, wire.Value{})
		if choices.Kind() == wire.Object {
			c.choice(e, choices)
		}
	}
}

// known reports whether a payload has a field of a chunk at all.
func (c *chatReply) known(chunk wire.Value) bool {
	for _, m := range chunk.Members() {
		if m.Key != "error" && chatKeys.chunk[m.Key] {
			return true
		}
	}
	return false
}

// chatError is the error that a payload tells, or Missing. Documented is {"error": {...}} (OpenAI, Error codes); servers
// also send a flat object: {"object": "error", ...} (vLLM), {"type": "error", ...}, or one under "event: error".
func chatError(e sse.Event) wire.Value {
	v := e.Data
	if x := v.Get("error"); !blank(x) {
		return x
	}
	if v.Get("choices").Present() {
		return wire.Value{}
	}
	flat := v.Get("message").Kind() == wire.String && (v.Get("code").Exists() || v.Get("type").Exists() || v.Get("status").Exists())
	if flat || e.Name == "error" || v.Get("object").Str() == "error" || v.Get("type").Str() == "error" {
		return v
	}
	return wire.Value{}
}

// chunkHead reads what a chunk says about the whole reply.
func (c *chatReply) chunkHead(e sse.Event) {
	chunk := e.Data
	for _, key := range chatHead {
		v := chunk.Get(key)
		switch {
		case !v.Present():
			if chatRequired[key] {
				c.once(MissingField, c.at(e, orParent(v, chunk)), nil, key, v, wire.Value{})
			}
			continue
		case key == "created" && v.Kind() != wire.Number, key != "created" && v.Kind() != wire.String:
			c.once(WrongType, c.at(e, v), nil, key, v, wire.Value{})
		}
		c.wrote(key, c.at(e, v))
		old := c.head[key]
		switch {
		case blank(old) || key == "service_tier":
			c.head[key] = v
		case key == "id" && !blank(v) && !wire.Equal(old, v):
			c.once(IDChanged, c.at(e, v), nil, key, v, old)
		}
		if key == "object" && v.Str() != "" && v.Str() != chatChunkObject {
			c.once(ObjectInvalid, c.at(e, v), nil, key, v, wire.Of(chatChunkObject))
		}
	}
	if u := chunk.Get("usage"); u.Present() {
		if u.Kind() != wire.Object {
			c.once(WrongType, c.at(e, u), nil, "usage", u, wire.Value{})
		}
		if c.usage.Exists() {
			c.once(UsageRepeated, c.at(e, u), nil, "usage", u, wire.Value{})
		}
		c.usage = u
		c.wrote("usage", c.at(e, u))
	}
	for _, m := range chunk.Members() {
		if chatOwn[m.Key] || !m.Value.Present() {
			continue
		}
		if !chatKeys.chunk[m.Key] {
			c.skip(m.Key)
		}
		c.extra.set(m.Key, m.Value)
		c.wrote(m.Key, c.at(e, m.Value))
	}
}

const (
	chatChunkObject = "chat.completion.chunk"
	chatBodyObject  = "chat.completion"
)

// chatOwn are the chunk fields that are not simply carried over.
var chatOwn = map[string]bool{
	"id": true, "object": true, "created": true, "model": true, "service_tier": true, "system_fingerprint": true,
	"choices": true, "usage": true, "obfuscation": true, "error": true,
}

// blank tells the values that stand for "not said": absent, null, "", 0 and false (Azure's first chunk, which carries
// only the prompt's filter results, has "" and 0 in every field).
func blank(v wire.Value) bool {
	return !v.Present() || v.Kind() == wire.String && v.Str() == "" || v.Num() == "0" || v.Kind() == wire.Bool && !v.True()
}

// choice takes one element of a chunk's choices.
func (c *chatReply) choice(e sse.Event, v wire.Value) {
	if v.Kind() != wire.Object {
		c.once(WrongType, c.at(e, v), nil, "choices[]", v, wire.Value{})
		return
	}
	index := v.Get("index")
	n, ok := index.Int()
	var code FaultCode
	switch {
	case !index.Present():
		code, n = IndexMissing, c.onlyIndex()
	case !ok:
		code, n = IndexInvalid, c.onlyIndex()
	case n < 0:
		code = IndexInvalid
	}
	ch, open := c.byIndex[n]
	if !open {
		ch = newChatChoice(c, n)
		c.byIndex[n] = ch
		c.choices = append(c.choices, ch)
	}
	ch.spot.wrote("", c.at(e, v))
	if code != "" {
		c.once(code, c.at(e, orParent(index, v)), ch.spot, ".index", index, wire.OfInt(0))
	}
	ch.take(e, v)
}

// onlyIndex is the index of the one choice that is open, 0 where none or several are.
func (c *chatReply) onlyIndex() int {
	if len(c.choices) == 1 {
		return c.choices[0].index
	}
	return 0
}

// assembled closes every choice and hands the reply over.
func (c *chatReply) assembled() Assembled {
	a := Assembled{Error: c.err, ErrorAt: c.errAt, Terminal: c.done}
	sort.SliceStable(c.choices, func(i, j int) bool { return c.choices[i].index < c.choices[j].index })
	a.Finish = len(c.choices) > 0
	bodies := make([]wire.Value, 0, len(c.choices))
	for i, ch := range c.choices {
		ch.spot.path = "choices[" + strconv.Itoa(i) + "]"
		if ch.index > i && (i == 0 || c.choices[i-1].index < i) {
			code := IndexGap
			if i == 0 {
				code = IndexStart
			}
			c.once(code, ch.spot.first(""), ch.spot, ".index", wire.OfInt(ch.index), wire.OfInt(i))
		}
		bodies = append(bodies, ch.close())
		a.Finish = a.Finish && ch.finish.Str() != ""
	}
	if len(c.choices) == 0 {
		c.fault(NoFinish, c.end(), "choices", wire.Value{}, wire.Value{})
	}
	if !c.done {
		c.fault(DoneMissing, c.end(), "", wire.Value{}, wire.Of(sse.Done))
	}
	var spots []*spot
	for _, ch := range c.choices {
		spots = append(spots, ch.spot)
		for _, call := range ch.calls {
			spots = append(spots, call.spot)
		}
	}
	c.settle(spots...)
	if c.any {
		a.Body = c.body(bodies)
	}
	c.into(&a)
	return a
}

func (c *chatReply) body(choices []wire.Value) wire.Value {
	members := make([]wire.Member, 0, 8)
	for _, key := range chatHead {
		v := c.head[key]
		if key == "object" {
			v = wire.Of(chatBodyObject)
		}
		members = append(members, wire.Member{Key: key, Value: v})
	}
	members = append(members, wire.Member{Key: "choices", Value: wire.Arr(choices...)}, wire.Member{Key: "usage", Value: c.usage})
	return wire.Obj(append(members, c.extra.members()...)...)
}
