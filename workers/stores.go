package workers

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"reassay/mirror"
)

// Stores are what daemons keep on a NATS server, for whoever looks into it beside them: dead letters, verdicts, the
// evidence behind these and the mirror itself.
type Stores struct{ streams *streams }

// OpenStores opens what a daemon made on the server. It makes and changes nothing.
func OpenStores(ctx context.Context, nc *nats.Conn) (*Stores, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, fmt.Errorf("open JetStream: %w", err)
	}
	if err := checkServer(nc.ConnectedServerVersion()); err != nil {
		return nil, err
	}
	if err := awaitJetStream(ctx, js); err != nil {
		return nil, err
	}
	s := &streams{js: js}
	for _, want := range []struct {
		name   string
		stream *jetstream.Stream
	}{{mirror.Stream, &s.mirror}, {verdictStream, &s.verdicts}, {deadStream, &s.dead}} {
		if *want.stream, err = js.Stream(ctx, want.name); err != nil {
			return nil, missing("stream", want.name, nc, err)
		}
	}
	if s.evidence, err = bindBucket(ctx, js, evidenceBucket); err != nil {
		return nil, missing("bucket", evidenceBucket, nc, err)
	}
	return &Stores{s}, nil
}

func missing(what, name string, nc *nats.Conn, err error) error {
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return fmt.Errorf("the server at %s has no %s %s: no reassay serve has run on it, or with another login's account", nc.ConnectedUrlRedacted(), what, name)
	}
	return fmt.Errorf("open the %s %s: %w", what, name, err)
}

// scanning says what of a stream is read.
type scanning struct {
	filter  string
	since   time.Time // what was stored before is passed over; zero: nothing is
	headers bool      // headers alone, no data
}

// scan reads what a stream holds now, oldest first.
func scan(ctx context.Context, stream jetstream.Stream, what scanning) iter.Seq2[stored, error] {
	name := stream.CachedInfo().Config.Name
	return func(yield func(stored, error) bool) {
		fail := func(err error) { yield(stored{}, fmt.Errorf("read the stream %s: %w", name, err)) }
		c := jetstream.OrderedConsumerConfig{FilterSubjects: []string{what.filter}, HeadersOnly: what.headers}
		if !what.since.IsZero() {
			c.DeliverPolicy, c.OptStartTime = jetstream.DeliverByStartTimePolicy, &what.since
		}
		consumer, err := stream.OrderedConsumer(ctx, c)
		if err != nil {
			fail(err)
			return
		}
		defer func() {
			// The server forgets it by itself; this is only sooner.
			_ = stream.DeleteConsumer(context.WithoutCancel(ctx), consumer.CachedInfo().Name)
		}()
		if consumer.CachedInfo().NumPending == 0 {
			return
		}
		messages, err := consumer.Messages(jetstream.PullMaxMessages(scanBatch))
		if err != nil {
			fail(err)
			return
		}
		defer messages.Stop()
		for {
			msg, err := messages.Next(jetstream.NextContext(ctx))
			if err != nil {
				fail(err)
				return
			}
			meta, err := msg.Metadata()
			if err != nil {
				fail(err)
				return
			}
			m := stored{subject: msg.Subject(), seq: meta.Sequence.Stream, time: meta.Timestamp, header: msg.Headers(), data: msg.Data()}
			if !yield(m, nil) || meta.NumPending == 0 {
				return
			}
		}
	}
}

// scanBatch bounds how many messages of a scan wait locally.
const scanBatch = 64
