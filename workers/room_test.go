package workers

import (
	"context"
	"errors"
	"testing"
	"time"
)

// Whoever finds no room waits, whoever needs more than he asked for is told so, and what no room holds is poison.
func TestRoomBoundsWhatIsHeldTogether(t *testing.T) {
	r := newRoom(100)
	first, err := r.enter(t.Context(), 60)
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := r.enter(short, 60); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second one that has no room enters: %v", err)
	}
	second, err := r.enter(t.Context(), 40)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.need(60); err != nil {
		t.Errorf("what was asked for is there: %v", err)
	}
	if err := first.need(61); !errors.Is(err, errNoRoom) {
		t.Errorf("more than there is beside another: %v, want no room", err)
	}
	second.leave()
	if err := first.need(61); err != nil || first.held != 90 {
		t.Errorf("more, when the other has left: %v, %d held, want half as much again", err, first.held)
	}
	if err := first.need(100); err != nil {
		t.Errorf("all of it: %v", err)
	}
	if err := first.need(101); !errors.Is(err, errPoison) {
		t.Errorf("more than the whole: %v, want poison", err)
	}
	first.leave()
	whole, err := r.enter(t.Context(), 1000)
	if err != nil || whole.held != 100 {
		t.Fatalf("more than the whole is asked for: %v, want all that there is", err)
	}
	whole.leave()
	if _, err := r.enter(t.Context(), 100); err != nil {
		t.Errorf("what was held was not given back: %v", err)
	}
}
