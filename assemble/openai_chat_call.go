package assemble

import (
	"bytes"
	"sort"

	"reassay/sse"
	"reassay/wire"
)

// chatCall is one tool call that is being put together.
type chatCall struct {
	spot     *spot
	index    int
	indexed  bool // whether a usable index stood on the piece that opened it
	id       wire.Value
	typ      wire.Value
	function *chatFunction // type function
	custom   *chatFunction // type custom
	extra    extras
}

// chatFunction is the name and the arguments (or a custom tool's input) of a call.
type chatFunction struct {
	key   string // "arguments" or "input"
	name  wire.Value
	text  joiner
	given wire.Value // what stood under key: null where only null did, else a string or what stood in its place
	where At         // of the last piece
	extra extras
}

// takeCalls reads a delta's tool_calls.
func (ch *chatChoice) takeCalls(e sse.Event, v wire.Value) {
	c, path := ch.reply, ".message.tool_calls"
	switch {
	case !v.Present():
	case v.Kind() == wire.Array:
		for _, piece := range v.Elems() {
			ch.takeCall(e, piece)
		}
	case v.Kind() == wire.Object:
		ch.once(WrongType, c.at(e, v), path, v, wire.Arr(v))
		ch.takeCall(e, v)
	default:
		ch.once(WrongType, c.at(e, v), path, v, wire.Arr())
	}
}

func (ch *chatChoice) takeCall(e sse.Event, piece wire.Value) {
	c := ch.reply
	if piece.Kind() != wire.Object {
		ch.once(WrongType, c.at(e, piece), ".message.tool_calls", piece, wire.Value{})
		return
	}
	call, opened := ch.callOf(e, piece)
	at := c.at(e, piece)
	call.spot.wrote("", at)
	if id := piece.Get("id"); id.Present() {
		ch.takeCallID(e, call, id, opened)
	}
	if v := piece.Get("type"); v.Present() {
		if v.Kind() != wire.String {
			c.once(WrongType, c.at(e, v), call.spot, ".type", v, wire.Of("function"))
		}
		if blank(call.typ) {
			call.typ = v
			call.spot.wrote(".type", c.at(e, v))
		}
	} else if v.Exists() && call.typ.Present() {
		c.once(TypeNull, c.at(e, v), call.spot, ".type", v, call.typ)
	}
	for _, m := range piece.Members() {
		if !m.Value.Present() {
			continue
		}
		switch m.Key {
		case "index", "id", "type":
		case "function":
			ch.takeFunction(e, call, &call.function, m, "arguments", chatKeys.function)
		case "custom":
			ch.takeFunction(e, call, &call.custom, m, "input", chatKeys.custom)
		default:
			if !chatKeys.call[m.Key] {
				c.skip("choices[].delta.tool_calls[]." + m.Key)
			}
			call.extra.add(m.Key, m.Value)
			call.spot.wrote("."+m.Key, c.at(e, m.Value))
		}
	}
}

// callOf is the call that a piece belongs to, and whether the piece opens it.
//
// The index says it (chunk object, choices.delta.tool_calls.index). Where an index is used again under a new id, or by
// a header with another name after the first call's arguments are whole, the pieces are two calls all the same: no
// documented stream gives one call two ids or names. Where the index is missing, the id decides, and without an id a
// piece with a name opens a call and a piece without one continues the last.
func (ch *chatChoice) callOf(e sse.Event, piece wire.Value) (call *chatCall, opened bool) {
	c := ch.reply
	index := piece.Get("index")
	n, ok := index.Int()
	if !ok {
		code := IndexInvalid
		if !index.Present() {
			code = IndexMissing
		}
		call, opened = ch.callWithoutIndex(piece)
		c.once(code, c.at(e, orParent(index, piece)), call.spot, ".index", index, wire.Value{})
		return call, opened
	}
	old, taken := ch.byIndex[n]
	if taken && !ch.another(old, piece) {
		return old, false
	}
	call = ch.openCall(n, true)
	at := c.at(e, index)
	switch {
	case n < 0:
		c.once(IndexInvalid, at, call.spot, ".index", index, wire.OfInt(len(ch.calls)-1))
	case taken:
		c.once(IndexReused, at, call.spot, ".index", index, wire.OfInt(len(ch.calls)-1))
	case len(ch.byIndex) == 0 && n != 0:
		c.once(IndexStart, at, call.spot, ".index", index, wire.OfInt(0))
	case n > 0 && len(ch.byIndex) > 0 && ch.byIndex[n-1] == nil:
		c.once(IndexGap, at, call.spot, ".index", index, wire.OfInt(len(ch.calls)-1))
	}
	ch.byIndex[n] = call
	return call, true
}

