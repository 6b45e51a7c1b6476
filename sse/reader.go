package sse

import (
	"bytes"
	"fmt"
	"io"

	"reassay/wire"
)

// DefaultMaxFrame is the frame size in bytes that a [Reader] takes when its MaxFrame is zero.
const DefaultMaxFrame = 64 << 20

// Reader cuts an event stream into frames by the WHATWG text: lines end in LF, CR or CRLF in any mixture, one byte
// order mark at the start of the stream is skipped, a blank line ends a frame. Blank lines between frames belong to
// none. However the input is cut into reads, the frames are the same; so a CR as the last byte that was read makes
// Next wait for one byte more. A Reader is for one goroutine.
type Reader struct {
	// MaxFrame is how many bytes a frame may have, its blank line included; zero means [DefaultMaxFrame].
	MaxFrame int

	src    io.Reader
	srcErr error  // what src ended with
	buf    []byte // bytes read and not yet consumed
	base   int    // byte offset of buf[0] in the stream
	seen   int    // how much of buf holds no line end
	begun  bool   // whether the start of the stream was looked at for a BOM
	bom    bool   // a BOM was skipped and no frame has recorded it
	index  int
	err    error // returned from now on
}

// NewReader reads frames from src.
func NewReader(src io.Reader) *Reader { return &Reader{src: src} }

// Next returns the next frame, io.EOF after the last. A frame that the end of the input or a read error cut short is
// returned with the fault [NoBlankLine] before the error is. A frame over the limit ends the reading with an [*Error].
func (r *Reader) Next() (Frame, error) {
	if r.err != nil {
		return Frame{}, r.err
	}
	f, ok, err := r.frame()
	if err != nil {
		r.err = err
	}
	if !ok {
		return Frame{}, r.err
	}
	f.Index = r.index
	r.index++
	return f, nil
}

// frame reads up to a blank line or the end. ok tells whether there was a frame.
func (r *Reader) frame() (f Frame, ok bool, err error) {
	r.skipBOM()
	var b builder
	for {
		start := b.Start
		if b.lines == 0 {
			start = r.startAt(r.base)
		}
		text, at, ending, err := r.line(start)
		if err != nil {
			if _, limit := err.(*Error); limit {
				return Frame{}, false, err
			}
			if b.lines == 0 && !r.bom {
				return Frame{}, false, err
			}
			b.begin(r, at)
			b.End = r.base
			b.fault(NoBlankLine, b.End)
			return b.Frame, true, err
		}
		if len(text) == 0 && b.lines == 0 {
			continue
		}
		b.begin(r, at)
		if b.lines > maxLines {
			return Frame{}, false, &Error{b.Start, errLines}
		}
		if len(text) > 0 {
			b.line(text, at)
		}
		if ending == endCR {
			b.fault(BareCR, at+len(text))
		}
		if len(text) == 0 {
			b.End = r.base
			return b.Frame, true, nil
		}
	}
}

// maxLines is how many lines a frame may have: it bounds the memory that a frame of very short lines takes.
const maxLines = 1 << 20

var errLines = fmt.Errorf("frame of more than %d lines", maxLines)

// ending is what ended a line.
type ending uint8

const (
	endNone ending = iota // the end of the input
	endLF
	endCR
	endCRLF
)

// line consumes one line. text has no spare capacity; at is its byte offset. At the end of the input the
// error is what the source ended with, and a last line without an end has been returned before. start is the first
// byte of the frame that the line would belong to.
func (r *Reader) line(start int) (text []byte, at int, end ending, err error) {
	at = r.base
	limit := r.MaxFrame
	if limit <= 0 {
		limit = DefaultMaxFrame
	}
	for {
		n := -1
		if i := indexEnd(r.buf[r.seen:]); i >= 0 {
			n = r.seen + i
		}
		size := 0 // of the line with its end; zero while that is not known
		switch {
		case n < 0 && r.srcErr == nil:
			r.seen = len(r.buf)
		case n < 0 && len(r.buf) == 0:
			return nil, at, endNone, r.srcErr
		case n < 0:
			n, end = len(r.buf), endNone
			size = n
		case r.buf[n] == '\n':
			end, size = endLF, n+1
		case n+1 < len(r.buf) && r.buf[n+1] == '\n':
			end, size = endCRLF, n+2
		case n+1 < len(r.buf) || r.srcErr != nil:
			end, size = endCR, n+1
		default:
			r.seen = n
		}
		have := size
		if have == 0 {
			have = len(r.buf)
		}
		if have > 0 && at+have-start > limit {
			return nil, at, endNone, &Error{start, fmt.Errorf("%w of %d bytes", ErrFrameTooLarge, limit)}
		}
		if size > 0 {
			text = r.buf[:n:n]
			r.buf, r.base, r.seen = r.buf[size:], r.base+size, 0
			return text, at, end, nil
		}
		r.fill()
	}
}

