package check

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"reassay/convir"
	"reassay/rules"
	"reassay/sdkemu"
)

// settle gives every run its outcome by the policy table.
func (c *Checker) settle(x *exchange, runs []*sdkRun) {
	for _, s := range runs {
		if s.run == nil {
			continue
		}
		r := s.run.Result
		if len(r.Assembled) > 0 {
			sum := sha256.Sum256(r.Assembled)
			s.out.AssembledSHA256 = hex.EncodeToString(sum[:])
			if c.config.Assembled {
				s.out.Assembled = r.Assembled
			}
		}
		if e := r.Exception; r.Outcome == sdkemu.Exception && e != nil {
			s.out.Exception = &SDKException{Class: e.Class, Message: e.Message, AtEvent: e.AtEvent}
		}
		for _, f := range s.run.Findings {
			if !slices.Contains(s.out.Findings, f.ID) { // several may be one in the verdict
				s.out.Findings = append(s.out.Findings, f.ID)
			}
		}
		x.outcome(s)
	}
}

func (x *exchange) outcome(s *sdkRun) {
	r := s.run.Result
	out := &s.out
	switch {
	case r.Outcome == sdkemu.Inconclusive, r.Outcome == sdkemu.Failed:
		out.Outcome, out.Reason, out.Retryable = Inconclusive, r.Reason, r.Retryable
	case !x.c.Stream.OK():
		out.Outcome = Rejected
		if x.c.Broken() {
			out.Outcome, out.Cause = Surfaced, rules.ByUpstream
		}
	case r.Outcome == sdkemu.Exception:
		x.raised(s)
	case s.run.Target.Mode == sdkemu.ModeIterate:
		out.Outcome = Clean
		if x.c.Broken() && rules.TellsFailure(x.c.Stream) {
			out.Outcome, out.Cause = Surfaced, rules.ByUpstream
		}
	case s.run.Leg == nil:
		out.Outcome, out.Reason = Inconclusive, "the message that the SDK assembled is not JSON"
	case x.c.Broken() && rules.TellsFailure(s.run.Leg):
		out.Outcome, out.Cause = Surfaced, rules.ByUpstream
	default:
		x.compared(s)
	}
}

// raised: whatever an SDK raises on a stream whose upstream failed tells its caller that something failed.
func (x *exchange) raised(s *sdkRun) {
	out := &s.out
	if x.c.Broken() {
		out.Outcome, out.Cause = Surfaced, rules.ByUpstream
		return
	}
	out.Outcome = Exception
	out.Cause = causeOf(s.run.Findings)
	out.Avoidable = avoidable(s.run.Findings)
}

// compared: the SDK handed a message over. What differs in plain form must be named by a finding; it is corrupt where
// one of these, or a finding on something that the dialect could have carried, is more than an unavoidable loss. What
// shows outside the plain form and is unsettled in the documents is a loss, no corruption.
func (x *exchange) compared(s *sdkRun) {
	out := &s.out
	paths := x.withoutForcedStop(plainDiff(s.run.Comparison.Ref, s.run.Leg, x.c.Stream, s.run.Comparison.Partial), s.run)
	var telling []*rules.Finding
	tells := map[*rules.Finding]bool{}
	lossy := false
	for _, f := range s.run.Findings {
		if f.Tier != rules.T1 {
			continue
		}
		lossy = true
		if f.Support == rules.Avoidable || f.Construct == string(convir.CError) {
			telling, tells[f] = append(telling, f), true
		}
	}
	n := namesOf(s.run)
	for _, p := range paths {
		named := false
		for _, f := range n.at(p) {
			named = true
			if f.Support != rules.Unavoidable && !tells[f] {
				telling, tells[f] = append(telling, f), true
			}
		}
		if !named && !foundRight(s.run, p) {
			out.Unexplained = append(out.Unexplained, p)
		}
	}
	switch {
	case len(telling) > 0 || len(out.Unexplained) > 0:
		out.Outcome, out.Cause, out.Avoidable = Corrupt, causeOf(telling), avoidable(telling)
	case lossy:
		out.Outcome, out.Cause, out.Avoidable = Unavoidable, causeOf(s.run.Findings), avoidable(nil)
	default:
		out.Outcome = Clean
	}
}

