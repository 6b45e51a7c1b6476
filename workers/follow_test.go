package workers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// verdictOf publishes a text as the verdict on exchange i of a gateway.
func (b *bench) verdictOf(gateway string, i int, worst string) string {
	b.t.Helper()
	text := fmt.Sprintf(`{"exchange":"%s %d"}`, gateway, i)
	if _, err := b.js.Publish(b.t.Context(), fmt.Sprintf("reassay.verdict.%s.x%d.i.%s", gateway, i, worst), []byte(text)); err != nil {
		b.t.Fatal(err)
	}
	return text
}

// reading is a reader of verdicts in a goroutine of its own.
type reading struct {
	t    *testing.T
	came chan Followed
	err  chan error
	stop func()
}

// follow begins to read and waits until the reading has begun.
func (b *bench) follow(f Following) (*reading, Followed) {
	b.t.Helper()
	if f.Quiet == 0 {
		f.Quiet = time.Hour
	}
	ctx, cancel := context.WithCancel(b.t.Context())
	r := &reading{t: b.t, came: make(chan Followed), err: make(chan error, 1)}
	var done sync.WaitGroup
	done.Go(func() {
		for item, err := range (&Stores{b.streams}).Follow(ctx, f) {
			if err != nil {
				r.err <- err
				return
			}
			select {
			case r.came <- item:
			case <-ctx.Done():
			}
		}
	})
	r.stop = func() { cancel(); done.Wait() }
	b.t.Cleanup(r.stop)
	return r, r.next()
}

func (r *reading) next() Followed {
	r.t.Helper()
	select {
	case item := <-r.came:
		return item
	case err := <-r.err:
		r.t.Fatal(err)
	case <-time.After(time.Minute):
		r.t.Fatal("nothing came")
	}
	return Followed{}
}

// texts are those of the next n verdicts.
func (r *reading) texts(n int) (all []string, last Position) {
	r.t.Helper()
	for len(all) < n {
		if item := r.next(); item.Text != nil {
			all, last = append(all, string(item.Text)), item.At
		}
	}
	return all, last
}

