package python

import (
	"slices"
	"testing"
)

// TestVersions wants the version of a caller who names none first: check takes the first target that fits.
func TestVersions(t *testing.T) {
	want := map[string][]string{sdkOpenAI: {"2.54.0", "1.109.1", "3.57.0"}}
	got := map[string][]string{}
	for _, target := range New().Targets() {
		if !slices.Contains(got[target.SDK], target.Version) {
			got[target.SDK] = append(got[target.SDK], target.Version)
		}
	}
	for sdk, versions := range want {
		if !slices.Equal(got[sdk], versions) {
			t.Errorf("versions of %s: %v, want %v", sdk, got[sdk], versions)
		}
	}
}