// another reports whether a piece under the index of an open call begins a call of its own.
func (ch *chatChoice) another(old *chatCall, piece wire.Value) bool {
	id, oldID := piece.Get("id").Str(), old.id.Str()
	if id != "" && oldID != "" {
		return id != oldID
	}
	name := piece.Path("function", "name").Str()
	return id == "" && name != "" && old.named() && name != old.function.name.Str() && old.complete()
}

func (call *chatCall) named() bool { return call.function != nil && call.function.name.Str() != "" }

// complete reports whether a function call's arguments are whole as they stand.
func (call *chatCall) complete() bool {
	if call.function == nil {
		return false
	}
	text := bytes.TrimRight(call.function.text, " \t\r\n")
	return bytes.HasSuffix(text, []byte("}")) && argumentsFault(string(text), false) == ""
}

func (ch *chatChoice) callWithoutIndex(piece wire.Value) (call *chatCall, opened bool) {
	id, name := piece.Get("id").Str(), piece.Path("function", "name").Str()
	if call := ch.byID[id]; call != nil {
		return call, false
	}
	if len(ch.calls) > 0 {
		newest := ch.calls[len(ch.calls)-1]
		begins := id != "" && newest.id.Str() != "" || id == "" && name != "" && newest.named() && newest.complete()
		if !begins {
			return newest, false
		}
	}
	return ch.openCall(0, false), true
}

func (ch *chatChoice) openCall(index int, indexed bool) *chatCall {
	call := &chatCall{spot: newSpot(), index: index, indexed: indexed}
	ch.calls = append(ch.calls, call)
	return call
}

func (ch *chatChoice) takeCallID(e sse.Event, call *chatCall, id wire.Value, opened bool) {
	c := ch.reply
	at := c.at(e, id)
	switch {
	case id.Kind() != wire.String:
		c.once(WrongType, at, call.spot, ".id", id, wire.Value{})
	case id.Str() == "" && opened:
		c.once(CallIDEmpty, at, call.spot, ".id", id, wire.Value{})
	case id.Str() != "" && call.id.Str() == id.Str():
		c.once(CallIDRepeated, at, call.spot, ".id", id, wire.Value{})
	}
	if blank(call.id) {
		call.id = id
		call.spot.wrote(".id", at)
		if id.Str() != "" {
			ch.byID[id.Str()] = call
		}
	}
}

// takeFunction reads a piece's function or custom member into *slot. A call has one of the two, as its type says: a
// piece of the other kind belongs to another call.
func (ch *chatChoice) takeFunction(e sse.Event, call *chatCall, slot **chatFunction, m wire.Member, key string, keys map[string]bool) {
	c := ch.reply
	if m.Value.Kind() != wire.Object {
		c.once(WrongType, c.at(e, m.Value), call.spot, "."+m.Key, m.Value, wire.Value{})
		return
	}
	other := call.custom
	if slot == &call.custom {
		other = call.function
	}
	if other != nil && (m.Value.Get("name").Present() || m.Value.Get(key).Present()) {
		c.once(TypeInvalid, c.at(e, m.Value), call.spot, "."+m.Key, m.Value, call.typ)
	}
	if *slot == nil {
		*slot = &chatFunction{key: key}
	}
	(*slot).take(c, e, m.Value, call.spot, "."+m.Key, "choices[].delta.tool_calls[]."+m.Key, keys)
}

func (ch *chatChoice) takeLegacy(e sse.Event, v wire.Value) {
	c, path := ch.reply, ".message.function_call"
	if v.Kind() != wire.Object {
		ch.once(WrongType, c.at(e, v), path, v, wire.Value{})
		return
	}
	if ch.legacy == nil {
		ch.legacy = &chatFunction{key: "arguments"}
	}
	ch.spot.wrote(path, c.at(e, v))
	ch.legacy.take(c, e, v, ch.spot, path, "choices[].delta.function_call", chatKeys.functionCall)
}

