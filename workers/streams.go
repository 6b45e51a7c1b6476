package workers

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/nats-io/nats.go/jetstream"

	"reassay/mirror"
)

// Names of the contract, section 2.
const (
	verdictStream   = "REASSAY_VERDICTS"
	verdictSubjects = "reassay.verdict.>"
	verdictPrefix   = "reassay.verdict."
	deadStream      = "REASSAY_DEAD"
	deadSubjects    = "reassay.dead.>"
	deadPrefix      = "reassay.dead."
	evidenceBucket  = "REASSAY_EVIDENCE"
	consumerName    = "reassay-judge"
)

// minServer is the first NATS server that answers direct requests for batches and for the last messages of several
// subjects, which is how an exchange is read back (ADR-31 of nats-architecture-and-design).
var minServer = [2]int{2, 11}

// streams are the three streams and the bucket, opened.
type streams struct {
	js       jetstream.JetStream
	mirror   jetstream.Stream
	verdicts jetstream.Stream
	dead     jetstream.Stream
	evidence jetstream.ObjectStore
}

// openStreams creates what is missing and checks what is there. A stream that somebody made otherwise is told, never
// changed.
func openStreams(ctx context.Context, js jetstream.JetStream) (*streams, error) {
	if err := checkServer(js.Conn().ConnectedServerVersion()); err != nil {
		return nil, err
	}
	s := &streams{js: js}
	for _, want := range []struct {
		stream *jetstream.Stream
		config jetstream.StreamConfig
	}{
		{&s.mirror, jetstream.StreamConfig{
			Name: mirror.Stream, Subjects: []string{mirror.Subjects}, Discard: jetstream.DiscardNew,
			Description: "reply legs as gateways mirror them, until they are judged",
		}},
		{&s.verdicts, jetstream.StreamConfig{
			Name: verdictStream, Subjects: []string{verdictSubjects},
			Description: "verdicts on exchanges",
		}},
		{&s.dead, jetstream.StreamConfig{
			Name: deadStream, Subjects: []string{deadSubjects},
			Description: "messages that could not be judged, with the reason",
		}},
	} {
		want.config.Retention = jetstream.LimitsPolicy
		want.config.Storage = jetstream.FileStorage
		want.config.AllowDirect = true
		stream, err := openStream(ctx, js, want.config)
		if err != nil {
			return nil, err
		}
		*want.stream = stream
	}
	evidence, err := js.ObjectStore(ctx, evidenceBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		evidence, err = js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{
			Bucket: evidenceBucket, Description: "bytes behind verdicts, keyed by their sha256",
		})
		if errors.Is(err, jetstream.ErrBucketExists) {
			evidence, err = js.ObjectStore(ctx, evidenceBucket)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open the bucket %s: %w", evidenceBucket, err)
	}
	s.evidence = evidence
	return s, nil
}

func openStream(ctx context.Context, js jetstream.JetStream, want jetstream.StreamConfig) (jetstream.Stream, error) {
	stream, err := js.Stream(ctx, want.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		stream, err = js.CreateStream(ctx, want)
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			stream, err = js.Stream(ctx, want.Name)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open the stream %s: %w", want.Name, err)
	}
	got := stream.CachedInfo().Config
	if !slices.Equal(got.Subjects, want.Subjects) || got.Retention != want.Retention || got.Discard != want.Discard || !got.AllowDirect {
		return nil, fmt.Errorf("the stream %s is there with subjects %v, retention %s, discard %s, direct access %t; reassay needs subjects %v, retention %s, discard %s, direct access true: change it or use another server",
			want.Name, got.Subjects, got.Retention, got.Discard, got.AllowDirect, want.Subjects, want.Retention, want.Discard)
	}
	return stream, nil
}

func checkServer(version string) error {
	var major, minor int
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err != nil {
		return fmt.Errorf("the NATS server calls its version %q, which reassay cannot read: %w", version, err)
	}
	if major < minServer[0] || major == minServer[0] && minor < minServer[1] {
		return fmt.Errorf("the NATS server is %s; reassay needs %d.%d or newer", version, minServer[0], minServer[1])
	}
	return nil
}

// openConsumer opens the durable consumer that hands out the mirror's begins and ends. The legs' own messages are
// not consumed: they are read back by subject when their exchange is complete.
func openConsumer(ctx context.Context, s *streams, c Config) (jetstream.Consumer, error) {
	consumer, err := s.mirror.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable:        consumerName,
		FilterSubjects: []string{mirror.BeginSubject("*", "*"), mirror.EndSubject("*", "*", "*")},
		AckPolicy:      jetstream.AckExplicitPolicy,
		AckWait:        c.AckWait,
		MaxDeliver:     -1,
		MaxAckPending:  maxAckPending,
	})
	if err != nil {
		return nil, fmt.Errorf("open the consumer %s: %w", consumerName, err)
	}
	return consumer, nil
}

// maxAckPending bounds how many exchanges may be open at once: the begin of each waits unacknowledged for its ends.
const maxAckPending = 50_000
