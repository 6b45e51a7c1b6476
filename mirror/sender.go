package mirror

import (
	"container/list"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// SenderConfig says how a gateway's exchanges are mirrored.
type SenderConfig struct {
	Gateway      Gateway       // of every begin that names none
	Run          string        // of every begin that names none; "" lets the sender choose one that no other has
	Sample       float64       // the share of exchanges that are mirrored, over 0 to 1; 0 stands for 1, all of them
	FullRequests bool          // requests are mirrored as they are; else only what is judged of them, see [JudgedRequest]
	Buffer       int64         // bytes that wait for the server at most; 0 stands for [DefaultBuffer]
	Reserve      int64         // bytes of the buffer that each open exchange has for itself; 0 stands for [DefaultReserve]
	AckWait      time.Duration // how long the server may take to acknowledge a message before it is sent again; 0 stands for [DefaultAckWait]
}

// The defaults of [SenderConfig].
const (
	DefaultBuffer  = 64 << 20
	DefaultReserve = 32 << 10
	DefaultAckWait = 5 * time.Second
)

// validate reports everything that is wrong with c.
func (c SenderConfig) validate() error {
	var errs []error
	if !(c.Sample > 0 && c.Sample <= 1) {
		errs = append(errs, fmt.Errorf("the sample rate is %v, want a share over 0 and up to 1", c.Sample))
	}
	if c.Reserve < 0 || c.Buffer < c.Reserve {
		errs = append(errs, fmt.Errorf("the buffer is %d bytes and an exchange's share of it %d, want the buffer as large as one share at least", c.Buffer, c.Reserve))
	}
	if c.AckWait < 0 {
		errs = append(errs, fmt.Errorf("the wait for an acknowledgement is %s, want more than 0", c.AckWait))
	}
	return errors.Join(errs...)
}

// Sender mirrors a gateway's exchanges while they pass. None of its methods but Close waits for anything, and none
// returns an error: a gateway is never held up by its mirror. What the server does not take waits in a buffer of bounded
// size. Where that has no room, an exchange is dropped as a whole when it begins; one that outgrows the room later, or
// that the server refuses, is broken off, and its ends say so. Everything lost is counted in [Stats].
//
// A connection that breaks is waited for; what was not acknowledged is sent again. It is safe for concurrent use.
type Sender struct {
	nc     *nats.Conn
	js     jetstream.JetStream
	config SenderConfig

	wake    chan struct{} // something waits in ready, or the sender closes
	abort   chan struct{} // Close's patience is over
	aborted sync.Once
	done    chan struct{} // run has returned

	mu      sync.Mutex
	live    map[*Exchange]struct{}
	ready   *list.List // of *Exchange with waiting items, each once
	charged int64      // of the buffer: what is held, and what open exchanges have reserved
	held    int64
	closed  bool      // no exchange begins any more
	paused  time.Time // until then none begins because the server refuses
	stats   Stats
}

// NewSender mirrors over nc, which may be down for now and should reconnect for ever (nats.MaxReconnects(-1)). The
// caller closes the sender, then the connection.
func NewSender(nc *nats.Conn, c SenderConfig) (*Sender, error) {
	if c.Sample == 0 {
		c.Sample = 1
	}
	if c.Buffer == 0 {
		c.Buffer = DefaultBuffer
	}
	if c.Reserve == 0 {
		c.Reserve = min(DefaultReserve, c.Buffer)
	}
	if c.AckWait == 0 {
		c.AckWait = DefaultAckWait
	}
	if c.Run == "" {
		c.Run = unique()
	}
	if err := c.validate(); err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncTimeout(c.AckWait))
	if err != nil {
		return nil, fmt.Errorf("open JetStream: %w", err)
	}
	s := &Sender{
		nc:     nc,
		js:     js,
		config: c,
		wake:   make(chan struct{}, 1),
		abort:  make(chan struct{}),
		done:   make(chan struct{}),
		live:   map[*Exchange]struct{}{},
		ready:  list.New(),
		stats:  Stats{Dropped: map[Reason]int64{}, BrokenOff: map[Reason]int64{}},
	}
	go s.run()
	return s, nil
}

