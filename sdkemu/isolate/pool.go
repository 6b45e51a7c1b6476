// Package isolate runs emulators in worker processes, which are ended and replaced when a run takes more memory or time
// than it may: an engine's native functions cannot be interrupted, one of them can ask for all the memory that there is,
// and an SDK that parses a growing text anew with every chunk can be kept busy for hours. What a run gives is what it
// would give in this process, byte for byte.
//
// The program that uses a [Pool] is its worker too, started anew with arguments that make it call [Worker.Serve].
package isolate

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"sync"
	"time"

	"reassay/sdkemu"
)

// DefaultMemory is how much a worker process may take, in bytes.
const DefaultMemory = 1 << 30

// Config says how runs are kept apart.
type Config struct {
	// Command makes the command of one worker process. Its standard streams are the pool's.
	Command func() *exec.Cmd
	// Processes is how many there are at most; each does one run at a time.
	Processes int
	// Memory is what one process may take, in bytes: that which its [Worker] was given.
	Memory int64
	// Time is how long a run may take until its process is ended. The emulator's own limit should be met before it.
	Time time.Duration
}

// Pool stands for emulators whose runs take place in worker processes. They are started when they are first needed and serve
// many runs. It implements [sdkemu.Emulator].
type Pool struct {
	config  Config
	targets []sdkemu.Target
	slots   chan struct{} // one token a run

	closing context.Context // ends when the pool is closed
	close   context.CancelFunc

	mu      sync.Mutex
	idle    []*process
	running sync.WaitGroup // of processes that are not reaped yet
}

var _ sdkemu.Emulator = (*Pool)(nil)

// New makes a pool whose workers have the emulators given; none of them runs anything here. Close ends the workers.
func New(emulators []sdkemu.Emulator, c Config) *Pool {
	var targets []sdkemu.Target
	for _, e := range emulators {
		targets = append(targets, e.Targets()...)
	}
	p := &Pool{config: c, targets: targets, slots: make(chan struct{}, max(1, c.Processes))}
	p.closing, p.close = context.WithCancel(context.Background())
	return p
}

// Targets lists what the workers run.
func (p *Pool) Targets() []sdkemu.Target { return slices.Clone(p.targets) }

// Close ends every worker process, those in a run too, and waits until they are gone. Runs after it are inconclusive.
func (p *Pool) Close() {
	p.close()
	p.mu.Lock() // nobody takes or gives now, and nobody will
	for _, w := range p.idle {
		w.end()
	}
	p.idle = nil
	p.mu.Unlock()
	p.running.Wait()
}

var errClosed = errors.New("the pool of worker processes is closed")

// Run gives the SDK a reply in a worker process. A run that overruns its memory or time is inconclusive with the limit
// named, and its process is replaced. A process that ends for another reason is not the run's fault until it happens
// twice: then the run is inconclusive, too. All of these are worth another try.
func (p *Pool) Run(ctx context.Context, t sdkemu.Target, in sdkemu.Input) sdkemu.Result {
	if !slices.Contains(p.targets, t) {
		return failed(fmt.Errorf("%s is not built in", t.Name()))
	}
	request, err := encodeRequest(t, in)
	if err != nil {
		return failed(fmt.Errorf("hand the run to a worker process: %w", err))
	}
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return cutOff(context.Cause(ctx))
	case <-p.closing.Done():
		return cutOff(errClosed)
	}
	var first *deathError
	for {
		res, err := p.attempt(ctx, request)
		var death *deathError
		switch {
		case err == nil:
			return res
		case ctx.Err() != nil:
			return cutOff(context.Cause(ctx))
		case p.closing.Err() != nil:
			return cutOff(errClosed)
		case errors.As(err, &death) && first == nil:
			first = death
		case errors.As(err, &death):
			return again(fmt.Sprintf("the worker process ended twice in this run: %v; before: %v", death, first))
		default:
			return again(err.Error())
		}
	}
}

// attempt does one run in one process. The error says why there is no result: a limit, a [deathError], or that no
// process could be started.
func (p *Pool) attempt(ctx context.Context, request message) (sdkemu.Result, error) {
	w, err := p.take()
	if err != nil {
		return sdkemu.Result{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.closing, cancel)()
	if p.config.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, p.config.Time, errTime)
		defer cancel()
	}
	res, err := w.run(ctx, request, p.config.Memory)
	switch {
	case err == nil:
		p.give(w)
		return res, nil
	case errors.Is(err, errTime):
		return res, fmt.Errorf("limit time: the run took longer than %s", p.config.Time)
	case errors.Is(err, errMemory):
		return res, fmt.Errorf("limit memory: the run took more than %d MiB", p.config.Memory>>20)
	}
	return res, err
}

var errTime = errors.New("the run took too long")

// take returns an idle process, or a new one.
func (p *Pool) take() (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing.Err() != nil {
		return nil, errClosed
	}
	for n := len(p.idle); n > 0; n = len(p.idle) {
		w := p.idle[n-1]
		p.idle = p.idle[:n-1]
		if !w.gone() {
			return w, nil
		}
		w.end()
	}
	w, err := start(p.config.Command, &p.running)
	if err != nil {
		return nil, fmt.Errorf("start a worker process: %w", err)
	}
	return w, nil
}

// give takes a process back that did its run.
func (p *Pool) give(w *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing.Err() != nil {
		w.end()
		return
	}
	p.idle = append(p.idle, w)
}

// again is a run without an outcome that may have one on another day.
func again(reason string) sdkemu.Result {
	return sdkemu.Result{Outcome: sdkemu.Inconclusive, Reason: reason, Retryable: true}
}

func cutOff(cause error) sdkemu.Result {
	return again(fmt.Sprintf("the run was cut off: %v", cause))
}

func failed(err error) sdkemu.Result {
	return sdkemu.Result{Outcome: sdkemu.Failed, Reason: err.Error()}
}
