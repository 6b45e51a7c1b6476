package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"reassay/capture"
	"reassay/mirror"
	"reassay/workers"
)

var (
	chaosExchanges = flag.Int("chaos-exchanges", 0, "how many exchanges TestChaos judges; 0: each recorded one once")
	chaosRounds    = flag.Int("chaos-rounds", 1, "how often TestChaos kills a daemon at each step")
	chaosSeed      = flag.Uint64("chaos-seed", 1, "of TestChaos's choices")
)

const (
	// chaosAckWait is after what a message whose worker is silent is handed out again.
	chaosAckWait = time.Second
	// chaosWindow is how long the server remembers message ids.
	chaosWindow = time.Second
	// chaosPatience is how long a question may take that a restarted server may never have heard.
	chaosPatience = 2 * time.Second
	// chaosSleep is how long a daemon is stopped: past both.
	chaosSleep = 3 * time.Second
)

// Exchanges are published and judged while daemons are killed at every step between fetch and ack, the NATS server is
// killed and restarted, connections are cut and a daemon sleeps past its ack wait and the dedup window: in the end each
// exchange has one verdict, which is byte for byte that of an undisturbed run.
func TestChaos(t *testing.T) {
	c := newChaos(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(c.total())*time.Second/4+2*time.Minute)
	defer cancel()

	var running sync.WaitGroup
	plans := make(chan plan)
	judging, stopJudging := context.WithCancel(ctx)
	for range 2 {
		running.Go(func() { c.slot(judging, plans) })
	}
	running.Go(func() {
		defer close(plans)
		for _, p := range c.plans() {
			select {
			case plans <- p:
			case <-ctx.Done():
				return
			}
		}
	})
	running.Go(func() { c.disturb(ctx) })
	c.publish(ctx)
	c.awaitVerdicts(ctx)
	stopJudging()
	running.Wait()
	if t.Failed() || ctx.Err() != nil {
		t.Fatalf("ended early: %v\n%s", context.Cause(ctx), c.figures())
	}
	c.compareVerdicts()
	c.compareDeadLetters()
	c.compareDeeds()
	t.Log(c.figures())
}

// chaos is one run.
type chaos struct {
	t         *testing.T
	rand      *rand.Rand // of the goroutine that publishes and plans
	server    *natsProcess
	link      *link
	exchanges []*capture.Exchange
	want      map[string]string // id → verdict
	js        jetstream.JetStream
	nc        *nats.Conn

	mu       sync.Mutex
	died     map[workers.Step]int
	slept    int
	restarts int
	retried  int // publishings that had to be said again
}

