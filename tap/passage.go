package tap

import (
	"bytes"
	"mime"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"reassay/capture"
	"reassay/mirror"
)

// passage mirrors one request and its reply while they pass. What is on the way calls its methods, which do not wait
// for the mirror; follow does the rest beside it. A nil *passage mirrors nothing.
type passage struct {
	tap     *Tap
	route   Route
	path    string
	id      string // the exchange's
	attempt int    // the gateway's, from 1; 0 where the legs are the caller's
	x       *mirror.Exchange
	caller  <-chan struct{} // closed when the caller has gone

	body      *asked              // nil: the request has none
	cut       atomic.Bool         // the caller broke off its request
	requested chan []byte         // the request's body, once it has all been read; nil where it is not kept
	replying  chan *http.Response // the reply's head, nil where none comes
	over      chan ending
	size      int64 // of what was mirrored of the reply
	starting  sync.Once
	due       atomic.Pointer[time.Timer] // starts follow

	mu        sync.Mutex
	early     [][]byte          // pieces of the reply that came before its leg was announced
	leg       *mirror.LegWriter // nil too where the mirror has dropped the exchange
	announced bool
}

// ending is how a leg ended.
type ending struct {
	mirror.End
	drop bool // the exchange is not to be mirrored after all
}

// watch begins to mirror a request, and returns nil where that is not to be.
func (t *Tap) watch(r *http.Request) *passage {
	route, known := routeOf(t.config.Routes, r.URL.Path)
	if !known || r.Method != http.MethodPost {
		t.counts.passed.Add(1)
		return nil
	}
	t.counts.mirrored.Add(1)
	p := &passage{
		tap: t, route: route, path: r.URL.Path, caller: r.Context().Done(),
		requested: make(chan []byte, 1), replying: make(chan *http.Response, 1), over: make(chan ending, 1),
	}
	begin := mirror.Begin{
		Gateway: t.config.Gateway, Run: t.config.Run, Population: "live",
		ObservedAt: time.Now().UTC().Format(time.RFC3339Nano), Labels: map[string]string{"route": route.Pattern},
	}
	switch id, joined := t.config.Join.backID(r.Header); {
	case t.config.Side == Front:
		p.id = newID()
	case id == notMirrored:
		return nil
	case joined:
		p.id = id
		if p.attempt = t.attempts.next(id); p.attempt == 0 {
			return nil
		}
	default:
		t.apart()
		p.id, begin.Gateway.Name = newID(), begin.Gateway.Name+apartSuffix
	}
	begin.ID = p.id
	if p.x = t.config.Sender.Begin(begin); p.x == nil {
		if p.attempt > 0 {
			t.attempts.drop(p.id)
		}
		return nil
	}
	t.running.Add(1)
	p.due.Store(time.AfterFunc(headStart, p.start))
	return p
}

// headStart is how long an exchange passes alone, if it does not end before. Until then its mirror is not worked on: it
// would compete for the processor just when a caller waits for the first byte.
const headStart = 5 * time.Millisecond

func (p *passage) start() {
	p.starting.Do(func() {
		if due := p.due.Load(); due != nil {
			due.Stop()
		}
		go p.follow()
	})
}

// apartSuffix ends the name under which replies of model APIs are judged that no exchange could be found for: what they
// hold is not the gateway's doing.
const apartSuffix = "/upstream"

// apart counts a request that came from the gateway without an exchange's id, and tells of the first.
func (t *Tap) apart() {
	t.counts.unjoined.Add(1)
	t.warned.Do(func() {
		t.config.Log.Warn("the gateway sent a request without the header that joins it to its caller's exchange: such requests are judged apart, as replies of "+
			t.config.Gateway.Name+apartSuffix, zap.String("header", string(t.config.Join)))
	})
}

// mark gives a request to the gateway its exchange's id, and takes it out of one to a model's API.
func (t *Tap) mark(h http.Header, p *passage) {
	switch {
	case t.config.Side == Upstream:
		h.Del(exchangeHeader)
	case p == nil:
		h.Set(exchangeHeader, notMirrored)
	default:
		t.config.Join.mark(h, p.id)
	}
}

// follow takes the exchange from its begin to its end, beside the traffic.
func (p *passage) follow() {
	defer p.tap.running.Done()
	p.catchUp(p.announce())
	end := <-p.over
	p.body.release()
	if !end.drop {
		p.linger()
		p.leg.End(end.End)
	}
	p.x.Close()
}

// catchUp mirrors what has come of the reply before its leg had a name.
func (p *passage) catchUp(leg *mirror.LegWriter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, piece := range p.early {
		_, _ = leg.Write(piece)
	}
	p.leg, p.early, p.announced = leg, nil, true
}

