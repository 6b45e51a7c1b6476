package workers

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"reassay/mirror"
)

// Limits say how much the streams hold, for how long, and how many servers keep a copy. What is zero is not asked
// for: a stream that is there keeps what it has, a new one is made with [DefaultLimits].
type Limits struct {
	Mirror   StreamLimits // full, it refuses its publishers
	Verdicts StreamLimits // full, it forgets the oldest
	Dead     StreamLimits // likewise
	Evidence StreamLimits // full, verdicts are stored without theirs
	Replicas int          // of the streams and of the evidence
}

// StreamLimits are one stream's.
type StreamLimits struct {
	Age   time.Duration // how long a message is kept; negative: for good
	Bytes int64         // how much is kept; negative: whatever the server's store holds
}

// DefaultLimits are those of streams that are made without being asked for others. An embedded server's streams share
// its store beside them: see shareStore.
var DefaultLimits = Limits{
	Mirror:   StreamLimits{Age: 30 * 24 * time.Hour, Bytes: -1},
	Verdicts: StreamLimits{Age: 90 * 24 * time.Hour, Bytes: -1},
	Dead:     StreamLimits{Age: 90 * 24 * time.Hour, Bytes: -1},
	Evidence: StreamLimits{Age: 90 * 24 * time.Hour, Bytes: -1},
	Replicas: 1,
}

// What a stream may take of a store whose size is known, when nobody asks for more or less: a mirror that has run full
// must leave room for the verdicts that empty it. Together they leave three sixteenths for what the server needs itself.
const (
	mirrorShare  = 2  // one half
	verdictShare = 8  // one eighth
	deadShare    = 16 // one sixteenth
	keptShare    = 8  // one eighth
)

// shareStore are the defaults on a store of so many bytes, negative when nobody knows how many.
func shareStore(store int64) Limits {
	l := DefaultLimits
	if store > 0 {
		l.Mirror.Bytes = store / mirrorShare
		l.Verdicts.Bytes = store / verdictShare
		l.Dead.Bytes = store / deadShare
		l.Evidence.Bytes = store / keptShare
	}
	return l
}

// of finds a stream's own.
func (l Limits) of(stream string) StreamLimits {
	switch stream {
	case mirror.Stream:
		return l.Mirror
	case verdictStream:
		return l.Verdicts
	case bucketStream(evidenceBucket):
		return l.Evidence
	}
	return l.Dead
}

// fill puts a new stream's limits into its configuration.
func (l Limits) fill(c *jetstream.StreamConfig, defaults Limits) {
	own, otherwise := l.of(c.Name), defaults.of(c.Name)
	c.MaxAge, c.MaxBytes = own.Age, own.Bytes
	if c.MaxAge == 0 {
		c.MaxAge = otherwise.Age
	}
	if c.MaxBytes == 0 {
		c.MaxBytes = otherwise.Bytes
	}
	c.MaxAge, c.MaxBytes = max(c.MaxAge, 0), max(c.MaxBytes, -1)
	c.Replicas = l.Replicas
	if c.Replicas == 0 {
		c.Replicas = defaults.Replicas
	}
}

// differs says where a stream that is there keeps other limits than were asked for. What was not asked for may be
// anything.
func (l Limits) differs(got jetstream.StreamConfig) error {
	own := l.of(got.Name)
	var all []string
	if own.Age != 0 && max(own.Age, 0) != got.MaxAge {
		all = append(all, fmt.Sprintf("it keeps messages %s, not %s", orNoLimit("for "+got.MaxAge.String(), got.MaxAge > 0), orNoLimit("for "+own.Age.String(), own.Age > 0)))
	}
	if own.Bytes != 0 && max(own.Bytes, -1) != got.MaxBytes {
		all = append(all, fmt.Sprintf("it keeps %s, not %s", orNoLimit(fmt.Sprintf("%d bytes", got.MaxBytes), got.MaxBytes > 0), orNoLimit(fmt.Sprintf("%d bytes", own.Bytes), own.Bytes > 0)))
	}
	if l.Replicas != 0 && l.Replicas != got.Replicas {
		all = append(all, fmt.Sprintf("it has %d replicas, not %d", got.Replicas, l.Replicas))
	}
	if len(all) == 0 {
		return nil
	}
	return errors.New(strings.Join(all, ", "))
}

func orNoLimit(text string, limited bool) string {
	if !limited {
		return "without limit"
	}
	return text
}

// validate reports what is wrong with l.
func (l Limits) validate() error {
	var errs []error
	for _, s := range []struct {
		name string
		age  time.Duration
	}{{"mirror", l.Mirror.Age}, {"verdict", l.Verdicts.Age}, {"dead letter", l.Dead.Age}, {"evidence", l.Evidence.Age}} {
		if s.age > 0 && s.age < leastAge {
			errs = append(errs, fmt.Errorf("the %s age is %s, want at least %s", s.name, s.age, leastAge))
		}
	}
	if l.Replicas < 0 || l.Replicas > maxReplicas {
		errs = append(errs, fmt.Errorf("%d replicas, want 1 to %d", l.Replicas, maxReplicas))
	}
	return errors.Join(errs...)
}

const (
	leastAge    = 100 * time.Millisecond // the server's own
	maxReplicas = 5                      // the server's own
)
