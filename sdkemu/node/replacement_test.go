package node

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// fitting lists the replacements that are made in a release's bundle.
func fitting(r Release) []Replacement {
	var out []Replacement
	for _, m := range Replacements {
		if m.Fits(os.DirFS("js/node_modules/" + r.Alias())) {
			out = append(out, m)
		}
	}
	return out
}

type madeReplacement struct {
	Replacement
	release Release
}

func madeReplacements(t *testing.T) []madeReplacement {
	t.Helper()
	needSDKs(t)
	releases, err := Releases()
	if err != nil {
		t.Fatal(err)
	}
	var out []madeReplacement
	for _, r := range releases {
		for _, m := range fitting(r) {
			out = append(out, madeReplacement{m, r})
		}
	}
	return out
}

// TestReplacements names what runs in Go, and every release whose text is new: it runs as published, slowly. A
// replacement of a text that no release has is left over.
func TestReplacements(t *testing.T) {
	made := madeReplacements(t)
	releases, err := Releases()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range releases {
		of := slices.DeleteFunc(slices.Clone(made), func(m madeReplacement) bool { return m.release != r })
		if len(of) == 0 {
			t.Logf("%s: its text is new, and all of it runs as published", r.Alias())
		}
		for _, m := range of {
			t.Logf("%s: %s of %s runs in Go: %s", r.Alias(), m.Function, m.File, m.Why)
			text, err := os.ReadFile("js/node_modules/" + r.Alias() + "/" + m.File)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), m.Function) {
				t.Errorf("%s: %s has no %s", r.Alias(), m.File, m.Function)
			}
		}
	}
	for i, m := range Replacements {
		if !slices.ContainsFunc(made, func(o madeReplacement) bool {
			return o.File == m.File && o.Body == m.Body && o.Sources[m.File] == m.Sources[m.File]
		}) {
			t.Errorf("row %d of Replacements fits no release", i+1)
		}
	}
}
