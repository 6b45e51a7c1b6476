package assemble

import (
	"strconv"

	"reassay/sse"
	"reassay/wire"
)

// chatChoice is one choice that is being put together.
type chatChoice struct {
	reply *chatReply
	spot  *spot
	index int

	role     wire.Value
	content  chatContent
	texts    []*chatText // refusal and the reasoning fields, in the order in which they came
	calls    []*chatCall
	byIndex  map[int]*chatCall
	byID     map[string]*chatCall
	legacy   *chatFunction
	audio    *chatAudio
	logprobs map[string][]wire.Value
	hasProbs bool
	delta    extras // delta fields that are carried over
	extra    extras // choice fields that are carried over
	finish   wire.Value
	deltas   int
}

// chatText is a field of the message whose pieces are concatenated.
type chatText struct {
	key  string
	text joiner
}

// chatTextKeys are the delta fields, beside content, whose string pieces are concatenated.
var chatTextKeys = []string{"refusal", "reasoning_content", "reasoning"}

// chatDeltaOwn are the delta fields that are not simply carried over.
var chatDeltaOwn = map[string]bool{
	"role": true, "content": true, "refusal": true, "reasoning_content": true, "reasoning": true,
	"tool_calls": true, "function_call": true, "audio": true,
}

// chatChoiceOwn are the choice fields that are not simply carried over. A message is none of a chunk's, and would hide
// what the deltas say.
var chatChoiceOwn = map[string]bool{"index": true, "delta": true, "finish_reason": true, "logprobs": true, "message": true}

func newChatChoice(c *chatReply, index int) *chatChoice {
	return &chatChoice{reply: c, spot: newSpot(), index: index, byIndex: map[int]*chatCall{}, byID: map[string]*chatCall{}}
}

func (ch *chatChoice) once(code FaultCode, at At, field string, got, want wire.Value) {
	ch.reply.once(code, at, ch.spot, field, got, want)
}

// take reads one element of a chunk's choices.
func (ch *chatChoice) take(e sse.Event, v wire.Value) {
	c := ch.reply
	delta := v.Get("delta")
	finished := ch.finish.Str() != ""
	switch {
	case delta.Kind() == wire.Object:
		if finished && says(delta) {
			ch.once(AfterFinish, c.at(e, delta), ".message", delta, wire.Value{})
		}
		ch.takeDelta(e, delta)
	case delta.Present():
		ch.once(WrongType, c.at(e, delta), ".delta", delta, wire.Obj())
	default:
		ch.once(MissingField, c.at(e, orParent(delta, v)), ".delta", delta, wire.Obj())
	}
	ch.takeFinish(e, v)
	ch.takeLogprobs(e, v.Get("logprobs"))
	for _, m := range v.Members() {
		if !chatKeys.choice[m.Key] && m.Value.Present() {
			c.skip("choices[]." + m.Key)
		}
		if chatChoiceOwn[m.Key] || !m.Value.Present() {
			continue
		}
		ch.extra.set(m.Key, m.Value)
		ch.spot.wrote("."+m.Key, c.at(e, m.Value))
		if m.Key == "error" && !c.err.Exists() {
			c.err, c.errAt = m.Value, c.at(e, m.Value)
			c.fault(ErrorMidway, c.at(e, m.Value), "error", m.Value, wire.Value{})
		}
	}
}

// says reports whether a delta carries content: anything but a role and empty fields.
func says(delta wire.Value) bool {
	for _, m := range delta.Members() {
		switch m.Value.Kind() {
		case wire.String:
			if m.Key != "role" && m.Value.Str() != "" {
				return true
			}
		case wire.Array:
			if len(m.Value.Elems()) > 0 {
				return true
			}
		case wire.Object:
			if len(m.Value.Members()) > 0 {
				return true
			}
		}
	}
	return false
}

func (ch *chatChoice) takeDelta(e sse.Event, delta wire.Value) {
	c := ch.reply
	ch.deltas++
	ch.takeRole(e, delta.Get("role"))
	if v := delta.Get("content"); v.Present() {
		if v.Kind() != wire.String {
			ch.once(WrongType, c.at(e, v), ".message.content", v, wire.Value{})
		}
		ch.content.add(v)
		ch.spot.said(".message.content", c.at(e, v), len(ch.content.text))
	}
	for _, key := range chatTextKeys {
		v := delta.Get(key)
		switch {
		case v.Kind() == wire.String:
			text := ch.text(key)
			text.add(v.Str())
			ch.spot.said(".message."+key, c.at(e, v), len(*text))
		case v.Present():
			ch.once(WrongType, c.at(e, v), ".message."+key, v, wire.Value{})
			ch.delta.add(key, v)
		}
	}
	ch.takeCalls(e, delta.Get("tool_calls"))
	if v := delta.Get("function_call"); v.Present() {
		ch.takeLegacy(e, v)
	}
	if v := delta.Get("audio"); v.Present() {
		ch.takeAudio(e, v)
	}
	for _, m := range delta.Members() {
		if chatDeltaOwn[m.Key] || !m.Value.Present() {
			continue
		}
		if !chatKeys.delta[m.Key] {
			c.skip("choices[].delta." + m.Key)
		}
		ch.delta.add(m.Key, m.Value)
		ch.spot.wrote(".message."+m.Key, c.at(e, m.Value))
	}
}

