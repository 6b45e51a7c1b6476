package tap

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"reassay/mirror"
	"reassay/workers"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must come, on a machine that is busy.
const patience = 30 * time.Second

// bench is a NATS server with the mirror's stream, and taps that publish to it.
type bench struct {
	t  *testing.T
	nc *nats.Conn
	js jetstream.JetStream
}

func newBench(t *testing.T) *bench {
	t.Helper()
	server, err := workers.StartServer(workers.ServerConfig{Store: t.TempDir(), Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	nc, err := nats.Connect(server.URL(), nats.MaxReconnects(-1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: mirror.Stream, Subjects: []string{mirror.Subjects}}); err != nil {
		t.Fatal(err)
	}
	return &bench{t, nc, js}
}

// running is a tap that passes, with what it logged.
type running struct {
	*Tap
	t    *testing.T
	urls []string
	log  *observer.ObservedLogs

	sender  *mirror.Sender
	servers []*http.Server
	once    sync.Once
}

// tap starts a tap before upstreams.
func (b *bench) tap(c Config, upstreams ...string) *running {
	b.t.Helper()
	return startTap(b.t, b.nc, c, nil, upstreams...)
}

func startTap(t *testing.T, nc *nats.Conn, c Config, certificate *tls.Config, upstreams ...string) *running {
	t.Helper()
	sender, err := mirror.NewSender(nc, mirror.SenderConfig{})
	if err != nil {
		t.Fatal(err)
	}
	core, log := observer.New(zap.DebugLevel)
	c.Sender, c.Log = sender, zap.New(core)
	if c.Gateway.Name == "" {
		c.Gateway = mirror.Gateway{Name: "g", Version: "1"}
	}
	if c.Routes == nil {
		c.Routes = Routes()
	}
	tap, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	r := &running{Tap: tap, t: t, log: log, sender: sender}
	t.Cleanup(r.stop)
	for _, text := range upstreams {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		s, err := tap.Server(u)
		if err != nil {
			t.Fatal(err)
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		r.servers = append(r.servers, s)
		if s.TLSConfig = certificate; certificate != nil {
			go func() { _ = s.ServeTLS(l, "", "") }()
			r.urls = append(r.urls, "https://"+l.Addr().String())
		} else {
			go func() { _ = s.Serve(l) }()
			r.urls = append(r.urls, "http://"+l.Addr().String())
		}
	}
	return r
}

// stop ends the tap, its servers first, and waits until the mirror holds everything.
func (r *running) stop() {
	r.once.Do(func() {
		for _, s := range r.servers {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			if err := s.Shutdown(ctx); err != nil {
				r.t.Errorf("stop: %v", err)
				_ = s.Close()
			}
			cancel()
		}
		r.Close()
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_ = r.sender.Close(ctx)
	})
}

// mirrored is an exchange as the mirror holds it.
type mirrored struct {
	begin mirror.Begin // all begins' legs together
	legs  map[string]*mirroredLeg
}

type mirroredLeg struct {
	body   []byte
	chunks []int
	end    *mirror.End
}

// exchanges are those that the mirror holds, by id; the taps must have been stopped.
func (b *bench) exchanges() map[string]*mirrored {
	b.t.Helper()
	s, err := b.js.Stream(b.t.Context(), mirror.Stream)
	if err != nil {
		b.t.Fatal(err)
	}
	byToken := map[string]*mirrored{}
	for seq := uint64(1); seq <= s.CachedInfo().State.LastSeq; seq++ {
		m, err := s.GetMsg(b.t.Context(), seq)
		if err != nil {
			b.t.Fatal(err)
		}
		at, err := mirror.ParseSubject(m.Subject)
		if err != nil {
			b.t.Fatal(err)
		}
		x := byToken[at.Exchange]
		if x == nil {
			x = &mirrored{legs: map[string]*mirroredLeg{}}
			byToken[at.Exchange] = x
		}
		x.add(b.t, at, m)
	}
	byID := map[string]*mirrored{}
	for _, x := range byToken {
		byID[x.begin.ID] = x
	}
	return byID
}

func (x *mirrored) add(t *testing.T, at mirror.Subject, m *jetstream.RawStreamMsg) {
	t.Helper()
	if at.Kind == mirror.KindBegin {
		legs := x.begin.Legs
		if err := json.Unmarshal(m.Data, &x.begin); err != nil {
			t.Fatal(err)
		}
		x.begin.Legs = append(legs, x.begin.Legs...)
		return
	}
	l := x.legs[at.Leg]
	if l == nil {
		l = &mirroredLeg{}
		x.legs[at.Leg] = l
	}
	if at.Kind == mirror.KindEnd {
		l.end = &mirror.End{}
		if err := json.Unmarshal(m.Data, l.end); err != nil {
			t.Fatal(err)
		}
		return
	}
	if seq := m.Header.Get(mirror.HeaderSeq); seq != strconv.Itoa(len(l.chunks)) {
		t.Errorf("leg %s: chunk %s comes in place %d", at.Leg, seq, len(l.chunks))
	}
	l.body = append(l.body, m.Data...)
	l.chunks = append(l.chunks, len(m.Data))
}

// only is the one exchange that the mirror holds, and the one leg of these names that it has.
func (b *bench) only(names ...string) (*mirrored, *mirroredLeg) {
	b.t.Helper()
	all := b.exchanges()
	if len(all) != 1 {
		b.t.Fatalf("the mirror holds %d exchanges, want 1", len(all))
	}
	for _, x := range all {
		for _, name := range names {
			if l := x.legs[name]; l != nil && l.end != nil {
				return x, l
			}
		}
		b.t.Fatalf("the exchange has the legs %v, none of %v with an end", x.begin.Legs, names)
	}
	return nil, nil
}

// upstream is an HTTP server that stands for the gateway or a model's API.
func upstream(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// caller is an HTTP client of its own, which adds nothing to a request that it was not asked for.
func caller(t *testing.T) *http.Client {
	t.Helper()
	tr := &http.Transport{DisableCompression: true}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, Timeout: patience}
}

const chatPath = "/v1/chat/completions"

// chunk is an event of a stream, and streamBody a whole one.
func event(n int) string { return fmt.Sprintf("data: {\"n\":%d}\n\n", n) }
