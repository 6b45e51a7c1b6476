package python

import (
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"reassay/sdkemu"
)

// TestPeakMemory runs streams of more than a megabyte: live memory stays within four times the stream's size.
func TestPeakMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	e := New()
	for i := range releases {
		for _, c := range longStreams {
			if !slices.Contains(releases[i].apis, c.api) {
				continue
			}
			body := c.body(10_000)
			if len(body) < 1_000_000 {
				t.Errorf("%s: %d bytes, a megabyte was wanted", c.name, len(body))
			}
			for _, mode := range modes {
				checkPeak(t, e, releases[i].target(c.api, mode), c.name, body)
			}
		}
	}
}

func checkPeak(t *testing.T, e *Emulator, target sdkemu.Target, name string, body []byte) {
	t.Helper()
	idle := live()
	var peak atomic.Uint64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				peak.Store(max(peak.Load(), live()))
			}
		}
	}()
	r := e.Run(t.Context(), target, sdkemu.Input{Body: body})
	close(stop)
	<-stopped
	if r.Outcome != sdkemu.OK {
		t.Errorf("%s, %s: %s %v %s", target.Name(), name, r.Outcome, r.Exception, r.Reason)
	}
	above := float64(max(peak.Load(), idle)-idle) / float64(len(body))
	t.Logf("%s, %s: %d bytes, at most %.2f times as many live", target.Name(), name, len(body), above)
	if above > 4 {
		t.Errorf("%s, %s: %.2f times the stream's size is live", target.Name(), name, above)
	}
}

// live is the heap in use after a collection.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
