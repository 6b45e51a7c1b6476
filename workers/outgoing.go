package workers

import (
	"reassay/capture"
	"reassay/mirror"
)

// outgoing says an exchange in the mirror's words.
func outgoing(x *capture.Exchange, run string) (mirror.Begin, []mirror.Leg) {
	b := mirror.Begin{
		ID:          x.ID,
		Run:         run,
		Gateway:     mirror.Gateway(x.Gateway),
		Population:  x.Population,
		ObservedAt:  x.ObservedAt,
		Labels:      x.Labels,
		SameContent: x.SameContent,
	}
	if x.Sample > 0 {
		b.Sample = &x.Sample
	}
	if x.Parsed {
		b.Caller = &mirror.Caller{ResponseFormat: "parsed"}
	}
	var legs []mirror.Leg
	for _, l := range x.Legs() {
		legs = append(legs, outgoingLeg(string(l.Role), l.Leg))
		b.Legs = append(b.Legs, string(l.Role))
	}
	return b, legs
}

func outgoingLeg(name string, l *capture.Leg) mirror.Leg {
	out := mirror.Leg{Name: name, End: mirror.End{
		Dialect:     string(l.Dialect),
		Status:      l.Status,
		ContentType: l.ContentType,
		Headers:     l.Headers,
		Trailers:    l.Trailers,
	}}
	if l.Error != nil {
		out.End.Error = &mirror.Break{By: l.Error.By, Message: l.Error.Message}
	}
	at := 0
	for _, c := range l.Chunks {
		end := at + min(c.Bytes, len(l.Body)-at) // a recorder may count bytes that it did not keep
		out.Chunks = append(out.Chunks, mirror.Chunk{AtMicros: c.AtMicros, Data: l.Body[at:end]})
		at = end
	}
	if at < len(l.Body) {
		out.Chunks = append(out.Chunks, mirror.Chunk{Data: l.Body[at:]})
	}
	return out
}
