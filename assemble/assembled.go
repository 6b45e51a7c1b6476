// Package assemble turns a dialect's stream into that dialect's own whole reply, by the vendor's documentation,
// so that one parser (convir) reads both legs of an exchange.
package assemble

import (
	"sort"

	"reassay/wire"
)

// Assembled is what a stream says when it is put together.
type Assembled struct {
	Body     wire.Value // the dialect's own whole-reply body; Missing when no event carried any reply
	Final    wire.Value // Responses: the terminal event's own response object, which Body may differ from; else Missing
	Error    wire.Value // the error that the stream itself told (its payload); Missing when none
	ErrorAt  At
	Finish   bool // every choice that was opened got its finish reason (Chat, Gemini), or the stop reason came
	Terminal bool // the dialect's last event came: [DONE] (Chat), message_stop, response.completed/failed/incomplete; for Gemini the same as Finish
	Faults   []Fault
	Places   []Place
	Unread   []Unread
}

// At is a place in a leg's body: 0-based event's frame and byte.
type At struct {
	Frame int `json:"frame"`
	Byte  int `json:"byte"`
}

// Place tells where the stream said a part of Body: the first and the last frame that wrote to Path.
// Path is written as in findings, e.g. "choices[0].message.tool_calls[1]" or "content[2]".
type Place struct {
	Path        string
	First, Last At
	Pieces      []Piece // of a text that deltas add to; nil of all else
}

// Piece is one delta of a text: where it stands, and where it ends in the text put together, in bytes of WTF-8.
type Piece struct {
	At  At
	End int
}

// Of is where the stream said the text's byte at offset; of one behind the end, where the last piece stands. ok is
// false for what came in no pieces.
func (p Place) Of(offset int) (at At, ok bool) {
	if len(p.Pieces) == 0 {
		return At{}, false
	}
	i := sort.Search(len(p.Pieces)-1, func(i int) bool { return p.Pieces[i].End > offset })
	return p.Pieces[i].At, true
}

// Fault is a departure from the dialect's own grammar that was met while putting the stream together.
// What was read is kept all the same. Codes are listed in codes.go, each with its source.
type Fault struct {
	Code FaultCode
	At   At
	Path string     // in Body's terms, or the event's field where nothing was put into Body
	Got  wire.Value // what stood there; Missing when it was absent
	Want wire.Value // what the grammar asks for; Missing where no single value is right
}

// FaultCode names a [Fault].
type FaultCode string

// Unread counts a field, event or part type that this package does not know; it is kept as it is where it can be.
type Unread struct {
	Path  string // with [] for any index: "choices[].delta.x_vendor"
	Count int
}
