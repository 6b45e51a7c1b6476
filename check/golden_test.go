package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reassay/rules"
)

// goldenLine is a verdict in short: what decides, and every finding. Its file stands below fixtures/golden at the
// fixture's own path. Rewritten by `go test ./check -update`; the diff is to be read.
type goldenLine struct {
	Exchange  string            `json:"exchange"`
	Reference string            `json:"reference"`
	Worst     Worst             `json:"worst"`
	WorstAny  Worst             `json:"worst_any"`
	MRS       string            `json:"mr_s"`
	SDKs      map[string]string `json:"sdks,omitempty"`
	Findings  []string          `json:"findings"`
}

func golden(v Verdict) goldenLine {
	g := goldenLine{Exchange: v.Exchange, Reference: v.Reference, Worst: v.Worst, WorstAny: v.WorstAny, MRS: v.MRS.Status, SDKs: map[string]string{}, Findings: []string{}}
	for _, s := range v.SDKs {
		if s.Outcome == NotApplicable {
			continue
		}
		out := string(s.Outcome)
		if s.Cause != "" {
			out += " by " + string(s.Cause)
		}
		if s.Exception != nil {
			out += ": " + s.Exception.Class
		}
		if len(s.Findings) > 0 {
			out += " [" + strings.Join(s.Findings, " ") + "]"
		}
		g.SDKs[s.SDK+"/"+s.API+"/"+s.Mode] = out
	}
	for _, f := range v.Findings {
		g.Findings = append(g.Findings, goldenFinding(f))
	}
	return g
}

func goldenFinding(f rules.Finding) string {
	at := ""
	if f.At != nil {
		at = fmt.Sprintf(" @%d:%d", f.At.Frame, f.At.Byte)
	}
	s := fmt.Sprintf("%s %s %s %s %s %q%s", f.ID, f.Rule, f.Tier, f.Leg, f.Path, f.Mechanism, at)
	if f.Tier == rules.T1 {
		s += fmt.Sprintf(" %s %s %s", f.Construct, f.Support, f.Cause)
	}
	if len(f.Consequences) > 0 {
		s += fmt.Sprintf(" +%d", len(f.Consequences))
	}
	return s
}

func TestGolden(t *testing.T) {
	seen := map[string]bool{}
	for file, vs := range verdicts(t) {
		rel, err := filepath.Rel(fixtures, file)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(fixtures, "golden", strings.TrimSuffix(strings.TrimSuffix(rel, ".jsonl"), ".json")+".jsonl")
		seen[path] = true
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		for _, v := range vs {
			if err := e.Encode(golden(v)); err != nil {
				t.Fatal(err)
			}
		}
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%v: run go test ./check -update and read what it writes", err)
			continue
		}
		compareLines(t, rel, string(want), b.String())
	}
	noOrphans(t, seen)
}

func compareLines(t *testing.T, file, want, got string) {
	t.Helper()
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := 0; i < max(len(w), len(g)); i++ {
		a, b := "", ""
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			t.Errorf("%s line %d:\nwas %s\nis  %s", file, i+1, a, b)
		}
	}
}

// noOrphans: a golden list without its fixture is left over.
func noOrphans(t *testing.T, seen map[string]bool) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(fixtures, "golden"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !seen[path] {
			t.Errorf("%s has no fixture", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
