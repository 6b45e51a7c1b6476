package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"reassay/capture"
	"reassay/check"
	"reassay/internal/measure/operator"
	"reassay/rules"
)

// outcome is what the judge made of one trial, beside what it makes of the ideal translation.
type outcome struct {
	trial    Trial
	t1       bool // a T1 finding that the ideal translation lacks
	intended bool // one of the rule that the operator is meant for, at that rule's tier
	any      bool // any finding that the ideal translation lacks, at whatever tier
	astray   bool // a T1 finding on a leg that nothing was planted on
	number   int  // of T1 findings that the ideal translation lacks, on each leg at the most
	found    []string
}

// finding is what is compared between an ideal translation and a changed one: not places in bytes, and no values. An
// allowed change may move what is lost anyway to another path.
func finding(f rules.Finding, path bool) string {
	if !path {
		f.Path = "*"
	}
	return strings.Join([]string{f.Rule, string(f.Tier), f.Leg, f.Path, f.Mechanism, string(f.Cause), string(f.Support)}, " | ")
}

// counts reports a finding that a verdict is made worse by: T1, unless the model's API is its cause.
func counts(f rules.Finding) bool { return f.Tier == rules.T1 && f.Cause != rules.ByUpstream }

// findingsOf counts what a verdict holds, with its paths and without.
func findingsOf(v check.Verdict) map[string]int {
	known := map[string]int{}
	for _, f := range v.Findings {
		known[finding(f, true)]++
		known[finding(f, false)]++
	}
	return known
}

// judged is what the judge makes of a changed exchange; known are the findings on the ideal translation.
func judged(k *check.Checker, t Trial, x *capture.Exchange, known map[string]int) (outcome, error) {
	out := outcome{trial: t}
	v, err := k.Exchange(context.Background(), x)
	if err != nil {
		return out, fmt.Errorf("judge %s: %w", x.ID, err)
	}
	met := map[string]int{}
	for _, f := range v.Findings {
		key := finding(f, !t.Operator.Allowed && isT1(*t.Operator))
		if met[key]++; met[key] <= known[key] {
			continue
		}
		out.any = true
		if counts(f) {
			out.t1 = true
			planted := t.Legs >= operator.BothLegs || (f.Leg == rules.StreamLeg) == (t.Legs == operator.StreamLeg)
			out.astray = out.astray || !planted
		}
		if slices.Contains(t.Operator.Rules, f.Rule) && (counts(f) || !isT1(*t.Operator)) {
			out.intended = true
		}
		out.found = append(out.found, finding(f, true))
	}
	out.number = most(v, known)
	return out, nil
}

// most is how many T1 findings more than before a verdict has on one leg. Where they stand does not count: what is lost
// anyway may have moved.
func most(v check.Verdict, known map[string]int) int {
	met, legs, n := map[string]int{}, map[string]int{}, 0
	for _, f := range v.Findings {
		key := finding(f, false)
		if met[key]++; counts(f) && met[key] > known[key] {
			legs[f.Leg]++
			n = max(n, legs[f.Leg])
		}
	}
	return n
}

// isT1 reports whether an operator is meant for a rule whose findings are counted.
func isT1(o operator.Operator) bool { return strings.HasPrefix(o.Rules[0], "S") }

// tally counts trials.
type tally struct{ n, t1, intended, any, astray, several int }

func (t *tally) add(o outcome) {
	t.n++
	for _, c := range []struct {
		met bool
		n   *int
	}{{o.t1, &t.t1}, {o.intended, &t.intended}, {o.any, &t.any}, {o.astray, &t.astray}, {o.number > 1, &t.several}} {
		if c.met {
			*c.n++
		}
	}
}

// wilson is the 95 % interval of a rate k of n, by Wilson's score: Wilson, Journal of the American Statistical
// Association 22 (1927), 209 to 212.
func wilson(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959963984540054
	p, m := float64(k)/float64(n), float64(n)
	middle := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, middle-half), min(1, middle+half)
}

// share writes k of n with its interval.
func share(k, n int) string {
	if n == 0 {
		return "–"
	}
	low, high := wilson(k, n)
	return fmt.Sprintf("%d/%d = %.2f %% [%.2f, %.2f]", k, n, 100*float64(k)/float64(n), 100*low, 100*high)
}
