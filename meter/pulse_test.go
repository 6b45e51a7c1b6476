package meter

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// state is what a readiness probe hears, in one line.
func state(t *testing.T, m *Meter) string {
	t.Helper()
	code, text := get(t, m.Ready())
	text = strings.ReplaceAll(strings.TrimSpace(text), "\n", "; ")
	if alive, _ := get(t, m.Alive()); alive != http.StatusOK {
		t.Errorf("not alive: %d", alive)
	}
	if (code == http.StatusOK) != (text == "server: ok; consumer: ok; fetching: ok") {
		t.Errorf("code %d with %q", code, text)
	}
	return text
}

func wantState(t *testing.T, m *Meter, want string) {
	t.Helper()
	if got := state(t, m); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

const allWell = "server: ok; consumer: ok; fetching: ok"

// Each thing that readiness takes is missed by itself, and found again.
func TestReadiness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMeter()
		none := "server: no consumer is being read; consumer: no consumer is being read; fetching: no consumer is being read"
		wantState(t, m, none)

		connected := true
		var refused error
		ctx, cancel := context.WithCancel(t.Context())
		m.Bound(ctx, Source{func() bool { return connected }, func(ctx context.Context) (Census, error) { return Census{}, refused }})
		wantState(t, m, allWell)
		connected = false
		wantState(t, m, "server: not connected; consumer: not connected; fetching: ok")
		connected, refused = true, errors.New("consumer not found")
		wantState(t, m, "server: ok; consumer: consumer not found; fetching: ok")
		refused = nil

		m.Fetched(false)
		quiet := "server: ok; consumer: ok; fetching: the server gives no sign of life while messages are waited for"
		wantState(t, m, quiet)
		m.Fetched(true)
		wantState(t, m, allWell)
		m.Fetched(false)
		time.Sleep(silence - time.Second)
		wantState(t, m, quiet)
		time.Sleep(2 * time.Second) // it would have been told again
		wantState(t, m, allWell)

		time.Sleep(24 * time.Hour) // nothing to do is no fault
		wantState(t, m, allWell)
		first := m.Delivered("end", 1)
		time.Sleep(time.Hour)
		wantState(t, m, allWell) // one of two workers is free
		second := m.Delivered("end", 1)
		wantState(t, m, allWell)
		time.Sleep(stuck + time.Second)
		wantState(t, m, "server: ok; consumer: ok; fetching: all 2 workers have had the same messages in hand for 10m1s")
		first("done")
		wantState(t, m, allWell)
		second("done")

		cancel() // stopping
		synctest.Wait()
		wantState(t, m, none)
	})
}

// A server that does not answer holds a probe up for a bounded time only.
func TestServerThatDoesNotAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMeter()
		m.Bound(t.Context(), Source{func() bool { return true }, func(ctx context.Context) (Census, error) {
			<-ctx.Done()
			return Census{}, ctx.Err()
		}})
		begun := time.Now()
		wantState(t, m, "server: ok; consumer: context deadline exceeded; fetching: ok")
		if took := time.Since(begun); took != askTimeout {
			t.Errorf("took %s, want %s", took, askTimeout)
		}
		text := exposed(t, m)
		wantLines(t, text, "reassay_server_up 0", "reassay_ready 0")
		if strings.Contains(text, "backlog") {
			t.Error("a backlog that nobody could count")
		}
	})
}
