package convir

import "reassay/wire"

// Parse reads a dialect's own whole-reply body, as sent or as assemble put it together. It never fails: what is
// wrong with the body stands in Faults, what is not known in Unread and as Opaque events. A Missing body gives a
// reply without choices. Adjacent pieces are joined here, for every dialect alike.
func Parse(d wire.Dialect, body wire.Value) Reply {
	var r Reply
	switch d {
	case wire.OpenAIChat:
		r = parseOpenAIChat(body)
	case wire.OpenAIResponses:
		r = parseOpenAIResponses(body)
	case wire.AnthropicMessages:
		r = parseAnthropic(body)
	case wire.GeminiGenerate:
		r = parseGemini(body)
	}
	r.Dialect = d
	for i := range r.Choices {
		r.Choices[i].Events = joinAdjacent(r.Choices[i].Events)
	}
	return r
}
