package assemble

import (
	"errors"
	"sort"
	"strconv"
	"strings"

	"reassay/sse"
	"reassay/wire"
)

// anthropicCalls are the blocks whose input is the sum of their input deltas.
var anthropicCalls = set("tool_use", "server_tool_use", "mcp_tool_use")

// anthropicBlocks are the documented types of content block.
var anthropicBlocks = rowsUnder(anthropicEvents, "content_block_start/")

// anthropicDelta says which fields of a delta carry content and which blocks it fits.
type anthropicDelta struct {
	fields []string
	known  map[string]bool // fields, and those that are documented and no part of the whole block
	blocks map[string]bool
}

var anthropicDeltas = map[string]anthropicDelta{
	"text_delta":       {[]string{"text"}, set("type", "text"), set("text")},
	"input_json_delta": {[]string{"partial_json"}, set("type", "partial_json"), anthropicCalls},
	"thinking_delta":   {[]string{"thinking"}, set("type", "thinking", "estimated_tokens"), set("thinking")},
	"signature_delta":  {[]string{"signature"}, set("type", "signature"), set("thinking")},
	"citations_delta":  {[]string{"citation"}, set("type", "citation"), set("text")},
	"compaction_delta": {[]string{"content", "encrypted_content"}, set("type", "content", "encrypted_content"), set("compaction")},
}

// block is a content block on its way.
type block struct {
	start       wire.Value // as content_block_start gave it; Missing when only deltas spoke of it
	kind        string
	index       int
	indexed     bool // index is an integer of 0 or more
	first, last At
	strings     []stringField
	partial     joiner // the sum of partial_json
	citations   []wire.Value
	cited       []At
	opaque      opaqueDeltas
	signed      int // signature deltas
	signedAt    At
	closed      bool
	path        string
}

// stringField is a field of the block that deltas add to.
type stringField struct {
	key    string
	text   joiner
	pieces []Piece
}

// opaqueDeltas are a block's deltas of types that are unknown or do not fit it. They stay in the whole block, under a
// key that no block has: "delta/<type>".
type opaqueDeltas struct {
	kinds  []string
	byKind map[string][]wire.Value
}

func (o *opaqueDeltas) add(kind string, d wire.Value) {
	if o.byKind == nil {
		o.byKind = map[string][]wire.Value{}
	}
	if _, had := o.byKind[kind]; !had {
		o.kinds = append(o.kinds, kind)
	}
	o.byKind[kind] = append(o.byKind[kind], d)
}

func (b *block) add(key, s string, at At) {
	for i := range b.strings {
		if f := &b.strings[i]; f.key == key {
			f.add(s, at)
			return
		}
	}
	f := stringField{key: key}
	if begun := b.start.Get(key).Str(); begun != "" {
		f.add(begun, b.first)
	}
	f.add(s, at)
	b.strings = append(b.strings, f)
}

func (f *stringField) add(s string, at At) {
	f.text.add(s)
	f.pieces = append(f.pieces, Piece{at, len(f.text)})
}

// pieces are those of the block's own text: a signature is none.
func (b *block) pieces() []Piece {
	for _, f := range b.strings {
		if f.key == "text" || f.key == "thinking" {
			return f.pieces
		}
	}
	return nil
}

// index finds the block that an event speaks of. Its spelling is the key, so that even an index that is wrong
// connects a block's events. Without any index the block that was opened last is meant.
func (m *messages) index(e sse.Event) (key string, n int, valid bool) {
	v := e.Data.Get("index")
	n, valid = v.Int()
	switch {
	case !v.Present():
		m.fault(IndexMissing, At{e.Frame, e.Offset}, e.Type+".index", v, wire.Value{})
		return "", 0, false
	case !valid || n < 0:
		m.fault(IndexInvalid, m.at(e, v), e.Type+".index", v, wire.Value{})
		valid = false
	}
	return string(v.JSON()), n, valid
}

func (m *messages) blockFault(code FaultCode, at At, b *block, suffix string, got, want wire.Value) {
	m.pending = append(m.pending, blockFault{len(m.faults), b, suffix})
	m.fault(code, at, "", got, want)
}

// opens puts a block after those that came before it.
func (m *messages) opens(e sse.Event, key string, b *block) {
	b.first = At{e.Frame, e.Offset}
	b.last = b.first
	m.blocks = append(m.blocks, b)
	if key != "" {
		m.byIndex[key] = b
	}
	if b.indexed && b.index >= m.next {
		m.next = b.index + 1
	}
	m.current = b
	m.open++
}

