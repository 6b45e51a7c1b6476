package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"reassay/check"
	"reassay/sdkemu"
	"reassay/sdkemu/isolate"
	"reassay/sdkemu/node"
)

// workerCommand is the command of the processes in which SDKs run.
const workerCommand = "run-worker"

// timeGrace is how long a run that is over its time may go on before its process is killed: JavaScript is interrupted
// and tells the limit itself, the engine's own functions do not hear of it.
const timeGrace = 5 * time.Second

// isolateFlags say what a run of an SDK may take. Every command that runs SDKs does so in processes of its own: one that
// judges a single file pays some 20 ms for it, and no stream takes it down.
type isolateFlags struct {
	memory byteSize
	time   time.Duration
}

func (f *isolateFlags) register(c *cobra.Command) {
	f.memory = isolate.DefaultMemory
	flags := c.Flags()
	flags.Var(&f.memory, "sdk-memory", "how much memory each process that runs SDKs may take; there are as many as --workers")
	flags.DurationVar(&f.time, "sdk-time", node.DefaultLimits.Time, "how long one SDK may run on one stream")
}

// leastMemory is what the largest SDK needs to be loaded and run, several times over.
const leastMemory = 128 << 20

func (f *isolateFlags) validate() error {
	if f.memory < leastMemory {
		return usage("--sdk-memory: %s, want at least %s", f.memory, byteSize(leastMemory))
	}
	if f.time <= 0 {
		return usage("--sdk-time: %s, want more than 0", f.time)
	}
	return nil
}

// built are the SDKs that are built in, to be run in this process.
func (f *isolateFlags) built() ([]sdkemu.Emulator, error) {
	all, err := check.Emulators()
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		if n, ok := e.(*node.Emulator); ok {
			n.Limits.Time = f.time
		}
	}
	return all, nil
}

// emulators are the SDKs that are built in, run in at most so many processes. done ends those. Where the program cannot
// start itself, they run in this process.
func (f *isolateFlags) emulators(e env, processes int) (all []sdkemu.Emulator, done func(), err error) {
	if err := f.validate(); err != nil {
		return nil, nil, err
	}
	if all, err = f.built(); err != nil {
		return nil, nil, err
	}
	if e.self == nil {
		return all, func() {}, nil
	}
	pool := isolate.New(all, isolate.Config{
		Command:   e.self(workerCommand, "--sdk-memory", f.memory.String(), "--sdk-time", f.time.String()),
		Processes: processes,
		Memory:    int64(f.memory),
		Time:      f.time + timeGrace,
	})
	return []sdkemu.Emulator{pool}, pool.Close, nil
}

// checker prepares judging with the SDKs that a flag names. done ends the processes that it starts.
func (f *isolateFlags) checker(e env, processes int, c check.Config) (k *check.Checker, done func(), err error) {
	done = func() {}
	if len(c.SDKs) > 0 {
		if c.Emulators, done, err = f.emulators(e, processes); err != nil {
			return nil, nil, err
		}
	}
	if k, err = check.New(c); err != nil {
		done()
		return nil, nil, usage("--sdk: %v", err)
	}
	return k, done, nil
}

// newRunWorker is the other end: the program starts itself with this command.
func newRunWorker(e env) *cobra.Command {
	var f isolateFlags
	c := &cobra.Command{
		Use:    workerCommand,
		Short:  "Run SDKs for the process that started this one",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := f.validate(); err != nil {
				return err
			}
			all, err := f.built()
			if err != nil {
				return err
			}
			isolate.Worker{Emulators: all, Memory: int64(f.memory), Exit: e.exit, Errors: e.stderr}.Serve(e.stdin, e.stdout)
			return nil
		},
	}
	f.register(c)
	return c
}

// byteSize is a number of bytes as a flag spells it: "1GiB", "512MiB", "1048576".
type byteSize int64

var byteUnits = []struct {
	name string
	size byteSize
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

// Set reads a flag's value.
func (b *byteSize) Set(text string) error {
	size := byteSize(1)
	for _, u := range byteUnits {
		if number, ok := strings.CutSuffix(text, u.name); ok {
			text, size = number, u.size
			break
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > int64(1<<62/size) {
		return fmt.Errorf("want a number of bytes, as 1GiB, 512MiB or 1048576")
	}
	*b = byteSize(n) * size
	return nil
}

// String spells it with the largest unit that it is a multiple of.
func (b byteSize) String() string {
	for _, u := range byteUnits {
		if b != 0 && b%u.size == 0 {
			return fmt.Sprintf("%d%s", b/u.size, u.name)
		}
	}
	return strconv.FormatInt(int64(b), 10)
}

// Type is what the help calls the value.
func (b *byteSize) Type() string { return "bytes" }
