package meter

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// pulse is whether the workers live: what the server says of them, and when they last moved.
type pulse struct {
	mu      sync.Mutex
	source  *Source   // nil: nobody reads the consumer
	silent  time.Time // when the server last missed a sign of life of the pull; zero: never since a message came
	moved   time.Time // when a message last came or was settled
	atWork  int       // messages in hand
	workers int
}

const (
	// askTimeout bounds one question to the server: a scrape, a probe wait for it.
	askTimeout = 3 * time.Second
	// silence is how long one missing sign of life counts. A pull that stays silent is told again every 30 s, the client's
	// default, while it waits for messages.
	silence = 45 * time.Second
	// stuck is how long workers that all have work may take until one of them is done.
	stuck = 10 * time.Minute
)

// Source is where the workers' messages come from.
type Source struct {
	Connected func() bool                           // whether there is a connection to the server now
	Census    func(context.Context) (Census, error) // asks the server; an error says that it does not answer, or that the consumer is not there
}

// Bound says that the workers read the consumer from now on, until ctx ends or unbound is called.
func (m *Meter) Bound(ctx context.Context, s Source) (unbound func()) {
	if m == nil {
		return func() {}
	}
	m.pulse.bind(&s)
	off := func() { m.pulse.bind(nil) }
	stop := context.AfterFunc(ctx, off)
	return func() { stop(); off() }
}

// Fetched says that a message came, or that the server gave no sign of life while one was waited for (came is false).
func (m *Meter) Fetched(came bool) {
	if m == nil {
		return
	}
	m.pulse.fetched(came)
}

func (p *pulse) bind(s *Source) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.source, p.silent, p.moved = s, time.Time{}, time.Now()
}

func (p *pulse) fetched(came bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := time.Now(); came {
		p.silent, p.moved = time.Time{}, now
	} else {
		p.silent = now
	}
}

func (p *pulse) work(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.atWork += n
	p.moved = time.Now()
}

// The reasons for not being ready.
var (
	errUnbound = errors.New("no consumer is being read")
	errGone    = errors.New("not connected")
	errSilent  = errors.New("the server gives no sign of life while messages are waited for")
)

// fetching says why no message would be taken now, nil when one would.
func (p *pulse) fetching(now time.Time) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch still := now.Sub(p.moved); {
	case p.source == nil:
		return errUnbound
	case now.Sub(p.silent) < silence:
		return errSilent
	case p.atWork > 0 && p.atWork >= p.workers && still > stuck:
		return fmt.Errorf("all %d workers have had the same messages in hand for %s", p.workers, still.Round(time.Second))
	}
	return nil
}

// connected says why the server is not there, nil when it is.
func (p *pulse) connected() error {
	switch s := p.from(); {
	case s == nil:
		return errUnbound
	case !s.Connected():
		return errGone
	}
	return nil
}

func (p *pulse) from() *Source {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.source
}

// census asks the server.
func (p *pulse) census(ctx context.Context) (Census, error) {
	if err := p.connected(); err != nil {
		return Census{}, err
	}
	s := p.from()
	if s == nil {
		return Census{}, errUnbound
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	return s.Census(ctx)
}

// What the server holds, told when somebody asks for the metrics. While the server does not answer there is no number:
// an old one would look like a standstill.
var (
	serverUp = describe("server_up", "1 when the NATS server answered this very scrape and the consumer is there, else 0.")
	ready    = describe("ready", "1 when this process would take a message now, as /readyz says, else 0.")
	waiting  = describe("backlog_messages", "Messages of the mirror that no worker has been given yet, of all processes together.")
	pending  = describe("unsettled_messages", "Messages that some process's workers were given and have not settled: being judged, or begins of open exchanges.")
	messages = describe("stream_messages", "Messages that a stream holds.", "stream")
	bytes    = describe("stream_bytes", "Bytes that a stream holds.", "stream")
	maxBytes = describe("stream_max_bytes", "Bytes that a stream may hold; missing where nothing bounds it.", "stream")
)

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil)
}

// Describe is prometheus.Collector's.
func (p *pulse) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{serverUp, ready, waiting, pending, messages, bytes, maxBytes} {
		to <- d
	}
}

// Collect is prometheus.Collector's.
func (p *pulse) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	c, err := p.census(context.Background())
	gauge(serverUp, one(err == nil))
	gauge(ready, one(err == nil && p.fetching(time.Now()) == nil))
	if err != nil {
		return
	}
	gauge(waiting, float64(c.Waiting))
	gauge(pending, float64(c.Unsettled))
	for _, s := range c.Streams {
		gauge(messages, float64(s.Messages), s.Name)
		gauge(bytes, float64(s.Bytes), s.Name)
		if s.MaxBytes > 0 {
			gauge(maxBytes, float64(s.MaxBytes), s.Name)
		}
	}
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
