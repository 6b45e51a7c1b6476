package workers

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"

	"reassay/capture"
	"reassay/check"
	"reassay/mirror"
)

// pool judges what the mirror holds with a fixed number of workers.
type pool struct {
	config         Config
	streams        *streams
	checker        *check.Checker
	interpretation string
	tries          tries
	room           *room
	alone          sync.RWMutex // held for writing while an exchange that met the machine's limits is judged again
}

// Run judges the mirror's exchanges until ctx ends; then every worker finishes what it holds, or gives it back when
// Config.Within has passed. ready, if not nil, is called once the workers take messages.
func Run(ctx context.Context, nc *nats.Conn, checker *check.Checker, c Config, ready func()) error {
	if err := c.Validate(); err != nil {
		return err
	}
	c = c.withDefaults()
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("open JetStream: %w", err)
	}
	s, err := openStreams(ctx, js, c.Limits, shareStore(c.Store))
	if err != nil {
		return err
	}
	p := &pool{config: c, streams: s, checker: checker, interpretation: checker.Interpretation().ID, room: newRoom(c.Memory)}
	working, stop := outlive(ctx, c.Within)
	defer stop()
	for {
		consumer, err := openConsumer(ctx, s, c.AckWait)
		if err != nil {
			return err
		}
		p.config.AckWait = consumer.CachedInfo().Config.AckWait
		if err := p.run(ctx, working, consumer, ready); !errors.Is(err, errConsumerGone) {
			return err
		}
		ready = nil
		c.Log.Warn("the consumer is gone, it is opened again", zap.String("consumer", consumerName))
		select {
		case <-time.After(retryDelay):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// outlive is a context that ends so long after ctx has ended.
func outlive(ctx context.Context, within time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() {
		select {
		case <-time.After(within):
			cancel()
		case <-longer.Done():
		}
	})
	return longer, cancel
}

// prefetch is how many messages may wait locally for each worker. Their AckWait runs while they wait, so it is small.
const prefetch = 2

// prefetchBytes bounds them likewise, so far as a single message is not larger: the server never sends a message that a
// pull has no room for.
const prefetchBytes = 8 << 20

// errConsumerGone says that somebody removed the consumer while it was being read.
var errConsumerGone = errors.New("the consumer is gone")

// run reads the consumer until ctx ends; its workers work until working does.
func (p *pool) run(ctx, working context.Context, consumer jetstream.Consumer, ready func()) error {
	queue := make(chan jetstream.Msg)
	bytes := max(prefetchBytes, 2*int(p.streams.js.Conn().MaxPayload()))
	// Not consumer.Messages: its channel has room for the messages alone, and loses some to the server's word that a pull
	// is over, which a pull bounded in bytes always brings.
	consuming, err := consumer.Consume(func(msg jetstream.Msg) { p.feed(ctx, queue, msg) },
		jetstream.PullMaxMessagesWithBytesLimit(prefetch*p.config.Workers, bytes),
		jetstream.ConsumeErrHandler(func(_ jetstream.ConsumeContext, err error) {
			if ctx.Err() == nil {
				if errors.Is(err, jetstream.ErrNoHeartbeat) {
					p.config.Meter.Fetched(false)
				}
				p.config.Log.Warn("read the consumer", zap.String("consumer", consumerName), zap.Error(err))
			}
		}))
	if err != nil {
		return fmt.Errorf("read the consumer %s: %w", consumerName, err)
	}
	stop := context.AfterFunc(ctx, consuming.Drain)
	defer stop()
	defer p.config.Meter.Bound(ctx, p.source(consumer))()
	if ready != nil {
		ready()
	}
	var running sync.WaitGroup
	for range p.config.Workers {
		running.Go(func() {
			for msg := range queue {
				p.work(working, msg)
			}
		})
	}
	<-consuming.Closed() // no message comes after it
	close(queue)
	running.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errConsumerGone
}

// feed hands a message to whichever worker is free. What has come when ctx ends and that nobody has begun is given back.
func (p *pool) feed(ctx context.Context, queue chan<- jetstream.Msg, msg jetstream.Msg) {
	p.config.Meter.Fetched(true)
	p.calm(ctx)
	if ctx.Err() != nil {
		p.giveBack(msg)
		return
	}
	select {
	case queue <- msg:
	case <-ctx.Done():
		p.giveBack(msg)
	}
}

// giveBack returns a message that nobody has begun, so that another worker has it at once and not after AckWait.
func (p *pool) giveBack(msg jetstream.Msg) {
	if err := msg.Nak(); err != nil {
		p.config.Log.Warn("give back", zap.String("subject", msg.Subject()), zap.Error(err))
	}
}

// settleTime is how long a worker that is going down may still talk to the server.
const settleTime = 5 * time.Second

// work takes one message from delivery to settlement, and keeps it its own while it is being judged.
func (p *pool) work(ctx context.Context, msg jetstream.Msg) {
	p.reached(stepFetched)
	settled := p.taken(msg)
	finished := make(chan struct{})
	var beating sync.WaitGroup
	beating.Go(func() {
		tick := time.NewTicker(p.config.AckWait / 3)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if err := msg.InProgress(); err != nil {
					p.config.Log.Warn("claim more time", zap.String("subject", msg.Subject()), zap.Error(err))
				}
			case <-finished:
				return
			}
		}
	})
	s := p.guarded(ctx, msg)
	close(finished)
	beating.Wait()
	// The settlement must reach the server even when ctx has just ended.
	settling, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	p.settle(settling, msg, s)
	settled(s.outcome.String())
	p.reached(stepSettled)
}

