// Package golang runs the official Go SDKs, linked in as modules, on a reply's raw bytes through their own clients.
package golang

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"reassay/sdkemu"
)

const (
	sdkOpenAI     = "openai-go"
	openAIModule  = "github.com/openai/openai-go/v3"
	unknownModule = "unknown"
)

// Limits bound what one run may cost. A stream over one of them is inconclusive and the limit is named.
type Limits struct {
	Bytes  int // length of the body
	Events int // events that the SDK hands over
}

// DefaultLimits admits every stream that a gateway can be expected to send.
var DefaultLimits = Limits{Bytes: 64 << 20, Events: 200_000}

// Emulator is openai-go in the version that go.mod requires.
type Emulator struct {
	limits  Limits
	version string
}

// New returns the emulator; its version is read from the running binary's own module list, so it is the linked one.
func New() *Emulator {
	return &Emulator{limits: DefaultLimits, version: linkedVersion(openAIModule)}
}

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
	return unknownModule
}

// pinned repeats what go.mod says.
var pinned = map[string]string{openAIModule: "3.99.0"}

// Targets lists the chat API in both modes. Mode stream is the accumulator as its documentation shows it:
// AddChunk for each chunk, its result ignored (examples/chat-completion-accumulating of the SDK's repository).
func (e *Emulator) Targets() []sdkemu.Target {
	return []sdkemu.Target{
		{SDK: sdkOpenAI, Version: e.version, API: sdkemu.Chat, Mode: sdkemu.ModeStream},
		{SDK: sdkOpenAI, Version: e.version, API: sdkemu.Chat, Mode: sdkemu.ModeIterate},
	}
}

// Run gives the reply to the SDK's client. A panic inside the SDK would end its caller's process: it is told as an
// exception of class "panic".
func (e *Emulator) Run(ctx context.Context, t sdkemu.Target, in sdkemu.Input) sdkemu.Result {
	if !e.has(t) {
		return sdkemu.Result{Outcome: sdkemu.Failed, Reason: fmt.Sprintf("%s is not built in", t.Name())}
	}
	if len(in.Body) > e.limits.Bytes {
		return sdkemu.Result{Outcome: sdkemu.Inconclusive, Reason: fmt.Sprintf("limit bytes: %d of at most %d", len(in.Body), e.limits.Bytes)}
	}
	r := chatRun{limits: e.limits, iterate: t.Mode == sdkemu.ModeIterate}
	err := r.guarded(ctx, in)
	var over *limitError
	switch {
	case errors.As(err, &over):
		return sdkemu.Result{Outcome: sdkemu.Inconclusive, Reason: over.Error()}
	case err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return sdkemu.Result{Outcome: sdkemu.Inconclusive, Reason: "limit time", Retryable: true}
	}
	assembled, merr := r.assembled(err)
	if merr != nil {
		return sdkemu.Result{Outcome: sdkemu.Failed, Reason: fmt.Sprintf("render what %s assembled: %v", t.Name(), merr)}
	}
	if err == nil {
		return sdkemu.Result{Outcome: sdkemu.OK, Assembled: assembled, Reason: r.note()}
	}
	return sdkemu.Result{Outcome: sdkemu.Exception, Exception: describe(err, r.atEvent()), Assembled: assembled}
}

func (e *Emulator) has(t sdkemu.Target) bool {
	for _, k := range e.Targets() {
		if k == t {
			return true
		}
	}
	return false
}

// limitError is a named limit that was met during a run.
type limitError struct {
	name string
	max  int
}

func (e *limitError) Error() string { return fmt.Sprintf("limit %s: more than %d", e.name, e.max) }

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
