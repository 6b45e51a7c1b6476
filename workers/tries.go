package workers

import "sync"

// maxTries is how often an exchange is judged that makes a worker panic or meets the machine's limits.
const maxTries = 3

// tries counts, by exchange, the judgements that did not come to an end. It is the one thing that a worker
// remembers, and nothing depends on it but how soon a trouble is given up: a restart begins to count anew.
type tries struct {
	mu sync.Mutex
	n  map[string]int
}

// count adds one and returns the sum.
func (t *tries) count(exchange string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n == nil {
		t.n = map[string]int{}
	}
	t.n[exchange]++
	return t.n[exchange]
}

// tried reports whether a judgement of this exchange has failed before.
func (t *tries) tried(exchange string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n[exchange] > 0
}

func (t *tries) forget(exchange string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.n, exchange)
}
