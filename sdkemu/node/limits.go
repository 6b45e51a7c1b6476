package node

import (
	"fmt"
	"time"
)

// Limits say which streams are run at all. A stream over one of them is inconclusive, with the limit's name; goja's
// native functions cannot be stopped, so that what they would choke on must not reach them.
type Limits struct {
	Bytes   int           // of the body
	Events  int           // blank lines in the body: frames, comments included
	Chunks  int           // of the transport: each is a read of the SDK's, and costs what an event does
	Nesting int           // of arrays and objects in one JSON text; V8's JSON.stringify overflows near 4000
	Index   int           // of a choice or tool call, which becomes an array's length
	Parse   int           // of all JSON texts, the incomplete ones that an SDK parses anew at every delta too: bytes, there UTF-16 units
	Calls   int           // depth of the JavaScript call stack; V8 stops near 10,000 frames, depending on their size
	Time    time.Duration // of one run
}

// DefaultLimits admit every stream of the fixtures.
var DefaultLimits = Limits{
	Bytes:   16 << 20,
	Events:  200_000,
	Chunks:  200_000,
	Nesting: 2000,
	Index:   10_000,
	Parse:   64 << 20,
	Calls:   4000,
	Time:    time.Minute,
}

// limitError is a limit that was met.
type limitError struct {
	name      string // of the field, in lower case
	reason    string
	retryable bool // it depends on the machine
}

func (e *limitError) Error() string { return "limit " + e.name + ": " + e.reason }

// parses counts n more of Limits.Parse.
func (rt *jsRuntime) parses(n int) *limitError {
	if rt.parsed += n; rt.parsed > rt.limits.Parse {
		return &limitError{name: "parse", reason: fmt.Sprintf("the SDK parsed more than %d bytes of JSON in all", rt.limits.Parse)}
	}
	return nil
}

// check looks at what can be told before the run.
func (l Limits) check(body []byte, cuts []int) *limitError {
	if len(cuts) > l.Chunks {
		return &limitError{name: "chunks", reason: fmt.Sprintf("the body came in %d chunks, the limit is %d", len(cuts)+1, l.Chunks)}
	}
	if len(body) > l.Bytes {
		return &limitError{name: "bytes", reason: fmt.Sprintf("the body has %d bytes, the limit is %d", len(body), l.Bytes)}
	}
	if n := blankLines(body); n > l.Events {
		return &limitError{name: "events", reason: fmt.Sprintf("the body has %d frames, the limit is %d", n, l.Events)}
	}
	return nil
}

// blankLines counts the empty lines of b, whose lines end in LF, CR LF or CR.
func blankLines(b []byte) int {
	n, empty := 0, true
	for i, c := range b {
		switch {
		case c == '\n' && i > 0 && b[i-1] == '\r': // ends the line that CR ended
		case c == '\n' || c == '\r':
			if empty {
				n++
			}
			empty = true
		default:
			empty = false
		}
	}
	return n
}
