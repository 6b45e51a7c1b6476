package main

import (
	"bytes"
	"fmt"

	"reassay/capture"
	"reassay/internal/measure/ideal"
	"reassay/internal/measure/operator"
	"reassay/wire"
)

// Trial is one case with one operator planted on some of the caller's legs.
type Trial struct {
	Case     ideal.Case
	Operator *operator.Operator // nil: the ideal translation itself
	Legs     operator.Legs
}

// ID names a trial: shape, upstream dialect, caller dialect, legs, operator.
func (t Trial) ID() string {
	id := fmt.Sprintf("%s/%s/%s", t.Case.Shape, t.Case.From, t.Case.To)
	if t.Operator == nil {
		return id
	}
	return fmt.Sprintf("%s/%s/%s", id, t.Legs, t.Operator.Name)
}

// pair is a case as rendered: what all trials of it share.
type pair struct {
	c               ideal.Case
	events          []ideal.Event // of the stream; operators copy what they change
	value           wire.Value    // of the whole reply
	upstream        *capture.Leg
	upstreamWhole   *capture.Leg
	stream          *capture.Leg
	whole           *capture.Leg
	request         *capture.Request
	upstreamRequest *capture.Request
}

func newPair(c ideal.Case) *pair {
	p := &pair{c: c}
	p.upstream = streamed(c.From, ideal.Frames(ideal.Stream(c.From, c.Up, c.Ask)))
	p.upstreamWhole = whole(c.From, ideal.Whole(c.From, c.Up, c.Ask).JSON())
	p.events, p.value = ideal.Stream(c.To, c.Down, c.Ask), ideal.Whole(c.To, c.Down, c.Ask)
	p.stream = streamed(c.To, ideal.Frames(p.events))
	p.whole = whole(c.To, p.value.JSON())
	p.request = &capture.Request{Dialect: c.To, Body: c.Ask.Request(c.To, c.Up.Model)}
	p.upstreamRequest = &capture.Request{Dialect: c.From, Body: c.Ask.Request(c.From, c.Up.Model)}
	return p
}

func streamed(d wire.Dialect, body []byte) *capture.Leg {
	return &capture.Leg{Dialect: d, Status: 200, ContentType: "text/event-stream", Body: body,
		Headers: map[string][]string{"content-type": {"text/event-stream"}}}
}

func whole(d wire.Dialect, body []byte) *capture.Leg {
	return &capture.Leg{Dialect: d, Status: 200, ContentType: "application/json", Body: body,
		Headers: map[string][]string{"content-type": {"application/json"}}}
}

// ideal is the pair's ideal translation as an exchange.
func (p *pair) ideal() *capture.Exchange {
	return &capture.Exchange{ID: Trial{Case: p.c}.ID(), Gateway: capture.Gateway{Name: "ideal", Version: "1"}, Population: "probed", SameContent: true,
		Request: p.request, UpstreamRequest: p.upstreamRequest, Upstream: []*capture.Leg{p.upstream}, UpstreamNonStream: p.upstreamWhole,
		Stream: p.stream, NonStream: p.whole}
}

// alone is the pair's stream as if nothing else had been captured but what the caller asked.
func (p *pair) alone() *capture.Exchange {
	x := p.ideal()
	x.SameContent, x.UpstreamRequest, x.Upstream, x.UpstreamNonStream, x.NonStream = false, nil, nil, nil, nil
	return x
}

// unreferenced is the pair as if nothing of the model's API had been captured.
func (p *pair) unreferenced() *capture.Exchange {
	x := p.ideal()
	x.UpstreamRequest, x.Upstream, x.UpstreamNonStream = nil, nil, nil
	return x
}

// planted is the pair's exchange with an operator applied; nil where the operator changes nothing.
func (p *pair) planted(o *operator.Operator, legs operator.Legs) *capture.Exchange {
	s := operator.NewSubject(p.c, *o)
	if o.Model != nil && !o.Model(s) {
		return nil
	}
	x := p.ideal()
	switch legs {
	case operator.StreamAlone:
		x = p.alone()
	case operator.PairAlone:
		x = p.unreferenced()
	}
	x.ID = Trial{p.c, o, legs}.ID()
	changed := s.Headers != nil
	if legs != operator.WholeLeg {
		body := p.streamBody(o, s)
		if body == nil {
			return nil
		}
		changed = changed || s.Chunks != nil || !bytes.Equal(body, x.Stream.Body)
		x.Stream = withHeaders(streamed(p.c.To, body), s.Headers)
		if s.Stopped {
			x.Stream.Error = &capture.Break{By: "caller", Message: "context canceled"}
		}
		for _, n := range s.Chunks {
			x.Stream.Chunks = append(x.Stream.Chunks, capture.Chunk{AtMicros: int64(1000 * len(x.Stream.Chunks)), Bytes: n})
		}
	}
	if legs == operator.WholeLeg || legs == operator.BothLegs {
		body := p.wholeBody(o, s)
		if body == nil {
			return nil
		}
		changed = changed || !bytes.Equal(body, x.NonStream.Body)
		x.NonStream = withHeaders(whole(p.c.To, body), s.Headers)
	}
	if s.Upstream && legs != operator.StreamAlone && legs != operator.PairAlone {
		changed = true
		p.plantUpstream(x, s)
	}
	if !changed {
		return nil
	}
	return x
}

// plantUpstream renders the upstream's side anew, where the operator changed that, too.
func (p *pair) plantUpstream(x *capture.Exchange, s *operator.Subject) {
	c := s.Case
	events := ideal.Stream(c.From, c.Up, c.Ask)
	x.UpstreamNonStream = whole(c.From, ideal.Whole(c.From, c.Up, c.Ask).JSON())
	if s.Break != nil {
		events = s.Break(events)
		x.UpstreamNonStream, x.NonStream = nil, nil
		x.SameContent = false
	}
	x.Upstream = []*capture.Leg{streamed(c.From, ideal.Frames(events))}
	if s.Failed != "" {
		failed := whole(s.Failed, operator.Failure(s.Failed))
		failed.Status = 529
		x.Upstream = append([]*capture.Leg{failed}, x.Upstream...)
	}
	if s.Asked != nil {
		x.UpstreamRequest = &capture.Request{Dialect: c.From, Body: s.Asked.Request(c.From, c.Up.Model)}
	}
}

func (p *pair) streamBody(o *operator.Operator, s *operator.Subject) []byte {
	s.Reset()
	events := p.events
	if o.Model != nil {
		events = ideal.Stream(p.c.To, s.Case.Down, s.Case.Ask)
	}
	if o.Events != nil {
		if events = o.Events(s, events); events == nil {
			return nil
		}
	}
	body := ideal.Frames(events)
	if o.Bytes != nil {
		body = o.Bytes(s, body)
	}
	return body
}

func (p *pair) wholeBody(o *operator.Operator, s *operator.Subject) []byte {
	s.Reset()
	v := p.value
	if o.Model != nil {
		v = ideal.Whole(p.c.To, s.Case.Down, s.Case.Ask)
	}
	if o.Whole != nil {
		if v = o.Whole(s, v); !v.Exists() {
			return nil
		}
	}
	body := v.JSON()
	if o.WholeBytes != nil {
		body = o.WholeBytes(s, body)
	}
	return body
}

func withHeaders(l *capture.Leg, more map[string][]string) *capture.Leg {
	for name, values := range more {
		l.Headers[name] = values
	}
	return l
}
