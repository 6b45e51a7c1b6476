package workers

import (
	"errors"
	"slices"
	"testing"
	"time"

	"reassay/check"
)

// judged stores a verdict as a worker of some interpretation would.
func (b *bench) judged(key ExchangeKey, id, interpretation string, worst check.Worst, replaces uint64, sdks ...check.SDK) uint64 {
	b.t.Helper()
	v := check.Verdict{VerdictVersion: check.VerdictVersion, Exchange: id, Interpretation: check.Interpretation{ID: interpretation}, Worst: worst, WorstAny: worst, SDKs: sdks}
	if err := b.streams.store(b.t.Context(), verdictKey{key.Gateway, key.Exchange, interpretation}, v, replaces); err != nil {
		b.t.Fatal(err)
	}
	_, seq, err := b.streams.existing(b.t.Context(), verdictKey{key.Gateway, key.Exchange, interpretation})
	if err != nil {
		b.t.Fatal(err)
	}
	return seq
}

func TestFind(t *testing.T) {
	b := newBench(t, 0)
	const token, other = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"
	first, second, third := ExchangeKey{"g", token}, ExchangeKey{"h", token}, ExchangeKey{"g", other}
	b.judged(first, "an id\nof two lines", "i1", check.WorstClean, 0)
	b.judged(first, "an id\nof two lines", "i2", check.WorstCorrupt, 0)
	b.judged(second, "an id\nof two lines", "i1", check.WorstClean, 0)
	b.judged(third, token, "i1", check.WorstClean, 0) // its id looks like a token
	for name, want := range map[string][]ExchangeKey{
		"an id\nof two lines": {first, second},
		"g." + token:          {first},
		token:                 {first, second},
		"g." + other:          {third},
		"an id":               nil,
		"h." + other:          nil,
	} {
		got, err := b.stores().Find(t.Context(), name)
		if !slices.Equal(got, want) || (err == nil) == (want == nil) || err != nil && !errors.Is(err, ErrNoExchange) {
			t.Errorf("%q: %v, %v; want %v", name, got, err, want)
		}
	}
}

// A verdict whose place another has taken is not there for a reader, also when a crash left it in the stream.
func TestOutdatedVerdictIsNotRead(t *testing.T) {
	b := newBench(t, 0)
	begun := time.Now().Add(-time.Minute)
	key := ExchangeKey{"g", "e"}
	old := b.judged(key, "x", "i1", check.WorstIncomplete, 0)
	info, err := b.streams.verdicts.GetMsg(t.Context(), old)
	if err != nil {
		t.Fatal(err)
	}
	b.judged(key, "x", "i1", check.WorstClean, old)
	// What a crash between the new one and the deletion of the old one leaves.
	if _, err := b.js.Publish(t.Context(), "reassay.verdict.g.f.i1.incomplete", info.Data); err != nil {
		t.Fatal(err)
	}
	if _, err := b.js.Publish(t.Context(), "reassay.verdict.g.f.i1.corrupt", check.Verdict{VerdictVersion: 1, Exchange: "y", Interpretation: check.Interpretation{ID: "i1"}, Worst: check.WorstCorrupt}.JSON()); err != nil {
		t.Fatal(err)
	}
	b.judged(key, "x", "i2", check.WorstCorrupt, 0)
	var got []check.Worst
	for v, err := range b.stores().VerdictsSince(t.Context(), begun) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, v.Verdict.Worst)
	}
	if want := []check.Worst{check.WorstClean, check.WorstCorrupt, check.WorstCorrupt}; !slices.Equal(got, want) {
		t.Errorf("verdicts %v, want %v", got, want)
	}
	for e, want := range map[string]int{"e": 2, "f": 1} {
		if all, err := b.stores().Verdicts(t.Context(), ExchangeKey{"g", e}); err != nil || len(all) != want {
			t.Errorf("%d verdicts on %s, %v; want %d", len(all), e, err, want)
		}
	}
	for range b.stores().VerdictsSince(t.Context(), time.Now().Add(time.Hour)) {
		t.Error("a verdict of the future")
	}
}

// A verdict that was reached anew stands beside the others; only one that was not final gives its place up.
func TestJudgedAnew(t *testing.T) {
	b := newBench(t, 0)
	key := ExchangeKey{"g", "e"}
	late := check.SDK{SDK: "openai-node", Outcome: check.Inconclusive, Retryable: true}
	done := check.SDK{SDK: "openai-node", Outcome: check.Corrupt}
	verdict := func(interpretation string, worst check.Worst, s check.SDK) check.Verdict {
		return check.Verdict{VerdictVersion: 1, Exchange: "x", Interpretation: check.Interpretation{ID: interpretation}, Worst: worst, WorstAny: worst, SDKs: []check.SDK{s}}
	}
	for i, step := range []struct {
		v      check.Verdict
		stored bool
		worst  []check.Worst // of all that are stored then
	}{
		{verdict("i1", check.WorstClean, late), true, []check.Worst{check.WorstClean}},
		{verdict("i1", check.WorstClean, late), false, []check.Worst{check.WorstClean}},
		{verdict("i1", check.WorstCorrupt, done), true, []check.Worst{check.WorstCorrupt}},
		{verdict("i1", check.WorstClean, done), false, []check.Worst{check.WorstCorrupt}},
		{verdict("i1", check.WorstClean, late), false, []check.Worst{check.WorstCorrupt}},
		{verdict("i2", check.WorstClean, done), true, []check.Worst{check.WorstCorrupt, check.WorstClean}},
	} {
		stored, err := b.stores().Judged(t.Context(), key, step.v)
		if err != nil || stored != step.stored {
			t.Fatalf("step %d: stored %t, %v; want %t", i, stored, err, step.stored)
		}
		all, err := b.stores().Verdicts(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		var worst []check.Worst
		for _, v := range all {
			worst = append(worst, v.Verdict.Worst)
		}
		if !slices.Equal(worst, step.worst) {
			t.Errorf("step %d: stored are %v, want %v", i, worst, step.worst)
		}
	}
}
