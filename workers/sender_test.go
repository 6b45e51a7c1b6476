package workers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"reassay/capture"
	"reassay/check"
	"reassay/mirror"
)

// newSender is a sender that the test's end closes.
func newSender(t *testing.T, nc *nats.Conn, c mirror.SenderConfig) *mirror.Sender {
	t.Helper()
	c.Gateway = mirror.Gateway{Name: "test.gateway", Version: "1"}
	s, err := mirror.NewSender(nc, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = s.Close(ctx)
	})
	return s
}

// pass sends an exchange as a gateway would while it passes.
func pass(s *mirror.Sender, x *capture.Exchange, run string) {
	begin, legs := outgoing(x, run)
	m := s.Begin(begin)
	for _, leg := range legs {
		w := m.Leg(leg.Name)
		for _, c := range leg.Chunks {
			_, _ = w.Write(c.Data)
		}
		w.End(leg.End)
	}
}

// named is one leg of an exchange in the mirror's words.
func named(x *capture.Exchange, name string) mirror.Leg {
	_, legs := outgoing(x, "")
	for _, l := range legs {
		if l.Name == name {
			return l
		}
	}
	panic("no leg " + name)
}

func flush(t *testing.T, s *mirror.Sender) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Fatalf("%v; %+v", err, s.Stats())
	}
}

// eventually waits for a condition.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not in a minute: %s", what)
		}
	}
}

// balanced fails where an exchange is in no count or in two.
func balanced(t *testing.T, s mirror.Stats) {
	t.Helper()
	sum := s.SampledOut + s.Stored + s.Open
	for _, n := range s.Dropped {
		sum += n
	}
	for _, n := range s.BrokenOff {
		sum += n
	}
	if sum != s.Begun {
		t.Errorf("of %d exchanges begun %d are accounted for: %+v", s.Begun, sum, s)
	}
}

// found is what the mirror holds of an exchange.
type found string

const (
	nothing found = "nothing"
	whole   found = "whole"
	dropped found = "ended as dropped"
	holed   found = "holed"
	open    found = "not ended"
)

// find reads an exchange back.
func find(t *testing.T, s *streams, gateway, run, id string) found {
	t.Helper()
	in := newIncoming(DefaultMaxBody)
	messages := 0
	err := s.all(t.Context(), mirror.Of(mirror.GatewayToken(gateway), mirror.ExchangeToken(run, id))+".>", func(m stored) error {
		messages++
		return in.add(m)
	})
	if err != nil && !errors.Is(err, errNoMessages) {
		t.Fatal(err)
	}
	switch {
	case messages == 0:
		return nothing
	case !in.complete():
		return open
	}
	_, holes, err := in.exchange()
	switch {
	case err != nil:
		t.Fatal(err)
	case strings.Contains(holes, "the publisher dropped it"):
		return dropped
	case holes != "":
		t.Logf("%s: %s", id, holes)
		return holed
	}
	return whole
}

func TestSentExchangeIsJudgedAsTheFileIs(t *testing.T) {
	b := newBench(t, 4096)
	b.work(Config{Workers: 2})
	s := newSender(t, b.nc, mirror.SenderConfig{})
	x := chatExchange("sent", strings.Repeat("a tide ", 1300))
	pass(s, x, "r")
	flush(t, s)
	got := b.await(x, "r", anyWorst)
	want, err := b.checker.Exchange(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.JSON(), want.JSON()) {
		t.Errorf("by the sender:\n%s\nof the file:\n%s", got.JSON(), want.JSON())
	}
	if st := s.Stats(); st.Stored != 1 || st.Open != 0 || st.Buffered != 0 || st.Failures != 0 {
		t.Errorf("stats %+v, want the exchange stored and nothing held", st)
	}
}

