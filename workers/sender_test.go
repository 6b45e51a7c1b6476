package workers

import (
	"context"
	"testing"
	"time"

	"reassay/capture"
	"reassay/mirror"
)

// sender is a mirror.Sender over the bench's connection; the test closes it.
func (b *bench) sender(c mirror.SenderConfig) *mirror.Sender {
	b.t.Helper()
	c.Gateway = mirror.Gateway{Name: "g", Version: "1"}
	s, err := mirror.NewSender(b.nc, c)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		_ = s.Close(ctx)
	})
	return s
}

// pass sends an exchange as a gateway would see it pass.
func pass(s *mirror.Sender, x *capture.Exchange, run string) *mirror.Exchange {
	begin, legs := outgoing(x, run)
	m := s.Begin(begin)
	for _, leg := range legs {
		w := m.Leg(leg.Name)
		for _, c := range leg.Chunks {
			w.Write(c.Data)
		}
		w.End(leg.End)
	}
	return m
}

func flush(t *testing.T, s *mirror.Sender) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Fatal(err)
	}
}

func TestSentExchangeIsJudgedAsTheFileIs(t *testing.T) {
	b := newBench(t, 4096)
	b.work(Config{Workers: 2})
	s := b.sender(mirror.SenderConfig{})
	x := chatExchange("sent", string(make([]byte, 9000)))
	pass(s, x, "r")
	flush(t, s)
	got := b.await(x, "r", anyWorst)
	want, err := b.checker.Exchange(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	if string(got.JSON()) != string(want.JSON()) {
		t.Errorf("by the sender:\n%s\nof the file:\n%s", got.JSON(), want.JSON())
	}
	if st := s.Stats(); st.Stored != 1 || st.Open != 0 || st.Buffered != 0 || st.Failures != 0 {
		t.Errorf("stats %+v, want the exchange stored and nothing held", st)
	}
}
