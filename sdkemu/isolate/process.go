package isolate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"reassay/sdkemu"
)

// process is one worker process. It does one run at a time.
type process struct {
	cmd   *exec.Cmd
	in    *os.File // requests
	out   *os.File // results
	said  lastWords
	ended chan struct{} // closed when the process is reaped
}

// start runs a worker process. Running counts it until it is reaped, which happens as soon as it ends, whether anybody
// asks for it or not.
func start(command func() *exec.Cmd, running *sync.WaitGroup) (*process, error) {
	requests, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, results, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, requests.Close(), in.Close())
	}
	p := &process{cmd: command(), in: in, out: out, ended: make(chan struct{})}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = requests, results, &p.said
	p.cmd.WaitDelay = time.Second
	err = p.cmd.Start()
	// The child has its own; were these left open, nobody would see an end of them.
	closed := errors.Join(requests.Close(), results.Close())
	if err != nil {
		return nil, errors.Join(err, closed, in.Close(), out.Close())
	}
	running.Go(func() {
		_ = p.cmd.Wait() // its state and last line say more
		close(p.ended)
	})
	return p, nil
}

// gone reports whether an idle process has ended, which nobody asked it to.
func (p *process) gone() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// end kills the process and waits until it is reaped.
func (p *process) end() {
	p.kill()
	<-p.ended
	_, _ = p.in.Close(), p.out.Close() // pipes that nobody reads
}

func (p *process) kill() { _ = p.cmd.Process.Kill() } // it can only fail because the process has ended

// run does one run. After an error the process is gone: the error is ctx's cause, errMemory or a [deathError].
func (p *process) run(ctx context.Context, request message, most int64) (sdkemu.Result, error) {
	stop := context.AfterFunc(ctx, p.kill)
	err := request.write(p.in)
	var res sdkemu.Result
	if err == nil {
		res, err = readResult(p.out, most)
	}
	if !stop() { // it is being killed
		p.end()
		return res, context.Cause(ctx)
	}
	if err != nil {
		p.settle()
		p.end()
		return res, p.death(err)
	}
	return res, nil
}

// settle gives a process that closed its pipes time to end by itself, so that its own exit status is told.
func (p *process) settle() {
	timer := time.NewTimer(time.Second)
	defer timer.Stop()
	select {
	case <-p.ended:
	case <-timer.C:
	}
}

// errMemory says that a process ended because it took too much memory.
var errMemory = errors.New("the run took too much memory")

// deathError is a worker process that ended, or did not answer as it should, and why it could have.
type deathError struct {
	state string // exit status or signal
	said  string // its last words
	err   error  // what was seen on its pipe
}

func (e *deathError) Error() string {
	if e.said == "" {
		return fmt.Sprintf("%s (%v)", e.state, e.err)
	}
	return fmt.Sprintf("%s: %s", e.state, e.said)
}

// outOfMemory are the words with which a process ends that gets no more memory, or whose stack has grown too large: the
// Go runtime's (runtime/malloc.go, runtime/mem_linux.go, runtime/stack.go of Go 1.26), and those of its race detector,
// which keeps memory of its own.
var outOfMemory = []string{"out of memory", "cannot allocate memory", "stack overflow", "ThreadSanitizer failed to allocate"}

// death says why a process ended that is reaped.
func (p *process) death(err error) error {
	said := p.said.String()
	if p.cmd.ProcessState.ExitCode() == exitMemory {
		return errMemory
	}
	for _, words := range outOfMemory {
		if strings.Contains(said, words) {
			return errMemory
		}
	}
	return &deathError{p.cmd.ProcessState.String(), said, err}
}
