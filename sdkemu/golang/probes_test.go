package golang

import (
	"encoding/json"
	"testing"

	"reassay/internal/fixture"
	"reassay/sdkemu"
)

// TestProbes runs every probe stream of an API through the linked SDK: each has an outcome of the SDK's, never a fault of
// ours, and the transport's chunks do not change it.
func TestProbes(t *testing.T) {
	e := New()
	for _, target := range e.Targets() {
		outcomes := map[sdkemu.Outcome]int{}
		panics := 0
		probes, err := fixture.Probes("../../fixtures", target.API)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range probes {
			whole := e.Run(t.Context(), target, p.Input)
			outcomes[whole.Outcome]++
			if whole.Outcome == sdkemu.Failed || whole.Outcome == sdkemu.Inconclusive {
				t.Errorf("%s: %s: %s: %s", target.Name(), p.Name, whole.Outcome, whole.Reason)
			}
			if whole.Exception != nil && whole.Exception.Class == "panic" {
				panics++
			}
			for _, chunking := range sdkemu.Chunkings {
				cut := p.Input
				var err error
				if cut.Cuts, err = chunking.Cuts(cut.Body); err != nil {
					t.Fatal(err)
				}
				if got := e.Run(t.Context(), target, cut); told(t, got) != told(t, whole) {
					t.Errorf("%s: %s: in chunks %q %s, whole %s", target.Name(), p.Name, chunking, told(t, got), told(t, whole))
				}
			}
		}
		t.Logf("%s: %v, %d of them panics", target.Name(), outcomes, panics)
	}
}

func told(t *testing.T, r sdkemu.Result) string {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
