package tap

import (
	"net/http"
	"sync"
)

// back is the way back to a caller. It adds nothing to a reply that the upstream did not send, and knows whether the
// caller still takes what it is sent.
type back struct {
	http.ResponseWriter
	mu     sync.Mutex // a reply's head is flushed beside its body's first piece
	failed bool
}

// Unwrap lets http.ResponseController find what the server's own writer can do.
func (b *back) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// WriteHeader sends a reply's head. net/http would add a date and guess a content type.
func (b *back) WriteHeader(status int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if h := b.Header(); status >= http.StatusOK {
		for _, name := range []string{"Date", "Content-Type"} {
			if _, sent := h[name]; !sent {
				h[name] = nil
			}
		}
	}
	b.ResponseWriter.WriteHeader(status)
}

// Write sends a piece of a reply's body.
func (b *back) Write(piece []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, err := b.ResponseWriter.Write(piece)
	b.failed = b.failed || err != nil
	return n, err
}

// FlushError sends what waits.
func (b *back) FlushError() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := http.NewResponseController(b.ResponseWriter).Flush()
	b.failed = b.failed || err != nil
	return err
}

// gone reports whether the caller no longer takes what it is sent.
func (b *back) gone() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failed
}
