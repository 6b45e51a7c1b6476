package tap

import (
	"io"
	"sync"
)

// keptBody hands a request's body on and keeps a copy of it, within the tap's bounds, until it has all been read.
type keptBody struct {
	io.ReadCloser
	passage *passage

	mu       sync.Mutex
	kept     []byte
	reserved int64 // of the tap's budget
	given    bool  // handed to the passage, or given up
}

// keep is body as it is to be read from now on.
func (p *passage) keep(body io.ReadCloser) io.ReadCloser {
	p.body = &keptBody{ReadCloser: body, passage: p}
	return p.body
}

// Read reads from the caller.
func (b *keptBody) Read(buf []byte) (int, error) {
	n, err := b.ReadCloser.Read(buf)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.add(buf[:n])
	switch {
	case err == io.EOF && !b.given:
		b.given = true
		b.passage.requested <- b.kept
	case err != nil && err != io.EOF:
		b.passage.cut.Store(true)
		b.giveUp()
	}
	return n, err
}

// add keeps a piece; a body over a bound is not kept at all.
func (b *keptBody) add(piece []byte) {
	if b.given {
		return
	}
	t := b.passage.tap
	size := int64(len(piece))
	b.reserved += size
	if t.requests.Add(size) > requestBudget || b.reserved > t.config.MaxRequest {
		b.giveUp()
		return
	}
	b.kept = append(b.kept, piece...)
}

func (b *keptBody) giveUp() {
	b.given = true
	b.free()
}

func (b *keptBody) free() {
	b.kept = nil
	b.passage.tap.requests.Add(-b.reserved)
	b.reserved = 0
}

// release lets go of what was kept.
func (b *keptBody) release() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.given = true
	b.free()
}
