package workers

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Position is a place in the stream of verdicts: right behind the verdict that it names.
type Position struct {
	Made int64  // when the stream was made, in nanoseconds since 1970: another stream has other verdicts under the same numbers
	Seq  uint64 // the verdict's place in the stream
}

// String spells it.
func (p Position) String() string { return fmt.Sprintf("%d-%d", p.Made, p.Seq) }

// ParsePosition reads what String spells.
func ParsePosition(text string) (p Position, err error) {
	made, seq, _ := strings.Cut(text, "-")
	if p.Made, err = strconv.ParseInt(made, 10, 64); err == nil {
		p.Seq, err = strconv.ParseUint(seq, 10, 64)
	}
	if err != nil {
		return Position{}, fmt.Errorf("%q is no place in the stream of verdicts, such as 1764500000000000000-42", text)
	}
	return p, nil
}

// Following says which verdicts are followed.
type Following struct {
	Gateways []string      // tokens of gateways; none: every gateway
	Worst    []string      // worst words of verdicts; none: every word
	After    Position      // where to begin; zero: with whatever is stored from now on
	Quiet    time.Duration // after so long without a verdict it is said how far the reading has come
}

// Followed is a verdict, or (where Text is nil) how far the reading has come.
type Followed struct {
	At     Position // behind this verdict, and behind everything that was passed over
	Text   []byte   // the verdict as it was written
	Missed bool     // with the first of all: some of what Following.After asks for is not kept any more
}

const (
	// followMessages and followBytes bound what one request brings into memory; a single larger message comes alone.
	followMessages = 64
	followBytes    = 1 << 20
	// followPause is how long a reader waits before it asks a server again that did not answer.
	followPause = time.Second
)

// Follow reads verdicts in the order in which they were stored, whoever stored them, and waits for more until ctx ends or
// the reader does. The first that it yields says where the reading begins. A server that does not answer is waited for;
// the only error is one at the beginning. Whoever comes again with the last position in hand misses nothing and gets
// nothing twice, after whatever has gone down meanwhile.
//
// Nothing is kept for a reader, neither here nor at the server: each request says where it goes on.
func (s *Stores) Follow(ctx context.Context, f Following) iter.Seq2[Followed, error] {
	return func(yield func(Followed, error) bool) {
		r := &follower{streams: s.streams, want: f, yield: yield}
		at, missed, err := r.begin(ctx, f.After)
		if err != nil {
			yield(Followed{}, err)
			return
		}
		wake, stop := r.awake()
		defer stop()
		r.at = at
		if !yield(Followed{At: at, Missed: missed}, nil) {
			return
		}
		for r.read(ctx) && r.wait(ctx, wake) {
		}
	}
}

// follower is one reader's state.
type follower struct {
	streams *streams
	want    Following
	yield   func(Followed, error) bool
	at      Position
	trouble bool // the last request failed
}

// begin says where a reading that goes on behind after begins.
func (r *follower) begin(ctx context.Context, after Position) (at Position, missed bool, err error) {
	stream, err := r.streams.js.Stream(ctx, verdictStream)
	if err != nil {
		return Position{}, false, fmt.Errorf("open the stream %s: %w", verdictStream, err)
	}
	info := stream.CachedInfo()
	state := info.State
	at = Position{info.Created.UnixNano(), state.LastSeq}
	switch {
	case after == Position{}:
	case after.Made != at.Made: // the stream was made anew, and all that is in it is new
		at.Seq, missed = max(state.FirstSeq, 1)-1, true
	case after.Seq < state.LastSeq: // more than the last: the server lost it with its power
		at.Seq, missed = after.Seq, after.Seq+1 < state.FirstSeq
	}
	return at, missed, nil
}

// awake is told whenever a verdict is published.
func (r *follower) awake() (wake <-chan struct{}, stop func()) {
	told := make(chan struct{}, 1)
	sub, err := r.streams.js.Conn().Subscribe(r.subject(), func(*nats.Msg) {
		select {
		case told <- struct{}{}:
		default:
		}
	})
	if err != nil { // the connection is closed
		return told, func() {}
	}
	return told, func() { _ = sub.Unsubscribe() }
}

// subject is as narrow as one subject can be; what it lets through is looked at again.
func (r *follower) subject() string {
	gateway, worst := "*", "*"
	if len(r.want.Gateways) == 1 {
		gateway = r.want.Gateways[0]
	}
	if len(r.want.Worst) == 1 {
		worst = r.want.Worst[0]
	}
	return verdictPrefix + gateway + ".*.*." + worst
}

// wanted reports whether a verdict under this subject is followed.
func (r *follower) wanted(subject string) bool {
	token := strings.Split(strings.TrimPrefix(subject, verdictPrefix), ".")
	some := func(words []string, word string) bool { return len(words) == 0 || slices.Contains(words, word) }
	return some(r.want.Gateways, token[0]) && some(r.want.Worst, token[len(token)-1])
}

// read yields what is stored behind the position and moves it on. It reports whether there is a reader still.
func (r *follower) read(ctx context.Context) bool {
	if r.trouble {
		// The server may have come back with another stream.
		at, missed, err := r.begin(ctx, r.at)
		if err != nil {
			return ctx.Err() == nil
		}
		if at != r.at || missed {
			r.at = at
			if !r.yield(Followed{At: at, Missed: missed}, nil) {
				return false
			}
		}
	}
	for {
		var batch []stored
		request := directRequest{Seq: r.at.Seq + 1, NextFor: r.subject(), Batch: followMessages, MaxBytes: followBytes}
		pending, err := direct(ctx, r.streams.js, verdictStream, request, func(m stored) { batch = append(batch, m) })
		for _, m := range batch {
			more, err := r.take(ctx, m)
			if !more {
				return false
			}
			if r.trouble = err != nil; r.trouble {
				return true
			}
		}
		r.trouble = err != nil && !errors.Is(err, errNoMessages)
		if err != nil || pending == 0 {
			return ctx.Err() == nil
		}
	}
}

// take yields a verdict that is followed and moves the position behind it. more reports whether there is a reader still;
// after an error the verdict is to be read again.
func (r *follower) take(ctx context.Context, m stored) (more bool, err error) {
	at := Position{r.at.Made, m.seq}
	if !r.wanted(m.subject) {
		r.at = at
		return true, nil
	}
	text, err := r.streams.verdictText(ctx, m.header, m.data)
	switch {
	case errors.Is(err, jetstream.ErrObjectNotFound): // it was forgotten since
		r.at = at
		return true, nil
	case err != nil:
		return ctx.Err() == nil, err
	}
	r.at = at
	return r.yield(Followed{At: at, Text: text}, nil), nil
}

// wait waits for the next verdict. Where none comes for a while it says how far the reading has come. It reports whether
// there is a reader still.
func (r *follower) wait(ctx context.Context, wake <-chan struct{}) bool {
	if r.trouble {
		select {
		case <-time.After(followPause):
			return true
		case <-ctx.Done():
			return false
		}
	}
	select {
	case <-wake:
		return true
	case <-time.After(r.want.Quiet):
		return r.yield(Followed{At: r.at}, nil)
	case <-ctx.Done():
		return false
	}
}