// indexEnd is the place of the first CR or LF in b, or -1. It looks at a piece at a time, each twice as long as the one
// before: a search for the one over all of b costs the square of its length where only the other ends lines.
func indexEnd(b []byte) int {
	for from, size := 0, 256; from < len(b); from, size = from+size, 2*size {
		piece := b[from:min(len(b), from+size)]
		n := bytes.IndexByte(piece, '\n')
		if n >= 0 {
			piece = piece[:n]
		}
		if i := bytes.IndexByte(piece, '\r'); i >= 0 {
			return from + i
		}
		if n >= 0 {
			return from + n
		}
	}
	return -1
}

const (
	readSize = 32 << 10
	// idleReads is how many reads in a row may bring nothing before the source counts as broken.
	idleReads = 100
)

// fill reads once more. It never writes over bytes that were read: frames keep them.
func (r *Reader) fill() {
	if cap(r.buf)-len(r.buf) < readSize/2 {
		r.buf = append(make([]byte, 0, 2*len(r.buf)+readSize), r.buf...)
	}
	for range idleReads {
		n, err := r.src.Read(r.buf[len(r.buf):cap(r.buf)])
		r.buf = r.buf[:len(r.buf)+n]
		r.srcErr = err
		if n > 0 || err != nil {
			return
		}
	}
	r.srcErr = io.ErrNoProgress
}

const bomText = "\uFEFF"

func (r *Reader) skipBOM() {
	if r.begun {
		return
	}
	r.begun = true
	for len(r.buf) < len(bomText) && r.srcErr == nil && string(r.buf) == bomText[:len(r.buf)] {
		r.fill()
	}
	if bytes.HasPrefix(r.buf, []byte(bomText)) {
		r.buf, r.base = r.buf[len(bomText):], len(bomText)
		r.bom = true
	}
}

// startAt is where the frame begins whose first line is at the byte at: a skipped BOM right before the line is part of
// the frame.
func (r *Reader) startAt(at int) int {
	if r.bom && at == len(bomText) {
		return 0
	}
	return at
}

// builder gathers the lines of one frame.
type builder struct {
	Frame
	lines int
}

// begin opens the frame whose first line is at the byte at, if it is not open. A skipped BOM is recorded in the first
// frame, however many blank lines stand between them.
func (b *builder) begin(r *Reader, at int) {
	if b.lines == 0 {
		b.Start = r.startAt(at)
		if r.bom {
			r.bom = false
			b.fault(BOM, 0)
		}
	}
	b.lines++
}

func (b *builder) fault(code FaultCode, at int) { b.Faults = append(b.Faults, Fault{code, at}) }

// line reads one line that is not blank and begins at the byte at.
func (b *builder) line(text []byte, at int) {
	if bytes.HasPrefix(text, []byte(bomText)) {
		b.fault(BOM, at)
	}
	bad := wire.InvalidUTF8(text)
	if bad >= 0 {
		b.fault(BadUTF8, at+bad)
	}
	colon := bytes.IndexByte(text, ':')
	if colon == 0 {
		b.Comments = append(b.Comments, string(wire.ToUTF8(text[1:])))
		return
	}
	name, value := text, text[len(text):]
	if colon > 0 {
		name, value = text[:colon], text[colon+1:]
		if len(value) > 0 && value[0] == ' ' {
			value = value[1:]
		}
	}
	valueAt := at + len(text) - len(value)
	if bad >= 0 {
		value = wire.ToUTF8(value)
	}
	f := Field{Name: fieldName(name), Value: string(value), Offset: at, ValueOffset: valueAt}
	b.Fields = append(b.Fields, f)
	switch f.Name {
	case "data":
		if !b.HasData {
			// Bytes that were read are never written over, so they need no copy. A line has no spare capacity: what
			// a further one appends goes elsewhere.
			b.HasData, b.Data = true, value
			return
		}
		b.Data = append(append(b.Data, '\n'), value...)
	case "event":
		b.Event = f.Value
	case "id":
		if nul := bytes.IndexByte(value, 0); nul >= 0 {
			b.fault(NulInID, valueAt)
			return
		}
		b.ID, b.HasID = f.Value, true
	case "retry":
		if !digits(f.Value) {
			b.fault(BadRetry, valueAt)
			return
		}
		b.Retry = f.Value
	}
}

// fieldName is name as a string, the four known ones without an allocation.
func fieldName(name []byte) string {
	switch string(name) {
	case "data":
		return "data"
	case "event":
		return "event"
	case "id":
		return "id"
	case "retry":
		return "retry"
	}
	return string(wire.ToUTF8(name))
}

func digits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
