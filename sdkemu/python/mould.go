package python

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// Nearly every event of a stream is spelled as the one before it, save for the text that it adds and perhaps a number.
// What is read and built of it is then the same too, but for that text and number. So an event that was read and built
// is a mould for those that follow: one that fits is not read as JSON and built into a class again.

// mould is an event that was built, with the places where another may differ from it and be built alike all the same.
type mould struct {
	event, data string // data is "" where there is no mould
	typ         *typ   // as which it was built
	value       value  // what was built; it lies in the arena
	arena       *arena
	numbers     []jsonNumber // the ints that are members of the event itself

	holed bool   // the holes were looked for
	holes []hole // in the order of the data

	rendered bool
	text     []byte // the event as it is rendered, with something in each hole
	stands   []span // of the text: what stands in the holes, in the order of the text; nil where that is not known
}

// span is a part of a rendered event that one of the holes holds.
type span struct{ begin, end, hole int }

// hole is a place of a mould that takes any str, or any int that is not negative and fits.
type hole struct {
	begin, end int    // of the data: between the quotes, or the digits
	at         *value // in the mould's value
	next       value  // what the event that is tried would put there
}

// A mould has only so many holes, and only so deep: whatever else it holds must be spelled alike.
const (
	maxHoles     = 16
	maxHoleDepth = 12
)

// fill puts what e holds into the mould, and reports whether it fits.
func (m *mould) fill(e serverSentEvent, p *jsonReader) bool {
	if m.data == "" || e.event != m.event {
		return false
	}
	if !m.holed {
		m.holed = true
		m.find(m.typ, &m.value, maxHoleDepth)
		m.findNumbers()
		slices.SortFunc(m.holes, func(a, b hole) int { return a.begin - b.begin })
	}
	at, from := 0, 0
	for i := range m.holes {
		h := &m.holes[i]
		same := m.data[from:h.begin]
		if !strings.HasPrefix(e.data[at:], same) {
			return false
		}
		var ok bool
		if h.next, at, ok = h.read(e.data, at+len(same), p); !ok {
			return false
		}
		from = h.end
	}
	if e.data[at:] != m.data[from:] {
		return false
	}
	for i := range m.holes {
		*m.holes[i].at = m.holes[i].next
	}
	return true
}

// read reads what stands at the place of the hole, and where it ends.
func (h *hole) read(data string, begin int, p *jsonReader) (v value, end int, ok bool) {
	p.text = data
	if h.at.kind == kindInt {
		end = p.digits(begin)
		text := data[begin:end]
		n, err := strconv.ParseInt(text, 10, 64)
		return ofInt(n), end, err == nil && (text[0] != '0' || len(text) == 1)
	}
	text, end, err := p.str(begin)
	if err != nil {
		return none, 0, false
	}
	if end--; len(text) < end-begin { // it had escapes: half a character may be refused where a whole one is not
		if at, _ := surrogateAt(text); at >= 0 {
			return none, 0, false
		}
	}
	return ofStr(text), end, true
}

// learn makes a mould of an event that p has read, which was built into v of type t. The arena of p changes hands.
func (m *mould) learn(e serverSentEvent, t *typ, v value, p *jsonReader) {
	m.forget()
	built := v.model()
	if built == nil || strings.HasPrefix(e.event, "thread.") || hasError(built) {
		return
	}
	m.arena, p.arena = p.arena, m.arena
	m.event, m.data, m.typ, m.value = e.event, e.data, t, v
	m.numbers = append(m.numbers, p.numbers...)
}

// hasError reports whether there is a member that may be looked at before anything is built.
func hasError(m *model) bool {
	if m.class.declares("error") {
		return true
	}
	return m.extra != nil && m.extra.find("error") >= 0
}

func (m *mould) forget() {
	clear(m.holes)
	clear(m.numbers)
	*m = mould{arena: m.arena, numbers: m.numbers[:0], holes: m.holes[:0], text: m.text[:0], stands: m.stands[:0]}
}

var anything = &typ{kind: typeAny}

// find makes holes of the texts in what stands at a place. Building does not depend on a str that is one of the data's
// strings, for a type that takes any str.
func (m *mould) find(t *typ, at *value, depth int) {
	if t = t.plainly(*at); t == nil || depth == 0 {
		return
	}
	switch loose := t.kind == typeAny; {
	case at.kind == kindStr && (loose || t.kind == typeStr):
		if begin, ok := m.offset(at.text); ok && len(m.holes) < maxHoles {
			m.holes = append(m.holes, hole{begin: begin, end: begin + len(at.text), at: at})
		}
	case at.kind == kindList && (loose || t.kind == typeList):
		if !loose {
			t = t.item
		}
		for i := range at.list().elems {
			m.find(t, &at.list().elems[i], depth-1)
		}
	case at.kind == kindDict && (loose || t.kind == typeDict):
		if !loose {
			t = t.item
		}
		for i := range at.dict().vals {
			m.find(t, &at.dict().vals[i], depth-1)
		}
	case at.kind == kindModel && t.kind == typeClass && at.model().class == t.class:
		m.findInModel(at.model(), depth-1)
	}
}

