package workers

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"reassay/capture"
	"reassay/check"
	"reassay/mirror"
)

// Replay publishes captured exchanges to a mirror and gathers the verdicts on them.
type Replay struct {
	Conn     *nats.Conn
	Checker  *check.Checker // whose interpretation the verdicts are awaited under
	Config   Config         // of the workers that run beside the publisher
	Judge    bool           // whether workers run here; else those of a daemon on the same server judge
	Run      string         // what keeps this replay apart from others; "" lets Replay choose
	Progress func(Progress) // called now and then, from one goroutine at a time; nil: not
}

// Progress is how far a replay has come.
type Progress struct{ Published, Judged, Dead int }

// Judged is one exchange's end in a replay.
type Judged struct {
	Index   int    // 0-based, in the order in which the exchanges were published
	ID      string // the exchange's
	Verdict check.Verdict
	Err     error // why there is no verdict: the exchange is a dead letter
}

// Publish sends exchanges to the mirror and returns how many, without waiting for verdicts.
func (r Replay) Publish(ctx context.Context, exchanges iter.Seq[*capture.Exchange]) (int, error) {
	js, err := jetstream.New(r.Conn)
	if err != nil {
		return 0, fmt.Errorf("open JetStream: %w", err)
	}
	if _, err := openStreams(ctx, js, Limits{}, DefaultLimits); err != nil {
		return 0, err
	}
	n := 0
	var refused []error
	err = r.publish(ctx, js, exchanges, func(string, string) { n++ }, func(_ string, err error) {
		n--
		refused = append(refused, err)
	})
	if len(refused) == 0 {
		return n, err
	}
	return n, errors.Join(refused...)
}

// publish sends each exchange under a token of its own and tells the token before anything is sent: a verdict may come
// at once. One that does not fit into the server's messages is refused, and the next is sent; another error is told of
// its exchange too, and ends the publishing.
func (r Replay) publish(ctx context.Context, js jetstream.JetStream, exchanges iter.Seq[*capture.Exchange], told func(token, id string), refused func(token string, err error)) error {
	publisher, err := mirror.NewPublisher(js)
	if err != nil {
		return err
	}
	run := r.Run
	if run == "" {
		run = nats.NewInbox()
	}
	seen := map[string]int{}
	for x := range exchanges {
		// The same id again is another observation, not the same one.
		own := run
		if seen[x.ID]++; seen[x.ID] > 1 {
			own += "/" + strconv.Itoa(seen[x.ID])
		}
		begin, legs := outgoing(x, own)
		token := mirror.GatewayToken(begin.Gateway.Name) + "." + mirror.ExchangeToken(own, x.ID)
		told(token, x.ID)
		err := publisher.Exchange(ctx, begin, legs)
		switch {
		case errors.Is(err, mirror.ErrTooLarge):
			refused(token, fmt.Errorf("publish exchange %q: %w", x.ID, err))
		case err != nil:
			err = fmt.Errorf("publish exchange %q: %w", x.ID, err)
			refused(token, err)
			return err
		}
	}
	return nil
}

// Verdicts publishes the exchanges, waits until each has a verdict or is a dead letter, and returns them in the order of the input.
// On an error what was judged so far is returned with it.
func (r Replay) Verdicts(ctx context.Context, exchanges iter.Seq[*capture.Exchange]) ([]Judged, error) {
	js, err := jetstream.New(r.Conn)
	if err != nil {
		return nil, fmt.Errorf("open JetStream: %w", err)
	}
	s, err := openStreams(ctx, js, Limits{}, DefaultLimits)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	g := &gathering{replay: r, streams: s, index: map[string]int{}, all: make(chan struct{})}
	stopVerdicts, err := g.follow(ctx, s.verdicts, verdictPrefix+"*.*.*.*", g.verdict)
	if err != nil {
		return nil, err
	}
	defer stopVerdicts()
	stopDead, err := g.follow(ctx, s.dead, deadSubjects, g.deadLetter)
	if err != nil {
		return nil, err
	}
	defer stopDead()

	var judging sync.WaitGroup
	defer judging.Wait()
	judgeCtx, stopJudging := context.WithCancel(ctx)
	defer stopJudging()
	if r.Judge {
		judging.Go(func() {
			if err := Run(judgeCtx, r.Conn, r.Checker, r.Config, nil); err != nil && !errors.Is(err, context.Canceled) {
				cancel(err)
			}
		})
	}
	unsent := r.publish(ctx, js, exchanges, g.expect, g.refuse)
	var full *jetstream.APIError
	if unsent != nil && !errors.As(unsent, &full) {
		return g.judged(), unsent
	}
	// A server that takes no more still judges what it took.
	g.published()
	select {
	case <-g.all:
		return g.judged(), unsent
	case <-ctx.Done():
		return g.judged(), context.Cause(ctx)
	}
}

