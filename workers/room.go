package workers

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/semaphore"
)

// room bounds what the exchanges that are read back may take of memory together. One that needs all of it waits until
// it is alone.
type room struct {
	free *semaphore.Weighted // in bytes of memory
	size int64
}

// newRoom makes room for so many bytes of memory; 0 stands for no bound.
func newRoom(size int64) *room {
	if size <= 0 {
		size = 1 << 62
	}
	return &room{semaphore.NewWeighted(size), size}
}

// What judging takes of memory for each byte that an exchange holds (its messages, the joined legs, what goes to the
// SDKs' processes and comes back, the assembled replies, and the garbage of all that), and for each message beside its
// bytes (subject, headers, the frames of its events). make backpressure fails where they are too low.
const (
	byteCost    = 12
	messageCost = 4 << 10
)

// cost is the memory that an exchange takes which holds so many bytes in so many messages.
func cost(bytes, messages int64) int64 { return byteCost*bytes + messageCost*messages }

// errNoRoom says that an exchange holds more than its manifests said, and that there is no room for it now.
var errNoRoom = errors.New("no room")

// stay is one exchange's part of a room.
type stay struct {
	room *room
	held int64
}

// enter waits until there is room for so much memory.
func (r *room) enter(ctx context.Context, want int64) (*stay, error) {
	want = min(max(want, 1), r.size)
	if err := r.free.Acquire(ctx, want); err != nil {
		return nil, fmt.Errorf("wait for memory: %w", err)
	}
	return &stay{r, want}, nil
}

// need makes sure that a stay covers so much. It does not wait: two that wait for each other's room would wait for
// ever. The one that gets errNoRoom leaves and enters anew with what it turned out to need. What the whole room cannot
// hold is poison.
func (s *stay) need(want int64) error {
	switch {
	case want > s.room.size:
		return fmt.Errorf("%w: the exchange takes more than the %d bytes of memory that there are for judging", errPoison, s.room.size)
	case want <= s.held:
		return nil
	}
	want = min(max(want, s.held+s.held/2), s.room.size) // in larger steps than messages come in
	if !s.room.free.TryAcquire(want - s.held) {
		return errNoRoom
	}
	s.held = want
	return nil
}

func (s *stay) leave() {
	s.room.free.Release(s.held)
	s.held = 0
}
