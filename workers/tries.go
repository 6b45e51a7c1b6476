package workers

import "sync"

// maxTries is how often an exchange is judged that makes a worker panic or meets the machine's limits.
const maxTries = 3

// tries counts, by message subject, the judgements that did not come to an end. It is the one thing that a worker
// remembers, and nothing depends on it but how soon a trouble is given up: a restart begins to count anew.
type tries struct {
	mu sync.Mutex
	n  map[string]int
}

// count adds one and returns the sum.
func (t *tries) count(subject string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n == nil {
		t.n = map[string]int{}
	}
	t.n[subject]++
	return t.n[subject]
}

// tried reports whether a judgement of this subject has failed before.
func (t *tries) tried(subject string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n[subject] > 0
}

func (t *tries) forget(subject string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.n, subject)
}
