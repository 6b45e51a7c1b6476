package assemble

import (
	"sort"

	"reassay/sse"
	"reassay/wire"
)

// responsesItem is one output item that is being put together.
type responsesItem struct {
	spot    *spot
	cycle   int  // which response of the stream it belongs to
	index   int  // output_index
	indexed bool // whether a usable output_index opened it
	implied bool // whether no output_item.added opened it
	closed  bool
	id      string
	typ     string

	added, done wire.Value // the item as output_item.added and .done say it
	status      wire.Value // the newest status of a progress event
	lanes       map[string]*lane
	parts       []*responsesPart
	partAt      map[partKey]*responsesPart // the newest under each index
	newest      map[string]*responsesPart  // of each list
	audio       *responsesPart
	shell       []*shellOutput
	shellAt     map[int]*shellOutput
}

// partKey is a part's list and index.
type partKey struct {
	list string
	n    int
}

// responsesPart is one content or summary part of an item.
type responsesPart struct {
	list        string // "content" or "summary"
	n           int    // content_index or summary_index
	typ         string
	added, done wire.Value
	text        lane
	annotations []wire.Value // from annotation.added
	logprobs    []wire.Value // from deltas
	audio       []string     // Base64, from audio.delta
	implied     bool
	closed      bool
	open        At
}

// lane is a text that comes in deltas and is repeated by a done event.
type lane struct {
	text joiner     // of the deltas
	done wire.Value // of the done event
}

// said is what the lane's text is: that of the deltas, or where none said anything, that of the done event.
func (l *lane) said() (wire.Value, bool) {
	if len(l.text) > 0 {
		return wire.Of(l.text.String()), true
	}
	return l.done, l.done.Kind() == wire.String && l.done.Str() != ""
}

// field is where the part stands in its item.
func (p *responsesPart) field() string { return "." + p.list + number(p.n) }

// key is the member that holds the part's text.
func (p *responsesPart) key() string {
	switch p.typ {
	case "refusal":
		return "refusal"
	case "output_audio":
		return "transcript"
	}
	return "text"
}

// indexOf reads an index field of an event. ok is false, and a fault noted, where it cannot be used.
func (r *responsesReply) indexOf(e sse.Event, key string, s *spot, path string) (n int, ok bool) {
	v := e.Data.Get(key)
	n, ok = v.Int()
	if ok && n >= 0 {
		return n, true
	}
	code := IndexInvalid
	if !v.Present() {
		code = IndexMissing
	}
	r.once(code, r.at(e, orParent(v, e.Data)), s, path, v, wire.Value{})
	return 0, false
}

// openItem begins an item.
func (r *responsesReply) openItem(at At, index int, indexed bool, typ, id string) *responsesItem {
	it := &responsesItem{
		spot: newSpot(), cycle: r.first, index: index, indexed: indexed, id: id, typ: typ,
		lanes: map[string]*lane{}, partAt: map[partKey]*responsesPart{}, newest: map[string]*responsesPart{},
		shellAt: map[int]*shellOutput{},
	}
	it.spot.wrote("", at)
	if typ == "message" {
		r.message = it
	}
	r.items = append(r.items, it)
	if indexed && r.byIndex[index] == nil {
		r.byIndex[index] = it
	}
	if it.id != "" {
		r.byID[it.id] = it
	}
	return it
}

// itemAdded reads output_item.added.
func (r *responsesReply) itemAdded(e sse.Event) {
	v := e.Data.Get("item")
	if v.Kind() != wire.Object {
		r.once(MissingField, r.at(e, orParent(v, e.Data)), nil, "item", v, wire.Value{})
		return
	}
	n, ok := r.indexOf(e, "output_index", nil, "output_index")
	id := v.Get("id").Str()
	old, known := r.byID[id]
	if known && id != "" && ok && r.byIndex[n] == old {
		r.once(ItemDuplicated, r.at(e, v), old.spot, "", v, wire.Value{})
		return
	}
	taken := ok && r.byIndex[n] != nil
	opened := len(r.byIndex)
	it := r.openItem(r.at(e, v), n, ok, v.Get("type").Str(), id)
	index := e.Data.Get("output_index")
	switch {
	case taken:
		r.byIndex[n] = it
		r.once(IndexReused, r.at(e, index), it.spot, ".output_index", index, wire.OfInt(len(r.items)-r.first-1))
	case ok && opened == 0 && n != 0:
		r.once(IndexStart, r.at(e, index), it.spot, ".output_index", index, wire.OfInt(0))
	case ok && n > 0 && r.byIndex[n-1] == nil:
		r.once(IndexGap, r.at(e, index), it.spot, ".output_index", index, wire.OfInt(opened))
	}
	if known && id != "" {
		r.once(ItemDuplicated, r.at(e, v.Get("id")), it.spot, ".id", v.Get("id"), wire.Value{})
	}
	if id == "" {
		r.once(MissingField, r.at(e, orParent(v.Get("id"), v)), it.spot, ".id", v.Get("id"), wire.Value{})
	}
	if it.typ == "" {
		r.once(MissingField, r.at(e, orParent(v.Get("type"), v)), it.spot, ".type", v.Get("type"), wire.Value{})
	}
	it.added = v
	it.begin(r.at(e, v))
}

