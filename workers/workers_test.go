package workers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"
	"go.uber.org/zap/zaptest"

	"reassay/capture"
	"reassay/check"
	"reassay/mirror"
	"reassay/sdkemu"
	"reassay/wire"
)

func TestMain(m *testing.M) {
	if os.Getenv(testWorker) != "" {
		serveRuns()
	}
	// nats.go starts this goroutine with the first asynchronous publishing, and it waits for ever where the connection
	// was closed before it asked for the connection's changes of state (nats.go v1.55.0, jetstream/publish.go).
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/nats-io/nats.go/jetstream.(*jetStream).resetPendingAcksOnReconnect"))
}

// bench is a server with its streams, and a checker that runs no SDK.
type bench struct {
	t       *testing.T
	nc      *nats.Conn
	js      jetstream.JetStream
	streams *streams
	checker *check.Checker
}

func newBench(t *testing.T, maxPayload int32) *bench {
	t.Helper()
	server, err := StartServer(ServerConfig{Store: t.TempDir(), MaxPayload: maxPayload})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	nc, err := server.Connect("test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	s, err := openStreams(t.Context(), js, Limits{}, DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	checker, err := check.New(check.Config{SDKs: []string{}, Emulators: []sdkemu.Emulator{}})
	if err != nil {
		t.Fatal(err)
	}
	return &bench{t, nc, js, s, checker}
}

// work runs workers until the test ends.
func (b *bench) work(c Config) { b.t.Cleanup(b.workUntil(c)) }

// workUntil runs workers until stop is called.
func (b *bench) workUntil(c Config) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	c.Log = zaptest.NewLogger(b.t)
	go func() { done <- Run(ctx, b.nc, b.checker, c, nil) }()
	return func() {
		cancel()
		if err := <-done; err != context.Canceled {
			b.t.Errorf("workers ended with %v", err)
		}
	}
}

func chatStream(text string) string {
	return fmt.Sprintf(`data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":%q},"finish_reason":null}]}

data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: [DONE]

`, text)
}

func chatExchange(id, text string) *capture.Exchange {
	body := []byte(chatStream(text))
	return &capture.Exchange{
		ID:         id,
		Gateway:    capture.Gateway{Name: "test.gateway", Version: "1"},
		Population: "captured",
		Request:    &capture.Request{Dialect: wire.OpenAIChat, Body: wire.Obj(wire.Member{Key: "model", Value: wire.Of("m")})},
		Stream: &capture.Leg{Dialect: wire.OpenAIChat, Status: 200, ContentType: "text/event-stream", Body: body,
			Chunks: []capture.Chunk{{AtMicros: 10, Bytes: 40}, {AtMicros: 20, Bytes: len(body) - 40}}},
	}
}