// flood passes n exchanges of 20 chunks of size bytes, and fails where the buffer is over its bound or they take long.
func flood(t *testing.T, s *mirror.Sender, bound int64, n, size int) {
	t.Helper()
	chunk := make([]byte, size)
	began := time.Now()
	for i := range n {
		x := s.Begin(mirror.Begin{ID: fmt.Sprint(i), Run: "r", Legs: []string{"stream", "request"}})
		_, _ = x.Leg("request").Write([]byte(`{"model":"m"}`))
		x.Leg("request").End(mirror.End{Dialect: "openai-chat"})
		w := x.Leg("stream")
		for range 20 {
			_, _ = w.Write(chunk)
		}
		w.End(mirror.End{Dialect: "openai-chat", Status: 200})
		if held := s.Stats().Buffered; held > bound {
			t.Fatalf("after exchange %d the buffer holds %d bytes, its bound is %d", i, held, bound)
		}
	}
	// Every wait for a server or an acknowledgement is longer than this for so many exchanges.
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("%d exchanges took %s", n, took)
	}
}

func TestSenderWithoutAServer(t *testing.T) {
	r := startRestartable(t)
	r.opened()
	nc := dial(t, r.server.URL())
	r.stop()
	const bound = 1 << 20
	s := newSender(t, nc, mirror.SenderConfig{Buffer: bound, Reserve: 16 << 10})
	flood(t, s, bound, 2000, 1000)
	st := s.Stats()
	balanced(t, st)
	if st.Open == 0 || st.Dropped[mirror.ReasonFull] < 1900 {
		t.Errorf("%+v, want some buffered and most dropped because the buffer is full", st)
	}
	if n, err := nc.Buffered(); err == nil && n > batchBound {
		t.Errorf("the connection holds %d bytes more", n)
	}
	r.start()
	read := r.opened()
	eventually(t, "what was buffered is stored", func() bool { return s.Stats().Open == 0 })
	st = s.Stats()
	balanced(t, st)
	counts := map[found]int64{}
	for i := range 2000 {
		counts[find(t, read, "test.gateway", "r", fmt.Sprint(i))]++
	}
	if counts[whole] != st.Stored || counts[nothing] != st.Dropped[mirror.ReasonFull] || counts[whole]+counts[nothing] != 2000 {
		t.Errorf("the mirror holds %v, the sender counts %+v", counts, st)
	}
}

// batchBound is what the sender may have put into its connection at once, with some room.
const batchBound = 2 << 20

// An exchange that was under way when the server went away, and outgrew the buffer, says so when the server is back.
func TestSenderBreaksOffWhatOutgrowsTheBuffer(t *testing.T) {
	r := startRestartable(t)
	read := r.opened()
	s := newSender(t, dial(t, r.server.URL()), mirror.SenderConfig{Buffer: 64 << 10, Reserve: 16 << 10})
	x := s.Begin(mirror.Begin{ID: "long", Run: "r", Legs: []string{"stream"}})
	_, _ = x.Leg("stream").Write([]byte("data: 1\n\n"))
	eventually(t, "the beginning is stored", func() bool { return s.Stats().Messages == 2 })
	r.stop()
	small := s.Begin(mirror.Begin{ID: "small", Run: "r", Legs: []string{"stream"}})
	for range 100 {
		_, _ = x.Leg("stream").Write(make([]byte, 1000))
	}
	for i := 0; s.Stats().Dropped[mirror.ReasonFull] == 0; i++ {
		pass(s, chatExchange(fmt.Sprint(i), "fills the buffer"), "r")
	}
	_, _ = small.Leg("stream").Write(make([]byte, 10_000)) // its own share is left to it
	small.Leg("stream").End(mirror.End{Dialect: "openai-chat", Status: 200})
	x.Leg("stream").End(mirror.End{Dialect: "openai-chat", Status: 200})
	if st := s.Stats(); st.BrokenOff[mirror.ReasonFull] != 1 || st.Buffered > 64<<10 {
		t.Errorf("%+v, want one exchange broken off", st)
	}
	r.start()
	flush(t, s)
	balanced(t, s.Stats())
	read = r.opened()
	for id, want := range map[string]found{"long": dropped, "small": whole} {
		if got := find(t, read, "test.gateway", "r", id); got != want {
			t.Errorf("the mirror holds exchange %s %s, want %s", id, got, want)
		}
	}
}