// guarded turns a panic while judging into a retry, and the third one into poison: one exchange may not stop the rest.
func (p *pool) guarded(ctx context.Context, msg jetstream.Msg) (s settlement) {
	defer func() {
		if r := recover(); r != nil {
			p.config.Log.Error("panic while judging", zap.Any("panic", r), zap.ByteString("stack", debug.Stack()))
			s = p.again(exchangeOf(msg.Subject()), fmt.Errorf("panic while judging: %v", r))
		}
	}()
	return p.handle(ctx, msg)
}

// exchangeOf is what a subject's exchange is counted by: each of its messages may bring it to judgement.
func exchangeOf(subject string) string {
	s, err := mirror.ParseSubject(subject)
	if err != nil {
		return subject
	}
	return mirror.Of(s.Gateway, s.Exchange)
}

// again retries a few times, then gives up.
func (p *pool) again(exchange string, err error) settlement {
	if p.tries.count(exchange) >= maxTries {
		p.tries.forget(exchange)
		return settlement{outcome: poison, err: err}
	}
	return settlement{outcome: retry, after: retryDelay, err: err}
}

const (
	// retryDelay is how long a message waits that met a passing trouble.
	retryDelay = time.Second
	// openDelay is how long the begin of an open exchange waits at least before it is looked at again.
	openDelay = time.Second
)

// handle decides about one begin or end.
func (p *pool) handle(ctx context.Context, msg jetstream.Msg) settlement {
	subject, err := mirror.ParseSubject(msg.Subject())
	if err != nil {
		return settlement{outcome: poison, err: err}
	}
	if subject.Kind == mirror.KindBegin {
		_, err = decodeBegin(msg.Data())
	} else {
		_, err = decodeEnd(msg.Data())
	}
	if err != nil {
		return settlement{outcome: poison, err: fmt.Errorf("%s of exchange %s: %w", subject.Kind, subject.Exchange, err)}
	}
	seen, reason, s := p.ripe(ctx, subject, msg)
	if seen == nil {
		return s
	}
	return p.judge(ctx, subject, seen, reason)
}

// ripe reports whether an exchange can be judged now: its legs have all ended, or a limit has passed, which reason
// then names. Otherwise the settlement says what becomes of the message. in holds what was looked at: the begin, the
// ends, each leg's newest chunk's time.
func (p *pool) ripe(ctx context.Context, subject mirror.Subject, msg jetstream.Msg) (in *incoming, reason string, s settlement) {
	of := mirror.Of(subject.Gateway, subject.Exchange)
	newest, err := p.streams.last(ctx, of+".>")
	if err != nil && !errors.Is(err, errNoMessages) {
		return nil, "", p.trouble(ctx, err)
	}
	in = newIncoming(p.config.MaxBody)
	for _, m := range newest {
		if err := in.glance(m); err != nil {
			return nil, "", settlement{outcome: poison, err: err}
		}
	}
	if seq := sequence(msg); in.newest < seq || len(newest) == 0 {
		return nil, "", p.unseen(ctx, seq)
	}
	idle := time.Since(in.last)
	switch {
	case in.begin == nil && idle < p.config.Idle:
		return nil, "", settlement{outcome: waiting, after: nextLook(idle, p.config.Idle-idle)}
	case in.begin == nil:
		return nil, "", settlement{outcome: poison, err: fmt.Errorf("no begin came for exchange %s", subject.Exchange)}
	case in.complete():
		return in, "", settlement{}
	case idle >= p.config.Idle:
		return in, "no end", settlement{}
	case time.Since(in.first) >= p.config.Join:
		return in, "join limit passed", settlement{}
	case subject.Kind == mirror.KindEnd:
		return nil, "", settlement{outcome: done} // the begin keeps watch
	}
	age := time.Since(in.first)
	return nil, "", settlement{outcome: waiting, after: nextLook(age, min(p.config.Idle-idle, p.config.Join-age))}
}

// nextLook is after how long an exchange that is open for so long is looked at again: when it has become twice as old,
// or when a limit passes. Its last end brings it to judgement at once; a look costs the server a block of its store.
func nextLook(age, limit time.Duration) time.Duration { return min(max(age, openDelay), limit) }

// sequence is a delivered message's place in the mirror, 0 where it does not say.
func sequence(msg jetstream.Msg) uint64 {
	meta, err := msg.Metadata()
	if err != nil {
		return 0
	}
	return meta.Sequence.Stream
}

