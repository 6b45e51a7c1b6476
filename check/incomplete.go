package check

import (
	"reassay/capture"
	"reassay/rules"
)

// Interpretation names everything but the exchange that this Checker's verdicts depend on.
func (c *Checker) Interpretation() Interpretation { return c.interpretation }

// Incomplete is the verdict on an exchange of which the mirror lost a part, or whose end never came: nothing is judged
// and nothing is blamed on the gateway. reason says what is missing.
func (c *Checker) Incomplete(in *capture.Exchange, reason string) (Verdict, error) {
	v := c.verdict(c.read(in))
	v.Reference = "self"
	v.MRS = MRS{Status: "not_applicable", Reason: "incomplete"}
	for _, r := range rules.Catalogue {
		v.Rules.NotApplicable[r.ID] = "incomplete"
	}
	v.Worst, v.WorstAny, v.Reason = WorstIncomplete, WorstIncomplete, reason
	v.bound()
	return v, nil
}
