package main

import (
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"reassay/workers"
)

// workFlags say how the daemon's workers judge, and what they may take.
type workFlags struct {
	workers int
	memory  byteSize
	idle    time.Duration
	join    time.Duration
	ackWait time.Duration
	within  time.Duration
	given   func(name string) bool
}

const (
	// defaultMemory is what the daemon takes at most unless told.
	defaultMemory = 1 << 30
	// ownMemory is what the process takes of it beside the exchanges that are being judged: the program itself, the
	// embedded server's buffers, messages that wait.
	ownMemory = 320 << 20
	// leastRoom is what must be left for judging: an exchange of 10 MiB.
	leastRoom = 192 << 20
)

func (f *workFlags) register(c *cobra.Command) {
	f.memory = defaultMemory
	f.given = c.Flags().Changed
	flags := c.Flags()
	flags.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "how many exchanges are judged at once")
	flags.Var(&f.memory, "memory", "how much memory the daemon may take, the SDKs' processes (--sdk-memory) not counted: large exchanges wait for each other, and one that is too large for it is a dead letter")
	flags.DurationVar(&f.idle, "idle-limit", workers.DefaultIdle, "an exchange without a new message for so long is incomplete")
	flags.DurationVar(&f.join, "join-limit", workers.DefaultJoin, "an exchange whose legs have not all ended so long after its begin is incomplete")
	flags.DurationVar(&f.ackWait, "ack-wait", workers.DefaultAckWait, "how long after a worker's last sign of life what it was judging is given to another; a consumer that is there must have the same, unless the flag is left out")
	flags.DurationVar(&f.within, "stop-within", 20*time.Second, "how long after SIGTERM or SIGINT what is being judged may go on; then it is left to the next worker. A second signal ends the process at once")
}

func (f *workFlags) validate() error {
	switch {
	case f.workers < 1:
		return usage("--workers: %d, want at least 1", f.workers)
	case f.ackWait < time.Second:
		return usage("--ack-wait: %s, want at least 1s", f.ackWait)
	case f.memory < ownMemory+leastRoom:
		return usage("--memory: %s, want at least %s", f.memory, byteSize(ownMemory+leastRoom))
	case f.within < 0:
		return usage("--stop-within: %s, want 0s or more", f.within)
	}
	return nil
}

// fill puts the flags into the workers' configuration.
func (f *workFlags) fill(c *workers.Config) {
	c.Workers, c.Idle, c.Join, c.Within = f.workers, f.idle, f.join, f.within
	c.Memory = int64(f.memory) - ownMemory
	if f.given("ack-wait") {
		c.AckWait = f.ackWait
	}
}

// tuneMemory lets the garbage collector keep the bound, unless GOMEMLIMIT says otherwise. What the collector does not
// see (the program's own pages, the runtime's threads) is left out of it.
func (f *workFlags) tuneMemory(getenv func(string) string) {
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(f.memory) / 5 * 3)
	}
}
