package isolate

import (
	"bytes"
	"strings"
	"sync"
)

// maxLine is how much of a line is kept, in bytes.
const maxLine = 500

// lastWords keeps the line, of all that a process writes, which says why it ended: the one with which the Go runtime
// begins to, else the last that is not blank.
type lastWords struct {
	mu   sync.Mutex
	open []byte // the line that has not ended
	last []byte
	dies bool // last is the runtime's
}

// Write takes any part of a text. It never fails.
func (l *lastWords) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range bytes.Lines(text) {
		l.open = append(l.open, line[:min(len(line), maxLine-min(len(l.open), maxLine))]...)
		if bytes.HasSuffix(line, []byte("\n")) {
			l.ended()
		}
	}
	return len(text), nil
}

// ended decides about a line.
func (l *lastWords) ended() {
	line := bytes.TrimSpace(l.open)
	if len(line) > 0 && !l.dies {
		l.last = append(l.last[:0], line...)
		l.dies = bytes.HasPrefix(line, []byte("fatal error: ")) || bytes.HasPrefix(line, []byte("panic: "))
	}
	l.open = l.open[:0]
}

// String is the line. Nothing is written after it.
func (l *lastWords) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended()
	return strings.ToValidUTF8(string(l.last), "\uFFFD")
}
