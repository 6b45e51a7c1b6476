package check

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"reassay/capture"
	"reassay/rules"
	"reassay/wire"
)

var update = flag.Bool("update", false, "rewrite the golden verdict lists in fixtures/golden")

const fixtures = "../fixtures"

// judged are the verdicts of every fixture, judged once for all tests.
var judged = sync.OnceValues(judgeFixtures)

func judgeFixtures() (map[string][]Verdict, error) {
	checker, err := New(Config{})
	if err != nil {
		return nil, err
	}
	out := map[string][]Verdict{}
	for _, pattern := range []string{"captures/*.jsonl", "cases/*.json", "own/*.json", "transport/*.json", "policy/*.json", "rules/*/*.json"} {
		files, err := filepath.Glob(filepath.Join(fixtures, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			exchanges, err := readExchanges(file)
			if err != nil {
				return nil, err
			}
			for _, x := range exchanges {
				v, err := checker.Exchange(context.Background(), x)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", file, err)
				}
				out[file] = append(out[file], v)
			}
		}
	}
	return out, nil
}

func readExchanges(file string) ([]*capture.Exchange, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []*capture.Exchange
	for x, err := range capture.Decode(f, file) {
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

func verdicts(t *testing.T) map[string][]Verdict {
	t.Helper()
	all, err := judged()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("no fixtures")
	}
	return all
}

// byExchange finds a recorded exchange's verdict by its id.
func byExchange(t *testing.T) map[string]Verdict {
	t.Helper()
	m := map[string]Verdict{}
	for file, vs := range verdicts(t) {
		if strings.Contains(file, "captures") {
			for _, v := range vs {
				m[v.Exchange] = v
			}
		}
	}
	return m
}

// want is what was said by hand of an exchange (fixtures/harness.md).
type want struct {
	ID      string                `json:"id"`
	Reason  string                `json:"reason"`
	Must    []wantFinding         `json:"must"`
	MustNot []map[string]string   `json:"must_not"`
	MRS     string                `json:"mr_s"`
	WorstIn []Worst               `json:"worst_in"`
	SDKs    map[string]SDKOutcome `json:"sdks"`
}

type wantFinding struct {
	Rule    string   `json:"rule"`
	AnyRule []string `json:"any_rule"`
	Path    *string  `json:"path"`
	AnyPath []string `json:"any_path"`
	Leg     string   `json:"leg"`
	AnyLeg  []string `json:"any_leg"`
	Tier    string   `json:"tier"`
	TierIn  []string `json:"tier_in"`
	Cause   string   `json:"cause"`
	CauseIn []string `json:"cause_in"`

	Support     string          `json:"support"`
	NativeField string          `json:"native_field"`
	Field       string          `json:"field"`
	Frame       *int            `json:"frame"`
	Expected    json.RawMessage `json:"expected"`

	Why string `json:"why"`
}

func (w wantFinding) met(f rules.Finding) bool {
	return oneOf(f.Rule, w.Rule, w.AnyRule) && slices.ContainsFunc(placesOf(f), w.pathMet) && oneOf(f.Leg, w.Leg, w.AnyLeg) &&
		oneOf(string(f.Tier), w.Tier, w.TierIn) && oneOf(string(f.Cause), w.Cause, w.CauseIn) &&
		oneOf(string(f.Support), w.Support, nil) && oneOf(f.NativeField, w.NativeField, nil) && oneOf(string(f.Field), w.Field, nil) &&
		(w.Frame == nil || f.At != nil && f.At.Frame == *w.Frame) && w.expectedMet(f)
}

func (w wantFinding) expectedMet(f rules.Finding) bool {
	if w.Expected == nil {
		return true
	}
	v, err := wire.Parse(w.Expected)
	return err == nil && f.Expected != nil && wire.Equal(v, *f.Expected)
}

func oneOf(got, want string, more []string) bool {
	return want == "" && len(more) == 0 || got == want || slices.Contains(more, got)
}

// placesOf are the path of a finding and those at which the same fault shows again.
func placesOf(f rules.Finding) []string {
	paths := []string{f.Path}
	for _, c := range f.Consequences {
		if again, ok := strings.CutPrefix(c, "again at "); ok {
			path, _, _ := strings.Cut(again, " in frame ")
			paths = append(paths, path)
		}
	}
	return paths
}

// pathMet: the finding stands at the path or inside it; "" is the whole reply.
func (w wantFinding) pathMet(path string) bool {
	if w.Path == nil {
		return true
	}
	for _, p := range append([]string{*w.Path}, w.AnyPath...) {
		if rest, ok := strings.CutPrefix(path, p); ok && (rest == "" || p == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

func (w want) check(t *testing.T, v Verdict) {
	t.Helper()
	for _, m := range w.Must {
		if !slices.ContainsFunc(v.Findings, m.met) {
			t.Errorf("no finding %s at %q on %s (%s): %s\n%s", m.Rule, deref(m.Path), m.Leg, m.Cause, m.Why, list(v))
		}
	}
	for _, not := range w.MustNot {
		for _, f := range v.Findings {
			has := map[string]string{"tier": string(f.Tier), "cause": string(f.Cause), "leg": f.Leg, "rule": f.Rule}
			// Without a leg it speaks of the gateway's: what an SDK does of its own accord stands on the SDK's leg.
			all := len(not) > 0 && (not["leg"] != "" || !strings.HasPrefix(f.Leg, "sdk:"))
			for k, x := range not {
				all = all && has[k] == x
			}
			if all {
				t.Errorf("a finding that must not be: %s at %s on %s: %s", f.Rule, f.Path, f.Leg, f.Message)
			}
		}
	}
	if w.MRS != "" && v.MRS.Status != w.MRS {
		t.Errorf("MR-S is %s (%s), want %s", v.MRS.Status, v.MRS.Reason, w.MRS)
	}
	if len(w.WorstIn) > 0 && !slices.Contains(w.WorstIn, v.Worst) {
		t.Errorf("worst is %s, want one of %v\n%s", v.Worst, w.WorstIn, list(v))
	}
	w.checkSDKs(t, v)
	for _, s := range v.SDKs {
		if len(s.Unexplained) > 0 {
			t.Errorf("%s %s: no finding explains %v", s.SDK, s.Mode, s.Unexplained)
		}
	}
}

func (w want) checkSDKs(t *testing.T, v Verdict) {
	t.Helper()
	for name, outcome := range w.SDKs {
		found := false
		for _, s := range v.SDKs {
			if s.SDK+"@"+s.Version+"/"+s.API+"/"+s.Mode == name {
				found = true
				if s.Outcome != outcome {
					t.Errorf("%s is %s, want %s (%v)", name, s.Outcome, outcome, s.Exception)
				}
			}
		}
		if !found {
			t.Errorf("no run %s", name)
		}
	}
}

// isControl reports whether a case says that nothing is wrong.
func isControl(t *testing.T, file string) bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Flag *bool `json:"flag"`
	}
	if err := json.Unmarshal(text, &c); err != nil || c.Flag == nil {
		t.Fatalf("%s: no flag: %v", file, err)
	}
	return !*c.Flag
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func list(v Verdict) string {
	var b strings.Builder
	for _, f := range v.Findings {
		fmt.Fprintf(&b, "\t%s %s %s %s at %s: %s\n", f.Rule, f.Tier, f.Leg, f.Cause, f.Path, f.Mechanism)
	}
	return b.String()
}

// strictly decodes a want and fails on members that it does not know.
func strictly(text []byte, into any) error {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

func TestWants(t *testing.T) {
	n := 0
	for _, dir := range []string{"cases", "own", "policy", "rules/*"} {
		files, err := filepath.Glob(filepath.Join(fixtures, dir, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no fixtures in %s: %v", dir, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var f struct {
				Want json.RawMessage `json:"want"`
			}
			var w want
			if err := json.Unmarshal(text, &f); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if err := strictly(f.Want, &w); err != nil {
				t.Fatalf("%s: want: %v", file, err)
			}
			n++
			name := strings.TrimPrefix(strings.TrimSuffix(file, ".json"), fixtures+"/")
			t.Run(name, func(t *testing.T) {
				for _, v := range verdicts(t)[file] {
					w.check(t, v)
				}
			})
		}
	}
	if n == 0 {
		t.Fatal("no wants")
	}
}

func TestRecordedExchanges(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(fixtures, "must_clean.json"))
	if err != nil {
		t.Fatal(err)
	}
	var lists map[string][]want
	if err := strictly(text, &lists); err != nil {
		t.Fatal(err)
	}
	all := byExchange(t)
	for name, wants := range lists {
		check := map[string]func(*testing.T, want, Verdict){"clean": mustBeClean, "quiet": mustBeQuiet, "unavoidable": mustBeUnavoidable,
			"must_flag": mustBeFlagged, "upstream_failed": mustBeFlagged}[name]
		if check == nil {
			t.Errorf("unknown list %q", name)
			continue
		}
		for _, w := range wants {
			t.Run(name+"/"+w.ID, func(t *testing.T) {
				v, ok := all[w.ID]
				if !ok {
					t.Fatal("no such exchange")
				}
				check(t, w, v)
			})
		}
	}
}

func noBlame(t *testing.T, v Verdict) {
	t.Helper()
	for _, f := range v.Findings {
		if f.Tier == rules.T1 && (f.Cause == rules.ByGateway || f.Cause == rules.Undetermined) {
			t.Errorf("%s at %s on %s (%s): %s", f.Rule, f.Path, f.Leg, f.Cause, f.Message)
		}
	}
	if v.MRS.Status != "holds" {
		t.Errorf("MR-S is %s (%s), want holds", v.MRS.Status, v.MRS.Reason)
	}
	if v.Worst != WorstClean {
		t.Errorf("worst is %s, want clean", v.Worst)
	}
}

func mustBeClean(t *testing.T, w want, v Verdict) {
	noBlame(t, v)
	for _, s := range v.SDKs {
		if (s.SDK == "openai-python" || s.SDK == "openai-node") && s.API == "chat" && s.Mode == "stream" && s.Outcome != Clean {
			t.Errorf("%s is %s: %s %v", s.SDK, s.Outcome, s.Reason, s.Exception)
		}
	}
}

func mustBeQuiet(t *testing.T, w want, v Verdict) {
	noBlame(t, v)
	if v.WorstAny == WorstClean {
		t.Errorf("worst_any is clean, want an SDK's own fault to show")
	}
	w.checkSDKs(t, v)
}

func mustBeUnavoidable(t *testing.T, w want, v Verdict) {
	if v.MRS.Status != "holds" {
		t.Errorf("MR-S is %s (%s), want holds", v.MRS.Status, v.MRS.Reason)
	}
	for _, f := range v.Findings {
		if f.Tier == rules.T1 && (f.Leg == rules.StreamLeg || f.Leg == rules.NonStreamLeg) && f.Support == rules.Avoidable {
			t.Errorf("%s at %s on %s is called avoidable: %s", f.Rule, f.Path, f.Leg, f.Message)
		}
	}
}

func mustBeFlagged(t *testing.T, w want, v Verdict) { w.check(t, v) }

// TestJudged: every fixture gets a verdict, none inconclusive, and nothing an SDK handed over stays unexplained.
func TestJudged(t *testing.T) {
	n := 0
	for file, vs := range verdicts(t) {
		for _, v := range vs {
			n++
			for _, s := range v.SDKs {
				if s.Outcome == Inconclusive {
					t.Errorf("%s %s: %s %s is inconclusive: %s", file, v.Exchange, s.SDK, s.Mode, s.Reason)
				}
				if len(s.Unexplained) > 0 {
					t.Errorf("%s %s: %s %s: no finding explains %v", file, v.Exchange, s.SDK, s.Mode, s.Unexplained)
				}
			}
		}
	}
	if n < 274+84 {
		t.Errorf("%d verdicts, want all fixtures", n)
	}
}
