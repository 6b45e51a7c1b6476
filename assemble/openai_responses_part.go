package assemble

import (
	"sort"

	"reassay/sse"
	"reassay/wire"
)

// textSpec says where the text of a pair of delta and done events stands.
type textSpec struct {
	item string // the item's type
	list string // "content" or "summary", "" for a member of the item itself
	part string // the part's type
	key  string // the member that holds the text, also of the done event
}

// responsesTexts are the pairs of text events, by their name without the last word.
var responsesTexts = map[string]textSpec{
	"response.output_text":                {"message", "content", "output_text", "text"},
	"response.refusal":                    {"message", "content", "refusal", "refusal"},
	"response.reasoning_text":             {"reasoning", "content", "reasoning_text", "text"},
	"response.reasoning_summary_text":     {"reasoning", "summary", "summary_text", "text"},
	"response.function_call_arguments":    {"function_call", "", "", "arguments"},
	"response.mcp_call_arguments":         {"mcp_call", "", "", "arguments"},
	"response.custom_tool_call_input":     {"custom_tool_call", "", "", "input"},
	"response.code_interpreter_call_code": {"code_interpreter_call", "", "", "code"},
	"response.code_interpreter_call.code": {"code_interpreter_call", "", "", "code"},
}

// responsesProgress are the events that tell a server tool's progress, by their name without the last word, which is
// the status; with the type of the item.
var responsesProgress = map[string]string{
	"response.web_search_call":       "web_search_call",
	"response.file_search_call":      "file_search_call",
	"response.code_interpreter_call": "code_interpreter_call",
	"response.image_generation_call": "image_generation_call",
	"response.mcp_call":              "mcp_call",
	"response.mcp_list_tools":        "mcp_list_tools",
}

// openPart begins a part.
func (it *responsesItem) openPart(list string, n int, v wire.Value, at At) *responsesPart {
	p := &responsesPart{list: list, n: n, typ: v.Get("type").Str(), added: v, open: at}
	p.text.text.add(v.Get(p.key()).Str())
	it.parts = append(it.parts, p)
	it.partAt[partKey{list, n}], it.newest[list] = p, p
	return p
}

func indexKey(list string) string {
	if list == "summary" {
		return "summary_index"
	}
	return "content_index"
}

// opener is the event that announces a part of a list.
func opener(list string) string {
	if list == "summary" {
		return "response.reasoning_summary_part.added"
	}
	return "response.content_part.added"
}

// listOf is the list that a part event is about, and the type of its item.
func listOf(event string) (list, item string) {
	switch event {
	case "response.reasoning_summary_part.added", "response.reasoning_summary_part.done":
		return "summary", "reasoning"
	}
	return "content", "message"
}

// partAdded reads content_part.added and reasoning_summary_part.added.
func (r *responsesReply) partAdded(e sse.Event) {
	list, itemType := listOf(e.Type)
	it := r.itemOf(e, itemType)
	v := e.Data.Get("part")
	if v.Kind() != wire.Object {
		r.once(MissingField, r.at(e, orParent(v, e.Data)), nil, "part", v, wire.Value{})
		return
	}
	n, ok := r.indexOf(e, indexKey(list), it.spot, "."+list)
	newest := it.newest[list]
	if !ok && newest != nil {
		n = newest.n + 1
	}
	at, index := r.at(e, v), e.Data.Get(indexKey(list))
	field := "." + list + number(n)
	switch old := it.partAt[partKey{list, n}]; {
	case old != nil && old.implied:
		old.implied, old.closed, old.open = false, false, at
		old.typ, old.added = v.Get("type").Str(), v
		it.spot.wrote(field, at)
		return
	case old != nil:
		r.once(IndexReused, r.at(e, index), it.spot, field, index, wire.OfInt(newest.n+1))
	case newest == nil && n != 0:
		r.once(IndexStart, r.at(e, index), it.spot, field, index, wire.OfInt(0))
	case newest != nil && n != newest.n+1:
		r.once(IndexGap, r.at(e, index), it.spot, field, index, wire.OfInt(newest.n+1))
	}
	it.openPart(list, n, v, at)
	it.spot.wrote(field, at)
}

// partOf is the part that a text event belongs to. One that none announced is opened all the same.
func (r *responsesReply) partOf(e sse.Event, it *responsesItem, list, typ string) *responsesPart {
	n, ok := r.indexOf(e, indexKey(list), it.spot, "."+list)
	p := it.partAt[partKey{list, n}]
	if !ok {
		p = it.newest[list]
	}
	at := r.at(e, e.Data)
	switch {
	case p == nil:
		p = it.openPart(list, n, wire.Obj(wire.Member{Key: "type", Value: wire.Of(typ)}), at)
		p.implied = true
		r.once(BlockNotOpen, at, it.spot, p.field(), wire.Of(e.Type), wire.Of(opener(list)))
	case p.closed && !p.implied:
		r.once(BlockNotOpen, at, it.spot, p.field(), wire.Of(e.Type), wire.Value{})
	}
	it.spot.wrote(p.field(), at)
	return p
}

