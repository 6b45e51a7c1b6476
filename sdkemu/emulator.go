// Package sdkemu says what an official SDK makes of a reply stream's raw bytes. Each emulator reads the bytes with
// the SDK's own decoder (its code, or an emulation of it) and shares nothing with reassay's own parsers.
package sdkemu

import (
	"context"
	"encoding/json"

	"reassay/wire"
)

// API is the part of an SDK that reads a reply.
type API string

// The APIs (contract, section 4).
const (
	Chat              API = "chat"
	Responses         API = "responses"
	AnthropicMessages API = "anthropic-messages"
)

// Mode is how the caller uses the SDK.
type Mode string

// The modes: the SDK's own stream helper with its final call, or a plain loop over create(stream=True).
const (
	ModeStream  Mode = "stream"
	ModeIterate Mode = "iterate"
)

// Target is one way in which one version of one SDK reads a reply.
type Target struct {
	SDK     string // "openai-python", "openai-node", "openai-go"
	Version string // as released
	API     API
	Mode    Mode
}

// Name is the target as a verdict's leg spells it: "openai-node@5.23.2/chat/stream".
func (t Target) Name() string {
	return t.SDK + "@" + t.Version + "/" + string(t.API) + "/" + string(t.Mode)
}

// Emulator is one SDK version. Run is safe for concurrent use and knows nothing of a stream but its Input.
type Emulator interface {
	Targets() []Target
	Run(ctx context.Context, t Target, in Input) Result
}

// Input is an HTTP reply as it came over the wire, and how the caller asked for it.
type Input struct {
	Status      int // 0 stands for 200
	ContentType string
	Headers     map[string][]string // lower-case names
	Body        []byte              // after content-encoding was undone
	Cuts        []int               // ends of the transport's chunks, ascending offsets into Body; nil: one chunk
	Break       *Break              // the transport broke after Body
	Request     wire.Value          // the request's body; Missing when it is not known
	Parsed      bool                // caller.response_format is "parsed"
}

// Break is a transport that broke off.
type Break struct{ Message string }

// Outcome is what became of a run.
type Outcome string

// The outcomes of a run (contract, section 4, `reassay sdk run`).
const (
	OK           Outcome = "ok"           // the SDK raised nothing; the message may still be wrong
	Exception    Outcome = "exception"    // the SDK raised
	Inconclusive Outcome = "inconclusive" // a named limit was met
	Failed       Outcome = "error"        // our own refusal or fault
)

// Result is what the SDK did.
type Result struct {
	Outcome   Outcome          `json:"outcome"`
	Exception *ExceptionDetail `json:"exception,omitempty"`
	Assembled json.RawMessage  `json:"assembled,omitempty"` // the SDK's own rendering (contract, section 4); lone surrogate halves as \u escapes
	Reason    string           `json:"reason,omitempty"`    // Inconclusive: the limit; Failed: why
	Retryable bool             `json:"-"`                   // the limit depends on the machine (time, memory)
}

// ExceptionDetail is what was raised, to the letter.
type ExceptionDetail struct {
	Class   string           `json:"class"`
	Message string           `json:"message"`
	Cause   *ExceptionDetail `json:"cause,omitempty"`
	Thrown  string           `json:"thrown,omitempty"` // "error" or "value"
	AtEvent json.RawMessage  `json:"at_event"`         // number of events already yielded, null before the first byte, "final"

	// Taken is how many events of the stream the SDK had taken in, where its helper hands its caller events of another
	// number, which AtEvent counts; nil where the two are one.
	Taken *int `json:"-"`

	// Unsent: the SDK raised before its request went out. It was the request that it refused, and another client that
	// sent it: the reply had no part in it.
	Unsent bool `json:"-"`
}
