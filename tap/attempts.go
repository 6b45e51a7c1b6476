package tap

import (
	"container/list"
	"sync"

	"reassay/capture"
)

// maxRemembered is how many exchanges' attempts are remembered; the one that was heard of longest ago is forgotten first.
const maxRemembered = 1 << 16

// attempts numbers the requests that a gateway makes for one exchange.
type attempts struct {
	mu    sync.Mutex
	of    map[string]*list.Element // of *attempt
	order *list.List               // heard of most recently first
}

type attempt struct {
	id        string
	made      int
	dropped   bool // an attempt was not mirrored, so that none after it is: the numbers would have a hole
	requested bool // the gateway's request is mirrored
}

func newAttempts() *attempts { return &attempts{of: map[string]*list.Element{}, order: list.New()} }

// next numbers an exchange's next attempt, from 1; 0 is one that is not to be mirrored.
func (a *attempts) next(id string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	x := a.get(id)
	if x.dropped || x.made == capture.MaxAttempts {
		return 0
	}
	x.made++
	return x.made
}

// drop says that an attempt is not mirrored.
func (a *attempts) drop(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.get(id).dropped = true
}

// claimRequest is true for the first who asks: an exchange has one upstream_request.
func (a *attempts) claimRequest(id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	x := a.get(id)
	first := !x.requested
	x.requested = true
	return first
}

func (a *attempts) get(id string) *attempt {
	if e, known := a.of[id]; known {
		a.order.MoveToFront(e)
		return e.Value.(*attempt)
	}
	if a.order.Len() >= maxRemembered {
		oldest := a.order.Remove(a.order.Back()).(*attempt)
		delete(a.of, oldest.id)
	}
	x := &attempt{id: id}
	a.of[id] = a.order.PushFront(x)
	return x
}
