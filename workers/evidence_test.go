package workers

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"reassay/capture"
	"reassay/check"
	"reassay/mirror"
	"reassay/wire"
)

// lossyExchange is one whose gateway loses the model's text, so that its verdict is not clean.
func lossyExchange(id string) *capture.Exchange {
	x := chatExchange(id, "short")
	x.Stream.Headers = map[string][]string{"x-request-id": {"r1"}}
	whole := []byte(chatStream("short and then more"))
	x.Upstream = []*capture.Leg{
		{Dialect: wire.OpenAIChat, Status: 529, ContentType: "application/json", Body: []byte(`{"error":{"message":"overloaded"}}`), Chunks: []capture.Chunk{{Bytes: 34}}},
		{Dialect: wire.OpenAIChat, Status: 200, ContentType: "text/event-stream", Body: whole, Chunks: []capture.Chunk{{AtMicros: 5, Bytes: len(whole)}}},
	}
	return x
}

func keyOf(x *capture.Exchange, run string) ExchangeKey {
	return ExchangeKey{mirror.GatewayToken(x.Gateway.Name), mirror.ExchangeToken(run, x.ID)}
}

// What is kept of an exchange that is not clean is all of it, byte for byte, and by it the same verdict is reached;
// of a clean one nothing is kept.
func TestEvidenceIsTheWholeExchange(t *testing.T) {
	for _, payload := range []int32{0, 4096} {
		b := newBench(t, payload)
		b.work(Config{Workers: 2, KeepEvidence: true})
		x, clean := lossyExchange("lossy"), chatExchange("clean", "hello")
		x.Request.Body = wire.Obj(wire.Member{Key: "model", Value: wire.Of(strings.Repeat("m", 9000))})
		b.publish(x, "r", nil)
		b.publish(clean, "r", nil)
		verdict := b.await(x, "r", anyWorst)
		if verdict.Worst == check.WorstClean {
			t.Fatal("the exchange is clean, this test needs one that is not")
		}
		if v := b.await(clean, "r", anyWorst); v.Worst != check.WorstClean {
			t.Fatalf("the exchange is %s, this test needs a clean one", v.Worst)
		}
		got, err := b.stores().Evidence(t.Context(), keyOf(x, "r"))
		if err != nil || got.Lost != "" {
			t.Fatalf("lost %q, error %v", got.Lost, err)
		}
		if g, w := string(capture.Encode(got.Exchange)), string(capture.Encode(x)); g != w {
			t.Errorf("max_payload %d: kept as\n%s\nwant\n%s", payload, g, w)
		}
		again, err := b.checker.Exchange(t.Context(), got.Exchange)
		if err != nil || !bytes.Equal(again.JSON(), verdict.JSON()) {
			t.Errorf("judged anew (%v) as\n%s\nwant\n%s", err, again.JSON(), verdict.JSON())
		}
		// Each leg lies under its sha256, where any client of NATS finds it.
		bucket, err := b.js.ObjectStore(t.Context(), evidenceBucket)
		if err != nil {
			t.Fatal(err)
		}
		body, err := bucket.GetBytes(t.Context(), verdict.Evidence["stream"].SHA256)
		if err != nil || !bytes.Equal(body, x.Stream.Body) {
			t.Errorf("the stream's bytes: %q, %v", body, err)
		}
		if _, err := b.stores().Evidence(t.Context(), keyOf(clean, "r")); !errors.Is(err, ErrNoEvidence) {
			t.Errorf("evidence of a clean exchange: %v, want %v", err, ErrNoEvidence)
		}
		if all := b.kept(); !slices.Equal(all, []ExchangeKey{keyOf(x, "r")}) {
			t.Errorf("kept %v", all)
		}
	}
}

func (b *bench) kept() (all []ExchangeKey) {
	b.t.Helper()
	for k, err := range b.stores().Kept(b.t.Context()) {
		if err != nil {
			b.t.Fatal(err)
		}
		all = append(all, k)
	}
	return all
}