func (m *messages) blockStart(e sse.Event) {
	key, n, valid := m.index(e)
	v := e.Data.Get("content_block")
	b := &block{start: v, kind: v.Get("type").Str(), index: n, indexed: valid}
	here := At{e.Frame, e.Offset}
	if index := e.Data.Get("index"); valid {
		switch _, had := m.byIndex[key]; {
		case had:
			m.blockFault(IndexReused, m.at(e, index), b, "", index, wire.OfInt(m.next))
		case len(m.blocks) == 0 && n != 0:
			m.blockFault(IndexStart, m.at(e, index), b, "", index, wire.OfInt(0))
		case n > m.next:
			m.blockFault(IndexGap, m.at(e, index), b, "", index, wire.OfInt(m.next))
		}
	}
	if m.open > 0 {
		m.blockFault(BlockOverlap, here, b, "", v, wire.Value{})
	}
	m.lateContent(here, b)
	m.opens(e, key, b)
	if v.Kind() != wire.Object {
		m.wrongField(e, "content_block_start.content_block", v)
		return
	}
	m.identity(e, b)
}

// lateContent notes content that comes after the stop reason.
func (m *messages) lateContent(at At, b *block) {
	if stop := m.message.get("stop_reason"); stop.Str() != "" {
		m.blockFault(AfterFinish, at, b, "", wire.Value{}, stop)
	}
}

// identity checks what a block says of itself when it opens.
func (m *messages) identity(e sse.Event, b *block) {
	v := b.start
	at := m.at(e, v)
	switch {
	case b.kind == "":
		m.blockFault(TypeMissing, at, b, ".type", v.Get("type"), wire.Value{})
	case !anthropicBlocks[b.kind]:
		m.blockFault(UnknownEvent, at, b, "", v, wire.Value{})
		m.skip("content_block_start.content_block." + b.kind)
	case anthropicCalls[b.kind]:
		id, name := v.Get("id"), v.Get("name")
		switch {
		case !id.Present():
			m.blockFault(CallIDMissing, at, b, ".id", id, wire.Value{})
		case id.Kind() != wire.String:
			m.blockFault(WrongType, m.at(e, id), b, ".id", id, wire.Value{})
		case id.Str() == "":
			m.blockFault(CallIDEmpty, m.at(e, id), b, ".id", id, wire.Value{})
		case m.ids[id.Str()]:
			m.blockFault(CallIDReused, m.at(e, id), b, ".id", id, wire.Value{})
		}
		m.ids[id.Str()] = true
		if name.Str() == "" {
			m.blockFault(NameMissing, at, b, ".name", name, wire.Value{})
		}
	case strings.HasSuffix(b.kind, "_tool_result"):
		if id := v.Get("tool_use_id"); id.Str() == "" {
			m.blockFault(MissingField, at, b, ".tool_use_id", id, wire.Value{})
		}
	}
}

func (m *messages) blockDelta(e sse.Event) {
	key, n, valid := m.index(e)
	d := e.Data.Get("delta")
	kind := d.Get("type").Str()
	form, known := anthropicDeltas[kind]
	here := m.at(e, d)
	b := m.byIndex[key]
	if key == "" {
		b = m.current
	}
	switch {
	case b == nil:
		b = &block{kind: impliedBlock(kind), index: n, indexed: valid}
		m.blockFault(BlockNotOpen, here, b, "", d, wire.Value{})
		m.opens(e, key, b)
		b.closed = true // it was never opened, so nothing will close it
		m.open--
	case b.closed:
		m.blockFault(BlockNotOpen, here, b, "", d, wire.Value{})
	}
	b.last = At{e.Frame, e.Offset}
	m.lateContent(here, b)
	switch {
	case d.Kind() != wire.Object:
		m.wrongField(e, "content_block_delta.delta", d)
		return
	case kind == "":
		m.fault(MissingField, here, "content_block_delta.delta.type", d.Get("type"), wire.Value{})
		return
	case !known:
		m.blockFault(UnknownEvent, here, b, "", d, wire.Value{})
		m.skip("content_block_delta.delta." + kind)
		b.opaque.add(kind, d)
		return
	}
	if anthropicBlocks[b.kind] && !form.blocks[b.kind] {
		m.blockFault(DeltaMismatch, here, b, "", d, wire.Value{})
		b.opaque.add(kind, d)
		return
	}
	m.skipUnknown(d, "content_block_delta.delta.", form.known)
	m.addDelta(e, b, kind, form, d)
}

// addDelta adds a delta of a known type to its block.
func (m *messages) addDelta(e sse.Event, b *block, kind string, form anthropicDelta, d wire.Value) {
	for _, key := range form.fields {
		v := d.Get(key)
		path := "content_block_delta.delta." + key
		switch {
		case kind == "compaction_delta" && !v.Present():
			continue // both of its fields are nullable
		case key == "citation" && v.Kind() == wire.Object:
			b.citations = append(b.citations, v)
			b.cited = append(b.cited, m.at(e, v))
			continue
		case key == "citation" || v.Kind() != wire.String:
			m.wrongField(e, path, v)
			continue
		case key != "partial_json" && b.start.Get(key).Present() && b.start.Get(key).Kind() != wire.String:
			m.blockFault(WrongType, b.first, b, "."+key, b.start.Get(key), wire.Value{})
			b.opaque.add(kind, d)
			continue
		}
		switch key {
		case "partial_json":
			b.partial.add(v.Str())
		case "signature":
			m.sign(e, b, v)
		default:
			b.add(key, v.Str(), m.at(e, v))
		}
	}
}

