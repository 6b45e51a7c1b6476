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
	if payload := errorOf(d, e); payload.Exists() {
		a.Error, a.ErrorAt = payload, At{e.Frame, e.Offset + payload.Offset()}
		if !holdsReply(d, e.Data) {
			return a
		}
	}
	a.Body = e.Data
	a.Finish = finished(d, e.Data)
	a.Terminal = a.Finish
	return a
}

// errorOf is the error that a whole body tells, or Missing.
// Sources: OpenAI API reference, "Error codes" ({"error": {...}}), with the flat forms that chatError names; Anthropic
// API, "Errors" ({"type": "error", "error": {...}}); Google AIP-193, "Errors" ({"error": {...}}).
func errorOf(d wire.Dialect, e sse.Event) wire.Value {
	if d == wire.OpenAIChat {
		return chatError(e)
	}
	if x := e.Data.Get("error"); x.Present() {
		return x
	}
	if d == wire.OpenAIResponses && e.Data.Get("type").Str() == "error" {
		return e.Data
	}
	return wire.Value{}
}

// holdsReply reports whether a body that tells an error is a reply all the same: a response that failed, or choices of
// which one did.
func holdsReply(d wire.Dialect, body wire.Value) bool {
	switch d {
	case wire.OpenAIChat:
		return body.Get("choices").Present()
	case wire.OpenAIResponses:
		return body.Get("object").Str() == "response"
	}
	return false
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
		if word := c.Get(key).Str(); word == "" || unfinished[word] {
			return false
		}
	}
	return len(list.Elems()) > 0
}

// unfinished are the statuses of a response that is still being made (The response object, status).
var unfinished = map[string]bool{"queued": true, "in_progress": true}
