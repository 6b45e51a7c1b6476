// Package tap is a reverse proxy that passes calls of model APIs through untouched and mirrors what it sees to NATS. It
// stands before a gateway, where it sees what callers ask and get, or behind one, where it sees what the gateway asks a
// model's API and gets; two taps see one exchange from both sides.
package tap

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"reassay/mirror"
)

// Side is where a tap stands.
type Side string

// The sides.
const (
	Front    Side = "front"    // before the gateway: its peer upstream is the gateway
	Upstream Side = "upstream" // behind the gateway: its callers are the gateway, its peers model APIs
)

// UnmarshalText reads a side's word.
func (s *Side) UnmarshalText(text []byte) error {
	switch Side(text) {
	case Front, Upstream:
		*s = Side(text)
		return nil
	}
	return fmt.Errorf("%q is not known, want front or upstream", text)
}

// MarshalText spells a side.
func (s Side) MarshalText() ([]byte, error) { return []byte(s), nil }

// Config says what a tap does. The zero value of what has a default stands for it.
type Config struct {
	Side       Side           // default Front
	Gateway    mirror.Gateway // the gateway before or behind which the tap stands
	Run        string         // part of the exchange's identity on the mirror, the same for all taps of a gateway; default [DefaultRun]
	Join       Join           // default JoinHeader
	Routes     []Route        // tried in order; see [Routes]
	Request    RequestPolicy  // default RequestJudged
	MaxRequest int64          // bytes of a request's body that are kept until it has been read; default [DefaultMaxRequest]
	MaxReply   int64          // bytes of a reply that are mirrored; of a longer one the leg is dropped; default [DefaultMaxReply]
	Linger     time.Duration  // how long a front tap holds back the end of a reply, for a tap behind the gateway to name its legs; 0: not at all

	UpstreamH2C bool        // speak HTTP/2 without TLS to an upstream without TLS, for callers who speak HTTP/2
	UpstreamTLS *tls.Config // how upstreams with TLS are verified; nil: by the system's authorities

	Sender *mirror.Sender // where exchanges go; the caller closes it after the tap
	Log    *zap.Logger    // nil: nobody reads it
}

// The defaults of [Config].
const (
	DefaultRun        = "tap"
	DefaultMaxRequest = 8 << 20
	DefaultMaxReply   = 64 << 20
	DefaultLinger     = 250 * time.Millisecond
)

// requestBudget bounds the bytes of request bodies that one tap keeps at once. A request over it passes, and is not
// mirrored.
const requestBudget = 128 << 20

func (c Config) withDefaults() Config {
	if c.Side == "" {
		c.Side = Front
	}
	if c.Run == "" {
		c.Run = DefaultRun
	}
	if c.Join == "" {
		c.Join = JoinHeader
	}
	if c.Request == "" {
		c.Request = RequestJudged
	}
	if c.MaxRequest == 0 {
		c.MaxRequest = DefaultMaxRequest
	}
	if c.MaxReply == 0 {
		c.MaxReply = DefaultMaxReply
	}
	if c.Log == nil {
		c.Log = zap.NewNop()
	}
	return c
}

// validate reports everything that is wrong with c.
func (c Config) validate() error {
	var errs []error
	if c.Gateway.Name == "" {
		errs = append(errs, errors.New("the gateway has no name"))
	}
	if c.MaxRequest < 0 || c.MaxReply < 0 || c.Linger < 0 {
		errs = append(errs, fmt.Errorf("the limits of a request, %d bytes, and of a reply, %d bytes, and the time to linger, %s, must not be negative", c.MaxRequest, c.MaxReply, c.Linger))
	}
	if c.Sender == nil {
		errs = append(errs, errors.New("no sender"))
	}
	return errors.Join(errs...)
}

// Tap passes and mirrors. One tap may stand before several upstreams: the attempts of one exchange that go to different
// vendors are numbered together.
type Tap struct {
	config   Config
	attempts *attempts
	requests atomic.Int64 // bytes of request bodies that are kept now
	counts   struct {
		mirrored, passed, unjoined atomic.Int64
	}
	warned sync.Once // that the gateway forwards no id

	closing chan struct{}
	once    sync.Once
	running sync.WaitGroup // exchanges whose legs have not ended

	mu   sync.Mutex
	hops []*hop
}

// New is a tap.
func New(c Config) (*Tap, error) {
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	return &Tap{config: c, attempts: newAttempts(), closing: make(chan struct{})}, nil
}

// Counts tells what a tap did with the requests that came.
type Counts struct {
	Mirrored int64 // requests of known routes; what the mirror made of them is in [mirror.Stats]
	Passed   int64 // requests that only passed
	Unjoined int64 // behind a gateway: of those mirrored, the ones that came without an exchange's id and are judged apart
}

// Counts is the tap's account so far.
func (t *Tap) Counts() Counts {
	return Counts{t.counts.mirrored.Load(), t.counts.passed.Load(), t.counts.unjoined.Load()}
}

// Stats is the sender's account.
func (t *Tap) Stats() mirror.Stats { return t.config.Sender.Stats() }

// Server is a server, not listening yet, that passes everything to upstream, an http or https URL whose path, if any,
// comes before that of each request.
func (t *Tap) Server(upstream *url.URL) (*http.Server, error) {
	h, err := newHop(t, upstream)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hops = append(t.hops, h)
	return h.server(), nil
}

// Close ends what lingers and waits until every leg has been handed to the sender. The servers must have been shut down
// or closed before. What is broken off after StopPassing counts as broken off by the mirror.
func (t *Tap) Close() {
	t.StopPassing()
	t.running.Wait()
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, h := range t.hops {
		h.close()
	}
}

// StopPassing tells the tap that its servers are about to be closed: whatever breaks off from now on is the tap's doing.
func (t *Tap) StopPassing() { t.once.Do(func() { close(t.closing) }) }

func (t *Tap) stopping() bool {
	select {
	case <-t.closing:
		return true
	default:
		return false
	}
}
