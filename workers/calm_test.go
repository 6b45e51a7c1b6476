package workers

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// Nothing is fetched while what is alive comes close to the soft limit, and again as soon as it does not.
func TestCalmWaitsForMemory(t *testing.T) {
	runtime.GC()
	ballast := make([]byte, 128<<20)
	runtime.GC()
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(2*liveHeap() - 64<<20))
	p := &pool{config: Config{}.withDefaults()}
	calmed := make(chan time.Duration)
	go func() {
		started := time.Now()
		p.calm(t.Context())
		calmed <- time.Since(started)
	}()
	select {
	case <-calmed:
		t.Error("it does not wait")
	case <-time.After(2 * calmLook):
	}
	runtime.KeepAlive(ballast)
	ballast = nil
	if waited := <-calmed; waited >= calmTime {
		t.Errorf("it waits for %s, with memory to spare", waited)
	}
}

// An exchange is looked at in ever longer steps, and once a limit has passed.
func TestOpenExchangesAreLookedAtNowAndThen(t *testing.T) {
	for _, c := range []struct{ age, limit, want time.Duration }{
		{0, time.Minute, openDelay},
		{10 * time.Second, time.Minute, 10 * time.Second},
		{10 * time.Second, 3 * time.Second, 3 * time.Second},
		{10 * time.Second, 300 * time.Millisecond, 300 * time.Millisecond},
	} {
		if got := nextLook(c.age, c.limit); got != c.want {
			t.Errorf("open for %s, %s left: looked at again after %s, want %s", c.age, c.limit, got, c.want)
		}
	}
}
