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

// workerCommand is the command of the processes in which the Node SDKs run.
const workerCommand = "run-worker"

// timeGrace is how long a run that is over its time may go on before its process is killed: JavaScript is interrupted
// and tells the limit itself, the engine's own functions do not hear of it.
const timeGrace = 5 * time.Second

// isolateFlags say how the Node SDKs are kept apart from the rest of the program.
type isolateFlags struct {
	memory byteSize
	time   time.Duration
}

func (f *isolateFlags) register(c *cobra.Command) {
	f.memory = isolate.DefaultMemory
	flags := c.Flags()
	flags.Var(&f.memory, "js-memory", "how much memory each process that runs a Node SDK may take")
	flags.DurationVar(&f.time, "js-time", node.DefaultLimits.Time, "how long a Node SDK may run on one stream")
}

// leastMemory is what the largest SDK needs to be loaded and run, several times over.
const leastMemory = 128 << 20

func (f *isolateFlags) validate() error {
	if f.memory < leastMemory {
		return usage("--js-memory: %s, want at least %s", f.memory, byteSize(leastMemory))
	}
	if f.time <= 0 {
		return usage("--js-time: %s, want more than 0", f.time)
	}
	return nil
}

// emulators are the SDKs that are built in, the Node SDKs in at most so many processes of their own. done ends those.
// Where the program cannot start itself, they run in this process.
func (f *isolateFlags) emulators(e env, processes int) (all []sdkemu.Emulator, done func(), err error) {
	if err := f.validate(); err != nil {
		return nil, nil, err
	}
	if all, err = check.Emulators(); err != nil {
		return nil, nil, err
	}
	done = func() {}
	for i, m := range all {
		n, ok := m.(*node.Emulator)
		if !ok {
			continue
		}
		n.Limits.Time = f.time
		if e.self == nil {
			continue
		}
		pool := isolate.New(n.Targets(), isolate.Config{
			Command:   e.self(workerCommand, "--js-memory", f.memory.String(), "--js-time", f.time.String()),
			Processes: processes,
			Memory:    int64(f.memory),
			Time:      f.time + timeGrace,
		})
		all[i], done = pool, pool.Close
	}
	return all, done, nil
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
		Short:  "Run Node SDKs for the process that started this one",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := f.validate(); err != nil {
				return err
			}
			n, err := node.New()
			if err != nil {
				return err
			}
			n.Limits.Time = f.time
			isolate.Worker{Emulator: n, Memory: int64(f.memory), Exit: e.exit, Errors: e.stderr}.Serve(e.stdin, e.stdout)
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
