package convir

import (
	"strconv"
	"strings"

	"reassay/wire"
)

// ChoicePath is where a dialect's whole reply holds the choice of this index; "" where a reply is one message.
func ChoicePath(d wire.Dialect, index int) string {
	switch d {
	case wire.OpenAIChat:
		return "choices[" + strconv.Itoa(index) + "]"
	case wire.GeminiGenerate:
		return "candidates[" + strconv.Itoa(index) + "]"
	}
	return ""
}

// RolePath is where a dialect says the author of a choice. A Responses reply says it on each message item: the first
// that holds text or a refusal stands for them.
func RolePath(d wire.Dialect, ch Choice) string {
	switch d {
	case wire.OpenAIChat:
		return ch.Path + ".message.role"
	case wire.GeminiGenerate:
		return ch.Path + ".content.role"
	case wire.OpenAIResponses:
		for _, e := range ch.Events {
			if e.Kind != Text && e.Kind != Refusal {
				continue
			}
			if item, _, ok := strings.Cut(e.Path, "]"); ok {
				return item + "].role"
			}
		}
	}
	return "role"
}

// EventPath is where a dialect would hold the n-th event of a kind in the choice that stands at path choice.
func EventPath(d wire.Dialect, choice string, kind Kind, n int) string {
	switch d {
	case wire.OpenAIChat:
		message := choice + ".message"
		switch kind {
		case Text:
			return message + ".content"
		case Refusal:
			return message + ".refusal"
		case Reasoning:
			return message + ".reasoning_content"
		case ToolCall:
			return message + ".tool_calls[" + strconv.Itoa(n) + "]"
		case Citation:
			return message + ".annotations[" + strconv.Itoa(n) + "]"
		case Logprobs:
			return choice + ".logprobs"
		}
		return message
	case wire.OpenAIResponses:
		return "output[" + strconv.Itoa(n) + "]"
	case wire.AnthropicMessages:
		return "content[" + strconv.Itoa(n) + "]"
	}
	return choice + ".content.parts[" + strconv.Itoa(n) + "]"
}
