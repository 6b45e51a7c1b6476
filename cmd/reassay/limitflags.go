package main

import (
	"time"

	"github.com/spf13/cobra"

	"reassay/workers"
)

// limitFlags say how much the daemon's streams hold. What is not given is not asked for.
type limitFlags struct {
	mirror   streamFlags
	verdicts streamFlags
	dead     streamFlags
	evidence streamFlags
	replicas int
	given    func(name string) bool
}

// streamFlags are one stream's.
type streamFlags struct {
	age   time.Duration
	bytes byteSize
}

func (f *limitFlags) register(c *cobra.Command) {
	f.given = c.Flags().Changed
	flags := c.Flags()
	for _, s := range []struct {
		name, holds string
		to          *streamFlags
		age         time.Duration
		full        string
	}{
		{"mirror", "mirrored traffic", &f.mirror, workers.DefaultLimits.Mirror.Age, "a mirror that is full refuses its publishers; a new one takes half of an embedded server's store unless told"},
		{"verdict", "verdicts", &f.verdicts, workers.DefaultLimits.Verdicts.Age, "the oldest go first; a new stream takes an eighth of an embedded server's store unless told"},
		{"dead", "dead letters", &f.dead, workers.DefaultLimits.Dead.Age, "the oldest go first; a new stream takes a sixteenth of an embedded server's store unless told"},
		{"evidence", "the bytes behind verdicts that are not clean", &f.evidence, workers.DefaultLimits.Evidence.Age, "a bucket that is full takes no more, and verdicts are stored without them; a new one takes an eighth of an embedded server's store unless told"},
	} {
		flags.DurationVar(&s.to.age, s.name+"-age", s.age, "how long "+s.holds+" are kept, 0 for good; a stream that is there must have the same, unless the flag is left out")
		flags.Var(&s.to.bytes, s.name+"-bytes", "how many bytes of "+s.holds+" are kept, 0 without limit; "+s.full)
	}
	flags.IntVar(&f.replicas, "replicas", workers.DefaultLimits.Replicas, "how many servers of a cluster keep each stream and the evidence; 3 survives the loss of one")
}

// limits are those that were asked for.
func (f *limitFlags) limits() workers.Limits {
	l := workers.Limits{Mirror: f.of("mirror", f.mirror), Verdicts: f.of("verdict", f.verdicts), Dead: f.of("dead", f.dead), Evidence: f.of("evidence", f.evidence)}
	if f.given("replicas") {
		l.Replicas = f.replicas
	}
	return l
}

func (f *limitFlags) of(name string, s streamFlags) workers.StreamLimits {
	var l workers.StreamLimits
	if f.given(name + "-age") {
		if l.Age = s.age; s.age == 0 {
			l.Age = -1
		}
	}
	if f.given(name + "-bytes") {
		if l.Bytes = int64(s.bytes); s.bytes == 0 {
			l.Bytes = -1
		}
	}
	return l
}

func (f *limitFlags) validate() error {
	if f.replicas < 1 {
		return usage("--replicas: %d, want at least 1", f.replicas)
	}
	for _, s := range []struct {
		name string
		age  time.Duration
	}{{"mirror", f.mirror.age}, {"verdict", f.verdicts.age}, {"dead", f.dead.age}, {"evidence", f.evidence.age}} {
		if s.age < 0 {
			return usage("--%s-age: %s, want 0 or more", s.name, s.age)
		}
	}
	return nil
}
