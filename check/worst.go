package check

import (
	"slices"

	"reassay/convir"
	"reassay/rules"
)

// severity orders the words for an exchange, the worst first.
var severity = []Worst{WorstException, WorstCorrupt, WorstChanged, WorstUnavoidable, WorstClean}

// worst is the one word for an exchange: over outcomes and T1 findings of the gateway or of nobody, and over all.
func (x *exchange) worst(runs []*sdkRun, findings []rules.Finding) (worst, any Worst, reason string) {
	if x.c.Cancelled {
		return WorstCancelled, WorstCancelled, "the caller broke the stream off"
	}
	if x.rejected() {
		return WorstRejected, WorstRejected, "the gateway answered with a status other than 2xx"
	}
	worst, any = WorstClean, WorstClean
	note := func(w Worst, cause rules.Cause) {
		any = worse(any, w)
		if cause == rules.ByGateway || cause == rules.Undetermined {
			worst = worse(worst, w)
		}
	}
	for _, s := range runs {
		switch s.out.Outcome {
		case Exception:
			note(WorstException, s.out.Cause)
		case Corrupt:
			note(WorstCorrupt, s.out.Cause)
		case Unavoidable:
			note(WorstUnavoidable, s.out.Cause)
		}
	}
	for _, f := range findings {
		switch {
		case f.Tier != rules.T1 || f.Cause == rules.BySDK:
		case f.Support == rules.Unavoidable:
			note(WorstUnavoidable, f.Cause)
		default:
			note(WorstChanged, f.Cause)
		}
	}
	if x.c.Broken() {
		if !masked(runs, findings, true) {
			worst = WorstSurfaced
		}
		if !masked(runs, findings, false) {
			any = WorstSurfaced
		}
		reason = "the model's API failed"
	}
	if why := x.notRead(); why != "" && worst == WorstClean && any == WorstClean {
		return WorstIncomplete, WorstIncomplete, why
	}
	return worst, any, reason
}

// notRead says why a reply could not be read although it was captured, "" when each was read: what was not looked at,
// or not laid beside the reply that it came from, is not clean. The gateway's earlier attempts are no such reply.
func (x *exchange) notRead() string {
	for _, name := range []string{rules.StreamLeg, rules.NonStreamLeg, rules.UpstreamLeg, rules.UpstreamWholeLeg} {
		if l := x.named[name]; l != nil && l.unread != "" {
			return l.unread
		}
	}
	return ""
}

func worse(a, b Worst) Worst {
	if slices.Index(severity, b) < slices.Index(severity, a) {
		return b
	}
	return a
}

// masked reports whether the failure of the upstream is hidden from a caller: an SDK hands over a message as if whole,
// raises over something else, or the stream itself hides it. counted leaves out what the gateway did not do.
func masked(runs []*sdkRun, findings []rules.Finding, counted bool) bool {
	counts := func(cause rules.Cause) bool {
		return !counted || cause == rules.ByGateway || cause == rules.Undetermined
	}
	for _, s := range runs {
		if (s.out.Outcome == Exception || s.out.Outcome == Corrupt) && counts(s.out.Cause) {
			return true
		}
	}
	for _, f := range findings {
		if f.Tier == rules.T1 && f.Construct == string(convir.CError) && counts(f.Cause) {
			return true
		}
	}
	return false
}

// rejected reports whether the gateway refused the request although the model's API did not fail.
func (x *exchange) rejected() bool {
	l := x.c.Stream
	if l == nil {
		l = x.c.NonStream
	}
	return l != nil && !l.OK() && !x.c.Broken()
}