// await polls until the exchange has a verdict whose worst word passes.
func (b *bench) await(x *capture.Exchange, run string, pass func(worst string) bool) check.Verdict {
	b.t.Helper()
	key := verdictKey{mirror.GatewayToken(x.Gateway.Name), mirror.ExchangeToken(run, x.ID), b.checker.Interpretation().ID}
	for range 1200 {
		m, err := b.streams.verdicts.GetLastMsgForSubject(b.t.Context(), key.filter())
		if err == nil && pass(m.Subject[strings.LastIndexByte(m.Subject, '.')+1:]) {
			text, err := b.streams.verdictText(b.t.Context(), m.Header, m.Data)
			if err != nil {
				b.t.Fatal(err)
			}
			v, err := check.DecodeVerdict(text)
			if err != nil {
				b.t.Fatal(err)
			}
			return v
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatal("no verdict came")
	return check.Verdict{}
}

func anyWorst(string) bool { return true }

func (b *bench) publish(x *capture.Exchange, run string, change func(*mirror.Begin, []mirror.Leg) []mirror.Leg) {
	b.t.Helper()
	p, err := mirror.NewPublisher(b.js)
	if err != nil {
		b.t.Fatal(err)
	}
	begin, legs := outgoing(x, run)
	if change != nil {
		legs = change(&begin, legs)
	}
	if err := p.Exchange(b.t.Context(), begin, legs); err != nil {
		b.t.Fatal(err)
	}
}

// What is read back from the mirror must be what was captured, also when every chunk was split.
func TestExchangeComesBack(t *testing.T) {
	for _, payload := range []int32{0, 2048} {
		b := newBench(t, payload)
		x := chatExchange("x", strings.Repeat("long text ", 1000))
		x.Stream.Error = &capture.Break{By: "gateway", Message: "connection reset"}
		x.Stream.Headers = map[string][]string{"x-a": {"1", "2"}}
		x.Upstream = []*capture.Leg{
			{Dialect: wire.AnthropicMessages, Status: 529, Body: []byte("{}")},
			{Dialect: wire.AnthropicMessages, Status: 200, Body: []byte{}},
		}
		x.NonStream = &capture.Leg{Dialect: wire.OpenAIChat, Status: 200, Body: []byte("{\"id\":1}")}
		x.Parsed, x.SameContent = true, true
		b.publish(x, "r", nil)
		in := newIncoming(DefaultMaxBody)
		if err := b.streams.all(t.Context(), mirror.Of("test_gateway", mirror.ExchangeToken("r", "x"))+".>", in.add); err != nil {
			t.Fatal(err)
		}
		got, holes, err := in.exchange()
		if err != nil || holes != "" {
			t.Fatalf("holes %q, error %v", holes, err)
		}
		// A leg without the transport's cuts comes back as one chunk; an empty one has none.
		x.Upstream[0].Chunks = []capture.Chunk{{Bytes: 2}}
		x.NonStream.Chunks = []capture.Chunk{{Bytes: 8}}
		if g, w := string(capture.Encode(got)), string(capture.Encode(x)); g != w {
			t.Errorf("max_payload %d: came back as\n%s\nwant\n%s", payload, g, w)
		}
	}
}

func TestVerdictIsStoredOnce(t *testing.T) {
	b := newBench(t, 0)
	x := chatExchange("once", "hello")
	b.publish(x, "r", nil)
	b.work(Config{Workers: 4})
	v := b.await(x, "r", anyWorst)
	if v.Exchange != "once" {
		t.Errorf("verdict on %q", v.Exchange)
	}
	key := verdictKey{"test_gateway", mirror.ExchangeToken("r", "once"), b.checker.Interpretation().ID}
	if err := b.streams.store(t.Context(), key, v, 0); err != errStored {
		t.Errorf("a second verdict: %v, want %v", err, errStored)
	}
	v.Worst = "other"
	if err := b.streams.store(t.Context(), key, v, 0); err != errStored {
		t.Errorf("a second verdict with another worst: %v, want %v", err, errStored)
	}
	info, err := b.streams.verdicts.Info(t.Context())
	if err != nil || info.State.Msgs != 1 {
		t.Errorf("%d verdicts (%v), want 1", info.State.Msgs, err)
	}
}

// Every message of the mirror that is consumed is settled: nothing stays pending once the exchange is judged.
func TestNothingIsLeftPending(t *testing.T) {
	b := newBench(t, 0)
	b.work(Config{Workers: 2})
	for i := range 20 {
		b.publish(chatExchange(fmt.Sprint("p", i), "hello"), "r", nil)
	}
	for i := range 20 {
		b.await(chatExchange(fmt.Sprint("p", i), ""), "r", anyWorst)
	}
	consumer, err := b.streams.mirror.Consumer(t.Context(), consumerName)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		info, err := consumer.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if info.NumAckPending == 0 && info.NumPending == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("messages stay pending")
}

func TestHolesAreTheMirrors(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*mirror.Leg)
		reason string
	}{
		"chunks": {func(l *mirror.Leg) { l.Chunks = l.Chunks[:1] }, "leg stream: its manifest counts"},
		"hash":   {func(l *mirror.Leg) { l.End.SHA256 = strings.Repeat("0", 64) }, "leg stream: its bytes are not those"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 0)
			b.work(Config{Workers: 1, Idle: 300 * time.Millisecond})
			x := chatExchange(name, "hello")
			p, err := mirror.NewPublisher(b.js)
			if err != nil {
				t.Fatal(err)
			}
			begin, legs := outgoing(x, "r")
			i := slices.IndexFunc(legs, func(l mirror.Leg) bool { return l.Name == string(capture.RoleStream) })
			// The manifest that the publisher writes is right; a lying one is published in its stead.
			honest := legs[i]
			c.change(&legs[i])
			if err := p.Exchange(t.Context(), begin, slices.Delete(slices.Clone(legs), i, i+1)); err != nil {
				t.Fatal(err)
			}
			for seq, chunk := range legs[i].Chunks {
				b.send(mirror.LegSubject("test_gateway", mirror.ExchangeToken("r", x.ID), string(capture.RoleStream)), nats.Header{mirror.HeaderSeq: {fmt.Sprint(seq)}}, string(chunk.Data))
			}
			b.send(mirror.EndSubject("test_gateway", mirror.ExchangeToken("r", x.ID), string(capture.RoleStream)), nil,
				fmt.Sprintf(`{"mirror_version":1,"dialect":"openai-chat","status":200,"chunks":%d,"bytes":%d,"sha256":%q}`,
					len(honest.Chunks), len(x.Stream.Body), legs[i].End.SHA256))
			v := b.await(x, "r", anyWorst)
			if v.Worst != check.WorstIncomplete || !strings.Contains(v.Reason, c.reason) {
				t.Errorf("worst %s, reason %q; want incomplete, %q", v.Worst, v.Reason, c.reason)
			}
			for _, f := range v.Findings {
				t.Errorf("a finding on a leg that the mirror lost a part of: %s", f.Message)
			}
		})
	}
}