func (ch *chatChoice) text(key string) *joiner {
	for _, t := range ch.texts {
		if t.key == key {
			return &t.text
		}
	}
	ch.texts = append(ch.texts, &chatText{key: key})
	return &ch.texts[len(ch.texts)-1].text
}

const assistant = "assistant"

// takeRole keeps the first role that says anything. The chunk object's role stands on the first delta; servers that
// repeat it are common.
func (ch *chatChoice) takeRole(e sse.Event, v wire.Value) {
	c, path := ch.reply, ".message.role"
	if !v.Present() {
		return
	}
	at := c.at(e, v)
	ch.spot.wrote(path, at)
	switch {
	case v.Kind() != wire.String:
		ch.once(WrongType, at, path, v, wire.Of(assistant))
	case v.Str() != assistant:
		ch.once(RoleInvalid, at, path, v, wire.Of(assistant))
	case ch.role.Str() == assistant:
		ch.once(RoleRepeated, at, path, v, wire.Value{})
	}
	if blank(ch.role) {
		ch.role = v
	}
}

// takeFinish keeps the last finish reason, as every client does.
func (ch *chatChoice) takeFinish(e sse.Event, choice wire.Value) {
	c, path := ch.reply, ".finish_reason"
	v := choice.Get("finish_reason")
	at := c.at(e, orParent(v, choice))
	switch {
	case !v.Exists():
		ch.once(MissingField, at, path, v, wire.OfNull())
		return
	case !v.Present():
		return
	case v.Kind() != wire.String:
		ch.once(WrongType, at, path, v, wire.Value{})
		return
	case v.Str() == "":
		ch.once(FinishEmpty, at, path, v, wire.OfNull())
		return
	case ch.finish.Exists() && ch.finish.Str() != v.Str():
		ch.once(FinishChanged, at, path, v, ch.finish)
	}
	ch.finish = v
	ch.spot.wrote(path, at)
}

func (ch *chatChoice) takeLogprobs(e sse.Event, v wire.Value) {
	c := ch.reply
	if !v.Present() {
		return
	}
	at := c.at(e, v)
	if v.Kind() != wire.Object {
		ch.once(WrongType, at, ".logprobs", v, wire.Value{})
		return
	}
	if ch.logprobs == nil {
		ch.logprobs = map[string][]wire.Value{}
	}
	ch.hasProbs = true
	ch.spot.wrote(".logprobs", at)
	for _, m := range v.Members() {
		switch {
		case !chatKeys.logprobs[m.Key]:
			c.skip("choices[].logprobs." + m.Key)
		case m.Value.Kind() == wire.Array:
			if ch.logprobs[m.Key] == nil {
				ch.logprobs[m.Key] = []wire.Value{}
			}
			ch.logprobs[m.Key] = append(ch.logprobs[m.Key], m.Value.Elems()...)
		case m.Value.Present():
			ch.once(WrongType, c.at(e, m.Value), ".logprobs."+m.Key, m.Value, wire.Arr())
		}
	}
}

// close notes what can be said only at the end, and is the choice of the whole reply.
func (ch *chatChoice) close() wire.Value {
	c := ch.reply
	if ch.finish.Str() == "" {
		ch.once(NoFinish, c.end(), ".finish_reason", ch.finish, wire.Value{})
	}
	if ch.deltas > 0 && blank(ch.role) && !c.noted(RoleInvalid, ch.spot, ".message.role") {
		ch.once(RoleMissing, ch.spot.first(""), ".message.role", ch.role, wire.Of(assistant))
	}
	ch.noteDoubledReasoning()
	members := []wire.Member{
		{Key: "index", Value: wire.OfInt(ch.index)},
		{Key: "message", Value: ch.message()},
		{Key: "logprobs", Value: ch.wholeLogprobs()},
		{Key: "finish_reason", Value: orNull(ch.finish)},
	}
	return wire.Obj(append(members, ch.extra.members()...)...)
}

func orNull(v wire.Value) wire.Value {
	if v.Exists() {
		return v
	}
	return wire.OfNull()
}

// noteDoubledReasoning notes that one text came under both of the usual names: two vendors' words for one thing.
func (ch *chatChoice) noteDoubledReasoning() {
	texts := map[string]string{}
	for _, t := range ch.texts {
		texts[t.key] = t.text.String()
	}
	if r := texts["reasoning"]; r != "" && r == texts["reasoning_content"] {
		ch.once(ReasoningDoubled, ch.spot.first(".message.reasoning"), ".message.reasoning", wire.Value{}, wire.Value{})
	}
}

