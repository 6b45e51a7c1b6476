package assemble

import (
	"reassay/sse"
	"reassay/wire"
)

// Assemble puts a stream of dialect d together. A stream that is one whole object (sse.FormObject) is its own Body,
// or its own Error. It never fails: what is wrong with the stream stands in Faults.
func Assemble(d wire.Dialect, s sse.Stream) Assembled {
	if s.Form == sse.FormObject {
		return whole(d, s)
	}
	switch d {
	case wire.OpenAIChat:
		return assembleOpenAIChat(s)
	case wire.OpenAIResponses:
		return assembleOpenAIResponses(s)
	case wire.AnthropicMessages:
		return assembleAnthropic(s)
	case wire.GeminiGenerate:
		return assembleGemini(s)
	}
	return Assembled{}
}
