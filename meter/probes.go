package meter

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Alive answers a liveness probe: the process runs and can answer. Nothing else decides it: a NATS server that is down
// is waited for, and no restart of this process brings it back.
func (m *Meter) Alive() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, "ok\n")
	})
}

// Ready answers a readiness probe: 200 when this process would take a message now, else 503. The body has a line for
// each of the three things that it takes: the server is connected, it says that
// the consumer is there, and the consumer is being read.
func (m *Meter) Ready() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, asked := m.pulse.census(r.Context())
		now := time.Now()
		var text strings.Builder
		code := http.StatusOK
		for _, c := range []struct {
			what string
			err  error
		}{{"server", m.pulse.connected()}, {"consumer", asked}, {"fetching", m.pulse.fetching(now)}} {
			if c.err == nil {
				fmt.Fprintf(&text, "%s: ok\n", c.what)
				continue
			}
			code = http.StatusServiceUnavailable
			fmt.Fprintf(&text, "%s: %v\n", c.what, c.err)
		}
		answer(w, code, text.String())
	})
}

func answer(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	fmt.Fprint(w, text)
}
