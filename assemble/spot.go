package assemble

import (
	"reassay/sse"
	"reassay/wire"
)

// spot is a choice, call or item whose place in Body is known only when the stream has ended.
type spot struct {
	path   string
	tracks map[string]*track
	order  []string
}

// track is where the stream wrote to one field of a spot.
type track struct {
	first, last At
	pieces      []Piece
}

func newSpot() *spot { return &spot{tracks: map[string]*track{}} }

// wrote notes that the stream said a part of the spot's field here; "" is the spot itself.
func (s *spot) wrote(field string, at At) {
	if t, ok := s.tracks[field]; ok {
		t.last = at
		return
	}
	s.tracks[field] = &track{first: at, last: at}
	s.order = append(s.order, field)
}

// said notes a delta of the text that stands at the field and is end bytes long with it.
func (s *spot) said(field string, at At, end int) {
	s.wrote(field, at)
	t := s.tracks[field]
	t.pieces = append(t.pieces, Piece{at, end})
}

// first is where the spot's field was written first, or where the spot itself was.
func (s *spot) first(field string) At {
	if t, ok := s.tracks[field]; ok {
		return t.first
	}
	if t, ok := s.tracks[""]; ok {
		return t.first
	}
	return At{}
}

// spotRecord is a record whose faults and places may belong to a spot.
type spotRecord struct {
	*record
	late []lateFault
	seen map[faultKey]bool
}

// lateFault is a fault whose Path is still relative to its spot.
type lateFault struct {
	Fault
	spot *spot
}

// faultKey makes a fault that every later event repeats stand once, where it is met first.
type faultKey struct {
	code FaultCode
	spot *spot
	path string
}

func newSpotRecord(s sse.Stream) *spotRecord {
	return &spotRecord{record: newRecord(s), seen: map[faultKey]bool{}}
}

// once notes a fault of a spot (nil for the reply itself), the first of its code and path only.
func (r *spotRecord) once(code FaultCode, at At, s *spot, path string, got, want wire.Value) {
	key := faultKey{code, s, path}
	if r.seen[key] {
		return
	}
	r.seen[key] = true
	r.late = append(r.late, lateFault{Fault{code, at, path, got, want}, s})
}

// noted reports whether a spot has this fault.
func (r *spotRecord) noted(code FaultCode, s *spot, path string) bool {
	return r.seen[faultKey{code, s, path}]
}

// settle gives every late fault its path, and the record the places of the spots.
func (r *spotRecord) settle(spots ...*spot) {
	for _, f := range r.late {
		if f.spot != nil {
			f.Path = f.spot.path + f.Path
		}
		r.faults = append(r.faults, f.Fault)
	}
	r.late = nil
	for _, s := range spots {
		for _, field := range s.order {
			t := s.tracks[field]
			r.span(Place{s.path + field, t.first, t.last, t.pieces})
		}
	}
}

// orParent is v where it stands in the text, else what lacks it: a fault's byte is that of the offending value.
func orParent(v, parent wire.Value) wire.Value {
	if v.Exists() {
		return v
	}
	return parent
}

// cutOff reports whether e stands in a frame without its blank line, which a client drops.
func (r *record) cutOff(e sse.Event) bool {
	return r.stream.Form == sse.FormSSE && e.Frame < len(r.stream.Frames) && r.stream.Frames[e.Frame].Has(sse.NoBlankLine)
}
