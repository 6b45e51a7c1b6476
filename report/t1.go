package report

import (
	"strings"

	"reassay/check"
	"reassay/rules"
)

// t1Tally counts exchanges with T1 findings, each once a line.
type t1Tally struct {
	counting                     Counting
	n, any, avoidable, strict    int
	ours, unread, unheard        int // unheard: strict if the headers, which were not captured, declared nothing
	mrsApplicable, mrsViolations int
}

func (t *t1Tally) add(v check.Verdict) {
	switch leftOut(v) {
	case "", leftNoStream:
	default:
		return
	}
	t.n++
	switch v.MRS.Status {
	case "violated":
		t.mrsApplicable++
		t.mrsViolations++
	case "holds":
		t.mrsApplicable++
	}
	var any, avoidable, strict, unheard, ours bool
	for _, f := range v.Findings {
		if f.Tier != rules.T1 || !t.counting.counts(f.Cause) {
			continue
		}
		if f.Scope == rules.ScopeOurs {
			ours = true
			continue
		}
		any = true
		avoidable = avoidable || f.Support == rules.Avoidable
		if isStrictBut(v, f) {
			strict = strict || f.Silent != nil && *f.Silent
			unheard = unheard || f.Silent == nil
		}
	}
	count := func(n *int, yes bool) {
		if yes {
			*n++
		}
	}
	count(&t.any, any)
	count(&t.avoidable, avoidable)
	count(&t.strict, strict)
	count(&t.unheard, unheard && !strict)
	count(&t.ours, ours)
	count(&t.unread, !any && len(v.Unread) > 0)
}

// isStrictBut reports whether the T1 finding f, if it is silent, by itself meets the strictest reading: avoidable,
// silent and visible, in a reply that is well-formed in its dialect, so that no reader of that reply could have noticed.
func isStrictBut(v check.Verdict, f rules.Finding) bool {
	return f.Support == rules.Avoidable && f.Field == rules.Visible && wellFormed(v, f.Leg)
}

// wellFormed reports whether the reply that a finding is on keeps its dialect's grammar. An SDK's leg stands for the
// stream that it read.
func wellFormed(v check.Verdict, leg string) bool {
	if strings.HasPrefix(leg, "sdk:") {
		leg = "stream"
	}
	return v.Legs[leg].WellFormed
}

func (t *t1Tally) result() t1 {
	strict := shareOf(t.strict, t.n)
	if t.unheard > 0 {
		// Nobody knows whether the gateway told its caller: no rate, and by no means zero.
		strict = shareOf(t.strict, 0)
	}
	return t1{
		N: t.n, Any: shareOf(t.any, t.n), AtMost: t.any + t.unread, Unread: t.unread,
		Avoidable: shareOf(t.avoidable, t.n), Strict: strict, StrictAtMost: t.strict + t.unheard, Unheard: t.unheard,
		MRS: shareOf(t.mrsViolations, t.mrsApplicable), Ours: shareOf(t.ours, t.n),
	}
}
