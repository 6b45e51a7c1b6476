// Package node runs the Node SDKs as published: their own JavaScript, bundled from the packages that the lockfile in
// js/ pins, in the engine goja, with the SDK's real client and a fetch that plays the captured reply back. What goja
// does otherwise than V8 is put right here: JSON.parse, the words of TypeErrors, UTF-8, streams, timers.
//
// A run's outcome is Node 20's. The conformance test holds it to the real package in Node.
package node

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"sync"

	"github.com/dop251/goja"

	"reassay/sdkemu"
)

// Emulator runs every built-in version of the Node SDKs. It implements [sdkemu.Emulator].
type Emulator struct {
	Limits Limits // set before the first run

	targets  []sdkemu.Target
	releases map[string]*programs // by alias
}

var _ sdkemu.Emulator = (*Emulator)(nil)

// New runs the bundles that are built in. The error says what to do when one is missing.
func New() (*Emulator, error) {
	folder, err := fs.Sub(bundles, "bundles")
	if err != nil {
		return nil, fmt.Errorf("open the bundles: %w", err)
	}
	return Load(folder)
}

// Load runs the bundles of a folder, which must be made from what this program was made from. A bundle is compiled at
// its first run, for all later ones.
func Load(folder fs.FS) (*Emulator, error) {
	releases, err := Releases()
	if err != nil {
		return nil, err
	}
	comment, err := sourcesComment()
	if err != nil {
		return nil, err
	}
	e := &Emulator{Limits: DefaultLimits, releases: map[string]*programs{}}
	prelude := sync.OnceValues(compilePrelude)
	for _, r := range releases {
		for _, name := range []string{r.BundleName(), r.ExplainName()} {
			if err := checkBundle(folder, name, comment); err != nil {
				return nil, err
			}
		}
		e.releases[r.Alias()] = programsOf(r, folder, prelude)
		e.targets = append(e.targets, r.targets()...)
	}
	return e, nil
}

// Targets lists every built-in version with its APIs and modes; of an SDK's versions, the one that its name alone stands
// for comes first.
func (e *Emulator) Targets() []sdkemu.Target { return slices.Clone(e.targets) }

// Run gives the SDK a reply and tells what it made of it. A stream over a limit, or a context that ends, is
// inconclusive; a target that is not built in, or a fault of ours, is an error.
func (e *Emulator) Run(ctx context.Context, t sdkemu.Target, in sdkemu.Input) sdkemu.Result {
	if !slices.Contains(e.targets, t) {
		return failed(fmt.Errorf("%s is not built in", t.Name()))
	}
	if in.Status != 0 && (in.Status < 200 || in.Status > 599) {
		return failed(fmt.Errorf("%d is no status of a final HTTP reply", in.Status))
	}
	if over := e.Limits.check(in.Body, in.Cuts); over != nil {
		return inconclusive(over)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, e.Limits.Time, &limitError{
		name: "time", reason: fmt.Sprintf("the run took longer than %s", e.Limits.Time), retryable: true,
	})
	defer cancel()
	if ctx.Err() != nil { // the interrupt may come too late for a short stream
		return cutOff(context.Cause(ctx))
	}

	release := e.releases[Release{SDK: t.SDK, Version: t.Version}.Alias()]
	res, engine := e.attempt(ctx, release.fast, t, in)
	if len(engine) == 0 {
		return res
	}
	worded, engine := e.attempt(ctx, release.explain, t, in)
	switch {
	case worded.Outcome != sdkemu.Exception && worded.Outcome != sdkemu.OK:
		return worded
	case len(engine) > 0:
		return failed(fmt.Errorf("goja raised %s: %s, and V8's words for it are not known", engine[0].Class, engine[0].Message))
	case !sameClasses(res.Exception, worded.Exception):
		return failed(fmt.Errorf("the explain program raised %s where the plain one raised %s", classes(worded.Exception), classes(res.Exception)))
	}
	return worded
}

// attempt runs one program in a runtime that nothing else uses meanwhile. Engine are the errors in the outcome that goja worded, or, in a
// plain program, may have worded: they are no SDK's exceptions.
func (e *Emulator) attempt(ctx context.Context, compiled func() (*program, error), t sdkemu.Target, in sdkemu.Input) (res sdkemu.Result, engine []*sdkemu.ExceptionDetail) {
	var rt *jsRuntime
	defer func() {
		if r := recover(); r != nil {
			res, engine = failed(fmt.Errorf("goja panicked: %v", r)), nil
		}
		if rt != nil && rt.stopped != nil {
			res, engine = inconclusive(rt.stopped), nil
		}
		if rt != nil && rt.gap != "" {
			res, engine = failed(fmt.Errorf("%s %s used %s, which Node may have and the prelude lacks", t.SDK, t.Version, rt.gap)), nil
		}
	}()
	p, err := compiled()
	if err != nil {
		return failed(fmt.Errorf("load %s@%s: %w", t.SDK, t.Version, err)), nil
	}
	rt, err = p.take(e.Limits)
	if err != nil {
		return failed(err), nil
	}
	stop := context.AfterFunc(ctx, func() { rt.vm.Interrupt(context.Cause(ctx)) })
	defer stop()
	promise, err := rt.call(t, in)
	if err != nil {
		return ofError(err), nil
	}
	res, engine, err = rt.outcome(t, promise)
	if err != nil {
		return ofError(err), nil
	}
	if stop() && rt.reusable(promise, in, engine) {
		p.keep(rt)
	}
	return res, engine
}

// ofError tells a run that was cut off from one that failed.
func ofError(err error) sdkemu.Result {
	var over *limitError
	if errors.As(err, &over) {
		return inconclusive(over)
	}
	var interrupted *goja.InterruptedError
	if errors.As(err, &interrupted) {
		cause, _ := interrupted.Value().(error)
		return cutOff(cause)
	}
	var overflow *goja.StackOverflowError
	if errors.As(err, &overflow) {
		return inconclusive(&limitError{name: "calls", reason: "the JavaScript call stack grew too deep"})
	}
	return failed(err)
}

// cutOff is a run whose context ended, for this cause.
func cutOff(cause error) sdkemu.Result {
	var over *limitError
	if errors.As(cause, &over) {
		return inconclusive(over)
	}
	return sdkemu.Result{Outcome: sdkemu.Inconclusive, Reason: fmt.Sprintf("the run was cut off: %v", cause), Retryable: true}
}

func inconclusive(over *limitError) sdkemu.Result {
	return sdkemu.Result{Outcome: sdkemu.Inconclusive, Reason: over.Error(), Retryable: over.retryable}
}

func failed(err error) sdkemu.Result {
	return sdkemu.Result{Outcome: sdkemu.Failed, Reason: err.Error()}
}

// classes names an exception's class and those of its causes.
func classes(d *sdkemu.ExceptionDetail) string {
	if d == nil {
		return "nothing"
	}
	if d.Cause == nil {
		return d.Class
	}
	return d.Class + " of " + classes(d.Cause)
}

func sameClasses(a, b *sdkemu.ExceptionDetail) bool { return classes(a) == classes(b) }

func itoa(n int) string { return strconv.Itoa(n) }

func sortedKeys(m map[string][]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
