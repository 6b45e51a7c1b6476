package sse

import (
	"errors"
	"fmt"
)

// Error says that the reader stopped at a limit of its own, and where. What the underlying reader reports is
// returned as it is, never as an Error.
type Error struct {
	Offset int // byte offset of the frame's first byte in the stream
	Err    error
}

func (e *Error) Error() string { return fmt.Sprintf("frame at byte %d: %v", e.Offset, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// ErrFrameTooLarge is what an [Error] wraps when a frame has more bytes than [Reader.MaxFrame].
var ErrFrameTooLarge = errors.New("frame over the size limit")
