package python

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"reassay/sdkemu"
)

var whole = flag.Bool("whole", false, "compare every release on every chunking of every probe, not the first one alone, and measure what the streams run of the packages")

// TestConformancePython holds the emulation to the real package over every stream of the fixtures: outcome, exception
// class, text and place, and the assembled object. divergences.json lists what is known to differ.
func TestConformancePython(t *testing.T) {
	known, covered, measured := readDivergences(t), coverages(t), map[string]int{}
	for i := range releases {
		r := &releases[i]
		t.Run(r.name(), func(t *testing.T) {
			compareFixtures(t, r, known[r.name()])
			if c := covered[r.sdk]; *whole && c != nil {
				measureCoverage(t, r, c)
				measured[r.sdk]++
			}
		})
	}
	for sdk, c := range covered {
		all := 0
		for i := range releases {
			if releases[i].sdk == sdk {
				all++
			}
		}
		for _, u := range c.Uncovered {
			if measured[sdk] == all && !u.met {
				t.Errorf("%s: %s of %s is listed as uncovered, and no version has such lines", sdk, u.In, u.File)
			}
		}
	}
	for name, streams := range known {
		for stream := range streams {
			t.Errorf("%s: %s is listed as differing and is no stream of the fixtures", name, stream)
		}
	}
}

// compareFixtures compares on the streams of the fixtures, and takes those that it met from the known ones.
func compareFixtures(t *testing.T, r *release, known map[string]divergence) {
	ref := startReference(t, r)
	e := New()
	for _, api := range r.apis {
		specimens := append(probes(t, r, api), exchanges(t, r, api)...)
		if *whole && api == sdkemu.AnthropicMessages {
			specimens = append(specimens, foreign(t, r)...)
		}
		if !*whole && r != &releases[0] {
			specimens = sampled(specimens)
		}
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
}

// divergence is a stream on which emulation and package are known to differ.
type divergence struct {
	Release string // the package and its version: openai-2.54.0
	Stream  string // its name: probe or exchange, chunking, mode
	Differs string // the difference as the test words it
	Because string // the line of the package, or of what it runs on, that explains it
}

// maxDivergences is how many streams of a release may be listed.
const maxDivergences = 5

// readDivergences are the listed streams of each release.
func readDivergences(t *testing.T) map[string]map[string]divergence {
	t.Helper()
	text, err := os.ReadFile("divergences.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []divergence
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	known := map[string]map[string]divergence{}
	for _, d := range list {
		if d.Because == "" {
			t.Errorf("%s is listed as differing without a reason", d.Stream)
		}
		if known[d.Release] == nil {
			known[d.Release] = map[string]divergence{}
		}
		if known[d.Release][d.Stream] = d; len(known[d.Release]) > maxDivergences {
			t.Errorf("%s: more than %d streams are listed as differing", d.Release, maxDivergences)
		}
	}
	return known
}
