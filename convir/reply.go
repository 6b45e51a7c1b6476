// Package convir holds ConvIR: a reply as ordered events, with one parser a dialect, used alike for whole replies
// and for streams that assemble put together, and the knowledge about dialects as data with sources.
package convir

import "reassay/wire"

// Reply is a whole reply in ConvIR.
type Reply struct {
	Dialect wire.Dialect
	ID      string
	Model   string
	Choices []Choice // in the order of their index; Messages and Responses have one
	Usage   Usage
	Error   wire.Value // the body is, or holds, an error: its payload; else Missing
	Echo    wire.Value // controls that the reply echoes (Responses): an object; else Missing
	Unread  []Unread
	Faults  []Fault
}

// Choice is one candidate answer.
type Choice struct {
	Index  int
	Role   string // as the reply says it; "" when absent
	Events []Event
	Stop   Stop
	Phases []Event // Responses: the word and path of each message item's phase, which the vendor asks for back
	Path   string  // "choices[0]", "candidates[0]", "" for Messages and Responses
}

// Kind is what an event carries.
type Kind string

// The kinds of event (rules.md, "What is compared").
const (
	Text              Kind = "text"
	Reasoning         Kind = "reasoning"
	RedactedReasoning Kind = "redacted_reasoning"
	Refusal           Kind = "refusal"
	ToolCall          Kind = "tool_call"
	ServerToolCall    Kind = "server_tool_call"
	ServerToolResult  Kind = "server_tool_result"
	Citation          Kind = "citation"
	Media             Kind = "media"
	Code              Kind = "code"
	CodeResult        Kind = "code_result"
	Logprobs          Kind = "logprobs"
	ErrorEvent        Kind = "error"
	Opaque            Kind = "opaque"
)

// Event is one piece of a reply. Adjacent pieces of one kind and author have been joined; absent, null and empty
// text or reasoning are no event.
type Event struct {
	Kind Kind
	Text string // WTF-8: text, reasoning, refusal, code, code result
	// Pieces are the parts, blocks or items that Text was joined from; nil when it stood in one.
	Pieces []string
	// PiecePaths are where the pieces stand in the body, one each.
	PiecePaths []string

	// Calls.
	ID   string // the call's id as the reply says it, "" when absent
	Type string // the dialect's own type word: "function", "custom", "tool_use", "web_search_call", ...
	Name string
	Args Args

	// Integrity and the rest.
	Signature string     // thinking signature, thoughtSignature, encrypted_content; "" when absent
	IsError   bool       // the error flag of a server tool's result
	Data      wire.Value // citation, media, server tool payload, logprobs, opaque: the JSON as it stood
	Extension string     // "reasoning_content", "reasoning": the vendor field outside the dialect's own documentation that carried it
	Path      string     // where it stands in the body: "choices[0].message.tool_calls[1]"
}

// Args are a call's arguments.
type Args struct {
	Raw   string     // as the reply spells them: the JSON text, or the string of a custom tool
	Value wire.Value // parsed; Missing when Raw is not JSON
	Given bool       // whether the field stood there and was not null
}

// Usage is a reply's own account of tokens, in the dialect's own terms.
type Usage struct {
	Raw       wire.Value // the usage object; Missing when absent
	Input     Count      // as the dialect counts it: with cached tokens in Chat, Responses and Gemini, beside them in Messages
	Output    Count
	Total     Count
	CacheRead Count
	Reasoning Count
}

// Count is a number of tokens that may be absent.
type Count struct {
	N     int
	Given bool
}

// Outcome is the canonical end of a generation (contract, section 3, "generation").
type Outcome string

// The canonical outcomes.
const (
	Complete  Outcome = "complete"
	ToolCalls Outcome = "tool_calls"
	Truncated Outcome = "truncated"
	Filtered  Outcome = "filtered"
	Refused   Outcome = "refused"
	Paused    Outcome = "paused"
	Failed    Outcome = "failed"
	Empty     Outcome = "empty"
	Unknown   Outcome = "unknown"
	None      Outcome = "none"
)

// Stop is why a choice ended.
type Stop struct {
	Raw      string // the dialect's word; "" when absent
	Given    bool   // whether the field stood there with a value other than null and ""
	Outcome  Outcome
	Sequence string // the matched stop sequence, where the dialect tells it
	Known    bool   // whether Raw is in the dialect's documented vocabulary
	Path     string // "choices[0].finish_reason", "stop_reason", "status", "candidates[0].finishReason"
}

// Unread counts a field or part type that the parser does not know.
type Unread struct {
	Path  string // with [] for any index
	Count int
}

// Fault is a departure of a whole body from its dialect: a wrong type, a missing required field.
type Fault struct {
	Code FaultCode
	Path string
	Got  wire.Value
	Want wire.Value
}

// FaultCode names a [Fault].
type FaultCode string
