package check

import (
	"slices"
	"strings"
	"testing"

	"reassay/rules"
)

// What the recorded bytes of exchanges without a fault upstream hold, counted from the verdicts' findings.
func TestWireFacts(t *testing.T) {
	stream := func(rule string, mechanisms ...string) func(rules.Finding) bool {
		return func(f rules.Finding) bool {
			return f.Leg == rules.StreamLeg && f.Rule == rule && slices.Contains(mechanisms, f.Mechanism)
		}
	}
	for _, c := range []struct {
		what  string
		in    string // the exchange's id begins with
		shows func(rules.Finding) bool
		want  int
	}{
		{"Gemini streams with calls that end with stop", "portkey/gemini/", stream("S12", "stop beside tool calls"), 16},
		{"Gemini streams with calls that end with stop", "new-api/gemini/", stream("S12", "stop beside tool calls"), 0},
		{"streams with two calls on index 0", "portkey/", stream("S06", "parallel calls share index 0"), 2},
		{"streams with a call on index -1", "portkey/", stream("S06", "tool call index out of range"), 2},
		{"streams without a finish reason", "portkey/", stream("S13", "no finish reason", "stream without a single event"), 4},
		{"Anthropic streams whose calls start at index 1 or more", "new-api/anthropic/", stream("S06", "tool call indices do not start at 0"), 7},
	} {
		var hit []string
		for id, v := range byExchange(t) {
			if strings.HasPrefix(id, c.in) && !v.UpstreamFailed && slices.ContainsFunc(v.Findings, c.shows) {
				hit = append(hit, id)
			}
		}
		if len(hit) != c.want {
			slices.Sort(hit)
			t.Errorf("%s: %d %s, want %d: %v", c.in, len(hit), c.what, c.want, hit)
		}
	}
}

// No finding of another tier or leg is blamed on a gateway where a case says that nothing is wrong.
func TestControlsAreNotBlamed(t *testing.T) {
	n := 0
	for file, vs := range verdicts(t) {
		if !strings.Contains(file, "/cases/") || !isControl(t, file) {
			continue
		}
		n++
		for _, v := range vs {
			for _, f := range v.Findings {
				if f.Tier == rules.T1 && f.Cause == rules.ByGateway {
					t.Errorf("%s: %s at %s: %s", file, f.Rule, f.Path, f.Message)
				}
			}
		}
	}
	if n == 0 {
		t.Error("no case with flag false")
	}
}

// Every T1 finding answers whether it could have been avoided, whose doing it is, what it touches and whether it is in
// the paper's scope; avoidable ones name the field.
func TestT1FindingsAnswer(t *testing.T) {
	for file, vs := range verdicts(t) {
		for _, v := range vs {
			ids := map[string]bool{}
			for _, f := range v.Findings {
				ids[f.ID] = true
				switch {
				case f.Fingerprint == "" || f.Mechanism == "" || f.Name == "" || f.Message == "":
					t.Errorf("%s %s: %s is not whole: %+v", file, v.Exchange, f.Rule, f)
				case f.Tier == rules.T1 && (f.Support == "" || f.Cause == "" || f.Field == "" || f.Scope == ""):
					t.Errorf("%s %s: %s at %s does not answer: %+v", file, v.Exchange, f.Rule, f.Path, f)
				case (f.Support == rules.Avoidable) != (f.NativeField != ""):
					t.Errorf("%s %s: %s at %s is %s with field %q", file, v.Exchange, f.Rule, f.Path, f.Support, f.NativeField)
				case f.Cause == rules.BySDK && !strings.HasPrefix(f.Leg, "sdk:"):
					t.Errorf("%s %s: an SDK's own fault stands on %s", file, v.Exchange, f.Leg)
				}
			}
			for _, s := range v.SDKs {
				for _, id := range s.Findings {
					if !ids[id] {
						t.Errorf("%s %s: %s lists %s, which is no finding", file, v.Exchange, s.SDK, id)
					}
				}
				if s.Mode == "iterate" && (s.Outcome == Corrupt || s.Outcome == Unavoidable) {
					t.Errorf("%s %s: a plain loop is %s", file, v.Exchange, s.Outcome)
				}
			}
		}
	}
}

// Messages never quote what the reply or the request says: those are values, which a content policy can keep back. Words
// of a dialect's own vocabulary, which hold no blank, may stand there.
func TestMessagesQuoteNoContent(t *testing.T) {
	for file, vs := range verdicts(t) {
		for _, v := range vs {
			for _, f := range v.Findings {
				for _, value := range []string{expected(f), got(f)} {
					if strings.Contains(value, " ") && len(value) > 12 && strings.Contains(f.Message, strings.Trim(value, `"`)) {
						t.Errorf("%s %s: %s quotes a value: %s", file, v.Exchange, f.Rule, f.Message)
					}
				}
			}
		}
	}
}

func expected(f rules.Finding) string {
	if f.Expected == nil {
		return ""
	}
	return string(f.Expected.JSON())
}

func got(f rules.Finding) string {
	if f.Got == nil {
		return ""
	}
	return string(f.Got.JSON())
}