func TestSenderThroughRestarts(t *testing.T) {
	r := startRestartable(t)
	r.opened()
	s := newSender(t, dial(t, r.server.URL()), mirror.SenderConfig{})
	var next atomic.Int64
	var passing sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		passing.Go(func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(time.Millisecond):
					pass(s, chatExchange(fmt.Sprint(next.Add(1)), strings.Repeat("x", 3000)), "r")
				}
			}
		})
	}
	for range 3 {
		stored := s.Stats().Stored
		eventually(t, "exchanges are stored", func() bool { return s.Stats().Stored > stored+20 })
		r.stop()
		r.start()
	}
	close(stop)
	passing.Wait()
	flush(t, s)
	st := s.Stats()
	if st.Stored != st.Begun || st.Begun != next.Load() {
		t.Errorf("%+v, want all %d stored", st, next.Load())
	}
	read := r.opened()
	for i := range next.Load() {
		if got := find(t, read, "test.gateway", "r", fmt.Sprint(i+1)); got != whole {
			t.Errorf("the mirror holds exchange %d %s", i+1, got)
		}
	}
}

// A stream that is full refuses: what was under way is broken off, what begins then is dropped whole, and nothing that
// looks complete has a hole.
func TestSenderIntoAFullMirror(t *testing.T) {
	b := newBench(t, 0)
	full := b.streams.mirror.CachedInfo().Config
	full.MaxBytes = 64 << 10
	if _, err := b.js.UpdateStream(t.Context(), full); err != nil {
		t.Fatal(err)
	}
	s := newSender(t, b.nc, mirror.SenderConfig{})
	n := 0
	eventually(t, "the server refuses and an exchange is dropped", func() bool {
		pass(s, chatExchange(fmt.Sprint(n), strings.Repeat("x", 5<<10)), "r")
		n++
		return s.Stats().Dropped[mirror.ReasonRefused] > 0
	})
	eventually(t, "all is settled", func() bool { return s.Stats().Open == 0 })
	st := s.Stats()
	balanced(t, st)
	if st.BrokenOff[mirror.ReasonRefused] == 0 || st.Stored == 0 {
		t.Errorf("%+v, want some stored and some refused", st)
	}
	counts := map[found]int64{}
	for i := range n {
		counts[find(t, b.streams, "test.gateway", "r", fmt.Sprint(i))]++
	}
	if counts[whole] != st.Stored || counts[holed] > 0 {
		t.Errorf("the mirror holds %v, the sender counts %+v", counts, st)
	}
	// There is room again.
	if err := b.streams.mirror.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "exchanges are stored again", func() bool {
		pass(s, chatExchange(fmt.Sprint(n), "x"), "r")
		n++
		return s.Stats().Stored > st.Stored
	})
}

// A gateway may start before the daemon has made the stream.
func TestSenderBeforeTheStream(t *testing.T) {
	r := startRestartable(t)
	s := newSender(t, dial(t, r.server.URL()), mirror.SenderConfig{})
	pass(s, chatExchange("early", "hello"), "r")
	eventually(t, "the server is seen to have no stream", func() bool { return s.Stats().Failures > 0 })
	read := r.opened()
	flush(t, s)
	if got := find(t, read, "test.gateway", "r", "early"); got != whole {
		t.Errorf("the mirror holds it %s", got)
	}
}

