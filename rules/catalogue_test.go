package rules

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestCatalogueIsInOrderAndWhole(t *testing.T) {
	var ids []string
	for _, r := range Catalogue {
		ids = append(ids, r.ID)
		for what, missing := range map[string]bool{
			"a title":              r.Title == "",
			"a Doc":                len(strings.TrimSpace(r.Doc)) < 40,
			"a source's address":   !strings.Contains(r.Source, "https://"),
			"a known tier":         !slices.Contains([]Tier{T1, T2, T3}, r.Tier),
			"its first version":    r.Since == "",
			"what it needs":        r.Check != nil && len(r.Needs) == 0,
			"a reason for silence": r.Check == nil && !strings.Contains(r.Doc, "request") && !strings.Contains(r.Doc, "instruction") && !strings.Contains(r.Doc, "D01"),
		} {
			if missing {
				t.Errorf("%s lacks %s", r.ID, what)
			}
		}
	}
	if !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Errorf("ids are not sorted and unique: %v", ids)
	}
}

// A rule has one file, named after it, and the file has no other rule. The permitted changes share theirs.
func TestOneFileARule(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	declares := regexp.MustCompile(`(?m)^var ([SDR]\d\dF?) = &Rule\{`)
	found := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		matches := declares.FindAllStringSubmatch(string(text), -1)
		for _, m := range matches {
			found[m[1]] = file // S08F is the rule S08-F
			if file != "permitted.go" && (len(matches) != 1 || !strings.HasPrefix(file, strings.ToLower(m[1])+"_")) {
				t.Errorf("%s stands in %s", m[1], file)
			}
		}
	}
	for _, r := range Catalogue {
		name := strings.ReplaceAll(r.ID, "-", "")
		if found[name] == "" {
			t.Errorf("%s has no file", r.ID)
		}
		delete(found, name)
	}
	for id, file := range found {
		t.Errorf("%s in %s is not in the catalogue", id, file)
	}
}

// Every rule that can apply has at least one exchange on which it fires and one on which it is quiet, and the T1 rules
// have three of each.
func TestEveryRuleHasFixtures(t *testing.T) {
	dirs, err := filepath.Glob("../fixtures/rules/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	known := map[string]bool{}
	for _, r := range Catalogue {
		known[r.ID] = r.Check != nil
		if r.Check == nil {
			continue
		}
		want := 1
		if r.Tier == T1 {
			want = 3
		}
		for _, kind := range []string{"fires", "quiet"} {
			files, err := filepath.Glob(filepath.Join("../fixtures/rules", r.ID, kind+"-*.json"))
			if err != nil {
				t.Fatal(err)
			}
			if len(files) < want {
				t.Errorf("%s has %d exchanges on which it is %s, want %d", r.ID, len(files), kind, want)
			}
			for _, file := range files {
				fixtureSpeaksOf(t, file, r, kind)
			}
		}
	}
	for _, d := range dirs {
		if !known[filepath.Base(d)] {
			t.Errorf("%s belongs to no rule that can apply", d)
		}
	}
}

// fixtureSpeaksOf: a firing fixture demands the rule, a quiet one forbids it or any blame.
func fixtureSpeaksOf(t *testing.T, file string, r *Rule, kind string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Want struct {
			Must    []struct{ Rule string }
			MustNot []map[string]string `json:"must_not"`
		}
	}
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	speaks := false
	if kind == "fires" {
		for _, m := range f.Want.Must {
			speaks = speaks || m.Rule == r.ID
		}
	} else {
		for _, m := range f.Want.MustNot {
			speaks = speaks || m["rule"] == r.ID || m["tier"] == string(T1)
		}
	}
	if !speaks {
		t.Errorf("%s says nothing of %s", file, r.ID)
	}
}

func TestExplainShowsBothExamples(t *testing.T) {
	for _, r := range Catalogue {
		text, ok := Explain(r.ID)
		if !ok {
			t.Fatalf("%s is not explained", r.ID)
		}
		if r.Check == nil {
			continue
		}
		for _, part := range []string{"Fires where ", "Quiet where ", "finding: " + r.ID} {
			if !strings.Contains(text, part) {
				t.Errorf("the explanation of %s lacks %q", r.ID, part)
			}
		}
	}
	if _, ok := Explain("S99"); ok {
		t.Error("a rule that does not exist is explained")
	}
}
