package rules

import (
	"fmt"
	"strings"
	"testing"

	"reassay/wire"
)

func TestNumberListsOneKindUpToALimit(t *testing.T) {
	var findings []*Finding
	for i := range 1000 {
		findings = append(findings, &Finding{Leg: StreamLeg, Rule: "S05", Name: "text lost", Path: fmt.Sprint(i)})
	}
	other := &Finding{Leg: StreamLeg, Rule: "S06", Name: "tool call id missing", Consequences: make([]string, 5000)}
	findings = append(findings, other)
	out := number(findings)
	if len(out) != maxAlike+1 {
		t.Fatalf("%d findings are kept, want %d of the one kind and the other", len(out), maxAlike)
	}
	if last := findings[999]; last.ID != out[0].ID {
		t.Errorf("the last of the kind has the id %q, want the first one's", last.ID)
	}
	if c := out[0].Consequences; len(c) != 1 || !strings.Contains(c[0], "1000 findings") {
		t.Errorf("the first says %q, want how many there are", c)
	}
	if out[maxAlike].ID != fmt.Sprintf("f%d", maxAlike+1) || len(out[maxAlike].Consequences) != maxConsequences+1 {
		t.Errorf("the other has id %s and %d consequences", out[maxAlike].ID, len(out[maxAlike].Consequences))
	}
}

func TestDeepValuesAreCut(t *testing.T) {
	for n, cut := range map[int]bool{maxNesting: false, maxNesting + 2: true, 2000: true} {
		v, err := wire.Parse([]byte(strings.Repeat("[", n) + strings.Repeat("]", n)))
		if err != nil {
			t.Fatal(err)
		}
		if got := cutValue(v).Get("cut").True(); got != cut {
			t.Errorf("%d deep: cut %t, want %t", n, got, cut)
		}
	}
}

func TestMessagesShowNoLongValues(t *testing.T) {
	for text, want := range map[string]string{
		"7": "7", strings.Repeat("7", 100000): "a number of 100000 bytes", `"` + strings.Repeat("x", 100) + `"`: "a string of 102 bytes",
	} {
		v, err := wire.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := shown(v); got != want {
			t.Errorf("%.20s is shown as %.40q, want %q", text, got, want)
		}
	}
}

func TestOneFaultOnSeveralCallsIsOneFinding(t *testing.T) {
	of := func(path, print string, tier Tier) *Finding {
		return &Finding{Leg: StreamLeg, Rule: "S06", Name: "tool call id missing", Tier: tier, Fingerprint: print, Path: path, Consequences: []string{"raises"}}
	}
	second := of("choices[0].message.tool_calls[1].id", "a", T1)
	second.At = &At{Leg: StreamLeg, Frame: 4, Byte: 99}
	findings := []*Finding{of("choices[0].message.tool_calls[0].id", "a", T1), second, of("choices[0].message.tool_calls[1].id", "b", T1), of("x", "c", T3), of("y", "c", T3)}
	out := number(findings)
	if len(out) != 4 {
		t.Fatalf("%d findings, want the merged one, the one of another fingerprint, and both that are not counted", len(out))
	}
	want := []string{"raises", "again at choices[0].message.tool_calls[1].id in frame 4 (byte 99)", "raises"}
	if fmt.Sprint(out[0].Consequences) != fmt.Sprint(want) {
		t.Errorf("consequences %q, want %q", out[0].Consequences, want)
	}
	if second.ID != out[0].ID || second.ID == "" {
		t.Errorf("the second has the id %q, want the first one's", second.ID)
	}
}
