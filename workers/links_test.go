package workers

import (
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// restartable is a server at one address over one store.
type restartable struct {
	t      *testing.T
	config ServerConfig
	server *Server
}

func startRestartable(t *testing.T) *restartable {
	r := &restartable{t: t, config: ServerConfig{Store: t.TempDir(), Addr: "127.0.0.1:0"}}
	r.start()
	r.config.Addr = strings.TrimPrefix(r.server.URL(), "nats://")
	t.Cleanup(func() {
		if r.server != nil {
			r.stop()
		}
	})
	return r
}

func (r *restartable) start() {
	r.t.Helper()
	server, err := StartServer(r.config)
	if err != nil {
		r.t.Fatal(err)
	}
	r.server = server
}

func (r *restartable) stop() {
	r.server.Stop()
	r.server = nil
}

// dial is a gateway's connection.
func dial(t *testing.T, url string, more ...nats.Option) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(url, append(more, nats.MaxReconnects(-1), nats.ReconnectWait(20*time.Millisecond), nats.RetryOnFailedConnect(true))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// opened are the streams over a connection of their own.
func (r *restartable) opened() *streams {
	r.t.Helper()
	js, err := jetstream.New(dial(r.t, r.server.URL()))
	if err != nil {
		r.t.Fatal(err)
	}
	s, err := openStreams(r.t.Context(), js, Limits{}, DefaultLimits)
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

// narrow makes connections whose writes wait for the peer soon, and so shows whoever waits for them.
type narrow struct{}

func (narrow) Dial(network, addr string) (net.Conn, error) {
	c, err := net.Dial(network, addr)
	if err != nil {
		return nil, err
	}
	return c, c.(*net.TCPConn).SetWriteBuffer(narrowBytes)
}

const narrowBytes = 64 << 10

// gate passes connections on to an address, unless it is shut: then it reads nothing more of them and keeps them open,
// which is what a peer does that hangs.
type gate struct {
	to       string
	listener net.Listener
	over     chan struct{}
	running  sync.WaitGroup

	mu     sync.Mutex
	shut   chan struct{} // closed when the gate is opened again; nil while it is open
	closed bool
	conns  []net.Conn
}

func newGate(t *testing.T, to string) *gate {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{to: to, listener: l, over: make(chan struct{})}
	g.running.Go(func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			g.pass(from)
		}
	})
	t.Cleanup(g.close)
	return g
}

func (g *gate) url() string { return "nats://" + g.listener.Addr().String() }

// pass connects a connection's two ends.
func (g *gate) pass(from net.Conn) {
	_ = from.(*net.TCPConn).SetReadBuffer(narrowBytes)
	to, err := net.Dial("tcp", g.to)
	if err != nil {
		from.Close()
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		from.Close()
		to.Close()
		return
	}
	g.conns = append(g.conns, from, to)
	g.running.Go(func() { _, _ = io.Copy(from, to) })
	g.running.Go(func() { _, _ = io.Copy(to, gated{from, g}) })
}

// gated reads a connection while its gate is open.
type gated struct {
	net.Conn
	gate *gate
}

func (w gated) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p[:min(len(p), narrowBytes)])
	w.gate.mu.Lock()
	shut := w.gate.shut
	w.gate.mu.Unlock()
	if shut != nil {
		select {
		case <-shut:
		case <-w.gate.over:
		}
	}
	return n, err
}

func (g *gate) stall() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = make(chan struct{})
}

func (g *gate) resume() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.shut)
	g.shut = nil
}

// close ends every connection. It may come twice.
func (g *gate) close() {
	g.mu.Lock()
	if !g.closed {
		g.closed = true
		close(g.over)
		g.listener.Close()
		for _, c := range g.conns {
			c.Close()
		}
	}
	g.mu.Unlock()
	g.running.Wait()
}