func wantTexts(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A reader that breaks off after any verdict, and comes again with the position that it had, misses none and gets none
// twice.
func TestFollowGoesOnWhereItLeftOff(t *testing.T) {
	b := newBench(t, 0)
	b.verdictOf("a", 0, "clean") // before anybody reads
	r, begin := b.follow(Following{})
	if begin.Text != nil || begin.Missed {
		t.Fatalf("the reading begins with %+v", begin)
	}
	var want, got []string
	for i := 1; i <= 200; i++ {
		want = append(want, b.verdictOf("a", i, "clean"))
	}
	at := begin.At
	for n := 1; len(got) < len(want); n++ {
		some, last := r.texts(min(n, len(want)-len(got)))
		got, at = append(got, some...), last
		r.stop()
		r, begin = b.follow(Following{After: at})
		if begin.At != at || begin.Missed {
			t.Fatalf("going on behind %s begins with %+v", at, begin)
		}
	}
	wantTexts(t, got, want)
	late := b.verdictOf("a", 201, "clean")
	some, _ := r.texts(1)
	wantTexts(t, some, []string{late})
}

// Gateways and words choose verdicts, and what is passed over moves the position all the same.
func TestFollowChooses(t *testing.T) {
	b := newBench(t, 0)
	for _, c := range []struct {
		f    Following
		want func(gateway, worst string) bool
	}{
		{Following{}, func(string, string) bool { return true }},
		{Following{Gateways: []string{"b"}}, func(g, _ string) bool { return g == "b" }},
		{Following{Worst: []string{"corrupt"}}, func(_, w string) bool { return w == "corrupt" }},
		{Following{Gateways: []string{"a", "c"}, Worst: []string{"corrupt", "exception"}}, func(g, w string) bool { return g != "b" && w != "clean" }},
	} {
		c.f.Quiet = 100 * time.Millisecond
		r, begin := b.follow(c.f)
		var want []string
		for i, gateway := range []string{"a", "b", "c", "a", "b", "c", "a", "b", "c"} {
			worst := []string{"clean", "corrupt", "exception"}[i/3]
			if text := b.verdictOf(gateway, i, worst); c.want(gateway, worst) {
				want = append(want, text)
			}
		}
		b.verdictOf("b", 9, "clean")
		got, at := r.texts(len(want))
		wantTexts(t, got, want)
		// One subject leaves out what it does not name, and the server does not tell how far it looked.
		if len(c.f.Gateways) == 1 || len(c.f.Worst) == 1 {
			continue
		}
		end := begin.At.Seq + 10
		for at.Seq < end {
			item := r.next()
			at = item.At
		}
		if at.Seq != end {
			t.Errorf("%+v: at %d, want %d", c.f, at.Seq, end)
		}
	}
}

// What is not kept any more is told, once, and the rest is read; so is a stream that was made anew.
func TestFollowTellsWhatIsGone(t *testing.T) {
	b := newBench(t, 0)
	var want []string
	for i := range 10 {
		want = append(want, b.verdictOf("a", i, "clean"))
	}
	info := b.streams.verdicts.CachedInfo()
	made := info.Created.UnixNano()
	if err := b.streams.verdicts.Purge(t.Context(), jetstream.WithPurgeSequence(6)); err != nil { // 1 to 5
		t.Fatal(err)
	}
	for _, c := range []struct {
		after  uint64
		missed bool
		want   []string
	}{{2, true, want[5:]}, {4, true, want[5:]}, {5, false, want[5:]}, {7, false, want[7:]}} {
		r, begin := b.follow(Following{After: Position{made, c.after}})
		if begin.Missed != c.missed {
			t.Errorf("behind %d: missed %t", c.after, begin.Missed)
		}
		got, _ := r.texts(len(c.want))
		wantTexts(t, got, c.want)
		r.stop()
	}
	_, begin := b.follow(Following{After: Position{made, 99}}) // the server lost what it had acknowledged
	if begin.At.Seq != 10 || begin.Missed {
		t.Errorf("behind what there is: %+v", begin)
	}

	if err := b.js.DeleteStream(t.Context(), verdictStream); err != nil {
		t.Fatal(err)
	}
	if _, err := b.js.CreateStream(t.Context(), info.Config); err != nil {
		t.Fatal(err)
	}
	first := b.verdictOf("a", 0, "clean")
	r, begin := b.follow(Following{After: Position{made, 7}})
	if got, _ := r.texts(1); !begin.Missed || got[0] != first {
		t.Errorf("a new stream begins with %+v, then %s", begin, got)
	}
}

// A server that goes down and comes back while verdicts are followed costs none of them.
func TestFollowSurvivesTheServer(t *testing.T) {
	store := t.TempDir()
	server, err := StartServer(ServerConfig{Store: store, Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	addr := strings.TrimPrefix(server.URL(), "nats://")
	nc, err := nats.Connect(server.URL(), nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond))
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
	b := &bench{t: t, nc: nc, js: js, streams: s}
	r, _ := b.follow(Following{Quiet: 100 * time.Millisecond})
	var want, got []string
	for round := range 3 {
		for i := range 100 {
			want = append(want, b.verdictOf("a", 100*round+i, "clean"))
		}
		some, _ := r.texts(50) // the other half is under way, or is not
		got = append(got, some...)
		server.Stop()
		if server, err = StartServer(ServerConfig{Store: store, Addr: addr}); err != nil {
			t.Fatal(err)
		}
		for !nc.IsConnected() {
			time.Sleep(10 * time.Millisecond)
		}
		some, _ = r.texts(50)
		got = append(got, some...)
	}
	t.Cleanup(server.Stop)
	wantTexts(t, got, want)
}

// An answer that lost a part on its way is no answer: what came is its beginning, and the hole is told.
func TestAnswersWithHoles(t *testing.T) {
	b := newBench(t, 0)
	type sent struct {
		seq, before string // "" is the end
	}
	var answer []sent
	sub, err := b.nc.Subscribe("$JS.API.DIRECT.GET.HOLED", func(m *nats.Msg) {
		for _, a := range answer {
			h := nats.Header{"Nats-Last-Sequence": {a.before}, "Nats-Num-Pending": {"0"}}
			if a.seq == "" {
				h["Status"] = []string{"204"}
			} else {
				h["Nats-Sequence"], h["Nats-Subject"], h["Nats-Time-Stamp"] = []string{a.seq}, []string{"s"}, []string{"2026-01-01T00:00:00Z"}
			}
			if err := b.nc.PublishMsg(&nats.Msg{Subject: m.Reply, Header: h}); err != nil {
				t.Error(err)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Unsubscribe()
	for _, c := range []struct {
		what   string
		answer []sent
		came   int
		ok     bool
	}{
		{"whole", []sent{{"3", "0"}, {"7", "3"}, {"8", "7"}, {"", "8"}}, 3, true},
		{"nothing", []sent{{"", "0"}}, 0, true},
		{"without its first", []sent{{"7", "3"}, {"8", "7"}, {"", "8"}}, 0, false},
		{"without its second", []sent{{"3", "0"}, {"8", "7"}, {"", "8"}}, 1, false},
		{"without its last", []sent{{"3", "0"}, {"7", "3"}, {"", "8"}}, 2, false},
		{"without any", []sent{{"", "8"}}, 0, false},
	} {
		answer = c.answer
		came := 0
		_, err := direct(t.Context(), b.js, "HOLED", directRequest{Batch: 3}, func(stored) { came++ })
		if (err == nil) != c.ok || came != c.came {
			t.Errorf("%s: %d came, %v", c.what, came, err)
		}
	}
}

func TestPositionsAreSpelledAndRead(t *testing.T) {
	p := Position{1764500000000000000, 42}
	if got, err := ParsePosition(p.String()); err != nil || got != p {
		t.Errorf("%v becomes %v (%v)", p, got, err)
	}
	for _, text := range []string{"", "42", "-", "1-", "-1", "1-x", "x-1", "1-2-3", "1--2", "1-99999999999999999999"} {
		if got, err := ParsePosition(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
