package report

import (
	"fmt"

	"reassay/check"
	"reassay/rules"
)

// Counting says whose doing counts (contract, section 4, `--count`).
type Counting string

// The countings.
const (
	// Gateway leaves out what an SDK or the model's API did by itself: it counts causes gateway and undetermined, as
	// a verdict's "worst" does.
	Gateway Counting = "gateway"
	// Caller counts everything that a caller suffers, as a verdict's "worst_any" does.
	Caller Counting = "caller"
)

// ParseCounting reads a value of `--count`.
func ParseCounting(s string) (Counting, error) {
	switch c := Counting(s); c {
	case Gateway, Caller:
		return c, nil
	}
	return "", fmt.Errorf("unknown counting %q, want %s or %s", s, Gateway, Caller)
}

// Worst is the word for v under this counting.
func (c Counting) Worst(v check.Verdict) check.Worst {
	if c == Caller {
		return v.WorstAny
	}
	return v.Worst
}

// counts reports whether something with this cause counts. Without a cause nobody is known to be innocent.
func (c Counting) counts(cause rules.Cause) bool {
	return c == Caller || (cause != rules.BySDK && cause != rules.ByUpstream)
}

// outcome is the class of run under this counting. A failure that does not count leaves the class that the rest of
// the run's findings give: unavoidable where something was lost on the way, else clean. What is left is never an
// avoidable finding: that would have made the failure count.
func (c Counting) outcome(v check.Verdict, run check.SDK) check.SDKOutcome {
	switch run.Outcome {
	case check.Exception, check.Corrupt, check.Unavoidable:
	default:
		return run.Outcome
	}
	if c.counts(run.Cause) {
		return run.Outcome
	}
	for _, f := range findingsOf(v, run) {
		if f.Tier == rules.T1 && c.counts(f.Cause) {
			return check.Unavoidable
		}
	}
	return check.Clean
}

// findingsOf are the findings that run names, in the order of the verdict.
func findingsOf(v check.Verdict, run check.SDK) []rules.Finding {
	var out []rules.Finding
	for _, f := range v.Findings {
		for _, id := range run.Findings {
			if f.ID == id {
				out = append(out, f)
				break
			}
		}
	}
	return out
}
