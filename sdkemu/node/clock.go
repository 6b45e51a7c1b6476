package node

import (
	"slices"

	"github.com/dop251/goja"
)

// clock is Node's timers on a clock that only ever jumps to the next one: a reply that was captured has no waits.
type clock struct {
	now    int64 // milliseconds since the run began
	last   int64 // the id given last
	timers []timer
}

type timer struct {
	id  int64
	due int64 // milliseconds
	f   goja.Callable
}

// set starts a timer. Node makes every delay at least one millisecond (lib/internal/timers.js, Timeout).
func (c *clock) set(f goja.Callable, delay int64) int64 {
	c.last++
	c.timers = append(c.timers, timer{c.last, c.now + max(delay, 1), f})
	return c.last
}

func (c *clock) clear(id int64) {
	c.timers = slices.DeleteFunc(c.timers, func(t timer) bool { return t.id == id })
}

func (c *clock) pending() bool { return len(c.timers) > 0 }

// advance runs the timer that is due first; of equals, the one that was set first.
func (c *clock) advance() error {
	first := 0
	for i, t := range c.timers {
		if t.due < c.timers[first].due {
			first = i
		}
	}
	t := c.timers[first]
	c.timers = slices.Delete(c.timers, first, first+1)
	c.now = t.due
	_, err := t.f(goja.Undefined())
	return err
}