func (m *mould) findInModel(built *model, depth int) {
	if built.class.aliased || built.oddSet != nil {
		return
	}
	for i := range built.class.fields {
		m.find(built.class.fields[i].typ, &built.vals[i], depth)
	}
	if built.extra != nil {
		for i := range built.extra.vals {
			m.find(anything, &built.extra.vals[i], depth)
		}
	}
}

// findNumbers makes holes of ints that are members of the event itself.
func (m *mould) findNumbers() {
	built := m.value.model()
	if built.class.aliased || built.oddSet != nil {
		return
	}
	for i, n := range m.numbers {
		if len(m.holes) == maxHoles || !isDigit(m.data[n.begin]) || slices.ContainsFunc(m.numbers[i+1:], func(o jsonNumber) bool { return o.key == n.key }) {
			continue
		}
		t, at := anything, (*value)(nil)
		if place, ok := built.class.place(n.key); ok {
			at = &built.vals[place]
			t = built.class.fields[place].typ.plainly(*at)
		} else if built.extra != nil {
			if place := built.extra.find(n.key); place >= 0 {
				at = &built.extra.vals[place]
			}
		}
		if at != nil && at.kind == kindInt && at.ref == nil && t != nil && (t.kind == typeInt || t.kind == typeAny) {
			m.holes = append(m.holes, hole{begin: n.begin, end: n.end, at: at})
		}
	}
}

// plainly is the one type as which a value of type t was built, whatever the texts in it are; nil where there may be
// several.
func (t *typ) plainly(v value) *typ {
	switch {
	case t.kind != typeUnion:
		return t
	case t.only != nil:
		return t.only.plainly(v)
	case v.kind != kindModel || v.model().class.tag < 0:
		return nil
	}
	members := t.byType[v.model().vals[v.model().class.tag].text]
	if len(members) != 1 || members[0].class != v.model().class {
		return nil
	}
	return members[0]
}

// offset is where text stands in the data, of which it is a part; ok is false for one that is not, and for an empty one.
func (m *mould) offset(text string) (at int, ok bool) {
	at = int(uintptr(unsafe.Pointer(unsafe.StringData(text))) - uintptr(unsafe.Pointer(unsafe.StringData(m.data))))
	if at < 1 || at+len(text) >= len(m.data) || text == "" {
		return 0, false
	}
	return at, m.data[at-1] == '"' && m.data[at+len(text)] == '"'
}

// render appends the rendered event: what stands around the holes is rendered once.
func (m *mould) render(dst []byte) ([]byte, error) {
	if !m.rendered {
		m.rendered = true
		m.renderAround()
	}
	if len(m.text) == 0 {
		return render(dst, m.value)
	}
	from := 0
	for _, s := range m.stands {
		dst = append(dst, m.text[from:s.begin]...)
		var err error
		if dst, err = render(dst, *m.holes[s.hole].at); err != nil {
			return dst, err
		}
		from = s.end
	}
	return append(dst, m.text[from:]...), nil
}

// renderAround renders the event with a number in each hole that stands nowhere else; where that fails, no text is kept.
func (m *mould) renderAround() {
	const first = 7_305_814_002_361_000_000
	for i := range m.holes {
		h := &m.holes[i]
		h.next = *h.at
		if *h.at = ofInt(first + int64(i)); h.next.kind == kindStr {
			*h.at = ofStr(strconv.Itoa(first + i))
		}
	}
	text, err := render(m.text, m.value)
	for i := range m.holes {
		*m.holes[i].at = m.holes[i].next
	}
	if err != nil {
		return
	}
	var digits [20]byte
	for i := range m.holes {
		number := strconv.AppendInt(digits[:0], first+int64(i), 10)
		s := span{begin: bytes.Index(text, number), hole: i}
		s.end = s.begin + len(number)
		if s.begin < 0 || bytes.Contains(text[s.end:], number) {
			return
		}
		if m.holes[i].at.kind == kindStr {
			s.begin, s.end = s.begin-1, s.end+1
		}
		m.stands = append(m.stands, s)
	}
	slices.SortFunc(m.stands, func(a, b span) int { return a.begin - b.begin })
	m.text = text
}