// laneOf is where a text event's text goes, and the field's path in the item. It is nil where the item or part is of
// another type than the event is for: such a text is none of its.
func (r *responsesReply) laneOf(e sse.Event, spec textSpec, text wire.Value) (*lane, *responsesItem, *responsesPart, string) {
	it := r.itemOf(e, spec.item)
	if it.typ != spec.item {
		r.once(DeltaMismatch, r.at(e, orParent(text, e.Data)), it.spot, "."+spec.key, text, wire.Of(it.typ))
		return nil, it, nil, ""
	}
	if spec.list == "" {
		return it.lane(spec.key), it, nil, "." + spec.key
	}
	p := r.partOf(e, it, spec.list, spec.part)
	if p.typ != spec.part {
		r.once(DeltaMismatch, r.at(e, orParent(text, e.Data)), it.spot, p.field(), text, wire.Of(p.typ))
		return nil, it, p, ""
	}
	return &p.text, it, p, p.field() + "." + spec.key
}

func (r *responsesReply) textDelta(e sse.Event, spec textSpec) {
	delta := e.Data.Get("delta")
	l, it, p, field := r.laneOf(e, spec, delta)
	switch {
	case l == nil:
		return
	case !delta.Present():
		r.once(MissingField, r.at(e, orParent(delta, e.Data)), it.spot, field, delta, wire.Value{})
		return
	case delta.Kind() != wire.String:
		r.once(WrongType, r.at(e, delta), it.spot, field, delta, wire.Value{})
		return
	}
	l.text.add(delta.Str())
	it.spot.said(field, r.at(e, delta), len(l.text))
	if p != nil {
		p.logprobs = append(p.logprobs, e.Data.Get("logprobs").Elems()...)
	}
}

func (r *responsesReply) textDone(e sse.Event, spec textSpec) {
	text := e.Data.Get(spec.key)
	l, it, p, field := r.laneOf(e, spec, text)
	switch {
	case l == nil:
		return
	case !text.Present():
		r.once(MissingField, r.at(e, orParent(text, e.Data)), it.spot, field, text, wire.Value{})
		return
	case text.Kind() != wire.String:
		r.once(WrongType, r.at(e, text), it.spot, field, text, wire.Value{})
		return
	}
	l.done = text
	it.spot.wrote(field, r.at(e, text))
	r.compareText(e, it, field, l, text, e.Data)
	if p != nil && len(p.logprobs) == 0 {
		p.logprobs = append(p.logprobs, e.Data.Get("logprobs").Elems()...)
	}
	if name := e.Data.Get("name"); spec.key == "arguments" && name.Present() {
		r.compareMember(e, it, "name", name, it.added.Get("name"))
	}
}

// compareText notes a done event's text that is not what the deltas built.
func (r *responsesReply) compareText(e sse.Event, it *responsesItem, field string, l *lane, text, parent wire.Value) {
	if built := l.text.String(); text.Str() != built {
		r.once(DoneMismatch, r.at(e, orParent(text, parent)), it.spot, field, text, wire.Of(built))
	}
}

// compareMember notes a done event's member that is not what the item said when it was announced.
func (r *responsesReply) compareMember(e sse.Event, it *responsesItem, key string, got, want wire.Value) {
	if want.Present() && !wire.Equal(got, want) {
		r.once(DoneMismatch, r.at(e, got), it.spot, "."+key, got, want)
	}
}

// partDone reads content_part.done and reasoning_summary_part.done.
func (r *responsesReply) partDone(e sse.Event) {
	list, itemType := listOf(e.Type)
	it := r.itemOf(e, itemType)
	v := e.Data.Get("part")
	p := r.partOf(e, it, list, v.Get("type").Str())
	p.closed = true
	if v.Kind() != wire.Object {
		r.once(MissingField, r.at(e, orParent(v, e.Data)), nil, "part", v, wire.Value{})
		return
	}
	p.done = v
	if p.typ == "" {
		p.typ = v.Get("type").Str()
	}
	r.comparePart(e, it, p, v)
}

// comparePart notes where a done event's part is not what the events before it built.
func (r *responsesReply) comparePart(e sse.Event, it *responsesItem, p *responsesPart, v wire.Value) {
	field := p.field()
	if typ := v.Get("type"); typ.Str() != p.typ {
		r.once(DoneMismatch, r.at(e, orParent(typ, v)), it.spot, field+".type", typ, wire.Of(p.typ))
		return
	}
	if p.typ != "output_audio" {
		r.compareText(e, it, field+"."+p.key(), &p.text, v.Get(p.key()), v)
	}
	annotations := v.Get("annotations")
	built := p.built(p.added.Get("annotations").Elems())
	for i, a := range annotations.Elems() {
		if i >= len(built) || !wire.Equal(a, built[i]) {
			want := wire.Value{}
			if i < len(built) {
				want = built[i]
			}
			r.once(DoneMismatch, r.at(e, a), it.spot, field+".annotations"+number(i), a, want)
		}
	}
	for i := len(annotations.Elems()); i < len(built); i++ {
		r.once(DoneMismatch, r.at(e, orParent(annotations, v)), it.spot, field+".annotations"+number(i), wire.Value{}, built[i])
	}
}