// What is kept of an incomplete exchange says what is missing; when the rest has come, the whole takes its place,
// whatever the verdict on it.
func TestEvidenceOfALateEnd(t *testing.T) {
	b := newBench(t, 0)
	b.work(Config{Workers: 2, Idle: 300 * time.Millisecond, KeepEvidence: true})
	x := chatExchange("late", "hello")
	x.Upstream = []*capture.Leg{{Dialect: wire.OpenAIChat, Status: 529, Body: []byte{}}, {Dialect: wire.OpenAIChat, Status: 200, ContentType: "text/event-stream", Body: []byte(chatStream("hello"))}}
	var held []mirror.Leg
	b.publish(x, "r", func(begin *mirror.Begin, legs []mirror.Leg) (sent []mirror.Leg) {
		for _, l := range legs {
			if l.Name == "upstream.1" { // nothing of it comes, so that a later attempt stands without an earlier one
				held = append(held, l)
			} else {
				sent = append(sent, l)
			}
		}
		return sent
	})
	if v := b.await(x, "r", anyWorst); v.Worst != check.WorstIncomplete {
		t.Fatalf("worst %s, want incomplete", v.Worst)
	}
	got, err := b.stores().Evidence(t.Context(), keyOf(x, "r"))
	if err != nil || got.Lost != "no end" || len(got.Exchange.Upstream) != 2 || got.Exchange.Upstream[0] != nil {
		t.Fatalf("lost %q, attempts %v, error %v", got.Lost, got.Exchange, err)
	}
	b.publish(x, "r", func(*mirror.Begin, []mirror.Leg) []mirror.Leg { return held })
	b.await(x, "r", func(worst string) bool { return worst != string(check.WorstIncomplete) })
	got, err = b.stores().Evidence(t.Context(), keyOf(x, "r"))
	if err != nil || got.Lost != "" || got.Exchange.Upstream[0] == nil {
		t.Errorf("lost %q, attempts %v, error %v; want the whole", got.Lost, got.Exchange, err)
	}
}

// A bucket that is full costs the evidence, not the verdict.
func TestFullBucketCostsNoVerdict(t *testing.T) {
	b := newBench(t, 0)
	full := b.streams.evidence.stream.CachedInfo().Config
	full.MaxBytes = 2000
	if _, err := b.js.UpdateStream(t.Context(), full); err != nil {
		t.Fatal(err)
	}
	b.work(Config{Workers: 1, KeepEvidence: true})
	x := lossyExchange("one")
	x.Stream.Body = append(x.Stream.Body, bytes.Repeat([]byte(": comment\n"), 500)...)
	b.publish(x, "r", nil)
	b.await(x, "r", anyWorst)
	if _, err := b.stores().Evidence(t.Context(), keyOf(x, "r")); !errors.Is(err, ErrNoEvidence) {
		t.Errorf("evidence: %v, want %v", err, ErrNoEvidence)
	}
}

// A bucket's objects: put twice they lie there once, a new one takes the old one's place without a rest of it, and the
// client's own object store reads them.
func TestBucket(t *testing.T) {
	b := newBench(t, 4096)
	s := b.streams.evidence
	own, err := b.js.ObjectStore(t.Context(), evidenceBucket)
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{[]byte("small"), {}, bytes.Repeat([]byte("0123456789"), 5000), []byte("again small"), []byte("again small")} {
		if err := s.put(t.Context(), "name", data); err != nil {
			t.Fatal(err)
		}
		for who, get := range map[string]func() ([]byte, error){
			"we":     func() ([]byte, error) { return s.get(t.Context(), "name") },
			"others": func() ([]byte, error) { return own.GetBytes(t.Context(), "name") },
		} {
			if got, err := get(); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s read %d bytes, %v; want %d", who, len(got), err, len(data))
			}
		}
	}
	if n := messages(t, s.stream); n != 2 {
		t.Errorf("%d messages, want a chunk and what says that it is there", n)
	}
	// An old object is put anew, so that it lives on with whoever refers to it now.
	before, err := s.info(t.Context(), "name")
	if err != nil {
		t.Fatal(err)
	}
	s.age = time.Nanosecond
	if err := s.put(t.Context(), "name", []byte("again small")); err != nil {
		t.Fatal(err)
	}
	if after, err := s.info(t.Context(), "name"); err != nil || after.NUID == before.NUID || messages(t, s.stream) != 2 {
		t.Errorf("an old object was left to die (%v)", err)
	}
	if err := own.Delete(t.Context(), "name"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.get(t.Context(), "name"); !errors.Is(err, errNoObject) {
		t.Errorf("an object that another client removed: %v, want %v", err, errNoObject)
	}
	if err := s.put(t.Context(), "name", []byte("small")); err != nil {
		t.Fatal(err)
	}
	if err := s.erase(t.Context(), "name"); err != nil {
		t.Fatal(err)
	}
	if n := messages(t, s.stream); n != 0 {
		t.Errorf("%d messages are left of an object that was erased", n)
	}
}

func messages(t *testing.T, stream jetstream.Stream) uint64 {
	t.Helper()
	info, err := stream.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return info.State.Msgs
}

// Many that put the same bytes at once leave one object.
func TestBucketManyAtOnce(t *testing.T) {
	b := newBench(t, 0)
	done := make(chan error)
	const writers = 16
	for i := range writers {
		go func() {
			name := fmt.Sprint("name", i%2)
			done <- b.streams.evidence.put(t.Context(), name, []byte(strings.Repeat(name, 50000)))
		}()
	}
	for range writers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if n := messages(t, b.streams.evidence.stream); n != 6 {
		t.Errorf("%d messages, want two objects of two chunks", n)
	}
	for i := range 2 {
		if _, err := b.streams.evidence.get(t.Context(), fmt.Sprint("name", i)); err != nil {
			t.Error(err)
		}
	}
}
