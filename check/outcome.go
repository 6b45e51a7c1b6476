package check

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"reassay/convir"
	"reassay/rules"
	"reassay/sdkemu"
)

// settle gives every run its outcome by the policy table (rules.md).
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
			s.out.Findings = append(s.out.Findings, f.ID)
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

// raised: an exception tells the caller of an upstream that failed, unless the stream's own broken grammar provoked it
// before that failure came.
func (x *exchange) raised(s *sdkRun) {
	out := &s.out
	if x.c.Broken() && !provokedByGateway(s.run.Findings) {
		out.Outcome, out.Cause = Surfaced, rules.ByUpstream
		return
	}
	out.Outcome = Exception
	out.Cause = causeOf(s.run.Findings)
	out.Avoidable = avoidable(s.run.Findings)
}

// provokedByGateway reports whether a finding other than on the failure itself explains the exception.
func provokedByGateway(findings []*rules.Finding) bool {
	for _, f := range findings {
		if f.Tier == rules.T1 && f.Cause == rules.ByGateway && f.Construct != string(convir.CError) && f.Rule != "S12" {
			return true
		}
	}
	return false
}

// compared: the SDK handed a message over. What differs in plain form must be named by a finding; it is corrupt where
// one of these, or a finding on something that the dialect could have carried, is more than an unavoidable loss.
func (x *exchange) compared(s *sdkRun) {
	out := &s.out
	ref := s.run.Comparison.Ref
	paths := x.withoutForcedStop(plainDiff(ref, s.run.Leg, s.run.Comparison.Partial), s.run)
	var telling []*rules.Finding
	lossy := false
	for _, f := range s.run.Findings {
		if f.Tier != rules.T1 {
			continue
		}
		lossy = true
		if f.Support == rules.Avoidable || f.Support != rules.Unavoidable && touchesAny(f, paths) {
			telling = append(telling, f)
		}
	}
	for _, p := range paths {
		if !covered(p, s.run.Findings) {
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

// covered reports whether a finding of the run says why this place differs: one on the place itself, on the calls of
// the same choice, or on the stream as a whole.
func covered(path string, findings []*rules.Finding) bool {
	for _, f := range findings {
		if f.Tier == rules.T1 && touches(f, path) {
			return true
		}
	}
	return false
}

func touchesAny(f *rules.Finding, paths []string) bool {
	for _, p := range paths {
		if touches(f, p) {
			return true
		}
	}
	return false
}

func touches(f *rules.Finding, path string) bool {
	switch convir.Construct(f.Construct) {
	case convir.CStream, convir.CError, convir.CChoice, convir.COpaque:
		return true
	case convir.CToolCall, convir.CCustomCall, convir.CServerToolCall:
		return strings.Contains(path, "tool_calls") || !strings.HasPrefix(path, "choices[") || strings.HasSuffix(path, "finish_reason") || under(f.Path, path)
	}
	if strings.HasPrefix(f.Construct, "stop") {
		return strings.HasSuffix(path, "finish_reason") || strings.HasSuffix(path, "stop_reason") || path == "status" || under(f.Path, path)
	}
	return under(f.Path, path) || f.Construct == string(convir.CText) && !strings.HasPrefix(path, "choices[")
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
