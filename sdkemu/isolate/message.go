package isolate

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// message is what passes over a pipe: parts, each its length in bytes as four bytes (big-endian), then its bytes. How
// many parts there are is known to both sides:
//
//	a run     head (JSON), body (raw), cuts (varints, each the difference to the one before), the request's body (JSON, or empty)
//	a result  head (JSON), what the SDK assembled (JSON, or empty)
//
// A JSON text holds lone surrogate halves as \u escapes. The pool writes a run, the worker answers with a result, and so on; the
// end of the pipe ends the worker.
type message [][]byte

// fits tells of a part whose length four bytes cannot hold.
func (m message) fits() error {
	for _, part := range m {
		if len(part) > math.MaxUint32 {
			return fmt.Errorf("a part of %d bytes does not fit into a message", len(part))
		}
	}
	return nil
}

func (m message) write(w io.Writer) error {
	if err := m.fits(); err != nil {
		return err
	}
	for _, part := range m {
		var length [4]byte
		binary.BigEndian.PutUint32(length[:], uint32(len(part)))
		if _, err := w.Write(length[:]); err != nil {
			return err
		}
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// readMessage reads n parts of at most so many bytes each. The error is io.EOF where none begins.
func readMessage(r io.Reader, n int, most int64) (message, error) {
	m := make(message, n)
	for i := range m {
		var length [4]byte
		if _, err := io.ReadFull(r, length[:]); err != nil {
			if i > 0 && err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		size := binary.BigEndian.Uint32(length[:])
		if int64(size) > most {
			return nil, fmt.Errorf("part %d has %d bytes, at most %d are taken", i, size, most)
		}
		m[i] = make([]byte, size)
		if _, err := io.ReadFull(r, m[i]); err != nil {
			return nil, fmt.Errorf("part %d of %d bytes: %w", i, size, noEOF(err))
		}
	}
	return m, nil
}

// noEOF makes an end inside a message an unexpected one.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