// take reads a piece of a function, which stands at the spot's field.
func (f *chatFunction) take(c *chatReply, e sse.Event, piece wire.Value, s *spot, field, unread string, keys map[string]bool) {
	if name := piece.Get("name"); name.Present() {
		at := c.at(e, name)
		switch {
		case name.Kind() != wire.String:
			c.once(WrongType, at, s, field+".name", name, wire.Value{})
		case name.Str() != "" && f.name.Str() != "":
			c.once(NameRepeated, at, s, field+".name", name, f.name)
		}
		if blank(f.name) {
			f.name = name
			s.wrote(field+".name", at)
		}
	}
	if v := piece.Get(f.key); v.Exists() {
		at := c.at(e, v)
		switch v.Kind() {
		case wire.String:
			f.text.add(v.Str())
			f.given = wire.Of("")
		case wire.Null:
			if !f.given.Exists() {
				f.given = v
			}
		default:
			c.once(WrongType, at, s, field+"."+f.key, v, wire.Of(string(v.JSON())))
			if !f.given.Present() {
				f.given = v
			}
		}
		if v.Present() {
			f.where = at
			s.wrote(field+"."+f.key, at)
		}
	}
	for _, m := range piece.Members() {
		if m.Key == "name" || m.Key == f.key || !m.Value.Present() {
			continue
		}
		if !keys[m.Key] {
			c.skip(unread + "." + m.Key)
		}
		f.extra.add(m.Key, m.Value)
	}
}

// arguments is the value of the whole reply's arguments or input.
func (f *chatFunction) arguments() wire.Value {
	if f.given.Kind() == wire.String {
		return wire.Of(f.text.String())
	}
	return f.given
}

func (f *chatFunction) whole() wire.Value {
	members := []wire.Member{{Key: "name", Value: f.name}, {Key: f.key, Value: f.arguments()}}
	return wire.Obj(append(members, f.extra.members()...)...)
}

// check notes what a finished function call lacks.
func (f *chatFunction) check(ch *chatChoice, s *spot, field string) {
	c := ch.reply
	if f.name.Str() == "" {
		c.once(NameMissing, s.first(field+".name"), s, field+".name", f.name, wire.Value{})
	}
	args := f.arguments()
	if f.key != "arguments" || args.Present() && args.Kind() != wire.String {
		return
	}
	if code := argumentsFault(args.Str(), ch.open()); code != "" {
		where := f.where
		if args.Str() == "" {
			where = s.first(field + ".arguments")
		}
		want := wire.Value{}
		if code == ArgsEmpty {
			want = wire.Of("{}")
		}
		c.once(code, where, s, field+".arguments", args, want)
	}
}

// closeCalls notes what can be said of the calls only at the end, and is the whole reply's tool_calls: in the order of
// their indices, which are positions in that list, as long as every call has one.
func (ch *chatChoice) closeCalls() wire.Value {
	c := ch.reply
	byIndex := true
	for _, call := range ch.calls {
		byIndex = byIndex && call.indexed
	}
	if byIndex {
		sort.SliceStable(ch.calls, func(i, j int) bool { return ch.calls[i].index < ch.calls[j].index })
	}
	ids := map[string]bool{}
	elems := make([]wire.Value, 0, len(ch.calls))
	for i, call := range ch.calls {
		s := call.spot
		s.path = ch.spot.path + ".message.tool_calls" + number(i)
		if call.id.Str() == "" && !c.noted(CallIDEmpty, s, ".id") {
			c.once(CallIDMissing, s.first(""), s, ".id", call.id, wire.Value{})
		}
		if id := call.id.Str(); id != "" {
			if ids[id] {
				c.once(CallIDReused, s.first(".id"), s, ".id", call.id, wire.Value{})
			}
			ids[id] = true
		}
		call.checkType(c)
		switch {
		case call.function != nil:
			call.function.check(ch, s, ".function")
		case call.custom != nil:
			call.custom.check(ch, s, ".custom")
		default:
			c.once(MissingField, s.first(""), s, ".function", wire.Value{}, wire.Value{})
		}
		elems = append(elems, call.whole())
	}
	return wire.Arr(elems...)
}

// checkType holds the call's type to the two that the message object has.
func (call *chatCall) checkType(c *chatReply) {
	s, want := call.spot, wire.Of("function")
	if call.function == nil && call.custom != nil {
		want = wire.Of("custom")
	}
	switch {
	case call.typ.Str() == "":
		c.once(TypeMissing, s.first(""), s, ".type", call.typ, want)
	case call.typ.Str() != want.Str():
		c.once(TypeInvalid, s.first(".type"), s, ".type", call.typ, want)
	}
}

func (call *chatCall) whole() wire.Value {
	members := []wire.Member{{Key: "id", Value: call.id}, {Key: "type", Value: call.typ}}
	if call.function != nil {
		members = append(members, wire.Member{Key: "function", Value: call.function.whole()})
	}
	if call.custom != nil {
		members = append(members, wire.Member{Key: "custom", Value: call.custom.whole()})
	}
	return wire.Obj(append(members, call.extra.members()...)...)
}
