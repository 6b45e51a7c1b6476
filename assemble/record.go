package assemble

import (
	"errors"
	"sort"

	"reassay/sse"
	"reassay/wire"
)

// record collects what an assembler notes about a stream beside its body.
type record struct {
	stream  sse.Stream
	faults  []Fault
	places  []Place
	placed  map[string]int // path to index in places
	unread  []Unread
	counted map[string]int // path to index in unread
}

func newRecord(s sse.Stream) *record {
	return &record{stream: s, placed: map[string]int{}, counted: map[string]int{}}
}

func (r *record) fault(code FaultCode, at At, path string, got, want wire.Value) {
	r.faults = append(r.faults, Fault{Code: code, At: at, Path: path, Got: got, Want: want})
}

// wrote notes that the stream said a part of path at this place.
func (r *record) wrote(path string, at At) { r.span(Place{path, at, at, nil}) }

func (r *record) span(p Place) {
	if i, ok := r.placed[p.Path]; ok {
		r.places[i].Last = p.Last
		return
	}
	r.placed[p.Path] = len(r.places)
	r.places = append(r.places, p)
}

// skip counts a field, event or part type that was not understood.
func (r *record) skip(path string) {
	if i, ok := r.counted[path]; ok {
		r.unread[i].Count++
		return
	}
	r.counted[path] = len(r.unread)
	r.unread = append(r.unread, Unread{path, 1})
}

// skipUnknown counts the members of obj that are not among known, under prefix. A null holds nothing that could have
// been read.
func (r *record) skipUnknown(obj wire.Value, prefix string, known map[string]bool) {
	for _, m := range obj.Members() {
		r.unknown(prefix, m, known)
	}
}

func (r *record) unknown(prefix string, m wire.Member, known map[string]bool) {
	if !known[m.Key] && m.Value.Present() {
		r.skip(prefix + m.Key)
	}
}

// at is the place of v, a value out of e's payload. The payload of a frame with several data lines is not one piece
// of the body: the place is then found through the line that holds it.
func (r *record) at(e sse.Event, v wire.Value) At {
	off := v.Offset()
	if r.stream.Form == sse.FormSSE && e.Frame < len(r.stream.Frames) {
		rest := off
		for _, f := range r.stream.Frames[e.Frame].Fields {
			if f.Name != "data" {
				continue
			}
			if rest <= len(f.Value) {
				return At{e.Frame, f.ValueOffset + rest}
			}
			rest -= len(f.Value) + 1
		}
	}
	return At{e.Frame, e.Offset + off}
}

// end is the place just after the last byte that was read as part of the stream.
func (r *record) end() At {
	if n := len(r.stream.Frames); n > 0 {
		return At{n - 1, r.stream.Frames[n-1].End}
	}
	if n := len(r.stream.Events); n > 0 {
		e := r.stream.Events[n-1]
		return At{e.Frame, e.Offset + len(e.Raw)}
	}
	return At{}
}

// framing notes what the frames themselves say: a frame that names an event and has no data, and a last frame
// without its blank line.
func (r *record) framing() {
	for _, f := range r.stream.Frames {
		if f.Event != "" && !f.HasData {
			r.fault(EmptyData, At{f.Index, f.Start}, "", wire.Of(f.Event), wire.Value{})
		}
		if f.Has(sse.NoBlankLine) && f.HasData {
			r.fault(CutFrame, At{f.Index, f.Start}, "", wire.Value{}, wire.Value{})
		}
	}
}

// payload reports whether e carries an object, and notes why where it does not.
func (r *record) payload(e sse.Event) bool {
	here := At{e.Frame, e.Offset}
	switch {
	case errors.Is(e.Err, sse.ErrCut):
		r.fault(CutFrame, here, "", wire.Of(string(e.Raw)), wire.Value{})
	case len(e.Raw) == 0:
		r.fault(EmptyData, here, "", wire.Of(e.Name), wire.Value{})
	case e.Err != nil:
		r.fault(BadJSON, here, "", wire.Of(string(e.Raw)), wire.Value{})
	case e.Data.Kind() != wire.Object:
		r.fault(NotAnObject, here, "", e.Data, wire.Value{})
	default:
		return true
	}
	return false
}

// into hands the notes over: faults in the order of the stream, of one place by their code, places likewise, unread
// fields by path.
func (r *record) into(a *Assembled) {
	sort.SliceStable(r.faults, func(i, j int) bool {
		x, y := r.faults[i], r.faults[j]
		return x.At.before(y.At) || x.At == y.At && x.Code < y.Code
	})
	sort.SliceStable(r.places, func(i, j int) bool { return r.places[i].First.before(r.places[j].First) })
	sort.Slice(r.unread, func(i, j int) bool { return r.unread[i].Path < r.unread[j].Path })
	a.Faults, a.Places, a.Unread = r.faults, r.places, r.unread
}

func (a At) before(b At) bool { return a.Frame < b.Frame || a.Frame == b.Frame && a.Byte < b.Byte }

// joiner concatenates WTF-8 strings in linear time, as wire.Join would: a high surrogate half at the end of one piece
// and a low half at the beginning of the next become one character.
type joiner []byte

const halfLead, halfLen = 0xED, 3 // every surrogate half in WTF-8 is three bytes and begins with 0xED

func (j *joiner) add(s string) {
	n := len(*j)
	if s == "" || s[0] != halfLead || n < halfLen || (*j)[n-halfLen] != halfLead {
		*j = append(*j, s...)
		return
	}
	tail := string((*j)[n-halfLen:])
	*j = append((*j)[:n-halfLen], wire.Join(tail, s)...)
}

func (j joiner) String() string { return string(j) }