// A leg that the gateway never ended is known to be incomplete at once, not after the idle limit; the dialect, which
// comes with the end, is not known then.
func TestSenderEndsWhatTheGatewayDidNot(t *testing.T) {
	b := newBench(t, 0)
	b.work(Config{Workers: 1, Idle: time.Hour})
	s := newSender(t, b.nc, mirror.SenderConfig{})
	begin, _ := outgoing(chatExchange("unended", "hello"), "r")
	x := s.Begin(begin)
	_, _ = x.Leg("stream").Write([]byte("data: {"))
	eventually(t, "its beginning is stored", func() bool { return s.Stats().Messages == 2 })
	x.Close()
	v := b.await(chatExchange("unended", ""), "r", anyWorst)
	if v.Worst != check.WorstIncomplete || !strings.Contains(v.Reason, "the publisher dropped it") {
		t.Errorf("verdict %s, %q", v.Worst, v.Reason)
	}
	// Of one of which nothing has been sent there is no trace.
	quiet := s.Begin(mirror.Begin{ID: "no legs"})
	quiet.Close()
	flush(t, s)
	if st := s.Stats(); st.BrokenOff[mirror.ReasonUnended] != 1 || st.Dropped[mirror.ReasonUnended] != 1 || st.Open != 0 {
		t.Errorf("%+v", st)
	}
}

// Two publishers send legs of one exchange, one of them a further attempt that it learns of late.
func TestTwoSendersOfOneExchange(t *testing.T) {
	b := newBench(t, 0)
	b.work(Config{Workers: 2})
	before, behind := newSender(t, b.nc, mirror.SenderConfig{Run: "run"}), newSender(t, b.nc, mirror.SenderConfig{Run: "run"})
	x := chatExchange("joint", "hello")
	stream, request := named(x, "stream"), named(x, "request")
	front := before.Begin(mirror.Begin{ID: "joint", Population: "captured", Legs: []string{"request", "stream"}})
	back := behind.Begin(mirror.Begin{ID: "joint", Population: "captured", Legs: []string{"upstream.1"}})
	_, _ = front.Leg("request").Write(request.Chunks[0].Data)
	front.Leg("request").End(request.End)
	back.Add("upstream.2")
	back.Leg("upstream.1").End(mirror.End{Dialect: "openai-chat", Status: 529})
	eventually(t, "the attempt is stored", func() bool { return behind.Stats().Messages == 3 })
	second := back.Leg("upstream.2")
	for _, c := range stream.Chunks {
		_, _ = second.Write(c.Data)
		_, _ = front.Leg("stream").Write(c.Data)
	}
	second.End(stream.End)
	flush(t, behind)
	front.Leg("stream").End(stream.End)
	flush(t, before)
	v := b.await(x, "run", anyWorst)
	if v.Worst != check.WorstClean || v.Reference != "upstream" || len(v.Evidence) != 4 {
		t.Errorf("worst %s (%s), reference %s, evidence of %d legs; want clean, upstream, 4", v.Worst, v.Reason, v.Reference, len(v.Evidence))
	}
}

func TestSampleIsTheSameEverywhereAndNearTheRate(t *testing.T) {
	b := newBench(t, 0)
	b.work(Config{Workers: 1})
	s := newSender(t, b.nc, mirror.SenderConfig{Run: "r", Sample: 0.25})
	const n = 4000
	in := 0
	var one string
	for i := range n {
		id := fmt.Sprint("exchange ", i)
		x := s.Begin(mirror.Begin{ID: id, Legs: []string{"stream"}})
		if (x != nil) != mirror.Sampled(mirror.ExchangeToken("r", id), 0.25) {
			t.Fatalf("exchange %q: mirrored is %t", id, x != nil)
		}
		if x == nil {
			continue
		}
		in++
		if mirror.Sampled(mirror.ExchangeToken("r", id), 0.5) != true {
			t.Errorf("exchange %q is in a quarter of all and not in a half", id)
		}
		if one == "" {
			one = id
			_, _ = x.Leg("stream").Write([]byte(chatStream("hello")))
			x.Leg("stream").End(mirror.End{Dialect: "openai-chat", Status: 200, ContentType: "text/event-stream"})
		}
		x.Close()
	}
	if sigma := math.Sqrt(n * 0.25 * 0.75); math.Abs(float64(in)-n*0.25) > 4*sigma {
		t.Errorf("%d of %d were mirrored, want about a quarter", in, n)
	}
	if st := s.Stats(); st.SampledOut != int64(n-in) {
		t.Errorf("%+v, want %d sampled out", st, n-in)
	}
	v := b.await(chatExchange(one, ""), "r", anyWorst)
	if v.Sample != 0.25 {
		t.Errorf("the verdict says sample %v", v.Sample)
	}
}

