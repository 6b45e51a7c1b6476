package tap

import (
	"io"
	"sync"
	"sync/atomic"
)

// asked is a request's body on its way to the upstream. Of a request that is mirrored it keeps a copy, within the tap's
// bounds, until it has all been read.
type asked struct {
	io.ReadCloser
	passage *passage // nil: nothing is kept
	length  int64    // of the whole, -1 where its head does not tell
	ended   atomic.Bool

	mu       sync.Mutex
	kept     []byte
	reserved int64 // of the tap's budget
	given    bool  // handed to the passage, or given up
}

func newAsked(body io.ReadCloser, length int64, p *passage) *asked {
	a := &asked{ReadCloser: body, passage: p, length: length, given: p == nil}
	if p != nil {
		p.body = a
	}
	return a
}

// Read reads from the caller.
func (a *asked) Read(buf []byte) (int, error) {
	n, err := a.ReadCloser.Read(buf)
	if err == io.EOF {
		a.ended.Store(true)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.keep(buf[:n])
	switch {
	case a.given:
	case err == io.EOF || int64(len(a.kept)) == a.length:
		a.give(a.kept)
	case err != nil:
		a.passage.cut.Store(true)
		a.giveUp()
	}
	return n, err
}

// keep keeps a piece; of a body over a bound nothing is kept.
func (a *asked) keep(piece []byte) {
	if a.given {
		return
	}
	t := a.passage.tap
	size := int64(len(piece))
	a.reserved += size
	if t.requests.Add(size) > requestBudget || a.reserved > t.config.MaxRequest {
		a.giveUp()
		return
	}
	a.kept = append(a.kept, piece...)
}

// give hands the body to the passage; nil is one that is not kept.
func (a *asked) give(body []byte) {
	if !a.given {
		a.given = true
		a.passage.requested <- body
	}
}

func (a *asked) giveUp() {
	a.give(nil)
	a.kept = nil
	a.passage.tap.requests.Add(-a.reserved)
	a.reserved = 0
}

// release lets go of what was kept.
func (a *asked) release() {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.giveUp()
}
