package report

import (
	"cmp"

	"reassay/check"
)

// The reasons for which an exchange is not in an SDK's N. Where the SDK could not be run, the run's own reason stands
// beside these.
const (
	leftIncomplete   = "incomplete"
	leftCancelled    = "cancelled"
	leftRejected     = "rejected"
	leftFailed       = "upstream failed"
	leftNoStream     = "no stream leg"
	leftNotRun       = "not run"
	leftInconclusive = "inconclusive"
)

// leftReasons are the reasons in the order in which they are listed; a run's own reason comes after them.
var leftReasons = []string{leftFailed, leftRejected, leftNoStream, leftIncomplete, leftCancelled, leftInconclusive}

// leftOut tells why v is in no SDK's N, "" when it may be in one (contract, section 5, "N of an SDK").
func leftOut(v check.Verdict) string {
	switch v.Worst {
	case check.WorstIncomplete:
		return leftIncomplete
	case check.WorstCancelled:
		return leftCancelled
	case check.WorstRejected:
		return leftRejected
	}
	if v.UpstreamFailed {
		return leftFailed
	}
	switch leg, ok := v.Legs["stream"]; {
	case !ok:
		return leftNoStream
	case leg.Transport == "http_error":
		return leftRejected
	}
	return ""
}

// leftOutOf tells why v is not in the N of run's SDK, "" when it is. A nil run did not happen.
func leftOutOf(v check.Verdict, run *check.SDK) string {
	if why := leftOut(v); why != "" {
		return why
	}
	if run == nil {
		return leftNotRun
	}
	switch run.Outcome {
	case check.Rejected:
		return leftRejected
	case check.Inconclusive:
		return leftInconclusive
	case check.NotApplicable:
		return cmp.Or(run.Reason, leftNotRun)
	}
	return ""
}
