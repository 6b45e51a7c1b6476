package convir

import (
	"strings"
	"testing"

	"reassay/wire"
)

func TestSupportTableIsWhole(t *testing.T) {
	seen := map[supportKey]bool{}
	constructs := map[Construct]bool{}
	for _, c := range SupportTable {
		k := supportKey{c.Construct, c.Dialect}
		if seen[k] {
			t.Errorf("%s in %s stands twice", c.Construct, c.Dialect)
		}
		seen[k], constructs[c.Construct] = true, true
		if (c.Standing == Native) != (c.Field != "") {
			t.Errorf("%s in %s: standing %s with field %q: a field is named exactly where the construct is native", c.Construct, c.Dialect, c.Standing, c.Field)
		}
		if !sourced(c.Source, c.Says, c.Read) {
			t.Errorf("%s in %s lacks a source, what it says, or the day it was read", c.Construct, c.Dialect)
		}
	}
	for c := range constructs {
		for _, d := range wire.Dialects {
			if !seen[supportKey{c, d}] {
				t.Errorf("no row for %s in %s", c, d)
			}
		}
	}
}

func TestOwnValuesAreNativeWhereOthersAreUnsettled(t *testing.T) {
	if len(OwnTable) == 0 {
		t.Fatal("no rows")
	}
	for _, c := range OwnTable {
		if s, _ := Supports(c.Construct, c.Dialect).In(true); s != Unsettled {
			t.Errorf("%s in %s is %s for another vendor's value, want unsettled", c.Construct, c.Dialect, s)
		}
		if s, field := SupportsOwn(c.Construct, c.Dialect).In(true); s != Native || field == "" {
			t.Errorf("%s in %s is %s with field %q for its own value, want native with a field", c.Construct, c.Dialect, s, field)
		}
		if !sourced(c.Source, c.Says, c.Read) {
			t.Errorf("%s in %s lacks a source, what it says, or the day it was read", c.Construct, c.Dialect)
		}
	}
}

func TestUnknownConstructIsUnsettled(t *testing.T) {
	if s, field := Supports("no such thing", wire.OpenAIChat).In(true); s != Unsettled || field != "" {
		t.Errorf("got %s with field %q, want unsettled without a field", s, field)
	}
}

func TestStreamedCitationIsUnsettled(t *testing.T) {
	c := Supports(CURLCitation, wire.OpenAIChat)
	if s, _ := c.In(false); s != Native {
		t.Errorf("whole reply: got %s, want native", s)
	}
	if s, field := c.In(true); s != Unsettled || field != "" {
		t.Errorf("stream: got %s with field %q, want unsettled without a field", s, field)
	}
}

func TestGrammarIsWhole(t *testing.T) {
	known := map[Ruling]bool{"": true, Legal: true, Tolerated: true, OffSpec: true}
	seen := map[grammarKey]bool{}
	for _, f := range Grammar {
		k := grammarKey{f.Dialect, f.Field}
		if seen[k] {
			t.Errorf("%s of %s stands twice", f.Field, f.Dialect)
		}
		seen[k] = true
		if !f.Dialect.Known() || !sourced(f.Source, f.Says, f.Read) {
			t.Errorf("%s of %s lacks a dialect, a source, what it says, or the day it was read", f.Field, f.Dialect)
		}
		for _, c := range []Condition{Absent, NullValue, EmptyText, Repeated, Invalid, Misplaced} {
			if !known[f.On(c)] {
				t.Errorf("%s of %s when %s: unknown ruling %q", f.Field, f.Dialect, c, f.On(c))
			}
		}
	}
}

func sourced(source, says, read string) bool {
	return strings.Contains(source, "://") && says != "" && len(read) == len("2026-11-30")
}