// announce names the exchange's legs as soon as it is known which they are, mirrors the request and returns the
// reply's leg. Whether a caller asked for a stream its request tells; where that could not be read, the reply's head.
func (p *passage) announce() *mirror.LegWriter {
	var body []byte
	var res *http.Response
	replied := false
	select {
	case body = <-p.requested:
	case res = <-p.replying:
		replied = true
		body = p.lateRequest()
	}
	asked := parseRequest(body)
	stream, told := streams(p.route.Dialect, p.path, asked)
	if !told {
		if !replied {
			res = <-p.replying
		}
		stream = eventStream(res)
	}
	role, requestRole := p.roles(stream)
	text := p.tap.config.Request.of(p.route.Dialect, asked)
	p.body.release()
	if text == nil || p.attempt > 0 && !p.tap.attempts.claimRequest(p.id) {
		p.x.Add(string(role))
		return p.x.Leg(string(role))
	}
	p.x.Add(string(requestRole), string(role))
	request := p.x.Leg(string(requestRole))
	_, _ = request.Write(text)
	request.End(mirror.End{Dialect: string(p.route.Dialect), ContentType: "application/json"})
	return p.x.Leg(string(role))
}

// requestGrace is how long a reply's mirror waits for a request that has not ended yet.
const requestGrace = time.Second

// lateRequest is the body of a request whose reply has begun: it mostly ends at the same moment.
func (p *passage) lateRequest() []byte {
	if p.body == nil {
		return nil
	}
	select {
	case body := <-p.requested: // it is there, whatever else is
		return body
	default:
	}
	t := time.NewTimer(requestGrace)
	defer t.Stop()
	select {
	case body := <-p.requested:
		return body
	case <-t.C:
	case <-p.tap.closing:
	}
	return nil
}

func (p *passage) roles(stream bool) (reply, request capture.Role) {
	switch {
	case p.attempt > 0:
		return capture.UpstreamRole(p.attempt), capture.RoleUpstreamRequest
	case stream:
		return capture.RoleStream, capture.RoleRequest
	}
	return capture.RoleNonStream, capture.RoleRequest
}

// eventStream reports whether a reply says that it streams.
func eventStream(res *http.Response) bool {
	if res == nil {
		return false
	}
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	return kind == "text/event-stream"
}

// linger holds back the end of the caller's reply: an exchange is judged when all its legs have ended, and those of a
// tap behind the gateway are to be named by then.
func (p *passage) linger() {
	if p.attempt > 0 || p.tap.config.Linger == 0 {
		return
	}
	t := time.NewTimer(p.tap.config.Linger)
	defer t.Stop()
	select {
	case <-t.C:
	case <-p.tap.closing:
	}
}

// replied hands on a reply's head.
func (p *passage) replied(res *http.Response) {
	if p == nil {
		return
	}
	select {
	case p.replying <- res:
	default:
	}
}

// mirror mirrors a piece of the reply.
func (p *passage) mirror(piece []byte) {
	if p == nil {
		return
	}
	if p.size += int64(len(piece)); p.size > p.tap.config.MaxReply {
		p.end(ending{drop: true})
		p.x.Close()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.announced {
		p.early = append(p.early, bytes.Clone(piece))
		return
	}
	_, _ = p.leg.Write(piece)
}

// ended ends the reply's leg; broke is nil at its own end.
func (p *passage) ended(res *http.Response, broke *mirror.Break) {
	if p == nil {
		return
	}
	p.end(ending{End: mirror.End{
		Dialect: string(p.route.Dialect), Status: res.StatusCode, ContentType: res.Header.Get("Content-Type"),
		Headers: headersOf(res.Header), Trailers: res.Trailer, Error: broke,
	}})
}

// headersOf are the fields of a head, none where it has none: they were captured.
func headersOf(h http.Header) map[string][]string {
	if h == nil {
		return map[string][]string{}
	}
	return h
}

// failed ends the leg of a reply that never began.
func (p *passage) failed(err error) {
	if p == nil {
		return
	}
	p.replied(nil)
	p.end(ending{End: mirror.End{Dialect: string(p.route.Dialect), Error: p.broken(err)}})
}

// left drops what the handler has left without an end.
func (p *passage) left() {
	if p == nil {
		return
	}
	p.replied(nil)
	p.end(ending{drop: true})
	p.start()
}

// end ends the exchange; the first one stands.
func (p *passage) end(e ending) {
	select {
	case p.over <- e:
	default:
	}
}

// broken says who broke a reply off that could not be read to its end.
func (p *passage) broken(err error) *mirror.Break {
	if p == nil {
		return nil
	}
	select {
	case <-p.caller:
		return p.brokenByCaller()
	default:
	}
	if p.cut.Load() {
		return p.brokenByCaller()
	}
	if p.tap.stopping() {
		return &mirror.Break{By: byMirror, Message: tapStopped}
	}
	by := byGateway
	if p.attempt > 0 {
		by = byUpstream
	}
	return &mirror.Break{By: by, Message: how(err)}
}

// brokenByCaller says that whoever asked went away: a caller, or the gateway.
func (p *passage) brokenByCaller() *mirror.Break {
	switch {
	case p == nil:
		return nil
	case p.tap.stopping():
		return &mirror.Break{By: byMirror, Message: tapStopped}
	case p.attempt > 0:
		return &mirror.Break{By: byGateway, Message: wentAway}
	}
	return &mirror.Break{By: byCaller, Message: wentAway}
}

// Who broke off (contract of the mirror, error.by).
const (
	byCaller   = "caller"
	byGateway  = "gateway"
	byUpstream = "upstream"
	byMirror   = "mirror"
)
