// Package meter counts what the daemon does and tells it to Prometheus, and says whether the daemon is ready to work.
package meter

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"reassay/check"
)

// Meter counts. A nil *Meter counts nothing: who counts need not ask whether anybody wants to know. Its methods are safe
// for concurrent use.
//
// Counts are this process's own since it started; what the server holds ([Census]) is the same for every process that
// shares it, and is read from the server when somebody asks. docs/operations.md lists every metric.
type Meter struct {
	registry *prometheus.Registry
	gateways gateways
	pulse    pulse

	exchanges    *prometheus.CounterVec
	sdks         *prometheus.CounterVec
	findings     *prometheus.CounterVec
	bytes        *prometheus.CounterVec
	dropped      *prometheus.CounterVec
	dead         *prometheus.CounterVec
	deliveries   *prometheus.CounterVec
	redeliveries *prometheus.CounterVec
	settlements  *prometheus.CounterVec
	judging      prometheus.Histogram
	delay        prometheus.Histogram
	workers      prometheus.Gauge
	busy         prometheus.Gauge
}

// About names what is counted.
type About struct {
	Version        string // of the program
	Interpretation check.Interpretation
	Workers        int
}

// The upper bounds of the histograms' buckets, in seconds. An exchange without hostile streams is judged in
// milliseconds; one run of one SDK may take a minute.
var (
	judgingBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300}
	delayBuckets   = []float64{.01, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 21600}
)

// New makes a meter that has counted nothing.
func New(a About) *Meter {
	m := &Meter{registry: prometheus.NewRegistry(), pulse: pulse{workers: a.Workers}}
	m.exchanges = m.counters("exchanges_total", "Verdicts stored, by the verdict's worst word.", "gateway", "outcome")
	m.sdks = m.counters("sdk_outcomes_total", "SDK runs in stored verdicts, by what the SDK made of the stream.", "sdk", "version", "mode", "outcome")
	m.findings = m.counters("findings_total", "Findings in stored verdicts.", "rule", "tier")
	m.bytes = m.counters("read_bytes_total", "Bytes of legs read back for judging.", "gateway")
	m.dropped = m.counters("dropped_exchanges_total", "Verdicts stored on exchanges whose publisher says that it dropped a part.", "gateway")
	m.dead = m.counters("dead_letters_total", "Messages that cannot be judged, stored as dead letters.", "gateway")
	m.deliveries = m.counters("deliveries_total", "Messages that the server handed to this process's workers.", "message")
	m.redeliveries = m.counters("redeliveries_total", "Those of them that had been handed out before. The begin of an open exchange comes again every second.", "message")
	m.settlements = m.counters("settlements_total", "Messages settled, by what became of them.", "outcome")
	m.judging = m.histogram("judging_seconds", "Time that judging one exchange took, with every SDK.", judgingBuckets)
	m.delay = m.histogram("verdict_delay_seconds", "Time from an exchange's last message to its stored verdict.", delayBuckets)
	m.workers = m.gauge("workers", "Exchanges that this process judges at once, at most.")
	m.busy = m.gauge("busy_workers", "Workers that have a message in hand.")
	m.workers.Set(float64(a.Workers))
	info := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: "info",
		Help:        "Always 1; its labels name the program and the rules by which it judges.",
		ConstLabels: prometheus.Labels{"version": a.Version, "rules": a.Interpretation.Rules, "interpretation": a.Interpretation.ID}})
	info.Set(1)
	m.registry.MustRegister(info, &m.pulse, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

const namespace = "reassay"

func (m *Meter) counters(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	m.registry.MustRegister(c)
	return c
}

func (m *Meter) histogram(name, help string, buckets []float64) prometheus.Histogram {
	h := prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets})
	m.registry.MustRegister(h)
	return h
}

func (m *Meter) gauge(name, help string) prometheus.Gauge {
	g := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help})
	m.registry.MustRegister(g)
	return g
}

// Metrics answers with every metric in Prometheus' text format.
func (m *Meter) Metrics() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

// Verdict counts a verdict that this process stored, so long after the last message of its exchange came. gateway is
// the token in the exchange's subjects.
func (m *Meter) Verdict(gateway string, v check.Verdict, delay time.Duration) {
	if m == nil {
		return
	}
	m.exchanges.WithLabelValues(m.gateways.label(gateway), string(v.Worst)).Inc()
	for _, s := range v.SDKs {
		m.sdks.WithLabelValues(s.SDK, s.Version, s.Mode, string(s.Outcome)).Inc()
	}
	for _, f := range v.Findings {
		m.findings.WithLabelValues(f.Rule, string(f.Tier)).Inc()
	}
	m.delay.Observe(delay.Seconds())
}

// Judged counts the time that judging one exchange took.
func (m *Meter) Judged(d time.Duration) {
	if m == nil {
		return
	}
	m.judging.Observe(d.Seconds())
}

// Read counts bytes of legs that were read back.
func (m *Meter) Read(gateway string, bytes int64) {
	if m == nil {
		return
	}
	m.bytes.WithLabelValues(m.gateways.label(gateway)).Add(float64(bytes))
}

// Dropped counts an exchange that has a verdict and of which its publisher says that it dropped a part.
func (m *Meter) Dropped(gateway string) {
	if m == nil {
		return
	}
	m.dropped.WithLabelValues(m.gateways.label(gateway)).Inc()
}

// Dead counts a stored dead letter.
func (m *Meter) Dead(gateway string) {
	if m == nil {
		return
	}
	m.dead.WithLabelValues(m.gateways.label(gateway)).Inc()
}

// Delivered counts a message that a worker takes in hand: a begin or an end, and the how-manieth time it is handed out.
// The worker calls the function that it returns when the message is settled, with what became of it.
func (m *Meter) Delivered(message string, deliveries uint64) (settled func(outcome string)) {
	if m == nil {
		return func(string) {}
	}
	m.deliveries.WithLabelValues(message).Inc()
	if deliveries > 1 {
		m.redeliveries.WithLabelValues(message).Inc()
	}
	m.busy.Inc()
	m.pulse.work(1)
	return func(outcome string) {
		m.settlements.WithLabelValues(outcome).Inc()
		m.busy.Dec()
		m.pulse.work(-1)
	}
}