// built are the annotations that the events before a done event told.
func (p *responsesPart) built(added []wire.Value) []wire.Value {
	if len(p.annotations) > 0 {
		return p.annotations
	}
	return added
}

// compareDone notes where output_item.done is not what the events before it built. A reasoning summary of which no
// event told a part is no difference: nothing that a caller is shown as the answer came late.
func (r *responsesReply) compareDone(e sse.Event, it *responsesItem, v wire.Value) {
	for _, key := range []string{"type", "role", "call_id", "name"} {
		if want := it.added.Get(key); want.Present() {
			if got := v.Get(key); !wire.Equal(got, want) {
				r.once(DoneMismatch, r.at(e, orParent(got, v)), it.spot, "."+key, got, want)
			}
		}
	}
	for _, spec := range responsesTexts {
		if spec.list == "" && spec.item == it.typ {
			got := v.Get(spec.key)
			r.compareText(e, it, "."+spec.key, it.lane(spec.key), got, v)
			if it.lane(spec.key).done.Kind() == wire.Missing {
				it.lane(spec.key).done = got
			}
		}
	}
	for _, list := range partLists {
		got := v.Get(list)
		for n, part := range got.Elems() {
			if p := it.partAt[partKey{list, n}]; p != nil {
				r.comparePart(e, it, p, part)
			} else if list != "summary" || it.newest[list] != nil {
				r.once(DoneMismatch, r.at(e, part), it.spot, "."+list+number(n), part, wire.Value{})
			}
		}
		for _, p := range it.parts {
			if p.list == list && p.n >= len(got.Elems()) {
				r.once(DoneMismatch, r.at(e, orParent(got, v)), it.spot, p.field(), wire.Value{}, p.whole(wire.Value{}))
			}
		}
	}
}

func (r *responsesReply) annotationAdded(e sse.Event) {
	it := r.itemOf(e, "message")
	p := r.partOf(e, it, "content", "output_text")
	v := e.Data.Get("annotation")
	if !v.Present() {
		r.once(MissingField, r.at(e, orParent(v, e.Data)), nil, "annotation", v, wire.Value{})
		return
	}
	field := p.field() + ".annotations"
	if n, ok := r.indexOf(e, "annotation_index", it.spot, field); ok && n != len(p.annotations) {
		r.once(IndexGap, r.at(e, e.Data.Get("annotation_index")), it.spot, field, e.Data.Get("annotation_index"), wire.OfInt(len(p.annotations)))
	}
	p.annotations = append(p.annotations, v)
	it.spot.wrote(field, r.at(e, v))
}

// wholeParts are the parts of a list: those that events built, and those that stand only in the item itself.
func (it *responsesItem) wholeParts(list string, base []wire.Value) []wire.Value {
	type entry struct {
		n int
		v wire.Value
	}
	var entries []entry
	taken := map[int]bool{}
	for _, p := range it.parts {
		if p.list != list {
			continue
		}
		more := wire.Value{}
		if !taken[p.n] && p.n < len(base) {
			more = base[p.n]
		}
		taken[p.n] = true
		entries = append(entries, entry{p.n, p.whole(more)})
	}
	for n, v := range base {
		if !taken[n] {
			entries = append(entries, entry{n, v})
		}
	}
	sort.SliceStable(entries, func(i, j int) bool { return entries[i].n < entries[j].n })
	elems := make([]wire.Value, 0, len(entries))
	for _, x := range entries {
		elems = append(elems, x.v)
	}
	return elems
}

// whole is the part as the events built it; more is the part that the item itself holds in its place.
func (p *responsesPart) whole(more wire.Value) wire.Value {
	v := p.added
	if p.done.Exists() {
		v = complete(p.done, p.added)
	}
	if text, ok := p.text.said(); ok {
		v = v.With(p.key(), text)
	}
	if len(p.annotations) > 0 {
		list := append([]wire.Value(nil), p.annotations...)
		if rest := v.Get("annotations").Elems(); len(rest) > len(list) {
			list = append(list, rest[len(list):]...)
		}
		v = v.With("annotations", wire.Arr(list...))
	}
	if len(p.logprobs) > 0 {
		v = v.With("logprobs", wire.Arr(p.logprobs...))
	}
	if len(p.audio) > 0 {
		v = v.With("data", wire.Of(foldBase64(p.audio)))
	}
	return complete(v, more)
}
