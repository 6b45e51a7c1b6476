package workers

import (
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"go.uber.org/zap"
)

// calm waits while what this process holds in memory comes close to the collector's soft limit. An embedded server keeps
// every block of its store for ten seconds that was read while it was being written (nats-server 2.15,
// filestore.go, defaultCacheBufferExpiration), and the begins of a flood are such reads: whoever does not read for a while
// lets it forget them. It never waits for longer than that takes, so that a heap that is large for other reasons slows
// the judging down and does not stop it.
func (p *pool) calm(ctx context.Context) {
	limit := debug.SetMemoryLimit(-1)
	if limit == math.MaxInt64 {
		return
	}
	for waited := time.Duration(0); waited < calmTime; waited += calmLook {
		live := liveHeap()
		if live < limit/calmPart {
			return
		}
		if waited == 0 {
			p.config.Log.Debug("memory is short, nothing is fetched for a while", zap.Int64("live", live), zap.Int64("limit", limit))
		}
		select {
		case <-time.After(calmLook):
		case <-ctx.Done():
			return
		}
		runtime.GC() // the figure is the last collection's
	}
}

const (
	calmTime = 12 * time.Second
	calmLook = 250 * time.Millisecond
	calmPart = 2 // live data may take half of the limit: the other half is for garbage
)

// liveHeap is what the last collection found alive, in bytes.
func liveHeap() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