// sign takes a signature delta. A block gets one, just before its end; pieces of a signature cut in two are joined.
func (m *messages) sign(e sse.Event, b *block, v wire.Value) {
	before := b.start.Get("signature").Str()
	b.signed++
	b.signedAt = m.at(e, v)
	if b.signed > 1 || before != "" {
		m.blockFault(SignatureTwice, b.signedAt, b, ".signature", v, wire.Value{})
	}
	if b.signed == 1 && before == v.Str() {
		return
	}
	b.add("signature", v.Str(), b.signedAt)
}

// impliedBlock is the type of a block of which only a delta is known.
func impliedBlock(delta string) string {
	switch delta {
	case "text_delta", "citations_delta":
		return "text"
	case "thinking_delta", "signature_delta":
		return "thinking"
	case "input_json_delta":
		return "tool_use"
	case "compaction_delta":
		return "compaction"
	}
	return ""
}

func (m *messages) blockStop(e sse.Event) {
	key, _, _ := m.index(e)
	b := m.byIndex[key]
	if key == "" {
		b = m.current
	}
	here := At{e.Frame, e.Offset}
	if b == nil {
		m.fault(BlockNotOpen, here, "content_block_stop.index", e.Data.Get("index"), wire.Value{})
		return
	}
	if b.closed {
		m.blockFault(BlockNotOpen, here, b, "", e.Data.Get("index"), wire.Value{})
		return
	}
	b.closed = true
	b.last = here
	m.open--
}

// content is the whole message's content: the blocks in the order of their indices ("index" is the block's place in
// the final content array); in the order of their coming where an index is missing or wrong. cut tells that the stop
// reason allows a call to end inside its arguments.
func (m *messages) content(cut bool) wire.Value {
	ordered := true
	for _, b := range m.blocks {
		ordered = ordered && b.indexed
	}
	if ordered {
		sort.SliceStable(m.blocks, func(i, j int) bool { return m.blocks[i].index < m.blocks[j].index })
	}
	elems := make([]wire.Value, len(m.blocks))
	for i, b := range m.blocks {
		b.path = "content[" + strconv.Itoa(i) + "]"
		m.span(Place{b.path, b.first, b.last, b.pieces()})
		if b.signed > 0 {
			m.wrote(b.path+".signature", b.signedAt)
		}
		for j, at := range b.cited {
			m.wrote(b.path+".citations["+strconv.Itoa(len(b.start.Get("citations").Elems())+j)+"]", at)
		}
		if !b.closed && !m.out.Error.Exists() {
			m.blockFault(BlockLeftOpen, m.end(), b, "", wire.Value{}, wire.Value{})
		}
		elems[i] = m.whole(b, cut)
	}
	for _, p := range m.pending {
		m.faults[p.fault].Path = p.block.path + p.suffix
	}
	return wire.Arr(elems...)
}

// whole is the block as a reply that is not streamed has it.
func (m *messages) whole(b *block, cut bool) wire.Value {
	var v object
	v.lay(b.start)
	if b.start.Kind() != wire.Object && b.kind != "" {
		v.set("type", wire.Of(b.kind))
	}
	for _, f := range b.strings {
		v.set(f.key, wire.Of(f.text.String()))
	}
	if len(b.citations) > 0 {
		v.set("citations", wire.Arr(append(append([]wire.Value{}, v.get("citations").Elems()...), b.citations...)...))
	}
	if anthropicCalls[b.kind] || len(b.partial) > 0 {
		v.set("input", m.input(b, cut))
	}
	for _, kind := range b.opaque.kinds {
		v.set("delta/"+kind, wire.Arr(b.opaque.byKind[kind]...))
	}
	return v.value()
}

// input is a call's input: the parsed sum of its partial_json, or, when that is empty, what content_block_start
// held, {} by the documentation. A sum that is not JSON stays readable: it stands in the body as one string, which no
// call's input can be otherwise.
func (m *messages) input(b *block, cut bool) wire.Value {
	sum := b.partial.String()
	if strings.TrimSpace(sum) == "" {
		v := b.start.Get("input")
		if !v.Present() {
			m.blockFault(ArgsEmpty, b.first, b, ".input", v, wire.Obj())
			return wire.Obj()
		}
		if v.Kind() != wire.Object {
			m.blockFault(ArgsNotObject, b.first, b, ".input", v, wire.Value{})
		}
		return v
	}
	v, err := wire.Parse([]byte(sum))
	if err == nil {
		if v.Kind() != wire.Object {
			m.blockFault(ArgsNotObject, b.last, b, ".input", v, wire.Value{})
		}
		return v
	}
	raw := wire.Of(sum)
	var syntax *wire.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset >= len(sum) && (cut || !b.closed) {
		if !m.out.Error.Exists() {
			m.blockFault(ArgsCut, b.last, b, ".input", raw, wire.Value{})
		}
		return raw
	}
	m.blockFault(ArgsNotJSON, b.last, b, ".input", raw, wire.Value{})
	return raw
}
