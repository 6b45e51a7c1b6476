package assemble

import (
	"reassay/sse"
	"reassay/wire"
)

// whole reads a stream leg whose body is one JSON object: the reply of a server that did not stream, or its error.
func whole(d wire.Dialect, s sse.Stream) Assembled {
	var a Assembled
	if len(s.Events) == 0 {
		return a
	}
	e := s.Events[0]
	if e.Data.Kind() != wire.Object {
		a.Faults = append(a.Faults, Fault{Code: NotAnObject, At: At{e.Frame, e.Offset}, Got: e.Data})
		return a
	}
	if payload := errorOf(d, e.Data); payload.Exists() {
		a.Error, a.ErrorAt = payload, At{e.Frame, e.Offset + payload.Offset()}
		return a
	}
	a.Body = e.Data
	a.Finish = finished(d, e.Data)
	a.Terminal = a.Finish
	return a
}

// errorOf is the error that a whole body tells instead of a reply, or Missing.
// Sources: OpenAI API reference, "Error codes" ({"error": {...}}); Anthropic API, "Errors" ({"type": "error",
// "error": {...}}); Google AIP-193, "Errors" ({"error": {...}}). A Responses object carries "error": null, or an
// error beside its output; it is a reply as long as it says that it is one.
func errorOf(d wire.Dialect, body wire.Value) wire.Value {
	e := body.Get("error")
	if !e.Present() || d == wire.OpenAIResponses && body.Get("object").Str() == "response" {
		return wire.Value{}
	}
	return e
}

// finished reports whether a whole reply says why it ended, for every candidate that it holds.
func finished(d wire.Dialect, body wire.Value) bool {
	list, key := wire.Arr(body), ""
	switch d {
	case wire.OpenAIChat:
		list, key = body.Get("choices"), "finish_reason"
	case wire.OpenAIResponses:
		key = "status"
	case wire.AnthropicMessages:
		key = "stop_reason"
	case wire.GeminiGenerate:
		list, key = body.Get("candidates"), "finishReason"
		if !list.Exists() && body.Path("promptFeedback", "blockReason").Str() != "" {
			return true // a blocked prompt has no candidates
		}
	}
	for _, c := range list.Elems() {
		if c.Get(key).Str() == "" {
			return false
		}
	}
	return len(list.Elems()) > 0
}