// begin takes over what an item already holds when it is announced: deltas add to it.
func (it *responsesItem) begin(at At) {
	for _, spec := range responsesTexts {
		if spec.list == "" && spec.item == it.typ {
			it.lane(spec.key).text.add(it.added.Get(spec.key).Str())
		}
	}
	for _, list := range partLists {
		for n, v := range it.added.Get(list).Elems() {
			p := it.openPart(list, n, v, at)
			p.closed, p.implied = true, true
		}
	}
}

// partLists are the members of an item that hold parts.
var partLists = []string{"content", "summary"}

func (it *responsesItem) lane(key string) *lane {
	l := it.lanes[key]
	if l == nil {
		l = &lane{}
		it.lanes[key] = l
	}
	return l
}

// itemOf is the item that an event belongs to: by output_index, by item_id where that fails, else the newest. An item
// that none announced is opened all the same, as of the type that the event is for.
func (r *responsesReply) itemOf(e sse.Event, typ string) *responsesItem {
	n, ok := r.indexOf(e, "output_index", nil, "output_index")
	id := e.Data.Get("item_id")
	it := r.byIndex[n]
	if !ok {
		it = nil
	}
	if it == nil && id.Str() != "" {
		it = r.byID[id.Str()]
	}
	if it == nil && !ok && len(r.items) > r.first {
		it = r.items[len(r.items)-1]
	}
	at := r.at(e, e.Data)
	if it == nil {
		it = r.openItem(at, n, ok, typ, id.Str())
		it.implied = true
		r.once(BlockNotOpen, at, it.spot, "", wire.Of(e.Type), wire.Of("response.output_item.added"))
	}
	it.spot.wrote("", at)
	switch {
	case !responsesFields[e.Type]["item_id"]:
	case !id.Present():
		r.once(MissingField, at, nil, "item_id", id, wire.Of(it.id))
	case it.id != "" && id.Str() != it.id:
		r.once(ItemIDMismatch, r.at(e, id), it.spot, ".id", id, wire.Of(it.id))
	}
	if it.closed {
		r.once(BlockNotOpen, at, it.spot, "", wire.Of(e.Type), wire.Value{})
	}
	return it
}

// itemDone reads output_item.done.
func (r *responsesReply) itemDone(e sse.Event) {
	v := e.Data.Get("item")
	if v.Kind() != wire.Object {
		r.once(MissingField, r.at(e, orParent(v, e.Data)), nil, "item", v, wire.Value{})
		return
	}
	n, ok := r.indexOf(e, "output_index", nil, "output_index")
	index, id := e.Data.Get("output_index"), v.Get("id")
	it := r.byIndex[n]
	if !ok {
		it = nil
	}
	if other := r.byID[id.Str()]; id.Str() != "" && other != nil && other != it {
		it = other
		if ok {
			r.once(IndexInvalid, r.at(e, index), it.spot, ".output_index", index, wire.OfInt(it.index))
		}
	}
	at := r.at(e, v)
	switch {
	case it == nil:
		it = r.openItem(at, n, ok, v.Get("type").Str(), id.Str())
		it.done, it.closed = v, true
		r.once(BlockNotOpen, at, it.spot, "", wire.Of(e.Type), wire.Of("response.output_item.added"))
		return
	case it.closed:
		r.once(BlockNotOpen, at, it.spot, "", wire.Of(e.Type), wire.Value{})
	case it.id != "" && id.Str() != it.id:
		r.once(ItemIDMismatch, r.at(e, orParent(id, v)), it.spot, ".id", id, wire.Of(it.id))
	}
	it.spot.wrote("", at)
	r.compareDone(e, it, v)
	it.done, it.closed = v, true
	if it.typ == "" {
		it.typ = v.Get("type").Str()
	}
}

