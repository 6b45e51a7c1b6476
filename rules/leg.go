package rules

import (
	"strings"

	"reassay/assemble"
	"reassay/capture"
	"reassay/convir"
	"reassay/sse"
	"reassay/wire"
)

// The names of legs in findings and verdicts (contract, section 1).
const (
	StreamLeg        = "stream"
	NonStreamLeg     = "non_stream"
	UpstreamLeg      = "upstream"
	UpstreamWholeLeg = "upstream_non_stream"
	sdkLegPrefix     = "sdk:"
)

// SDKLeg is the name of the leg on which an SDK's own findings stand.
func SDKLeg(target string) string { return sdkLegPrefix + target }

// Leg is one reply of an exchange, read.
type Leg struct {
	Name      string
	Dialect   wire.Dialect
	Status    int
	Form      sse.Form
	Headers   map[string][]string // nil: not captured
	Broken    *capture.Break
	Frames    []sse.Frame
	Events    []sse.Event
	Assembled assemble.Assembled // of a body that is no stream: only Body is set
	Reply     convir.Reply
}

// Streamed reports whether the leg was sent as a sequence of events.
func (l *Leg) Streamed() bool { return l.Form == sse.FormSSE || l.Form == sse.FormArray }

// OfSDK reports whether the leg is what an SDK handed over.
func (l *Leg) OfSDK() bool { return strings.HasPrefix(l.Name, sdkLegPrefix) }

// ErrorTold is the error that the reply itself tells, in its events or as its body; Missing when it tells none.
func (l *Leg) ErrorTold() wire.Value {
	if l.Assembled.Error.Exists() {
		return l.Assembled.Error
	}
	return l.Reply.Error
}

// OK reports a status of 2xx.
func (l *Leg) OK() bool { return l.Status >= 200 && l.Status < 300 }

// Place is where the stream said what stands at path: the place that was noted for it, or for what it is part of.
// Nil when nothing was noted, as for a reply that came whole.
func (l *Leg) Place(path string) *At {
	for p := path; p != ""; p = parentPath(p) {
		for _, x := range l.Assembled.Places {
			if x.Path == p {
				return l.at(x.First)
			}
		}
	}
	return nil
}

// PlaceOf is where the stream said the byte at offset of what the events' texts, all of one kind, are joined to: the
// delta that holds it. Where the text came in no deltas it is the event's own place.
func (l *Leg) PlaceOf(events []*convir.Event, offset int) *At {
	e := pieceAt(events, offset)
	for _, x := range events {
		if x == e {
			break
		}
		offset -= len(x.Text)
	}
	path := e.Path
	for i, piece := range e.Pieces {
		if path = e.PiecePaths[i]; offset < len(piece) || i == len(e.Pieces)-1 {
			break
		}
		offset -= len(piece)
	}
	for _, x := range l.Assembled.Places {
		if x.Path != path && parentPath(x.Path) != path { // a part's text is noted as a field of the part
			continue
		}
		if at, ok := x.Of(offset); ok {
			return l.at(at)
		}
	}
	return l.Place(path)
}

// PlaceEnd is where the stream last wrote to path or to what it is part of.
func (l *Leg) PlaceEnd(path string) *At {
	for p := path; p != ""; p = parentPath(p) {
		for _, x := range l.Assembled.Places {
			if x.Path == p {
				return l.at(x.Last)
			}
		}
	}
	return nil
}

func (l *Leg) at(a assemble.At) *At { return &At{Leg: l.Name, Frame: a.Frame, Byte: a.Byte} }

// atFault is where a fault stands in a stream; nil in a reply that came whole.
func (l *Leg) atFault(f assemble.Fault) *At {
	if !l.Streamed() {
		return nil
	}
	return l.at(f.At)
}

// parentPath cuts the last step: "a[0].b" gives "a[0]", "a[0]" gives "a".
func parentPath(p string) string {
	i := strings.LastIndexAny(p, ".[")
	if i < 0 {
		return ""
	}
	return p[:i]
}

// within reports whether one of two paths is the other or a part of it.
func within(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return strings.HasPrefix(b, a) && (len(a) == len(b) || a == "" || b[len(a)] == '.' || b[len(a)] == '[')
}

// frameOfEvent is the frame of the n-th event that a client is handed.
func (l *Leg) frameOfEvent(n int) (int, bool) {
	if n < 0 || n >= len(l.Events) {
		return 0, false
	}
	return l.Events[n].Frame, true
}

// byteOfEvent is where the n-th event begins.
func (l *Leg) byteOfEvent(n int) int { return l.Events[n].Offset }

// Garbled says why a stream cannot be put together as its dialect says, although its pieces can be told apart; "" when
// it can. Two calls under one index are one call by the wire format.
func (l *Leg) Garbled() string {
	for _, f := range l.Assembled.Faults {
		if f.Code == assemble.IndexReused {
			return "two calls or blocks under one index"
		}
	}
	return ""
}

// strayJSON is the place of the first line that is no field of an event stream but JSON: what it says reaches nobody.
func (l *Leg) strayJSON() *At {
	for _, f := range l.Frames {
		for _, x := range f.Fields {
			if strings.HasPrefix(x.Name, "{") {
				return &At{Leg: l.Name, Frame: f.Index, Byte: x.Offset}
			}
		}
	}
	return nil
}
