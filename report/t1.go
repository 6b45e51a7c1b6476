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
	ours, unread                 int
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
	var any, avoidable, strict, ours bool
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
		strict = strict || isStrict(v, f)
	}
	count := func(n *int, yes bool) {
		if yes {
			*n++
		}
	}
	count(&t.any, any)
	count(&t.avoidable, avoidable)
	count(&t.strict, strict)
	count(&t.ours, ours)
	count(&t.unread, !any && len(v.Unread) > 0)
}

// isStrict reports whether the T1 finding f by itself meets the strictest reading: avoidable, silent and visible, in
// a reply that is well-formed in its dialect, so that no reader of that reply could have noticed.
func isStrict(v check.Verdict, f rules.Finding) bool {
	return f.Support == rules.Avoidable && f.Silent != nil && *f.Silent && f.Field == rules.Visible &&
		wellFormed(v, f.Leg)
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
	return t1{
		N: t.n, Any: shareOf(t.any, t.n), AtMost: t.any + t.unread, Unread: t.unread,
		Avoidable: shareOf(t.avoidable, t.n), Strict: shareOf(t.strict, t.n),
		MRS: shareOf(t.mrsViolations, t.mrsApplicable), Ours: shareOf(t.ours, t.n),
	}
}
