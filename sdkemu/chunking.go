package sdkemu

import "fmt"

// Chunking is how a body is cut into the transport's chunks when a capture does not say it (contract, section 4,
// `reassay sdk run`).
type Chunking string

// The chunkings.
const (
	Whole   Chunking = "whole"   // one chunk
	Event   Chunking = "event"   // after every LF LF, CR CR and CR LF CR LF
	Byte    Chunking = "byte"    // every byte is a chunk
	Hostile Chunking = "hostile" // before every UTF-8 continuation byte and between two neighbouring line end bytes
)

// Chunkings lists them all, the mildest first.
var Chunkings = []Chunking{Whole, Event, Byte, Hostile}

// Cuts are the ends of the chunks of body, ascending, the body's own end left out; nil for one chunk. An empty
// chunking stands for whole; an unknown one is an error.
func (c Chunking) Cuts(body []byte) ([]int, error) {
	switch c {
	case "", Whole:
		return nil, nil
	case Event:
		return cutWhere(body, endsFrame), nil
	case Byte:
		return cutWhere(body, func([]byte, int) bool { return true }), nil
	case Hostile:
		return cutWhere(body, func(b []byte, i int) bool { return b[i]&0xC0 == 0x80 || lineEnd(b[i-1]) && lineEnd(b[i]) }), nil
	}
	return nil, fmt.Errorf("unknown chunking %q", c)
}

func cutWhere(body []byte, cut func(b []byte, i int) bool) []int {
	var cuts []int
	for i := 1; i < len(body); i++ {
		if cut(body, i) {
			cuts = append(cuts, i)
		}
	}
	return cuts
}

func lineEnd(c byte) bool { return c == '\n' || c == '\r' }

func endsFrame(b []byte, i int) bool {
	switch {
	case i >= 2 && b[i-1] == b[i-2] && lineEnd(b[i-1]):
		return true
	case i >= 4:
		return string(b[i-4:i]) == "\r\n\r\n"
	}
	return false
}
