package workers

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"reassay/mirror"
)

// Exchanges that have no room beside each other wait, and each is judged: what its manifest says of its size may be
// true, too little or absurd.
func TestExchangesWaitForMemory(t *testing.T) {
	for name, change := range map[string]func(*mirror.Leg){
		"true":   func(*mirror.Leg) {},
		"small":  func(l *mirror.Leg) { l.End.Bytes, l.End.Chunks = 1, 0 },
		"absurd": func(l *mirror.Leg) { l.End.Bytes, l.End.Chunks = 1<<62, 1<<62 },
		"broken": func(l *mirror.Leg) { l.End.Bytes, l.End.Chunks = -1<<62, -1<<62 },
	} {
		t.Run(name, func(t *testing.T) {
			const exchanges = 8
			text := strings.Repeat("tide ", 20_000)
			b := newBench(t, 0)
			alone := cost(int64(len(chatStream(text))), 10)
			for i := range exchanges {
				part := text[:len(text)/(1+i%2*9)] // a large one, a small one
				b.publish(chatExchange(fmt.Sprint("w", i), part), "r", func(_ *mirror.Begin, legs []mirror.Leg) []mirror.Leg {
					for i := range legs {
						change(&legs[i])
					}
					return legs
				})
			}
			b.work(Config{Workers: exchanges, Memory: alone * 3 / 2})
			for i := range exchanges {
				b.await(chatExchange(fmt.Sprint("w", i), ""), "r", anyWorst)
			}
			info, err := b.streams.dead.Info(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if info.State.Msgs != 0 {
				t.Errorf("%d dead letters", info.State.Msgs)
			}
		})
	}
}

// An exchange whose manifests said too little waits until there is room for what it turned out to hold.
func TestReadBackWaitsForWhatManifestsDidNotSay(t *testing.T) {
	b := newBench(t, 0)
	text := strings.Repeat("tide ", 20_000)
	b.publish(chatExchange("x", text), "r", nil)
	needed := cost(int64(len(chatStream(text))), 10)
	p := &pool{config: Config{}.withDefaults(), streams: b.streams, room: newRoom(needed * 3 / 2)}
	other, err := p.room.enter(t.Context(), needed)
	if err != nil {
		t.Fatal(err)
	}
	read := make(chan error, 1)
	go func() {
		in, leave, err := p.readBack(t.Context(), mirror.Of("test_gateway", mirror.ExchangeToken("r", "x")), newIncoming(DefaultMaxBody))
		if err == nil {
			defer leave()
			if !in.complete() {
				err = errors.New("not all of it was read")
			}
		}
		read <- err
	}()
	select {
	case err := <-read:
		t.Fatalf("it does not wait for the room that it lacks: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	other.leave()
	if err := <-read; err != nil {
		t.Error(err)
	}
}

// An exchange that needs more memory than there is goes to the dead letters with the reason, and holds up no other.
func TestExchangeLargerThanMemoryIsADeadLetter(t *testing.T) {
	b := newBench(t, 0)
	large, small := chatExchange("large", strings.Repeat("tide ", 100_000)), chatExchange("small", "tide")
	b.publish(large, "r", nil)
	b.publish(small, "r", nil)
	b.work(Config{Workers: 2, Memory: cost(100_000, 100)})
	b.await(small, "r", anyWorst)
	for range 200 {
		if m, err := b.streams.dead.GetLastMsgForSubject(t.Context(), deadPrefix+"test_gateway"); err == nil {
			if want := "more than the"; !strings.Contains(m.Header.Get(headerReason), want) {
				t.Errorf("reason %q, want %q", m.Header.Get(headerReason), want)
			}
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("no dead letter came")
}
