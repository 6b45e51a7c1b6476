// Package workers judges exchanges that are mirrored on NATS: it embeds a server or uses one, reads the mirror,
// judges, publishes verdicts and settles every message. JetStream is the buffer and the log; a worker keeps no state
// between messages and may die at any point.
package workers

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"go.uber.org/zap"

	"reassay/check"
	"reassay/meter"
)

// Config says how exchanges are read and judged.
type Config struct {
	Workers      int                               // how many exchanges are judged at once; 0 stands for the number of cores
	Idle         time.Duration                     // an exchange without a new message for so long is judged as incomplete; 0 stands for [DefaultIdle]
	Join         time.Duration                     // an exchange whose legs have not all ended so long after its begin is incomplete; 0 stands for [DefaultJoin]
	AckWait      time.Duration                     // how long the server waits for a worker before it gives the message to another; 0 takes what the consumer has, a new one [DefaultAckWait]
	MaxBody      int64                             // an exchange whose legs hold more bytes is a dead letter; 0 stands for [DefaultMaxBody]
	Memory       int64                             // bytes of memory that the exchanges being judged may take together: they wait for each other, and one that needs more alone is a dead letter; 0: no bound
	Limits       Limits                            // of the streams; zero: as they are
	Store        int64                             // bytes that the server's streams may take together, which new streams share; 0: nobody knows
	Within       time.Duration                     // how long what is being judged may go on after the end was asked for; then it is left to the next worker
	Redact       func(check.Verdict) check.Verdict // what is stored of a verdict; nil: all of it
	KeepEvidence bool                              // whether the bytes behind verdicts that are not clean are kept
	Log          *zap.Logger                       // nil: silent
	Meter        *meter.Meter                      // counts what is done; nil: nobody counts
	Reached      func(Step)                        // called at each step of each message, by several goroutines at once; nil: not
}

// The defaults of [Config].
const (
	DefaultIdle    = 2 * time.Minute
	DefaultJoin    = 15 * time.Minute
	DefaultAckWait = time.Minute
	DefaultMaxBody = 256 << 20
)

// withDefaults fills in what is zero.
func (c Config) withDefaults() Config {
	if c.Workers == 0 {
		c.Workers = runtime.NumCPU()
	}
	if c.Idle == 0 {
		c.Idle = DefaultIdle
	}
	if c.Join == 0 {
		c.Join = DefaultJoin
	}
	if c.MaxBody == 0 {
		c.MaxBody = DefaultMaxBody
	}
	if c.Redact == nil {
		c.Redact = func(v check.Verdict) check.Verdict { return v }
	}
	if c.Log == nil {
		c.Log = zap.NewNop()
	}
	return c
}

// Validate reports everything that is wrong with c.
func (c Config) Validate() error {
	var errs []error
	if c.Workers < 0 {
		errs = append(errs, fmt.Errorf("workers is %d, want at least 1", c.Workers))
	}
	for _, d := range []struct {
		name string
		d    time.Duration
	}{{"idle limit", c.Idle}, {"join limit", c.Join}, {"ack wait", c.AckWait}, {"time to stop", c.Within}} {
		if d.d < 0 {
			errs = append(errs, fmt.Errorf("%s is %s, want more than 0", d.name, d.d))
		}
	}
	if c.MaxBody < 0 {
		errs = append(errs, fmt.Errorf("the body limit is %d bytes, want more than 0", c.MaxBody))
	}
	if c.Memory < 0 {
		errs = append(errs, fmt.Errorf("the memory bound is %d bytes, want more than 0", c.Memory))
	}
	return errors.Join(append(errs, c.Limits.validate())...)
}