// stalled is a sender that has stored one exchange over a connection whose peer then hangs: the worst case, since whoever
// writes to it waits.
func stalled(t *testing.T, r *restartable, buffer int64) (*mirror.Sender, *gate) {
	t.Helper()
	g := newGate(t, r.config.Addr)
	s := newSender(t, dial(t, g.url(), nats.SetCustomDialer(narrow{})), mirror.SenderConfig{Buffer: buffer})
	pass(s, chatExchange("first", "hello"), "r")
	eventually(t, "the first is stored", func() bool { return s.Stats().Stored == 1 })
	g.stall()
	return s, g
}

func TestSenderOverAStalledConnection(t *testing.T) {
	r := startRestartable(t)
	read := r.opened()
	const bound = 2 << 20
	s, g := stalled(t, r, bound)
	flood(t, s, bound, 500, 4000)
	if st := s.Stats(); st.Dropped[mirror.ReasonFull] < 400 || st.Stored != 1 {
		t.Errorf("%+v, want most dropped at the full buffer and nothing stored", st)
	}
	g.resume()
	eventually(t, "what was buffered is stored", func() bool { return s.Stats().Open == 0 })
	st := s.Stats()
	balanced(t, st)
	counts := map[found]int64{}
	for i := range 500 {
		counts[find(t, read, "test.gateway", "r", fmt.Sprint(i))]++
	}
	if st.Stored < 10 || counts[whole] != st.Stored-1 || counts[nothing] != st.Dropped[mirror.ReasonFull] || counts[whole]+counts[nothing] != 500 {
		t.Errorf("the mirror holds %v, the sender counts %+v", counts, st)
	}
}

// Close comes back while a write to the connection waits, which nothing can interrupt.
func TestSenderClosesOverAStalledConnection(t *testing.T) {
	r := startRestartable(t)
	r.opened()
	s, g := stalled(t, r, 32<<20)
	defer g.close() // ends the write that waits, before anything else is closed
	flood(t, s, 32<<20, 2000, 4000)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if err := s.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Close says %v, want that the time was not enough", err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("Close took %s", took)
	}
	st := s.Stats()
	balanced(t, st)
	if st.Dropped[mirror.ReasonFull] == 0 || st.Open != 0 || st.Dropped[mirror.ReasonClosed]+st.BrokenOff[mirror.ReasonClosed] == 0 {
		t.Errorf("%+v, want some dropped at the full buffer, and what was buffered lost with the sender", st)
	}
}

func TestSenderOverAClosedConnection(t *testing.T) {
	r := startRestartable(t)
	r.opened()
	nc := dial(t, r.server.URL())
	s := newSender(t, nc, mirror.SenderConfig{})
	x := s.Begin(mirror.Begin{ID: "cut", Legs: []string{"stream"}})
	eventually(t, "its begin is stored", func() bool { return s.Stats().Messages == 1 })
	nc.Close()
	_, _ = x.Leg("stream").Write([]byte("data: 1\n\n"))
	eventually(t, "the exchange is given up", func() bool { return s.Stats().BrokenOff[mirror.ReasonClosed] == 1 })
	if s.Begin(mirror.Begin{ID: "late", Legs: []string{"stream"}}) != nil {
		t.Error("an exchange began on a closed connection")
	}
	st := s.Stats()
	balanced(t, st)
	if st.Dropped[mirror.ReasonClosed] != 1 || st.Open != 0 || st.Buffered != 0 {
		t.Errorf("%+v", st)
	}
}

