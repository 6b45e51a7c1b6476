package check

import "reassay/capture"

// Interpretation names everything but the exchange that this Checker's verdicts depend on.
func (c *Checker) Interpretation() Interpretation {
	return Interpretation{ID: "0000000000000000"}
}

// Incomplete is the verdict on an exchange of which the mirror lost a part, or whose end never came: nothing is judged
// and nothing is blamed on the gateway. reason says what is missing.
func (c *Checker) Incomplete(x *capture.Exchange, reason string) (Verdict, error) {
	return Verdict{
		VerdictVersion: VerdictVersion,
		Exchange:       x.ID,
		Gateway:        Gateway(x.Gateway),
		Population:     x.Population,
		ObservedAt:     x.ObservedAt,
		Labels:         x.Labels,
		Interpretation: c.Interpretation(),
		Worst:          WorstIncomplete,
		WorstAny:       WorstIncomplete,
		Reason:         reason,
	}, nil
}
