// Package sse turns a reply's bytes into frames and a dialect's frames into events. Nothing that a normal client
// throws away is lost, and everything says at which byte it stood.
package sse

// Frame is one block of an event stream: the lines up to a blank line, or up to the end of the input.
// Source: WHATWG HTML, section 9.2 "Server-sent events".
type Frame struct {
	Index    int      // 0-based, counting every block, also those that dispatch nothing
	Event    string   // the last event field, "" when there is none
	Data     []byte   // the data lines joined with LF; of a UTF-8 text
	HasData  bool     // whether a data field stood here at all
	ID       string   // the last valid id field of this frame
	HasID    bool     // whether a valid id field stood here
	Retry    string   // the digits of the last valid retry field, milliseconds; "" when there is none
	Fields   []Field  // every line but comments, in order
	Comments []string // comment lines without their colon
	Faults   []Fault
	Start    int // byte offset of the frame's first byte in the stream
	End      int // byte offset after its blank line
}

// Dispatches reports whether a client that follows the standard would hand an event to its caller. A data field with
// an empty value counts: it makes an event whose data is the empty string.
func (f Frame) Dispatches() bool { return f.HasData && !f.Has(NoBlankLine) }

// Has reports whether the frame has a fault of this code.
func (f Frame) Has(code FaultCode) bool {
	for _, x := range f.Faults {
		if x.Code == code {
			return true
		}
	}
	return false
}

// Field is one line of a frame: "name: value".
type Field struct {
	Name, Value string
	Offset      int // byte offset of the line in the stream
	ValueOffset int // byte offset of the value's first byte
}

// FaultCode names a departure from the event stream format, or something legal that clients are known to stumble on.
type FaultCode string

// The faults that the reader keeps.
const (
	NoBlankLine FaultCode = "no_blank_line" // the input ended inside the frame: a standard client drops it
	BOM         FaultCode = "bom"           // U+FEFF at the start of a line
	BareCR      FaultCode = "bare_cr"       // a line ended in CR alone
	NulInID     FaultCode = "nul_in_id"     // an id with U+0000, which a client ignores
	BadUTF8     FaultCode = "bad_utf8"      // bytes that are not UTF-8; read as U+FFFD
	BadRetry    FaultCode = "bad_retry"     // a retry that is not digits only
)

// Fault is one fault of a frame.
type Fault struct {
	Code   FaultCode
	Offset int // byte offset in the stream
}