func TestSenderRefusesBadConfig(t *testing.T) {
	nc := newBench(t, 0).nc
	for want, c := range map[string]mirror.SenderConfig{
		"sample rate is 2":   {Sample: 2},
		"sample rate is NaN": {Sample: math.NaN()},
		"buffer is 1024":     {Buffer: 1 << 10, Reserve: 2 << 10},
		"buffer is -1":       {Buffer: -1},
		"acknowledgement":    {AckWait: -1},
	} {
		if s, err := mirror.NewSender(nc, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v %v, want an error with %q", c, s, err, want)
		}
	}
}

// Of a request the mirror holds what is judged, unless the gateway asks for all of it; and nothing of one that is no JSON.
func TestSenderLeavesContentOutOfRequests(t *testing.T) {
	const body = `{"model":"m","messages":[{"role":"user","content":"my secret"}],"response_format":{"type":"json_object"},"user":"me"}`
	for name, c := range map[string]struct{ body, dialect, want string }{
		"judged":     {body, "openai-chat", `{"model":"m","response_format":{"type":"json_object"}}`},
		"full":       {body, "openai-chat", body},
		"no JSON":    {"my secret", "openai-chat", ""},
		"no dialect": {body, "", ""},
	} {
		b := newBench(t, 0)
		s := newSender(t, b.nc, mirror.SenderConfig{FullRequests: name == "full"})
		x := s.Begin(mirror.Begin{ID: "one", Run: "r", Legs: []string{"request", "stream"}})
		request := x.Leg("request")
		_, _ = request.Write([]byte(c.body[:5]))
		_, _ = request.Write([]byte(c.body[5:]))
		request.End(mirror.End{Dialect: c.dialect})
		stream := x.Leg("stream")
		_, _ = stream.Write([]byte(chatStream("hello")))
		stream.End(mirror.End{Dialect: "openai-chat", Status: 200, ContentType: "text/event-stream"})
		flush(t, s)
		if held := s.Stats().Buffered; held != 0 {
			t.Errorf("%s: the sender holds %d bytes", name, held)
		}
		in := newIncoming(DefaultMaxBody)
		err := b.streams.all(t.Context(), mirror.Of("test_gateway", mirror.ExchangeToken("r", "one"))+".>", func(m stored) error {
			if bytes.Contains(m.data, []byte("secret")) && name != "full" {
				t.Errorf("%s: the mirror holds %s", name, m.data)
			}
			return in.add(m)
		})
		if err != nil {
			t.Fatal(err)
		}
		got, holes, err := in.exchange()
		switch {
		case err != nil || holes != "":
			t.Errorf("%s: %v, %s", name, err, holes)
		case got.Request == nil && c.want != "" || got.Request != nil && string(got.Request.Body.JSON()) != c.want:
			t.Errorf("%s: the request is %+v, want %s", name, got.Request, c.want)
		case got.Stream == nil || string(got.Stream.Body) != chatStream("hello"):
			t.Errorf("%s: the stream is %+v", name, got.Stream)
		}
	}
}

// A request that is held until it ends counts like everything that waits.
func TestSenderCountsARequestThatHasNotEnded(t *testing.T) {
	b := newBench(t, 0)
	s := newSender(t, b.nc, mirror.SenderConfig{Buffer: 64 << 10, Reserve: 1 << 10})
	x := s.Begin(mirror.Begin{ID: "one", Run: "r", Legs: []string{"request"}})
	for range 100 {
		_, _ = x.Leg("request").Write(make([]byte, 1000))
		if held := s.Stats().Buffered; held > 64<<10 {
			t.Fatalf("the sender holds %d bytes", held)
		}
	}
	x.Leg("request").End(mirror.End{Dialect: "openai-chat"})
	eventually(t, "it is given up", func() bool { return s.Stats().Open == 0 })
	st := s.Stats()
	balanced(t, st)
	if st.Dropped[mirror.ReasonFull]+st.BrokenOff[mirror.ReasonFull] != 1 || st.Buffered != 0 {
		t.Errorf("%+v, want the exchange given up for want of room and nothing held", st)
	}
}
