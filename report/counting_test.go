package report

import (
	"testing"

	"reassay/check"
	"reassay/rules"
)

// What an SDK did by itself is left out of the gateway's count; what the gateway lost in the same stream is not, settled
// in the documents or not: another SDK's run over the same bytes counts it too.
func TestAnSDKsOwnFailureLeavesWhatTheGatewayLost(t *testing.T) {
	for _, c := range []struct {
		support rules.Support
		cause   rules.Cause
		want    check.SDKOutcome
	}{
		{rules.Borderline, rules.ByGateway, check.Unavoidable},
		{rules.Unavoidable, rules.ByGateway, check.Unavoidable},
		{rules.Unavoidable, rules.BySDK, check.Clean},
	} {
		v := check.Verdict{Findings: []rules.Finding{
			{ID: "f1", Tier: rules.T1, Support: c.support, Cause: c.cause},
			{ID: "f2", Tier: rules.T1, Support: rules.Avoidable, Cause: rules.BySDK},
			{ID: "f3", Tier: rules.T2},
		}}
		run := check.SDK{Outcome: check.Corrupt, Cause: rules.BySDK, Findings: []string{"f1", "f2", "f3"}}
		if got := Gateway.outcome(v, run); got != c.want {
			t.Errorf("%s by the %s beside an SDK's own corruption: %s, want %s", c.support, c.cause, got, c.want)
		}
		if got := Caller.outcome(v, run); got != check.Corrupt {
			t.Errorf("the caller's count: %s, want corrupt", got)
		}
	}
}
