package isolate

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"

	"reassay/sdkemu"
)

// exitMemory is the exit status of a worker that took too much memory; sysexits.h, EX_TEMPFAIL: try again later.
const exitMemory = 75

// Worker is the process at the other end of a [Pool]'s pipes.
type Worker struct {
	Emulators []sdkemu.Emulator
	Memory    int64 // in bytes; over it the process ends
	Exit      func(code int)
	Errors    io.Writer // where the process says why it ends
}

// Serve does the runs that it reads from in, one after the other, and writes each one's result to out. It never
// returns: when in ends, because the pool has closed it or its process has died, Exit is called, in the middle of a run
// too.
func (w Worker) Serve(in io.Reader, out io.Writer) {
	m := meter{limit: w.Memory, over: func() { w.Exit(exitMemory) }}
	m.contain()
	type run struct {
		target sdkemu.Target
		in     sdkemu.Input
	}
	runs := make(chan run)
	go func() {
		requests := bufio.NewReader(in)
		for {
			t, input, err := readRequest(requests, w.Memory)
			switch {
			case errors.Is(err, io.EOF):
				w.Exit(0)
			case err != nil:
				w.fail(fmt.Errorf("read the pipe: %w", err))
			}
			runs <- run{t, input}
		}
	}()
	for r := range runs {
		var res sdkemu.Result
		m.during(func() { res = w.run(r.target, r.in) })
		if err := encodeResult(res).write(out); err != nil {
			w.fail(fmt.Errorf("write the pipe: %w", err))
		}
		if m.used() > w.Memory/4 {
			debug.FreeOSMemory() // the next run may be long in coming
		}
	}
}

func (w Worker) run(t sdkemu.Target, in sdkemu.Input) sdkemu.Result {
	for _, e := range w.Emulators {
		if slices.Contains(e.Targets(), t) {
			return e.Run(context.Background(), t, in)
		}
	}
	return failed(fmt.Errorf("%s is not built in", t.Name()))
}

// fail ends the process with a word of why.
func (w Worker) fail(err error) {
	fmt.Fprintf(w.Errors, "worker process: %v\n", err)
	w.Exit(1)
}
