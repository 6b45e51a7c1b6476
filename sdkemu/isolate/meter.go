package isolate

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// meter watches over this process's memory.
type meter struct {
	limit int64 // in bytes
	over  func()
}

// meterPeriod is how often memory is looked at in a run. A core writes about 10 MB in that time.
const meterPeriod = 5 * time.Millisecond

// kernelLimit bounds the process in the operating system, for what one call asks for at once; nil where that has no
// such limit.
var kernelLimit func(bytes int64) error

// contain sets the limits of the runtime and the operating system. The collector works harder from seven eighths of
// the limit on. A stack may take a quarter: while it grows there are two. The kernel's limit is twice as high, because
// it counts address space that the collector has freed; where it cannot be set, the meter alone has to do.
func (m meter) contain() {
	debug.SetMemoryLimit(m.limit - m.limit/8)
	debug.SetMaxStack(int(m.limit / 4))
	if kernelLimit != nil {
		_ = kernelLimit(2 * m.limit)
	}
}

// used is the memory that the Go runtime has and has not given back, in bytes: what its own limit counts.
func (m meter) used() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}

// during runs f and calls over when it takes too much.
func (m meter) during(f func()) {
	stop := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		tick := time.NewTicker(meterPeriod)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if m.used() > m.limit {
					m.over()
				}
			case <-stop:
				return
			}
		}
	})
	f()
	close(stop)
	watching.Wait()
}
