package python

import (
	"encoding/json"
	"os"
	"testing"

	"reassay/sdkemu"
)

// TestConformancePython holds the emulation to the real package over every stream of the fixtures: outcome, exception
// class, text and place, and the assembled object. divergences.json lists what is known to differ.
func TestConformancePython(t *testing.T) {
	known := readDivergences(t)
	ref := startReference(t)
	e := New()
	for _, api := range emulatedAPIs() {
		specimens := append(probes(t, api), exchanges(t, api)...)
		compared, differ := 0, 0
		ref.each(t, specimens, func(s specimen, want outcome) {
			compared++
			got := emulated(t, e, s)
			d := got.difference(want)
			listed, isListed := known[s.name]
			switch {
			case d == "" && isListed:
				t.Errorf("%s is listed as differing and does not", s.name)
			case d != "" && !isListed:
				if differ++; differ <= 40 {
					t.Errorf("%s: %s", s.name, d)
				}
			case isListed && got.Outcome != want.Outcome:
				t.Errorf("%s: outcome %s, want %s: a listed stream may not differ in it", s.name, got.Outcome, want.Outcome)
			case isListed && listed.Differs != d:
				t.Errorf("%s: %s; listed: %s", s.name, d, listed.Differs)
			}
			delete(known, s.name)
		})
		t.Logf("%s: %d streams compared, %d differ and are not listed", api, compared, differ)
	}
	for name := range known {
		t.Errorf("%s is listed as differing and is no stream of the fixtures", name)
	}
}

// emulatedAPIs are the APIs among the emulator's targets.
func emulatedAPIs() []sdkemu.API {
	var out []sdkemu.API
	for _, t := range New().Targets() {
		if len(out) == 0 || out[len(out)-1] != t.API {
			out = append(out, t.API)
		}
	}
	return out
}

// divergence is a stream on which emulation and package are known to differ.
type divergence struct {
	Stream  string // its name: probe or exchange, chunking, mode
	Differs string // the difference as the test words it
	Because string // the line of the package, or of what it runs on, that explains it
}

// maxDivergences is how many streams may be listed.
const maxDivergences = 5

func readDivergences(t *testing.T) map[string]divergence {
	t.Helper()
	text, err := os.ReadFile("divergences.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []divergence
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	if len(list) > maxDivergences {
		t.Errorf("%d streams are listed as differing, at most %d may be", len(list), maxDivergences)
	}
	known := map[string]divergence{}
	for _, d := range list {
		if d.Because == "" {
			t.Errorf("%s is listed as differing without a reason", d.Stream)
		}
		known[d.Stream] = d
	}
	return known
}
