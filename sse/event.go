package sse

import "reassay/wire"

// Form is how a body is laid out. The body itself decides, never its content type.
type Form string

// The forms of a reply body.
const (
	FormEmpty  Form = "empty"  // zero bytes, or white space only
	FormSSE    Form = "sse"    // an event stream
	FormArray  Form = "array"  // a JSON array of chunks: Gemini without alt=sse
	FormObject Form = "object" // one JSON object: a whole reply
	FormOther  Form = "other"  // none of these: HTML, plain text, JSON that is broken
)

// Stream is a body read as a dialect's sequence of events.
type Stream struct {
	Form   Form
	Frames []Frame // FormSSE only
	Events []Event
	Err    error // an *Error when a limit of the reader ended the reading early
}

// Event is one payload of a dialect's stream.
type Event struct {
	Index  int        // 0-based among events
	Frame  int        // the frame that carried it; for FormArray the element's position
	Offset int        // byte offset of the payload's first byte in the body; for more, see [Stream.Byte]
	Name   string     // the frame's event field
	Type   string     // what the dialect calls it: the payload's "type", else Name; "[DONE]" for the end sentinel
	Data   wire.Value // Missing for [DONE] and where Err is set
	Raw    []byte     // the payload's text; for FormSSE the data lines joined with LF
	Err    error      // why Raw is not JSON
}

// Done is the Type of the OpenAI Chat end sentinel, wherever it stands.
const Done = "[DONE]"
