package main

import (
	"context"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"reassay/capture"
	"reassay/workers"
)

// The store can take no more while exchanges are published and judged: whoever publishes is refused, and what was taken
// is judged once there is room again, each exchange once.
func TestChaosFullStore(t *testing.T) {
	c := newChaos(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	c.server.end(t, syscall.SIGTERM)
	c.server.limit = chaosFileLimit
	c.server.start(t)

	judging, stopJudging := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { c.daemon(judging, plan{}) })
	c.insist(ctx, c.nc.FlushWithContext) // connected again
	replay := workers.Replay{Conn: c.nc, Run: "chaos"}
	sent, refused := 0, 0
	for _, x := range c.exchanges {
		if refused == chaosRefusals {
			break
		}
		try, cancel := context.WithTimeout(ctx, time.Second)
		if _, err := replay.Publish(try, slices.Values([]*capture.Exchange{x})); err != nil {
			if refused == 0 {
				t.Logf("the first refusal: %v", err)
			}
			refused++
		} else {
			sent++
		}
		cancel()
	}
	if refused < chaosRefusals || sent == 0 {
		t.Errorf("%d publishings taken and %d refused: the store was never full, or never empty", sent, refused)
	}
	t.Logf("%d publishings taken and %d refused by a server whose files may have %d KiB, %d verdicts by then",
		sent, refused, chaosFileLimit, c.verdicts(ctx))

	c.server.end(t, syscall.SIGTERM)
	c.server.limit = 0
	c.server.start(t)
	c.publish(ctx)
	c.awaitVerdicts(ctx)
	stopJudging()
	running.Wait()
	if t.Failed() || ctx.Err() != nil {
		t.Fatalf("ended early: %v\n%s", context.Cause(ctx), c.figures())
	}
	c.compareVerdicts()
}

// chaosFileLimit is less than what the exchanges take, in blocks of 1024 bytes.
const chaosFileLimit = 1024

// chaosRefusals is how often a publisher is refused before the store is given room.
const chaosRefusals = 5