// gathering collects the verdicts of one replay.
type gathering struct {
	replay  Replay
	streams *streams

	mu       sync.Mutex
	index    map[string]int // "<gateway>.<exchange>" tokens
	result   []Judged
	have     []bool
	progress Progress
	complete bool // everything was published
	all      chan struct{}
	closed   bool
}

// follow hands every message of a stream to take that is stored from now on.
func (g *gathering) follow(ctx context.Context, stream jetstream.Stream, filter string, take func(context.Context, jetstream.Msg)) (stop func(), err error) {
	info, err := stream.Info(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the stream %s: %w", stream.CachedInfo().Config.Name, err)
	}
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{filter},
		DeliverPolicy:  jetstream.DeliverByStartSequencePolicy,
		OptStartSeq:    info.State.LastSeq + 1,
	})
	if err != nil {
		return nil, fmt.Errorf("follow the stream %s: %w", info.Config.Name, err)
	}
	consuming, err := consumer.Consume(func(msg jetstream.Msg) { take(ctx, msg) }, jetstream.PullMaxMessages(64))
	if err != nil {
		return nil, fmt.Errorf("follow the stream %s: %w", info.Config.Name, err)
	}
	return func() {
		consuming.Stop()
		<-consuming.Closed()
	}, nil
}

// expect makes room for an exchange that is about to be published.
func (g *gathering) expect(token, id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.index[token] = len(g.result)
	g.result = append(g.result, Judged{Index: len(g.result), ID: id, Err: errNoVerdict})
	g.have = append(g.have, false)
	g.progress.Published++
	g.report()
}

// refuse notes that an exchange was not published, so that no verdict is awaited.
func (g *gathering) refuse(token string, err error) { g.put(token, check.Verdict{}, err) }

// errNoVerdict stands where a replay ended before an exchange's verdict came.
var errNoVerdict = errors.New("no verdict came")

// errOtherInterpretation stands where a daemon on the same server took the exchange and judged it in its own way.
var errOtherInterpretation = errors.New("a daemon on this server judged it with other SDKs, rules or versions than this replay's: " +
	"start both from one build with the same --sdk; its verdict is in REASSAY_VERDICTS")

func (g *gathering) published() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.complete = true
	g.check()
}

// verdict takes in one stored verdict. An incomplete one may be replaced by a later one while the replay runs.
func (g *gathering) verdict(ctx context.Context, msg jetstream.Msg) {
	tokens := strings.Split(strings.TrimPrefix(msg.Subject(), verdictPrefix), ".") // four, by the consumer's filter
	key := tokens[0] + "." + tokens[1]
	if !g.own(key) {
		return
	}
	if tokens[2] != g.replay.Checker.Interpretation().ID {
		g.put(key, check.Verdict{}, errOtherInterpretation)
		return
	}
	text, err := g.streams.verdictText(ctx, msg.Headers(), msg.Data())
	var v check.Verdict
	if err == nil {
		v, err = check.DecodeVerdict(text)
	}
	g.put(key, v, err)
}

// deadLetter takes in one dead letter; it is one of ours when its original subject is.
func (g *gathering) deadLetter(_ context.Context, msg jetstream.Msg) {
	s, err := mirror.ParseSubject(msg.Headers().Get(headerSubject))
	if err != nil {
		return
	}
	key := s.Gateway + "." + s.Exchange
	if g.own(key) {
		g.put(key, check.Verdict{}, fmt.Errorf("dead letter: %s", msg.Headers().Get(headerReason)))
	}
}

func (g *gathering) own(key string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, ok := g.index[key]
	return ok
}

func (g *gathering) put(key string, v check.Verdict, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := g.index[key]
	if g.have[i] && err != nil {
		return // a verdict stands, whatever else died of the exchange
	}
	if !g.have[i] {
		g.have[i] = true
		if err != nil {
			g.progress.Dead++
		} else {
			g.progress.Judged++
		}
	}
	g.result[i].Verdict, g.result[i].Err = v, err
	g.report()
	g.check()
}

// check closes all when nothing is awaited any more.
func (g *gathering) check() {
	if g.complete && !g.closed && g.progress.Judged+g.progress.Dead == len(g.result) {
		g.closed = true
		close(g.all)
	}
}

func (g *gathering) report() {
	if g.replay.Progress != nil {
		g.replay.Progress(g.progress)
	}
}

func (g *gathering) judged() []Judged {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]Judged(nil), g.result...)
}