// progress reads an event that tells how far a server tool's call has come.
func (r *responsesReply) progress(e sse.Event, typ, status string) {
	it := r.itemOf(e, typ)
	if it.typ != typ {
		r.once(DeltaMismatch, r.at(e, e.Data), it.spot, ".status", wire.Of(e.Type), wire.Of(it.typ))
		return
	}
	it.status = wire.Of(status)
}

// noteOpen notes what the stream left open.
func (it *responsesItem) noteOpen(r *responsesReply) {
	for _, p := range it.parts {
		if !p.closed && !p.implied {
			r.once(BlockLeftOpen, p.open, it.spot, p.field(), wire.Value{}, wire.Value{})
		}
	}
	if !it.closed && !it.implied {
		r.once(BlockLeftOpen, it.spot.first(""), it.spot, "", wire.Value{}, wire.Value{})
	}
}

// whole is the item as the events built it.
func (it *responsesItem) whole() wire.Value {
	v := it.done
	switch {
	case !v.Exists() && it.added.Exists():
		v = it.added
		if it.status.Exists() && v.Get("status").Exists() {
			v = v.With("status", it.status)
		}
	case !v.Exists():
		v = wire.Obj(wire.Member{Key: "type", Value: orNone(it.typ)}, wire.Member{Key: "id", Value: orNone(it.id)})
	case it.added.Exists():
		v = complete(v, it.added)
	}
	keys := make([]string, 0, len(it.lanes))
	for key := range it.lanes {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		if text, ok := it.lanes[key].said(); ok {
			v = v.With(key, text)
		}
	}
	for _, list := range partLists {
		if parts := it.wholeParts(list, v.Get(list).Elems()); len(parts) > 0 {
			v = v.With(list, wire.Arr(parts...))
		}
	}
	return it.wholeShell(v)
}

func orNone(s string) wire.Value {
	if s == "" {
		return wire.Value{}
	}
	return wire.Of(s)
}

// complete is v with what it lacks or holds nothing for taken from more, member by member.
func complete(v, more wire.Value) wire.Value {
	switch {
	case holdsNothing(v):
		if more.Exists() && !holdsNothing(more) || !v.Exists() {
			return more
		}
	case v.Kind() == wire.Object && more.Kind() == wire.Object:
		members := make([]wire.Member, 0, len(v.Members()))
		have := map[string]bool{}
		other := memberMap(more)
		for _, m := range v.Members() {
			have[m.Key] = true
			members = append(members, wire.Member{Key: m.Key, Value: complete(m.Value, other[m.Key])})
		}
		for _, m := range more.Members() {
			if !have[m.Key] {
				have[m.Key] = true
				members = append(members, wire.Member{Key: m.Key, Value: other[m.Key]})
			}
		}
		return wire.Obj(members...)
	case v.Kind() == wire.Array && more.Kind() == wire.Array:
		elems := make([]wire.Value, 0, len(v.Elems()))
		for i, e := range v.Elems() {
			elems = append(elems, complete(e, more.At(i)))
		}
		if n := len(v.Elems()); n < len(more.Elems()) {
			elems = append(elems, more.Elems()[n:]...)
		}
		return wire.Arr(elems...)
	}
	return v
}

// memberMap is an object's members for look-up; of duplicates the last counts.
func memberMap(v wire.Value) map[string]wire.Value {
	m := make(map[string]wire.Value, len(v.Members()))
	for _, e := range v.Members() {
		m[e.Key] = e.Value
	}
	return m
}

// holdsNothing tells the values that say no content: absent, null, "", [] and {}.
func holdsNothing(v wire.Value) bool {
	switch v.Kind() {
	case wire.Missing, wire.Null:
		return true
	case wire.String:
		return v.Str() == ""
	case wire.Array:
		return len(v.Elems()) == 0
	case wire.Object:
		return len(v.Members()) == 0
	}
	return false
}
