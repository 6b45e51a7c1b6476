package convir

import (
	"strconv"

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

// RolePath is where a dialect says the author of the choice that stands at path choice.
func RolePath(d wire.Dialect, choice string) string {
	switch d {
	case wire.OpenAIChat:
		return choice + ".message.role"
	case wire.GeminiGenerate:
		return choice + ".content.role"
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
