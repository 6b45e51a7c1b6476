package meter

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"reassay/check"
	"reassay/rules"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// exposed is what a scrape reads.
func exposed(t *testing.T, m *Meter) string {
	t.Helper()
	_, text := get(t, m.Metrics())
	return text
}

func get(t *testing.T, h http.Handler) (code int, text string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Code, string(body)
}

func wantLines(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+text, "\n"+line+"\n") {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
}

func newMeter() *Meter {
	return New(About{Version: "v1", Interpretation: check.Interpretation{ID: "abc", Rules: "3"}, Workers: 2})
}

var broken = check.Verdict{
	Worst: check.WorstException,
	SDKs: []check.SDK{
		{SDK: "openai-node", Version: "5.23.2", Mode: "stream", Outcome: check.Exception},
		{SDK: "openai-python", Version: "2.54.0", Mode: "stream", Outcome: check.Clean},
	},
	Findings: []rules.Finding{{Rule: "S05", Tier: "T1"}, {Rule: "S05", Tier: "T1"}},
}

func TestEveryCountIsTold(t *testing.T) {
	m := newMeter()
	m.Verdict("portkey", broken, 200*time.Millisecond)
	m.Judged(3 * time.Millisecond)
	m.Read("portkey", 4211)
	m.Dropped("portkey")
	m.Dead("_")
	m.Delivered("begin", 1)("done")
	m.Delivered("end", 2)("retry")
	m.Delivered("end", 1)
	wantLines(t, exposed(t, m),
		`reassay_exchanges_total{gateway="portkey",outcome="exception"} 1`,
		`reassay_sdk_outcomes_total{mode="stream",outcome="exception",sdk="openai-node",version="5.23.2"} 1`,
		`reassay_sdk_outcomes_total{mode="stream",outcome="clean",sdk="openai-python",version="2.54.0"} 1`,
		`reassay_findings_total{rule="S05",tier="T1"} 2`,
		`reassay_judging_seconds_bucket{le="0.005"} 1`,
		`reassay_judging_seconds_count 1`,
		`reassay_verdict_delay_seconds_bucket{le="0.1"} 0`,
		`reassay_verdict_delay_seconds_bucket{le="0.25"} 1`,
		`reassay_read_bytes_total{gateway="portkey"} 4211`,
		`reassay_dropped_exchanges_total{gateway="portkey"} 1`,
		`reassay_dead_letters_total{gateway="_"} 1`,
		`reassay_deliveries_total{message="begin"} 1`,
		`reassay_deliveries_total{message="end"} 2`,
		`reassay_redeliveries_total{message="end"} 1`,
		`reassay_settlements_total{outcome="done"} 1`,
		`reassay_settlements_total{outcome="retry"} 1`,
		`reassay_workers 2`,
		`reassay_busy_workers 1`,
		`reassay_info{interpretation="abc",rules="3",version="v1"} 1`,
		`reassay_server_up 0`,
		`reassay_ready 0`,
	)
}

func TestNilCountsNothing(t *testing.T) {
	var m *Meter
	m.Verdict("g", broken, time.Second)
	m.Judged(time.Second)
	m.Read("g", 1)
	m.Dropped("g")
	m.Dead("g")
	m.Delivered("begin", 1)("done")
	m.Fetched(true)
	m.Bound(t.Context(), Source{})()
}

// A publisher that makes up gateways costs neither us nor Prometheus memory without end, and loses no count.
func TestGatewayLabelsAreBounded(t *testing.T) {
	m := newMeter()
	var all sync.WaitGroup
	for i := range 10 * MaxGateways {
		all.Go(func() { m.Read(fmt.Sprint("gateway-", i), 1) })
	}
	all.Wait()
	m.Read("gateway-late", 1)
	text := exposed(t, m)
	if n := strings.Count(text, "reassay_read_bytes_total{"); n != MaxGateways+1 {
		t.Errorf("%d series, want %d and one that the rest share", n, MaxGateways)
	}
	wantLines(t, text, fmt.Sprintf(`reassay_read_bytes_total{gateway="(other)"} %d`, 9*MaxGateways+1))
}

func census(context.Context) (Census, error) {
	return Census{Waiting: 7, Unsettled: 3, Streams: []Stream{{"REASSAY_MIRROR", 5, 600, 1000}, {"REASSAY_DEAD", 1, 20, -1}}}, nil
}

func TestWhatTheServerHoldsIsAskedWhenScraped(t *testing.T) {
	m := newMeter()
	m.Bound(t.Context(), Source{func() bool { return true }, census})
	text := exposed(t, m)
	wantLines(t, text,
		`reassay_server_up 1`,
		`reassay_ready 1`,
		`reassay_backlog_messages 7`,
		`reassay_unsettled_messages 3`,
		`reassay_stream_messages{stream="REASSAY_MIRROR"} 5`,
		`reassay_stream_bytes{stream="REASSAY_MIRROR"} 600`,
		`reassay_stream_max_bytes{stream="REASSAY_MIRROR"} 1000`,
		`reassay_stream_messages{stream="REASSAY_DEAD"} 1`,
	)
	if strings.Contains(text, `reassay_stream_max_bytes{stream="REASSAY_DEAD"}`) {
		t.Error("a stream without a limit has one")
	}
}