func (ch *chatChoice) message() wire.Value {
	members := []wire.Member{{Key: "role", Value: ch.role}, {Key: "content", Value: ch.content.whole()}}
	for _, t := range ch.texts {
		members = append(members, wire.Member{Key: t.key, Value: wire.Of(t.text.String())})
	}
	if len(ch.calls) > 0 {
		members = append(members, wire.Member{Key: "tool_calls", Value: ch.closeCalls()})
	}
	if ch.legacy != nil {
		ch.legacy.check(ch, ch.spot, ".message.function_call")
		members = append(members, wire.Member{Key: "function_call", Value: ch.legacy.whole()})
	}
	if ch.audio != nil {
		members = append(members, wire.Member{Key: "audio", Value: ch.audio.whole()})
	}
	said := memberMap(wire.Obj(members...))
	for _, m := range ch.delta.members() {
		if !said[m.Key].Exists() {
			members = append(members, m)
		}
	}
	return wire.Obj(members...)
}

func (ch *chatChoice) wholeLogprobs() wire.Value {
	if !ch.hasProbs {
		return wire.Value{}
	}
	var members []wire.Member
	for _, key := range []string{"content", "refusal"} {
		list := wire.OfNull()
		if l := ch.logprobs[key]; l != nil {
			list = wire.Arr(l...)
		}
		members = append(members, wire.Member{Key: key, Value: list})
	}
	return wire.Obj(members...)
}

// open reports whether the choice may honestly have been cut inside its last call: it never ended, or says that it
// ended at a limit or a filter.
func (ch *chatChoice) open() bool {
	switch ch.finish.Str() {
	case "", "length", "content_filter":
		return true
	}
	return false
}

// chatContent is the message's content: a string, or, where a server sends parts instead, the list of them.
type chatContent struct {
	given bool
	text  joiner
	parts []wire.Value
}

func (x *chatContent) add(v wire.Value) {
	x.given = true
	switch v.Kind() {
	case wire.String:
		x.text.add(v.Str())
	case wire.Array:
		x.flush()
		x.parts = append(x.parts, v.Elems()...)
	default:
		x.flush()
		x.parts = append(x.parts, v)
	}
}

func (x *chatContent) flush() {
	if len(x.text) > 0 {
		x.parts = append(x.parts, wire.Obj(
			wire.Member{Key: "type", Value: wire.Of("text")},
			wire.Member{Key: "text", Value: wire.Of(x.text.String())},
		))
		x.text = nil
	}
}

// whole is null where no delta had a content that was not null: the message object always has the key.
func (x *chatContent) whole() wire.Value {
	switch {
	case !x.given:
		return wire.OfNull()
	case x.parts == nil:
		return wire.Of(x.text.String())
	}
	x.flush()
	return wire.Arr(x.parts...)
}

// chatAudio is the spoken answer.
type chatAudio struct {
	id, expires wire.Value
	data        []string
	transcript  joiner
	hasText     bool
	extra       extras
}

func (ch *chatChoice) takeAudio(e sse.Event, v wire.Value) {
	c, path := ch.reply, ".message.audio"
	if v.Kind() != wire.Object {
		ch.once(WrongType, c.at(e, v), path, v, wire.Value{})
		return
	}
	if ch.audio == nil {
		ch.audio = &chatAudio{}
	}
	a := ch.audio
	ch.spot.wrote(path, c.at(e, v))
	for _, m := range v.Members() {
		switch {
		case !m.Value.Present():
		case m.Key == "id":
			a.id = m.Value
		case m.Key == "expires_at":
			a.expires = m.Value
		case m.Key == "data" && m.Value.Kind() == wire.String:
			a.data = append(a.data, m.Value.Str())
		case m.Key == "transcript" && m.Value.Kind() == wire.String:
			a.transcript.add(m.Value.Str())
			a.hasText = true
		default:
			if !chatKeys.audio[m.Key] {
				c.skip("choices[].delta.audio." + m.Key)
			} else {
				ch.once(WrongType, c.at(e, m.Value), path+"."+m.Key, m.Value, wire.Value{})
			}
			a.extra.add(m.Key, m.Value)
		}
	}
}

func (a *chatAudio) whole() wire.Value {
	members := []wire.Member{{Key: "id", Value: a.id}}
	if a.data != nil {
		members = append(members, wire.Member{Key: "data", Value: wire.Of(foldBase64(a.data))})
	}
	if a.hasText {
		members = append(members, wire.Member{Key: "transcript", Value: wire.Of(a.transcript.String())})
	}
	members = append(members, wire.Member{Key: "expires_at", Value: a.expires})
	return wire.Obj(append(members, a.extra.members()...)...)
}

// number writes an index into a path.
func number(n int) string { return "[" + strconv.Itoa(n) + "]" }