// names are the findings that say why a run's message differs at a path of its plain form: those on differences there,
// and those on what takes the whole reply. A list of calls shifts with one that is lost or made up, so that a finding
// on one call of the choice speaks for its neighbours.
type names struct {
	run   *rules.Run
	of    []named
	calls []*rules.Finding // on calls, each once
	whole []*rules.Finding
}

// named is a difference with its finding and the paths under which it may be looked for.
type named struct {
	finding      *rules.Finding
	path, native string
}

func namesOf(r *rules.Run) names {
	n := names{run: r}
	seen := map[*rules.Finding]bool{}
	for _, d := range r.Comparison.Differences {
		f := d.Finding()
		if f == nil {
			continue
		}
		n.of = append(n.of, named{f, d.Path, d.NativePath(r.Leg.Dialect)})
		if d.Kind == convir.ToolCall && !seen[f] {
			seen[f] = true
			n.calls = append(n.calls, f)
		}
	}
	for _, f := range r.Findings {
		if f.Construct == string(convir.CError) {
			n.whole = append(n.whole, f)
		}
	}
	return n
}

func (n names) at(path string) []*rules.Finding {
	var out []*rules.Finding
	for _, x := range n.of {
		if under(x.path, path) || under(x.native, path) {
			out = append(out, x.finding)
		}
	}
	if len(n.calls) > 0 && callPath(n.run.Leg, path) {
		out = append(out, n.calls...)
	}
	return append(out, n.whole...)
}

// foundRight reports whether a rule looked at the difference at a path and found it as it should be.
func foundRight(r *rules.Run, path string) bool {
	for _, d := range r.Comparison.Differences {
		if d.Right() && under(d.Path, path) {
			return true
		}
	}
	return false
}

// callPath reports whether a path of a plain form is a call's.
func callPath(l *rules.Leg, path string) bool {
	for _, ch := range l.Reply.Choices {
		if calls := convir.EventPath(l.Dialect, ch.Path, convir.ToolCall, 0); strings.HasPrefix(path, calls[:strings.LastIndexByte(calls, '[')]) {
			return true
		}
	}
	return false
}

// withoutForcedStop drops the ends of choices that call the one tool that the request forced: Chat tells them by stop.
func (x *exchange) withoutForcedStop(paths []string, r *rules.Run) []string {
	name := x.c.ForcedTool()
	if name == "" {
		return paths
	}
	kept := paths[:0]
	for _, p := range paths {
		forced := false
		for _, ch := range r.Leg.Reply.Choices {
			if ch.Stop.Path == p && ch.Stop.Outcome == convir.Complete {
				for _, e := range ch.Events {
					forced = forced || e.Kind == convir.ToolCall && e.Name == name
				}
			}
		}
		if !forced {
			kept = append(kept, p)
		}
	}
	return kept
}

// under reports whether one path is the other or a part of it.
func under(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return strings.HasPrefix(b, a)
}

// causeOf is whose doing an outcome is: the gateway's if any of its findings is, else undetermined, the SDK's, the upstream's.
func causeOf(findings []*rules.Finding) rules.Cause {
	for _, cause := range []rules.Cause{rules.ByGateway, rules.Undetermined, rules.BySDK, rules.ByUpstream} {
		for _, f := range findings {
			if f.Tier == rules.T1 && f.Cause == cause {
				return cause
			}
		}
	}
	return rules.Undetermined
}

// avoidable reports whether a documented way would have kept the caller from it. What only an SDK does no gateway avoids.
func avoidable(findings []*rules.Finding) *bool {
	can := false
	for _, f := range findings {
		can = can || f.Support == rules.Avoidable && f.Cause != rules.BySDK
	}
	return &can
}