// unique is a word that no other process chooses.
func unique() string { return strings.TrimPrefix(nats.NewInbox(), nats.InboxPrefix) }

// refusedPause is for how long no exchange begins after the server has refused a message: what begins at a full stream
// would only be holed.
const refusedPause = time.Second

// Begin announces an exchange and the legs that this publisher will send. Its gateway, run and sample rate are the
// sender's where b names none; an exchange without an id is given one. A second Begin of the same id and run adds to the same
// exchange, from this process or another. An exchange that is not mirrored, sampled out or dropped, is nil, whose
// methods do nothing.
func (s *Sender) Begin(b Begin) *Exchange {
	b.MirrorVersion = Version
	if b.Gateway == (Gateway{}) {
		b.Gateway = s.config.Gateway
	}
	if b.Run == "" {
		b.Run = s.config.Run
	}
	if b.ID == "" {
		b.ID = unique()
	}
	if b.Sample != nil && !(*b.Sample > 0 && *b.Sample <= 1) {
		b.Sample = nil
	}
	if b.Sample == nil && s.config.Sample < 1 {
		b.Sample = &s.config.Sample
	}
	x := &Exchange{sender: s, to: addressOf(b), words: b, began: time.Now()}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.Begun++
	if !Sampled(x.to.exchange, s.config.Sample) {
		s.stats.SampledOut++
		return nil
	}
	if why := s.closedTo(x); why != "" {
		s.stats.Dropped[why]++
		return nil
	}
	s.live[x] = struct{}{}
	x.words.Legs = nil
	x.add(b.Legs)
	if x.over {
		return nil
	}
	return x
}

// closedTo says why an exchange may not begin, "" where it may.
func (s *Sender) closedTo(x *Exchange) Reason {
	switch {
	case s.closed:
		return ReasonClosed
	case x.began.Before(s.paused):
		return ReasonRefused
	case s.charged+s.config.Reserve > s.config.Buffer:
		return ReasonFull
	}
	return ""
}

// Stats tells what became of the exchanges so far.
func (s *Sender) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.stats.clone()
	out.Open, out.Buffered = int64(len(s.live)), s.held
	return out
}

// Close lets no exchange begin any more, breaks off those that have not ended, and waits until everything else is
// stored or ctx ends. The error says how many exchanges ctx cost. The connection stays open.
func (s *Sender) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	for x := range s.live {
		if !x.ended() {
			x.breakOff(ReasonClosed)
		}
	}
	s.mu.Unlock()
	s.signal()
	select {
	case <-s.done:
	case <-ctx.Done():
		s.aborted.Do(func() { close(s.abort) })
	}
	// A write to a connection that takes nothing cannot be interrupted; it ends with the connection's own deadline.
	over := make(chan struct{})
	go func() {
		<-s.done
		s.js.CleanupPublisher()
		close(over)
	}()
	select {
	case <-over:
	case <-time.After(abortPatience):
	}
	if lost := s.abandon(); lost > 0 {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%d exchanges were not stored: %w", lost, err)
		}
		return fmt.Errorf("%d exchanges were not stored: %w", lost, nats.ErrConnectionClosed)
	}
	return nil
}

// abortPatience is how long Close waits on for the sending to end, once it should.
const abortPatience = time.Second

// abandon gives up whatever is still under way, and says how many exchanges that costs.
func (s *Sender) abandon() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	lost := len(s.live)
	for x := range s.live {
		x.breakOff(ReasonClosed)
		x.discard()
		x.leave()
	}
	return lost
}

// signal tells run that there is something to do.
func (s *Sender) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// textOf is v as JSON.
func textOf(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("mirror: " + err.Error()) // strings, whole numbers and finite ones always have a JSON text
	}
	return text
}
