package workers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

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
	evidence *bucket
}

// openStreams creates what is missing and checks what is there. A stream that somebody made otherwise is told, never
// changed.
func openStreams(ctx context.Context, js jetstream.JetStream, limits, defaults Limits) (*streams, error) {
	if err := checkServer(js.Conn().ConnectedServerVersion()); err != nil {
		return nil, err
	}
	if err := awaitJetStream(ctx, js); err != nil {
		return nil, err
	}
	s := &streams{js: js}
	var errs []error
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
		limits.fill(&want.config, defaults)
		stream, err := openStream(ctx, js, want.config, limits)
		errs = append(errs, err)
		*want.stream = stream
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var err error
	s.evidence, err = openEvidence(ctx, js, limits, defaults)
	return s, err
}

// openEvidence opens the bucket of the bytes behind verdicts.
func openEvidence(ctx context.Context, js jetstream.JetStream, limits, defaults Limits) (*bucket, error) {
	want := jetstream.StreamConfig{Name: bucketStream(evidenceBucket)}
	limits.fill(&want, defaults)
	b, err := bindBucket(ctx, js, evidenceBucket)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		_, err = js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{
			Bucket: evidenceBucket, Description: "bytes behind verdicts, keyed by their sha256", TTL: want.MaxAge, MaxBytes: want.MaxBytes, Replicas: want.Replicas,
		})
		if err == nil || errors.Is(err, jetstream.ErrBucketExists) {
			b, err = bindBucket(ctx, js, evidenceBucket)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open the bucket %s: %w", evidenceBucket, noRoomFor(want, err))
	}
	if err := limits.differs(b.stream.CachedInfo().Config); err != nil {
		return nil, leftAsItIs("bucket "+evidenceBucket, want.Name, err)
	}
	return b, nil
}

func openStream(ctx context.Context, js jetstream.JetStream, want jetstream.StreamConfig, limits Limits) (jetstream.Stream, error) {
	stream, err := js.Stream(ctx, want.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		stream, err = js.CreateStream(ctx, want)
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			stream, err = js.Stream(ctx, want.Name)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open the stream %s: %w", want.Name, noRoomFor(want, err))
	}
	got := stream.CachedInfo().Config
	if !slices.Equal(got.Subjects, want.Subjects) || got.Retention != want.Retention || got.Discard != want.Discard || !got.AllowDirect {
		return nil, fmt.Errorf("the stream %s is there with subjects %v, retention %s, discard %s, direct access %t; reassay needs subjects %v, retention %s, discard %s, direct access true: change it or use another server",
			want.Name, got.Subjects, got.Retention, got.Discard, got.AllowDirect, want.Subjects, want.Retention, want.Discard)
	}
	if err := limits.differs(got); err != nil {
		return nil, leftAsItIs("stream "+want.Name, want.Name, err)
	}
	return stream, nil
}

func leftAsItIs(what, stream string, err error) error {
	return fmt.Errorf("the %s is there and is left as it is, but %w: change it (nats stream edit %s), or do not ask for other limits than it has", what, err, stream)
}

// noRoomFor explains the error of making a stream that asks for more than the server has.
func noRoomFor(want jetstream.StreamConfig, err error) error {
	var refused *jetstream.APIError
	if errors.As(err, &refused) && refused.ErrorCode == errStorageExceeded {
		return fmt.Errorf("make it with room for %d bytes: %w: the server has less; ask for less", want.MaxBytes, err)
	}
	return err
}

// errStorageExceeded is the server's code for a stream that asks for more room than there is. Source: JSStorageResourcesExceededErr
// in nats-server's server/errors.json.
const errStorageExceeded jetstream.ErrorCode = 10047

// awaitJetStream waits for servers that have just come up: a cluster chooses its leader first.
func awaitJetStream(ctx context.Context, js jetstream.JetStream) error {
	var err error
	for deadline := time.Now().Add(jetStreamPatience); time.Now().Before(deadline); {
		if _, err = js.AccountInfo(ctx); err == nil {
			return nil
		}
		var refused *jetstream.APIError
		if errors.As(err, &refused) && refused.Code != 503 { // Service Unavailable: no leader yet
			break
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return fmt.Errorf("JetStream does not answer at %s: start the server with it (nats-server -js), and let this login's account use it: %w", js.Conn().ConnectedUrlRedacted(), err)
}

// jetStreamPatience is how long a server without JetStream is waited for.
const jetStreamPatience = 5 * time.Second

func checkServer(version string) error {
	if version == "" {
		return errors.New("not connected to the NATS server")
	}
	var major, minor int
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err != nil {
		return fmt.Errorf("the NATS server calls its version %q, which reassay cannot read: %w", version, err)
	}
	if major < minServer[0] || major == minServer[0] && minor < minServer[1] {
		return fmt.Errorf("the NATS server is %s; reassay needs %d.%d or newer", version, minServer[0], minServer[1])
	}
	return nil
}

// openConsumer opens the durable consumer that hands out the mirror's begins and ends, or makes it. The legs' own
// messages are not consumed: they are read back by subject when their exchange is complete. One that somebody made
// otherwise is told, never changed: other daemons may be reading from it. ackWait 0 takes what is there.
func openConsumer(ctx context.Context, s *streams, ackWait time.Duration) (jetstream.Consumer, error) {
	want := jetstream.ConsumerConfig{
		Durable:        consumerName,
		FilterSubjects: []string{mirror.BeginSubject("*", "*"), mirror.EndSubject("*", "*", "*")},
		AckPolicy:      jetstream.AckExplicitPolicy,
		AckWait:        ackWait,
		MaxDeliver:     -1,
		MaxAckPending:  maxAckPending,
	}
	if want.AckWait == 0 {
		want.AckWait = DefaultAckWait
	}
	consumer, err := s.mirror.Consumer(ctx, consumerName)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		consumer, err = s.mirror.CreateConsumer(ctx, want)
		if errors.Is(err, jetstream.ErrConsumerExists) {
			consumer, err = s.mirror.Consumer(ctx, consumerName)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open the consumer %s: %w", consumerName, err)
	}
	got := consumer.CachedInfo().Config
	filters := slices.Sorted(slices.Values(got.FilterSubjects))
	switch {
	case !slices.Equal(filters, slices.Sorted(slices.Values(want.FilterSubjects))) || got.AckPolicy != want.AckPolicy || got.MaxDeliver != want.MaxDeliver:
		return nil, fmt.Errorf("the consumer %s is there and is left as it is, but it has the subjects %v, the ack policy %s and at most %d deliveries; reassay needs the subjects %v, the ack policy %s and no end of deliveries: "+
			"remove it (nats consumer rm %s %s) and start again", consumerName, got.FilterSubjects, got.AckPolicy, got.MaxDeliver, want.FilterSubjects, want.AckPolicy, mirror.Stream, consumerName)
	case ackWait != 0 && got.AckWait != ackWait:
		return nil, fmt.Errorf("the consumer %s is there and is left as it is, but its ack wait is %s, not %s: change it (nats consumer edit %s %s --wait %s), or do not ask for another ack wait than it has",
			consumerName, got.AckWait, ackWait, mirror.Stream, consumerName, ackWait)
	}
	return consumer, nil
}

// maxAckPending bounds how many exchanges may be open at once: the begin of each waits unacknowledged for its ends.
const maxAckPending = 50_000