// unseen settles a message that was delivered and that a read did not find. Either it was purged since, because its
// exchange was judged; or the server that answered, one of a cluster's, has not come so far yet. The stream's leader knows.
func (p *pool) unseen(ctx context.Context, seq uint64) settlement {
	there, err := p.streams.holds(ctx, seq)
	switch {
	case err != nil:
		return p.trouble(ctx, err)
	case there:
		return settlement{outcome: waiting, after: lagDelay}
	}
	return settlement{outcome: done}
}

// lagDelay is how long a message waits whose replica has not come so far.
const lagDelay = 200 * time.Millisecond

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// trouble settles a message after an error that is nobody's fault.
func (p *pool) trouble(ctx context.Context, err error) settlement {
	if ctx.Err() != nil {
		return settlement{outcome: shutdown}
	}
	return settlement{outcome: retry, after: retryDelay, err: err}
}

// judge reads an exchange back, judges it and stores the verdict. seen is what [pool.ripe] saw of it.
func (p *pool) judge(ctx context.Context, subject mirror.Subject, seen *incoming, reason string) settlement {
	key := verdictKey{subject.Gateway, subject.Exchange, p.interpretation}
	worst, replaces, err := p.streams.existing(ctx, key)
	switch {
	case err != nil:
		return p.trouble(ctx, err)
	case replaces > 0 && (worst != string(check.WorstIncomplete) || reason != ""):
		return settlement{outcome: done}
	}
	p.reached(stepComplete)
	in, leave, err := p.readBack(ctx, mirror.Of(subject.Gateway, subject.Exchange), seen)
	switch {
	case errors.Is(err, errPoison):
		return settlement{outcome: poison, err: err}
	case err != nil:
		return p.trouble(ctx, err)
	}
	defer leave()
	p.config.Meter.Read(subject.Gateway, in.bytes)
	if in.newest < seen.newest {
		return p.unseen(ctx, seen.newest)
	}
	if idle := time.Since(in.last); reason == "" && idle < p.config.Idle && in.lacks() {
		// Each look reads all of it, so the next ones come more and more seldom.
		return settlement{outcome: waiting, after: min(max(openDelay, idle), p.config.Idle-idle)}
	}
	p.reached(stepRead)
	j, err := p.verdict(ctx, in, mirror.Of(subject.Gateway, subject.Exchange), reason)
	switch {
	case errors.Is(err, errPoison):
		return settlement{outcome: poison, err: err}
	case errors.Is(err, errRetryable):
		return settlement{outcome: retry, after: retryDelay, err: err}
	case err != nil && ctx.Err() != nil:
		return settlement{outcome: shutdown}
	case err != nil:
		return p.again(mirror.Of(subject.Gateway, subject.Exchange), err)
	}
	if replaces > 0 && j.verdict.Worst == check.WorstIncomplete {
		return settlement{outcome: done}
	}
	p.reached(stepJudged)
	return p.conclude(ctx, key, j, replaces)
}

// conclude keeps what stands behind a verdict and then stores it: a verdict is never without its evidence because a
// worker died.
func (p *pool) conclude(ctx context.Context, key verdictKey, j judgement, replaces uint64) settlement {
	if _, err := p.keepEvidence(ctx, ExchangeKey{key.gateway, key.exchange}, j, replaces > 0); err != nil {
		return p.trouble(ctx, err)
	}
	p.reached(stepKept)
	err := p.streams.store(ctx, key, p.config.Redact(j.verdict), replaces)
	if err != nil && !errors.Is(err, errStored) {
		return p.trouble(ctx, err)
	}
	if err == nil {
		p.stored(key.gateway, j.in, j.verdict)
	}
	p.reached(stepStored)
	return settlement{outcome: done}
}

// judgement is a verdict with what it is about.
type judgement struct {
	verdict  check.Verdict
	exchange *capture.Exchange
	in       *incoming
	lost     string // what the mirror lost of the exchange, or which limit passed; "" when all of it was judged
}

// errRetryable says that the machine's limits (time, memory) decided, not the input.
var errRetryable = errors.New("the machine's limits were met")

// verdict judges what was read back. An exchange with holes is incomplete: nothing of it is blamed on the gateway.
func (p *pool) verdict(ctx context.Context, in *incoming, exchange, reason string) (judgement, error) {
	x, holes, err := in.exchange()
	if err != nil {
		return judgement{}, err
	}
	if reason == "" {
		reason = holes
	}
	j := judgement{exchange: x, in: in, lost: reason}
	if reason != "" {
		j.verdict, err = p.checker.Incomplete(x, reason)
		return j, err
	}
	if p.tries.tried(exchange) {
		p.alone.Lock()
		defer p.alone.Unlock()
	} else {
		p.alone.RLock()
		defer p.alone.RUnlock()
	}
	begun := time.Now()
	j.verdict, err = p.checker.Exchange(ctx, x)
	p.config.Meter.Judged(time.Since(begun))
	if err != nil {
		return judgement{}, fmt.Errorf("judge exchange %s: %w", x.ID, err)
	}
	for _, s := range j.verdict.SDKs {
		if s.Retryable && p.tries.count(exchange) < maxTries {
			return judgement{}, fmt.Errorf("judge exchange %s: %s: %w", x.ID, s.Reason, errRetryable)
		}
	}
	p.tries.forget(exchange)
	return j, nil
}
