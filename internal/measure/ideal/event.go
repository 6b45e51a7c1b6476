package ideal

import (
	"bytes"

	"reassay/wire"
)

// Event is one frame of a stream.
type Event struct {
	Name string     // the event line; "" for none
	Data wire.Value // the data line; Missing where Raw stands for it
	Raw  string     // data that is no JSON: [DONE], and what a fault writes
	Bare bool       // the blank line after the frame is missing
}

// Frames writes events as a text/event-stream.
func Frames(events []Event) []byte {
	var b bytes.Buffer
	for _, e := range events {
		if e.Name != "" {
			b.WriteString("event: " + e.Name + "\n")
		}
		if e.Data.Exists() || e.Raw != "" {
			b.WriteString("data: ")
			if e.Data.Exists() {
				b.Write(e.Data.JSON())
			}
			b.WriteString(e.Raw + "\n")
		}
		if !e.Bare {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// Stream renders r as the events of a streamed reply in dialect d, asked for by a.
func Stream(d wire.Dialect, r Reply, a Ask) []Event {
	switch d {
	case wire.OpenAIChat:
		return chatStream(r)
	case wire.OpenAIResponses:
		return responsesStream(r, a)
	case wire.AnthropicMessages:
		return messagesStream(r)
	default:
		return geminiStream(r)
	}
}

// Whole renders r as a reply that is not streamed.
func Whole(d wire.Dialect, r Reply, a Ask) wire.Value {
	switch d {
	case wire.OpenAIChat:
		return chatWhole(r)
	case wire.OpenAIResponses:
		return responsesWhole(r, a)
	case wire.AnthropicMessages:
		return messagesWhole(r)
	default:
		return geminiWhole(r)
	}
}
