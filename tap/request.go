package tap

import (
	"fmt"
	"strings"

	"reassay/capture"
	"reassay/wire"
)

// RequestPolicy is how much of a request is mirrored.
type RequestPolicy string

// The policies. Credentials that a body holds where APIs and gateways take them are left out of all of them.
const (
	RequestJudged RequestPolicy = "judged" // what rules and SDKs read: controls, declared tools, the format asked for, roles and ids of the conversation
	RequestFull   RequestPolicy = "full"   // the whole body
	RequestNone   RequestPolicy = "none"   // nothing
)

// UnmarshalText reads a policy's word.
func (p *RequestPolicy) UnmarshalText(text []byte) error {
	switch RequestPolicy(text) {
	case RequestJudged, RequestFull, RequestNone:
		*p = RequestPolicy(text)
		return nil
	}
	return fmt.Errorf("%q is not known, want judged, full or none", text)
}

// parseRequest reads a request's body; the zero Value is one that is no JSON object.
func parseRequest(body []byte) wire.Value {
	v, err := wire.Parse(body)
	if err != nil || v.Kind() != wire.Object {
		return wire.Value{}
	}
	return v
}

// of is what is mirrored of a request's body, nil where nothing is: the policy says so, or the body is no JSON object.
func (p RequestPolicy) of(d wire.Dialect, v wire.Value) []byte {
	if p == RequestNone || v.Kind() != wire.Object {
		return nil
	}
	if v = capture.WithoutKeys(v); p == RequestFull {
		return v.JSON()
	}
	return judged(d, v).JSON()
}

// judgedMembers are the members of a request that rules and SDK helpers read; all of them are settings of the call.
// Conversation and system text, what identifies the end user and what the caller stores beside the call are not among
// them. Sources: the references of the four APIs, as routes.json names them.
var judgedMembers = map[wire.Dialect][]string{
	wire.OpenAIChat: {"model", "n", "stream", "stream_options", "tools", "tool_choice", "parallel_tool_calls", "functions",
		"function_call", "response_format", "max_tokens", "max_completion_tokens", "temperature", "top_p", "logprobs",
		"top_logprobs", "reasoning_effort", "verbosity", "modalities", "service_tier", "seed", "store", "web_search_options",
		"thinking", "reasoning"},
	wire.OpenAIResponses: {"model", "stream", "stream_options", "tools", "tool_choice", "parallel_tool_calls", "text",
		"reasoning", "max_output_tokens", "max_tool_calls", "temperature", "top_p", "top_logprobs", "truncation",
		"previous_response_id", "include", "service_tier", "store", "background"},
	wire.AnthropicMessages: {"model", "stream", "tools", "tool_choice", "thinking", "output_config", "output_format",
		"max_tokens", "temperature", "top_p", "top_k", "service_tier", "anthropic_version", "betas"},
	wire.GeminiGenerate: {"model", "tools", "toolConfig", "tool_config", "generationConfig", "generation_config",
		"safetySettings"},
}

// conversation are the members that hold the turns so far. Only their skeleton is kept.
var conversation = []string{"messages", "input", "contents"}

// judged is a request without its content: the members of judgedMembers, and of the conversation roles, types and ids.
// A later turn may name a call of an earlier one by its id (S06), and the Anthropic helper for Node walks the messages.
func judged(d wire.Dialect, body wire.Value) wire.Value {
	keep := map[string]bool{}
	for _, name := range judgedMembers[d] {
		keep[name] = true
	}
	turns := map[string]bool{}
	for _, name := range conversation {
		turns[name] = true
	}
	var members []wire.Member
	for _, m := range body.Members() {
		switch {
		case keep[m.Key]:
			members = append(members, m)
		case turns[m.Key]:
			members = append(members, wire.Member{Key: m.Key, Value: skeleton(m.Value)})
		}
	}
	return wire.Obj(members...)
}

// skeletonWords are members of a turn, or of a part of one, that are kept as they are; skeletonParts those that hold
// further parts. A tool's arguments and results are neither.
var (
	skeletonWords = map[string]bool{"role": true, "type": true, "id": true, "call_id": true, "tool_call_id": true, "tool_use_id": true, "item_id": true}
	skeletonParts = map[string]bool{"content": true, "parts": true, "tool_calls": true}
)

// skeleton is a conversation, a turn or a part of one without its content: text is empty.
func skeleton(v wire.Value) wire.Value {
	switch v.Kind() {
	case wire.String:
		return wire.Of("")
	case wire.Array:
		elems := make([]wire.Value, len(v.Elems()))
		for i, e := range v.Elems() {
			elems[i] = skeleton(e)
		}
		return wire.Arr(elems...)
	case wire.Object:
		members := make([]wire.Member, 0, len(v.Members()))
		for _, m := range v.Members() {
			switch {
			case skeletonWords[m.Key] && m.Value.Kind() == wire.String:
				members = append(members, m)
			case skeletonParts[m.Key]:
				members = append(members, wire.Member{Key: m.Key, Value: skeleton(m.Value)})
			}
		}
		return wire.Obj(members...)
	}
	return wire.OfNull()
}

// streams says whether a request asks for a stream; told is false where neither path nor body tells.
func streams(d wire.Dialect, path string, body wire.Value) (stream, told bool) {
	if d == wire.GeminiGenerate {
		switch {
		case strings.HasSuffix(path, ":streamGenerateContent"):
			return true, true
		case strings.HasSuffix(path, ":generateContent"):
			return false, true
		}
	}
	v := body.Get("stream")
	switch {
	case body.Kind() != wire.Object || v.Present() && v.Kind() != wire.Bool:
		return false, false
	case strings.HasSuffix(path, ":streamRawPredict"):
		return true, true
	}
	return v.Present() && v.True(), true
}

// MarshalText spells a policy.
func (p RequestPolicy) MarshalText() ([]byte, error) { return []byte(p), nil }
