package main

import (
	"slices"
	"strings"

	"reassay/check"
	"reassay/report"
)

// bars are the values of --fail-on, the strictest last: each fails on its word and on those before it.
var bars = []check.Worst{check.WorstException, check.WorstCorrupt, check.WorstChanged, check.WorstUnavoidable}

const never = "never"

// bar decides the exit code over the verdicts that it has seen.
type bar struct {
	failing  []check.Worst
	counting report.Counting
	over     bool
	unsure   bool
}

func newBar(failOn string, c report.Counting) (*bar, error) {
	if failOn == never {
		return &bar{counting: c}, nil
	}
	i := slices.Index(bars, check.Worst(failOn))
	if i < 0 {
		return nil, usage("--fail-on: unknown word %q, want %s or %s", failOn, words(bars), never)
	}
	return &bar{failing: bars[:i+1], counting: c}, nil
}

func (b *bar) add(v check.Verdict) {
	b.over = b.over || slices.Contains(b.failing, b.counting.Worst(v))
	b.unsure = b.unsure || v.Worst == check.WorstIncomplete ||
		slices.ContainsFunc(v.SDKs, func(s check.SDK) bool { return s.Outcome == check.Inconclusive })
}

func (b *bar) code() int {
	switch {
	case b.over:
		return exitOverBar
	case b.unsure:
		return exitUnsure
	}
	return exitOK
}

// words joins the words of a flag: "a, b, c".
func words[S ~string](all []S) string {
	out := make([]string, len(all))
	for i, w := range all {
		out[i] = string(w)
	}
	return strings.Join(out, ", ")
}