func (b *bench) send(subject string, h nats.Header, data string) {
	b.t.Helper()
	if _, err := b.js.PublishMsg(b.t.Context(), &nats.Msg{Subject: subject, Header: h, Data: []byte(data)}); err != nil {
		b.t.Fatal(err)
	}
}

// An exchange whose end never comes is incomplete after the idle limit; when the end comes late, its verdict takes the place of that one.
func TestNoEndThenLateEnd(t *testing.T) {
	b := newBench(t, 0)
	b.work(Config{Workers: 2, Idle: 300 * time.Millisecond})
	x := chatExchange("late", "hello")
	var held mirror.Leg
	b.publish(x, "r", func(begin *mirror.Begin, legs []mirror.Leg) []mirror.Leg {
		held = legs[len(legs)-1]
		return legs[:len(legs)-1]
	})
	if v := b.await(x, "r", anyWorst); v.Worst != check.WorstIncomplete || v.Reason != "no end" {
		t.Fatalf("worst %s, reason %q; want incomplete, no end", v.Worst, v.Reason)
	}
	b.publish(x, "r", func(*mirror.Begin, []mirror.Leg) []mirror.Leg { return []mirror.Leg{held} })
	v := b.await(x, "r", func(worst string) bool { return worst != string(check.WorstIncomplete) })
	if v.Worst == check.WorstIncomplete {
		t.Errorf("the late end changed nothing: %s", v.Reason)
	}
	// The incomplete verdict is deleted right after the new one is stored.
	for range 100 {
		info, err := b.streams.verdicts.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if info.State.Msgs == 1 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("the incomplete verdict stands beside the new one")
}

func TestDeadLetters(t *testing.T) {
	for name, c := range map[string]struct{ subject, data, reason string }{
		"begin is no JSON":    {"reassay.mirror.g.e.begin", "<html>", "begin of exchange e"},
		"another version":     {"reassay.mirror.g.e.begin", `{"mirror_version":2,"id":"x","legs":["stream"]}`, "mirror_version is 2"},
		"no id":               {"reassay.mirror.g.e.begin", `{"mirror_version":1,"legs":["stream"]}`, "no id"},
		"no legs":             {"reassay.mirror.g.e.begin", `{"mirror_version":1,"id":"x"}`, "0 legs"},
		"unknown leg":         {"reassay.mirror.g.e.begin", `{"mirror_version":1,"id":"x","legs":["other"]}`, "is no leg of an exchange"},
		"end is no manifest":  {"reassay.mirror.g.e.end.stream", `[]`, "end of exchange e"},
		"end without a begin": {"reassay.mirror.g.e.end.stream", `{"mirror_version":1}`, "no begin came"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 0)
			b.work(Config{Workers: 1, Idle: 100 * time.Millisecond})
			b.send(c.subject, nil, c.data)
			if name == "unknown leg" {
				b.send("reassay.mirror.g.e.end.other", nil, `{"mirror_version":1,"dialect":"openai-chat","sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}`)
			}
			for range 200 {
				m, err := b.streams.dead.GetLastMsgForSubject(t.Context(), "reassay.dead.g")
				if err == nil {
					if !strings.Contains(m.Header.Get(headerReason), c.reason) {
						t.Errorf("reason %q, want %q", m.Header.Get(headerReason), c.reason)
					}
					if m.Header.Get(headerSubject) == "" || m.Header.Get(headerDeliveries) == "" {
						t.Errorf("headers %v", m.Header)
					}
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
			t.Error("no dead letter came")
		})
	}
}

// A second end, chunks that come twice and messages out of order change nothing.
func TestDuplicatesAndDisorder(t *testing.T) {
	b := newBench(t, 0)
	x := chatExchange("disorder", "hello")
	begin, legs := outgoing(x, "r")
	in := newIncoming(DefaultMaxBody)
	p, err := mirror.NewPublisher(b.js)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Exchange(t.Context(), begin, legs); err != nil {
		t.Fatal(err)
	}
	var messages []stored
	if err := b.streams.all(t.Context(), mirror.Of("test_gateway", mirror.ExchangeToken("r", "disorder"))+".>", func(m stored) error {
		messages = append(messages, m)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(messages)
	for _, m := range append(slices.Clone(messages), messages...) {
		if err := in.add(m); err != nil {
			t.Fatal(err)
		}
	}
	got, holes, err := in.exchange()
	if err != nil || holes != "" {
		t.Fatalf("holes %q, error %v", holes, err)
	}
	if string(got.Stream.Body) != string(x.Stream.Body) {
		t.Errorf("the stream came back as %q", got.Stream.Body)
	}
}

func TestReplayKeepsTheOrder(t *testing.T) {
	b := newBench(t, 16<<10)
	var sent []*capture.Exchange
	for i := range 30 {
		sent = append(sent, chatExchange(fmt.Sprint("id", i%10), strings.Repeat("x", i*700)))
	}
	judged, err := Replay{Conn: b.nc, Checker: b.checker, Judge: true, Config: Config{Workers: 4}}.Verdicts(t.Context(), slices.Values(sent))
	if err != nil {
		t.Fatal(err)
	}
	if len(judged) != len(sent) {
		t.Fatalf("%d verdicts, want %d", len(judged), len(sent))
	}
	for i, j := range judged {
		if j.Err != nil {
			t.Fatalf("exchange %d: %v", i, j.Err)
		}
		want, err := b.checker.Exchange(t.Context(), sent[i])
		if err != nil {
			t.Fatal(err)
		}
		if g, w := string(j.Verdict.JSON()), string(want.JSON()); g != w {
			t.Errorf("exchange %d: the verdict over NATS is\n%s\nin process it is\n%s", i, g, w)
		}
	}
}

func TestForeignStreamIsToldNotChanged(t *testing.T) {
	b := newBench(t, 0)
	if err := b.js.DeleteStream(t.Context(), verdictStream); err != nil {
		t.Fatal(err)
	}
	if _, err := b.js.CreateStream(t.Context(), jetstream.StreamConfig{Name: verdictStream, Subjects: []string{"other.>"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := openStreams(t.Context(), b.js, Limits{}, DefaultLimits); err == nil || !strings.Contains(err.Error(), "other.>") {
		t.Errorf("error %v, want one that names the subjects found", err)
	}
}

func TestConfigReportsEveryFault(t *testing.T) {
	err := Config{Workers: -1, Idle: -1, MaxBody: -1}.Validate()
	for _, want := range []string{"workers is -1", "idle limit", "body limit"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v lacks %q", err, want)
		}
	}
}

// What a recorder may write into a capture without judging being at fault: all of it must come through the mirror, and
// one exchange that cannot must not take the others with it.
func TestReplayOfOddCaptures(t *testing.T) {
	overflow := chatExchange("chunks that count more than there is", "x")
	overflow.Stream.Chunks = []capture.Chunk{{Bytes: 5}, {Bytes: math.MaxInt}, {Bytes: math.MaxInt}, {Bytes: 0}}
	retried := chatExchange("as many attempts as there may be", "x")
	for range capture.MaxAttempts {
		retried.Upstream = append(retried.Upstream, &capture.Leg{Dialect: wire.OpenAIChat, Status: 529, Body: []byte("{}")})
	}
	large := chatExchange("labels that fit into no message", "x")
	large.Labels = map[string]string{"a": strings.Repeat("x", 5000)}
	coded := chatExchange("headers that fit into no message", "x")
	coded.Stream.Headers = map[string][]string{"content-encoding": {strings.Repeat("identity,", 1000)}}
	sent := []*capture.Exchange{chatExchange("first", "x"), overflow, large, retried, coded, chatExchange("last", strings.Repeat("x", 9000))}
	refused := map[string]bool{large.ID: true, coded.ID: true}

	b := newBench(t, 4<<10)
	judged, err := Replay{Conn: b.nc, Checker: b.checker, Judge: true, Config: Config{Workers: 2}}.Verdicts(t.Context(), slices.Values(sent))
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range judged {
		if refused[j.ID] {
			if !errors.Is(j.Err, mirror.ErrTooLarge) {
				t.Errorf("%s: %v, want that it is too large", j.ID, j.Err)
			}
			continue
		}
		if j.Err != nil {
			t.Errorf("%s: %v", j.ID, j.Err)
			continue
		}
		want, err := b.checker.Exchange(t.Context(), sent[i])
		if err != nil {
			t.Fatal(err)
		}
		if g, w := string(j.Verdict.JSON()), string(want.JSON()); g != w {
			t.Errorf("%s: the verdict over NATS is\n%s\nin process it is\n%s", j.ID, g, w)
		}
	}
	n, err := Replay{Conn: b.nc, Checker: b.checker}.Publish(t.Context(), slices.Values(sent))
	if n != len(sent)-len(refused) || !errors.Is(err, mirror.ErrTooLarge) {
		t.Errorf("published %d, %v; want %d and that some are too large", n, err, len(sent)-len(refused))
	}
}

// Headers that a publisher puts on a chunk cannot pass for the server's own: nothing is lost and no worker is held up.
func TestForgedHeaders(t *testing.T) {
	b := newBench(t, 0)
	for i, forged := range []nats.Header{
		{"Status": {"204"}, "Nats-Num-Pending": {"9"}, "Description": {"EOB"}},
		{"Status": {"404"}},
		{"Status": {"500"}, "Description": {"no"}},
		{"Nats-Sequence": {"1"}, "Nats-Subject": {"reassay.mirror.g.other.begin"}, "Nats-Time-Stamp": {"never"}},
	} {
		x := chatExchange(fmt.Sprint("forged ", i), "x")
		begin, legs := outgoing(x, "run")
		of := mirror.ExchangeToken("run", x.ID)
		forged.Set(mirror.HeaderSeq, "0")
		sum := sha256.Sum256(x.Stream.Body)
		end := legs[0].End
		end.MirrorVersion, end.Chunks, end.Bytes, end.SHA256 = mirror.Version, 1, int64(len(x.Stream.Body)), hex.EncodeToString(sum[:])
		begin.MirrorVersion = mirror.Version
		begin.Legs = []string{"stream"}
		token := mirror.GatewayToken(begin.Gateway.Name)
		for _, m := range []*nats.Msg{
			{Subject: mirror.BeginSubject(token, of), Data: asJSON(t, begin)},
			{Subject: mirror.LegSubject(token, of, "stream"), Header: forged, Data: x.Stream.Body},
			{Subject: mirror.EndSubject(token, of, "stream"), Data: asJSON(t, end)},
		} {
			if _, err := b.js.PublishMsg(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
		in := newIncoming(1 << 20)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		err := b.streams.all(ctx, mirror.Of(token, of)+".>", in.add)
		cancel()
		if err != nil {
			t.Fatalf("headers %v: %v", forged, err)
		}
		got, holes, err := in.exchange()
		if err != nil || holes != "" || string(got.Stream.Body) != string(x.Stream.Body) {
			t.Errorf("headers %v: holes %q, error %v", forged, holes, err)
		}
	}
}

func asJSON(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A mirror that is full refuses the next exchange; those that it took are judged.
func TestReplayIntoAFullMirror(t *testing.T) {
	b := newBench(t, 0)
	full := b.streams.mirror.CachedInfo().Config
	full.MaxBytes = 64 << 10
	if _, err := b.js.UpdateStream(t.Context(), full); err != nil {
		t.Fatal(err)
	}
	var sent []*capture.Exchange
	for i := range 20 {
		sent = append(sent, chatExchange(fmt.Sprint(i), strings.Repeat("x", 10<<10)))
	}
	judged, err := Replay{Conn: b.nc, Checker: b.checker, Judge: true, Config: Config{Workers: 2}}.Verdicts(t.Context(), slices.Values(sent))
	if err == nil || !strings.Contains(err.Error(), "maximum bytes") {
		t.Fatalf("error %v, want that the stream is full", err)
	}
	if n := len(judged); n < 3 || n == len(sent) {
		t.Fatalf("%d exchanges are told of, want some of %d", n, len(sent))
	}
	for i, j := range judged {
		if last := i == len(judged)-1; (j.Err != nil) != last {
			t.Errorf("exchange %d of %d: %v", i, len(judged), j.Err)
		}
	}
}

// A daemon that judges in another way takes a replay's exchanges: the replay says so and ends.
func TestReplayBesideAnotherDaemon(t *testing.T) {
	b := newBench(t, 0)
	b.work(Config{Workers: 1})
	other, err := check.New(check.Config{SDKs: []string{"openai-go"}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	sent := []*capture.Exchange{chatExchange("one", "Hello"), chatExchange("two", "Hello")}
	judged, err := Replay{Conn: b.nc, Checker: other}.Verdicts(ctx, slices.Values(sent))
	if err != nil || len(judged) != 2 {
		t.Fatalf("%d exchanges, %v", len(judged), err)
	}
	for _, j := range judged {
		if !errors.Is(j.Err, errOtherInterpretation) {
			t.Errorf("%s: %v", j.ID, j.Err)
		}
	}
}
