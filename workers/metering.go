package workers

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"reassay/check"
	"reassay/meter"
	"reassay/mirror"
)

// String is how the meter calls an outcome.
func (o outcome) String() string {
	return [...]string{done: "done", waiting: "waiting", retry: "retry", poison: "dead letter", shutdown: "shutdown"}[o]
}

// source is where this pool's messages come from.
func (p *pool) source(consumer jetstream.Consumer) meter.Source {
	return meter.Source{
		Connected: p.streams.js.Conn().IsConnected,
		Census:    func(ctx context.Context) (meter.Census, error) { return p.streams.census(ctx, consumer) },
	}
}

// census asks the server what it holds.
func (s *streams) census(ctx context.Context, consumer jetstream.Consumer) (meter.Census, error) {
	info, err := consumer.Info(ctx)
	if err != nil {
		return meter.Census{}, fmt.Errorf("ask for the consumer %s: %w", consumerName, err)
	}
	c := meter.Census{Waiting: info.NumPending, Unsettled: uint64(info.NumAckPending)}
	for _, stream := range []jetstream.Stream{s.mirror, s.verdicts, s.dead} {
		info, err := stream.Info(ctx)
		if err != nil {
			return meter.Census{}, fmt.Errorf("ask for the stream %s: %w", stream.CachedInfo().Config.Name, err)
		}
		c.Streams = append(c.Streams, meter.Stream{
			Name: info.Config.Name, Messages: info.State.Msgs, Bytes: info.State.Bytes, MaxBytes: info.Config.MaxBytes,
		})
	}
	return c, nil
}

// gatewayOf is the token of a subject's gateway, "_" where the subject is none of the mirror's.
func gatewayOf(subject string) string {
	s, err := mirror.ParseSubject(subject)
	if err != nil {
		return "_"
	}
	return s.Gateway
}

// taken counts a message that a worker has in hand.
func (p *pool) taken(msg jetstream.Msg) (settled func(outcome string)) {
	kind, deliveries := "unreadable", uint64(1)
	if subject, err := mirror.ParseSubject(msg.Subject()); err == nil {
		kind = string(subject.Kind)
	}
	if meta, err := msg.Metadata(); err == nil {
		deliveries = meta.NumDelivered
	}
	return p.config.Meter.Delivered(kind, deliveries)
}

// stored counts a verdict that this pool stored.
func (p *pool) stored(gateway string, in *incoming, v check.Verdict) {
	p.config.Meter.Verdict(gateway, v, time.Since(in.last))
	if in.dropped() {
		p.config.Meter.Dropped(gateway)
	}
}

// dropped reports whether a publisher says that it dropped a part.
func (in *incoming) dropped() bool {
	for _, l := range in.legs {
		if l.end != nil && l.end.Dropped {
			return true
		}
	}
	return false
}