func newChaos(t *testing.T) *chaos {
	c := &chaos{t: t, rand: rand.New(rand.NewPCG(*chaosSeed, 0)), want: map[string]string{}, died: map[workers.Step]int{}}
	c.recorded()
	c.server = startNATS(t, t.TempDir(), 0)
	c.link = newLink(t, func() string { return c.server.addr })
	nc, err := nats.Connect(c.server.url(), nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	c.nc = nc
	if c.js, err = jetstream.New(nc); err != nil {
		t.Fatal(err)
	}
	// The streams are there from the first publishing on, and then forget message ids as soon as may be.
	if _, err := (workers.Replay{Conn: nc}).Publish(t.Context(), slices.Values([]*capture.Exchange{})); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{mirror.Stream, "REASSAY_VERDICTS"} {
		stream, err := c.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		config := stream.CachedInfo().Config
		config.Duplicates = chaosWindow
		if _, err := c.js.UpdateStream(t.Context(), config); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// recorded makes the exchanges, each recorded one as often as it takes, and what an undisturbed run says of them.
func (c *chaos) recorded() {
	_, input, lines := checked(c.t)
	verdicts := map[string]string{}
	for _, line := range lines {
		verdicts[exchangeID(c.t, line)] = line
	}
	var base []*capture.Exchange
	for x, err := range capture.Decode(bytes.NewReader(input), "captures") {
		if err != nil {
			c.t.Fatal(err)
		}
		base = append(base, x)
	}
	n := *chaosExchanges
	if n == 0 {
		n = len(base)
	}
	for i := range n {
		x := *base[i%len(base)]
		own := fmt.Sprintf("%s#%d", x.ID, i)
		line := verdicts[x.ID]
		renamed := strings.Replace(line, `"exchange":`+quoted(c.t, x.ID), `"exchange":`+quoted(c.t, own), 1)
		if line == "" || renamed == line {
			c.t.Fatalf("check gave no verdict that names %q: %.200s", x.ID, line)
		}
		x.ID = own
		c.want[own] = renamed
		c.exchanges = append(c.exchanges, &x)
	}
}

func (c *chaos) total() int { return len(c.exchanges) }

func exchangeID(t *testing.T, verdict string) string {
	var v struct{ Exchange string }
	if err := json.Unmarshal([]byte(verdict), &v); err != nil {
		t.Fatalf("%v in %.200s", err, verdict)
	}
	return v.Exchange
}

// quoted is a string in JSON, as verdicts have it.
func quoted(t *testing.T, s string) string {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(text.String())
}

// plans kills a daemon at every step, each round at other times, and puts one to sleep with a verdict in its hands.
func (c *chaos) plans() []plan {
	var all []plan
	for range *chaosRounds {
		for _, step := range workers.Steps {
			all = append(all, plan{syscall.SIGKILL, step, c.rand.Int64N(4) + 1})
		}
		all = append(all, plan{syscall.SIGSTOP, "judged", c.rand.Int64N(4) + 1})
	}
	c.rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// slot runs one daemon after the other: each with a plan while there are any, then one without until ctx ends.
func (c *chaos) slot(ctx context.Context, plans <-chan plan) {
	for p := range plans {
		c.daemon(ctx, p)
	}
	c.daemon(ctx, plan{})
}

// daemon runs reassay serve until its plan ends it, or ctx does.
func (c *chaos) daemon(ctx context.Context, p plan) {
	cmd := program("serve", "--nats", c.link.url(), "--workers", "2", "--ack-wait", chaosAckWait.String())
	var log bytes.Buffer
	cmd.Stderr = &log
	if p.signal != 0 {
		cmd.Env = append(os.Environ(), chaosPlan+"="+p.String())
	}
	if err := cmd.Start(); err != nil {
		c.t.Error(err)
		return
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			if p.signal == syscall.SIGKILL && killed(cmd) {
				c.count(func() { c.died[p.step]++ })
				return
			}
			c.t.Errorf("a daemon with the plan %q ended: %v\n%s", p, err, log.String())
			return
		case <-ctx.Done():
			_ = cmd.Process.Signal(syscall.SIGCONT)
			_ = cmd.Process.Signal(syscall.SIGTERM)
			if err := <-ended; err != nil && !killed(cmd) {
				c.t.Errorf("stop a daemon: %v\n%s", err, log.String())
			}
			if strings.Contains(log.String(), nats.ErrSlowConsumer.Error()) {
				c.t.Errorf("a daemon lost messages that had come to it\n%s", log.String())
			}
			return
		case <-tick.C:
			if p.signal != syscall.SIGSTOP || !stopped(cmd.Process.Pid) {
				continue
			}
			time.Sleep(chaosSleep)
			_ = cmd.Process.Signal(syscall.SIGCONT)
			c.count(func() { c.slept++ })
			_ = cmd.Process.Signal(syscall.SIGTERM)
			if err := <-ended; err != nil {
				c.t.Errorf("a daemon that slept did not end in good order: %v\n%s", err, log.String())
			}
			return
		}
	}
}

func (c *chaos) count(add func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	add()
}

func killed(cmd *exec.Cmd) bool {
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// stopped reports whether a process sleeps by SIGSTOP (proc_pid_stat(5)).
func stopped(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") T ")
}

const (
	chaosBatch = 10
	// chaosAhead is how many exchanges wait for their verdicts at most, so that what is done to the server is done while
	// exchanges come in.
	chaosAhead = 5 * chaosBatch
)

// publish sends every exchange, and each again that the server did not confirm. A message that no worker can read goes
// with every batch.
func (c *chaos) publish(ctx context.Context) {
	replay := workers.Replay{Conn: c.nc, Run: "chaos"}
	for i := 0; i < c.total(); i += chaosBatch {
		batch := c.exchanges[i:min(i+chaosBatch, c.total())]
		for ctx.Err() == nil && int(c.verdicts(ctx)) < i-chaosAhead {
			time.Sleep(20 * time.Millisecond)
		}
		c.insist(ctx, func(ctx context.Context) error {
			_, err := replay.Publish(ctx, slices.Values(batch))
			return err
		})
		c.insist(ctx, func(ctx context.Context) error {
			poison := mirror.EndSubject("chaos", mirror.ExchangeToken("poison", batch[0].ID), "stream")
			_, err := c.js.Publish(ctx, poison, []byte("{"))
			return err
		})
	}
}

// insist does something until it succeeds.
func (c *chaos) insist(ctx context.Context, do func(context.Context) error) {
	for ctx.Err() == nil {
		try, cancel := context.WithTimeout(ctx, 10*time.Second)
		err := do(try)
		cancel()
		if err == nil {
			return
		}
		c.count(func() { c.retried++ })
		time.Sleep(100 * time.Millisecond)
	}
}

// disturb kills the server, restarts it and cuts connections, each once a part of the verdicts is there.
func (c *chaos) disturb(ctx context.Context) {
	restart := func(signal syscall.Signal) func() {
		return func() {
			c.server.end(c.t, signal)
			c.server.start(c.t)
			c.count(func() { c.restarts++ })
		}
	}
	for i, do := range []func(){c.link.cut, restart(syscall.SIGKILL), c.link.cut, restart(syscall.SIGTERM), c.link.cut} {
		for uint64((i+1)*c.total()/7) > c.verdicts(ctx) {
			if ctx.Err() != nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		do()
	}
}

// verdicts is how many there are, 0 while the server does not answer.
func (c *chaos) verdicts(ctx context.Context) uint64 {
	ctx, cancel := context.WithTimeout(ctx, chaosPatience)
	defer cancel()
	stream, err := c.js.Stream(ctx, "REASSAY_VERDICTS")
	if err != nil {
		return 0
	}
	return stream.CachedInfo().State.Msgs
}

// awaitVerdicts waits until there are as many verdicts as exchanges, every plan was carried out and every message is settled.
func (c *chaos) awaitVerdicts(ctx context.Context) {
	for ctx.Err() == nil && !c.t.Failed() {
		time.Sleep(100 * time.Millisecond)
		if c.verdicts(ctx) < uint64(c.total()) {
			continue
		}
		asking, cancel := context.WithTimeout(ctx, chaosPatience)
		consumer, err := c.js.Consumer(asking, mirror.Stream, "reassay-judge")
		cancel()
		if err != nil {
			continue
		}
		if info := consumer.CachedInfo(); info.NumPending == 0 && info.NumAckPending == 0 {
			return
		}
	}
}

// compareVerdicts demands one verdict an exchange, byte for byte that of an undisturbed run.
func (c *chaos) compareVerdicts() {
	bucket, err := c.js.ObjectStore(c.t.Context(), "REASSAY_EVIDENCE")
	if err != nil {
		c.t.Fatal(err)
	}
	times := map[string]int{}
	for msg, err := range c.messages("REASSAY_VERDICTS") {
		if err != nil {
			c.t.Fatal(err)
		}
		text := msg.Data
		if name := msg.Header.Get("Reassay-Verdict-Object"); name != "" {
			if text, err = bucket.GetBytes(c.t.Context(), name); err != nil {
				c.t.Fatal(err)
			}
		}
		id := exchangeID(c.t, string(text))
		times[id]++
		if string(text) != c.want[id] {
			c.t.Fatalf("disturbed\n%s\nundisturbed\n%s", text, c.want[id])
		}
	}
	for id := range c.want {
		if times[id] != 1 {
			c.t.Errorf("%d verdicts on exchange %s, want 1", times[id], id)
		}
	}
}

// compareDeadLetters demands that every unreadable message is among the dead letters.
func (c *chaos) compareDeadLetters() {
	buried := map[string]bool{}
	for msg, err := range c.messages("REASSAY_DEAD") {
		if err != nil {
			c.t.Fatal(err)
		}
		buried[msg.Header.Get("Reassay-Subject")] = true
	}
	if want := (c.total() + chaosBatch - 1) / chaosBatch; len(buried) != want {
		c.t.Errorf("%d of %d unreadable messages are dead letters", len(buried), want)
	}
}

// compareDeeds demands that everything was done that was planned.
func (c *chaos) compareDeeds() {
	for _, step := range workers.Steps {
		if c.died[step] < *chaosRounds {
			c.t.Errorf("a daemon was killed %d times at the step %q, want %d", c.died[step], step, *chaosRounds)
		}
	}
	if c.slept < *chaosRounds || c.restarts < 2 || c.link.cuts < 3 {
		c.t.Errorf("%d sleeps, %d restarts of the server, %d cuts", c.slept, c.restarts, c.link.cuts)
	}
}

// messages reads a stream from its first message to its last.
func (c *chaos) messages(name string) iter.Seq2[*jetstream.RawStreamMsg, error] {
	return func(yield func(*jetstream.RawStreamMsg, error) bool) {
		stream, err := c.js.Stream(c.t.Context(), name)
		if err != nil {
			yield(nil, err)
			return
		}
		state := stream.CachedInfo().State
		for seq := state.FirstSeq; seq <= state.LastSeq; seq++ {
			msg, err := stream.GetMsg(c.t.Context(), seq)
			if err != nil && strings.Contains(err.Error(), "message not found") {
				continue // replaced or forgotten
			}
			if !yield(msg, err) {
				return
			}
		}
	}
}

func (c *chaos) figures() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	kills := 0
	for _, n := range c.died {
		kills += n
	}
	fmt.Fprintf(&b, "%d exchanges\n", c.total())
	fmt.Fprintf(&b, "%d daemons killed:\n", kills)
	for _, step := range slices.Sorted(maps.Keys(c.died)) {
		fmt.Fprintf(&b, "  %3d at %q\n", c.died[step], step)
	}
	fmt.Fprintf(&b, "%d put to sleep for %s with a verdict in their hands (ack wait %s, dedup window %s)\n", c.slept, chaosSleep, chaosAckWait, chaosWindow)
	fmt.Fprintf(&b, "%d restarts of the server, %d cuts of every connection, %d publishings said again", c.restarts, c.link.cuts, c.retried)
	return b.String()
}
