package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"reassay/mirror"
)

// backpressureExchanges is how many exchanges TestMemoryStaysUnderItsBound has in flight at once and judges; make
// backpressure asks for 2,000.
const backpressureExchanges = "REASSAY_BACKPRESSURE_EXCHANGES"

// A daemon keeps to its bound of memory while a great many exchanges are in flight at once, from 64 KB to 10 MB each, and
// judges every one of them that ends. More workers than the bound has room for make it wait.
func TestMemoryStaysUnderItsBound(t *testing.T) {
	const bound = ownMemory + leastRoom
	exchanges, ended := 100, 16 // the others stay open
	if text := os.Getenv(backpressureExchanges); text != "" {
		var err error
		if exchanges, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
		ended = exchanges
	}
	d := startDaemon(t, t.TempDir(), "--workers", "24", "--memory", fmt.Sprint(bound), "--sdk", "openai-go", "--sync-interval", "1m",
		"--idle-limit", "1h", "--join-limit", "2h", "--ack-wait", "30s")
	before := peakMemory(t, d.cmd.Process.Pid)
	total := floodWith(t, d, exchanges, ended)
	flooded := peakMemory(t, d.cmd.Process.Pid)
	started := time.Now()
	limit := patience + time.Duration(ended)*2*time.Second
	for d.verdicts(t) < uint64(ended) {
		if n := d.dead(t); n != 0 {
			t.Fatalf("%d dead letters", n)
		}
		if time.Since(started) > limit {
			t.Fatalf("%d of %d exchanges were judged in %s", d.verdicts(t), ended, limit)
		}
		time.Sleep(100 * time.Millisecond)
	}
	peak := peakMemory(t, d.cmd.Process.Pid)
	t.Logf("%d exchanges in flight, %d MiB of replies, %d ended: peak %d MiB at rest, %d MiB when all were stored, %d MiB when all that ended were judged, bound %d MiB",
		exchanges, total>>20, ended, before>>20, flooded>>20, peak>>20, int64(bound)>>20)
	if peak > bound {
		t.Errorf("the daemon took %d MiB, over its bound of %d MiB", peak>>20, int64(bound)>>20)
	}
	if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if err := d.cmd.Wait(); err != nil {
		t.Errorf("serve: %v", err)
	}
}

// floodWith begins so many exchanges and sends all their chunks, and only then the end of the first: all are in flight at
// once. It returns how many bytes their legs have. Only so many end.
func floodWith(t *testing.T, d *daemon, exchanges, ended int) (total int64) {
	t.Helper()
	js, err := jetstream.New(d.nc, jetstream.WithPublishAsyncMaxPending(64))
	if err != nil {
		t.Fatal(err)
	}
	var refused error
	send := func(subject string, header nats.Header, data []byte) {
		ack, err := js.PublishMsgAsync(&nats.Msg{Subject: subject, Header: header, Data: data}, jetstream.WithStallWait(patience))
		if err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-ack.Err():
			refused = err
		default:
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	ends := map[string][]byte{}
	var order []string
	for i := range exchanges {
		body := longReply(random, exchangeSize(i, exchanges))
		total += int64(len(body))
		id := fmt.Sprintf("long/%d", i)
		token := mirror.ExchangeToken("backpressure", id)
		send(mirror.BeginSubject("gw", token), nil, marshal(t, mirror.Begin{
			MirrorVersion: mirror.Version, ID: id, Gateway: mirror.Gateway{Name: "gw", Version: "1"}, Legs: []string{"stream"},
		}))
		seq := 0
		for rest := body; len(rest) > 0; seq++ {
			chunk := rest[:min(len(rest), 1+random.IntN(64<<10))]
			rest = rest[len(chunk):]
			send(mirror.LegSubject("gw", token, "stream"), nats.Header{mirror.HeaderSeq: {strconv.Itoa(seq)}}, chunk)
		}
		sum := sha256.Sum256(body)
		end := mirror.EndSubject("gw", token, "stream")
		ends[end] = marshal(t, mirror.End{
			MirrorVersion: mirror.Version, Dialect: "openai-chat", Status: 200, ContentType: "text/event-stream",
			Chunks: seq, Bytes: int64(len(body)), SHA256: hex.EncodeToString(sum[:]),
		})
		order = append(order, end)
	}
	for _, end := range order[:ended] {
		send(end, nil, ends[end])
	}
	select {
	case <-js.PublishAsyncComplete():
	case <-time.After(patience):
		t.Fatal("the server does not acknowledge what was published")
	}
	if refused != nil {
		t.Fatal(refused)
	}
	return total
}

// exchangeSize spreads sizes evenly over their orders of magnitude, from 64 KB to 10 MB, large and small ones mixed.
func exchangeSize(i, of int) int {
	const least, most = 64 << 10, 10 << 20
	at := float64(i*7919%of) / float64(max(of-1, 1))
	return int(least * math.Pow(most/least, at))
}

// longReply is a sound stream of about so many bytes.
func longReply(random *rand.Rand, size int) []byte {
	var b bytes.Buffer
	event := func(delta, finish string) {
		fmt.Fprintf(&b, "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1764500000,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n", delta, finish)
	}
	event(`{"role":"assistant","content":""}`, "null")
	for b.Len() < size {
		event(fmt.Sprintf(`{"content":"%x %s"}`, random.Uint64(), strings.Repeat("tide ", random.IntN(40))), "null")
	}
	event("{}", `"stop"`)
	b.WriteString("data: [DONE]\n\n")
	return b.Bytes()
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// peakMemory is the most that a process has had in memory, in bytes, its children not counted (proc_pid_status(5)).
func peakMemory(t *testing.T, pid int) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kb << 10
		}
	}
	t.Fatal("the system tells no VmHWM: this needs Linux")
	return 0
}
