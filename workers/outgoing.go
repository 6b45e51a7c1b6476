package workers

import (
	"fmt"

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
	if x.Parsed {
		b.Caller = &mirror.Caller{ResponseFormat: "parsed"}
	}
	var legs []mirror.Leg
	addRequest := func(name string, r *capture.Request) {
		if r != nil {
			legs = append(legs, mirror.Leg{
				Name:   name,
				Chunks: []mirror.Chunk{{Data: r.Body.JSON()}},
				End:    mirror.End{Dialect: string(r.Dialect)},
			})
		}
	}
	addLeg := func(name string, l *capture.Leg) {
		if l != nil {
			legs = append(legs, outgoingLeg(name, l))
		}
	}
	addRequest(legRequest, x.Request)
	addRequest(legUpstreamRequest, x.UpstreamRequest)
	for i, l := range x.Upstream {
		addLeg(fmt.Sprintf("%s%d", legUpstreamPrefix, i+1), l)
	}
	addLeg(legUpstreamNonStream, x.UpstreamNonStream)
	addLeg(legStream, x.Stream)
	addLeg(legNonStream, x.NonStream)
	for _, l := range legs {
		b.Legs = append(b.Legs, l.Name)
	}
	return b, legs
}

// The legs' names on the mirror.
const (
	legRequest           = "request"
	legUpstreamRequest   = "upstream_request"
	legUpstreamPrefix    = "upstream."
	legUpstreamNonStream = "upstream_non_stream"
	legStream            = "stream"
	legNonStream         = "non_stream"
)

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
		end := min(at+c.Bytes, len(l.Body))
		out.Chunks = append(out.Chunks, mirror.Chunk{AtMicros: c.AtMicros, Data: l.Body[at:end]})
		at = end
	}
	if at < len(l.Body) {
		out.Chunks = append(out.Chunks, mirror.Chunk{Data: l.Body[at:]})
	}
	return out
}
