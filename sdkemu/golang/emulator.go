// Package golang runs the official Go SDKs, linked in as modules, on a reply's raw bytes through their own clients.
package golang

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"reassay/sdkemu"
)

// Limits bound what one run may cost. A stream over one of them is inconclusive and the limit is named.
type Limits struct {
	Bytes  int // length of the body
	Events int // events that the SDK hands over
}

// DefaultLimits admits every stream that a gateway can be expected to send.
var DefaultLimits = Limits{Bytes: 64 << 20, Events: 200_000}

// Emulator is the Go SDKs in the versions that go.mod requires.
type Emulator struct {
	limits   Limits
	versions map[string]string // by module
}

// New returns the emulator; its versions are read from the running binary's own module list, so they are the linked
// ones.
func New() *Emulator {
	e := &Emulator{limits: DefaultLimits, versions: map[string]string{}}
	for _, a := range apis {
		e.versions[a.module] = linkedVersion(a.module)
	}
	return e
}

const unknownVersion = "unknown"

// linkedVersion is a module's version without its v, from the binary's build information. A test binary carries
// none for its dependencies; there and only there the answer comes from pinned, which a test holds to go.mod.
func linkedVersion(module string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == module && len(dep.Version) > 1 {
				return dep.Version[1:]
			}
		}
	}
	if v, ok := pinned[module]; ok {
		return v
	}
	return unknownVersion
}

// Targets lists each SDK's APIs and modes. Mode stream is the accumulator as the SDK's documentation shows it.
func (e *Emulator) Targets() []sdkemu.Target {
	var targets []sdkemu.Target
	for _, a := range apis {
		for _, m := range a.modes {
			targets = append(targets, sdkemu.Target{SDK: a.sdk, Version: e.versions[a.module], API: a.api, Mode: m})
		}
	}
	return targets
}

// Run gives the reply to the SDK's client. A panic inside the SDK would end its caller's process: it is told as an
// exception of class "panic".
func (e *Emulator) Run(ctx context.Context, t sdkemu.Target, in sdkemu.Input) sdkemu.Result {
	a, ok := e.api(t)
	if !ok {
		return sdkemu.Result{Outcome: sdkemu.Failed, Reason: fmt.Sprintf("%s is not built in", t.Name())}
	}
	if len(in.Body) > e.limits.Bytes {
		return sdkemu.Result{Outcome: sdkemu.Inconclusive, Reason: fmt.Sprintf("limit bytes: %d of at most %d", len(in.Body), e.limits.Bytes)}
	}
	p := pass{limits: e.limits, iterate: t.Mode == sdkemu.ModeIterate}
	err := p.guarded(ctx, a.begin, in)
	var over *limitError
	switch {
	case errors.As(err, &over):
		return sdkemu.Result{Outcome: sdkemu.Inconclusive, Reason: over.Error()}
	case err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return sdkemu.Result{Outcome: sdkemu.Inconclusive, Reason: "limit time", Retryable: true}
	}
	var unrendered *renderError
	if errors.As(err, &unrendered) {
		return sdkemu.Result{Outcome: sdkemu.Failed, Reason: fmt.Sprintf("%s: %v", t.Name(), unrendered)}
	}
	assembled, merr := p.assembled()
	if merr != nil {
		return sdkemu.Result{Outcome: sdkemu.Failed, Reason: fmt.Sprintf("render what %s assembled: %v", t.Name(), merr)}
	}
	if err == nil {
		return sdkemu.Result{Outcome: sdkemu.OK, Assembled: assembled, Reason: p.note()}
	}
	return sdkemu.Result{Outcome: sdkemu.Exception, Exception: describe(err, p.atEvent()), Assembled: assembled}
}

// api finds what runs t.
func (e *Emulator) api(t sdkemu.Target) (api, bool) {
	for _, a := range apis {
		if a.sdk == t.SDK && a.api == t.API && e.versions[a.module] == t.Version && slices.Contains(a.modes, t.Mode) {
			return a, true
		}
	}
	return api{}, false
}

// limitError is a named limit that was met during a run.
type limitError struct {
	name string
	max  int
}

func (e *limitError) Error() string { return fmt.Sprintf("limit %s: more than %d", e.name, e.max) }

// renderError is a value of the SDK's that we could not render: our own doing, and no exception of the SDK's.
type renderError struct{ error }

func (e *renderError) Unwrap() error { return e.error }

// panicError carries what the SDK panicked with.
type panicError struct{ value any }

func (e *panicError) Error() string { return fmt.Sprint(e.value) }

// describe words an error as its Go caller sees it: the concrete type's name and Error().
func describe(err error, at json.RawMessage) *sdkemu.ExceptionDetail {
	d := &sdkemu.ExceptionDetail{Class: fmt.Sprintf("%T", err), Message: err.Error(), Thrown: "error", AtEvent: at}
	var p *panicError
	if errors.As(err, &p) {
		d.Class = "panic"
	}
	if cause := errors.Unwrap(err); cause != nil {
		d.Cause = describe(cause, nil)
	}
	return d
}
