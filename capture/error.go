package capture

import (
	"fmt"
	"strings"
)

// Error says why a place in a capture file could not be read as an exchange.
type Error struct {
	File   string
	Line   int    // 1-based
	Offset int    // byte in the file, decompressed, 0-based
	ID     string // of the exchange, as far as it could be made out
	Err    error
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d: byte %d: ", e.File, e.Line, e.Offset)
	if e.ID != "" {
		fmt.Fprintf(&b, "exchange %q: ", e.ID)
	}
	return b.String() + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// FieldError says what is wrong with one field of an exchange.
type FieldError struct {
	Field string // its path, as stream.status
	Msg   string
	at    int // byte in the exchange's text
}

func (e *FieldError) Error() string { return e.Field + ": " + e.Msg }
