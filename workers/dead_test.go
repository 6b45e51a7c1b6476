package workers

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"reassay/check"
	"reassay/mirror"
)

// stores opens the bench's stores as a command beside the daemon does.
func (b *bench) stores() *Stores {
	b.t.Helper()
	s, err := OpenStores(b.t.Context(), b.nc)
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

// deadLetters waits until there are so many and returns them.
func (b *bench) deadLetters(n int) []DeadLetter {
	b.t.Helper()
	var all []DeadLetter
	for range 400 {
		all = nil
		for d, err := range b.stores().DeadLetters(b.t.Context()) {
			if err != nil {
				b.t.Fatal(err)
			}
			all = append(all, d)
		}
		if len(all) >= n {
			return all
		}
		time.Sleep(25 * time.Millisecond)
	}
	b.t.Fatalf("%d dead letters, want %d", len(all), n)
	return nil
}

// An exchange that was too large is judged once its dead letter is tried again by a daemon that takes more.
func TestRetriedDeadLetterIsJudged(t *testing.T) {
	b := newBench(t, 0)
	x := chatExchange("large", strings.Repeat("x", 5000))
	stop := b.workUntil(Config{Workers: 1, MaxBody: 1000})
	b.publish(x, "r", nil)
	// The last end brings it to judgement, and so does the begin, which keeps watch.
	letters := b.deadLetters(2)
	stop()
	for _, d := range letters {
		if !strings.Contains(d.Reason, "more than 1000 bytes") || d.Deliveries < 1 || d.Stored.IsZero() {
			t.Errorf("dead letter %+v, want one that tells why", d)
		}
	}
	b.work(Config{Workers: 1})
	for _, d := range letters {
		if err := b.stores().Retry(t.Context(), d.ID); err != nil {
			t.Fatal(err)
		}
	}
	if v := b.await(x, "r", anyWorst); v.Worst == check.WorstIncomplete {
		t.Errorf("judged as incomplete: %s", v.Reason)
	}
	if _, err := b.stores().DeadLetter(t.Context(), letters[0].ID); !errors.Is(err, ErrNoDeadLetter) {
		t.Errorf("the dead letter that was retried: %v, want %v", err, ErrNoDeadLetter)
	}
}

// What is buried twice, because the worker died before the message was terminated, is one dead letter; a payload that
// leaves no room for headers is kept whole.
func TestDeadLetterOfALargeMessage(t *testing.T) {
	b := newBench(t, 4096)
	payload := bytes.Repeat([]byte("<"), 4096)
	subject := mirror.BeginSubject("g", "e")
	if _, err := b.js.PublishMsg(t.Context(), &nats.Msg{Subject: subject, Data: payload}); err != nil {
		t.Fatal(err)
	}
	consumer, err := openConsumer(t.Context(), b.streams, 0)
	if err != nil {
		t.Fatal(err)
	}
	msg, err := consumer.Next()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := b.streams.bury(t.Context(), msg, fmt.Errorf("a reason that is long: %s\nand has lines", strings.Repeat("y", 5000))); err != nil {
			t.Fatal(err)
		}
	}
	letters := b.deadLetters(1)
	d := letters[0]
	if len(letters) != 1 || !bytes.Equal(d.Payload, payload) || d.Subject != subject || d.Deliveries != 1 || len(d.Reason) != maxReason {
		t.Errorf("%d dead letters; subject %q, %d deliveries, a payload of %d bytes, a reason of %d", len(letters), d.Subject, d.Deliveries, len(d.Payload), len(d.Reason))
	}
	if err := b.stores().Retry(t.Context(), d.ID); err != nil {
		t.Fatal(err)
	}
	again, err := b.streams.mirror.GetLastMsgForSubject(t.Context(), subject)
	if err != nil || !bytes.Equal(again.Data, payload) {
		t.Errorf("given back as %d bytes, %v", len(again.Data), err)
	}
}

// What somebody else wrote into the stream of dead letters is never published where it says.
func TestRetryPublishesIntoTheMirrorAlone(t *testing.T) {
	b := newBench(t, 0)
	for _, subject := range []string{"", "reassay.verdict.g.e.i.clean", "reassay.mirror.g.e.leg.stream", "reassay.mirror.g.e.begin.more"} {
		ack, err := b.js.PublishMsg(t.Context(), &nats.Msg{Subject: "reassay.dead.g", Header: nats.Header{headerSubject: {subject}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.stores().Retry(t.Context(), ack.Sequence); err == nil {
			t.Errorf("subject %q was published", subject)
		}
		if _, err := b.stores().DeadLetter(t.Context(), ack.Sequence); err != nil {
			t.Errorf("subject %q: %v, want the dead letter still there", subject, err)
		}
	}
}

func TestOpenStoresMakesNothing(t *testing.T) {
	b := newBench(t, 0)
	if err := b.js.DeleteStream(t.Context(), deadStream); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenStores(t.Context(), b.nc); err == nil || !strings.Contains(err.Error(), deadStream) {
		t.Errorf("error %v, want one that names the stream", err)
	}
	if _, err := b.js.Stream(t.Context(), deadStream); !errors.Is(err, jetstream.ErrStreamNotFound) {
		t.Errorf("the stream: %v, want that it is not there", err)
	}
}
