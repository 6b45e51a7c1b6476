package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reassay/check"
	"reassay/wire"
)

var update = flag.Bool("update", false, "rewrite the layouts in testdata (never the numbers, which are counted by hand)")

// verdicts are the hand-made verdicts of testdata, in which every class and every reason occurs.
func verdicts(t *testing.T) []check.Verdict {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", "verdicts.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var out []check.Verdict
	for _, line := range bytes.Split(bytes.TrimSpace(file), []byte("\n")) {
		v, err := check.DecodeVerdict(line)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

func built(t *testing.T, c Counting, all []check.Verdict) Report {
	t.Helper()
	b := New(c)
	for _, v := range all {
		if err := b.Add(v); err != nil {
			t.Fatal(err)
		}
	}
	return b.Report()
}

func TestNumbersCountedByHand(t *testing.T) {
	for _, c := range countings {
		t.Run(string(c), func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join("testdata", "numbers."+string(c)+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			var kept []string
			for _, line := range strings.Split(strings.TrimRight(string(want), "\n"), "\n") {
				if !strings.HasPrefix(line, "#") {
					kept = append(kept, line)
				}
			}
			got := strings.Split(strings.TrimRight(numbers(built(t, c, verdicts(t))), "\n"), "\n")
			for i := 0; i < max(len(kept), len(got)); i++ {
				w, g := at(kept, i), at(got, i)
				if w != g {
					t.Errorf("line %d\n got %q\nwant %q", i+1, g, w)
				}
			}
		})
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(no line)"
}

func TestLayouts(t *testing.T) {
	r := built(t, Gateway, verdicts(t))
	var plainText, coloured, markdown, details bytes.Buffer
	for _, err := range []error{
		r.Text(&plainText, Style{}), r.Text(&coloured, Style{Color: true}), r.Markdown(&markdown),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, v := range verdicts(t) {
		if err := Exchange(&details, v, Caller, Style{}); err != nil {
			t.Fatal(err)
		}
	}
	asJSON, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "report.txt", plainText.Bytes())
	golden(t, "report.md", markdown.Bytes())
	golden(t, "report.json", append(asJSON, '\n'))
	golden(t, "exchanges.txt", details.Bytes())
	if got := uncoloured(coloured.String()); got != plainText.String() {
		t.Error("with colour the report says something else than without")
	}
	for _, text := range []string{plainText.String(), details.String()} {
		for _, line := range strings.Split(text, "\n") {
			if columns(line) > 100 {
				t.Errorf("wider than 100 columns: %q", line)
			}
		}
	}
}

// golden compares got with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	w, g := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := 0; i < max(len(w), len(g)); i++ {
		if at(w, i) != at(g, i) {
			t.Errorf("%s, line %d\n got %q\nwant %q", name, i+1, at(g, i), at(w, i))
			return
		}
	}
}

func uncoloured(s string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, s, _ = strings.Cut(after, "m")
	}
}

func TestOtherInterpretationIsRefused(t *testing.T) {
	b := New(Gateway)
	v := verdicts(t)[0]
	if err := b.Add(v); err != nil {
		t.Fatal(err)
	}
	v.Interpretation.ID = "0ther"
	v.Exchange = "another"
	err := b.Add(v)
	if err == nil || !strings.Contains(err.Error(), "0ther") || !strings.Contains(err.Error(), "5eed") {
		t.Errorf("got %v, want an error that names both interpretations", err)
	}
	if got := b.Report().Populations["captured"].Exchanges; got != 1 {
		t.Errorf("counted %d exchanges, want 1", got)
	}
}

// The order of the verdicts decides nothing but which example is first.
func TestOrderDoesNotMatter(t *testing.T) {
	all := verdicts(t)
	first := built(t, Gateway, all)
	for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
		all[i], all[j] = all[j], all[i]
	}
	second := built(t, Gateway, all)
	for _, r := range []Report{first, second} {
		for _, p := range r.Populations {
			for _, list := range [][]mechanism{p.Mechanisms, p.Notes} {
				for i := range list {
					list[i].Example = example{}
				}
			}
		}
	}
	a, _ := json.Marshal(first)
	b, _ := json.Marshal(second)
	if !bytes.Equal(a, b) {
		t.Errorf("the reverse order gives another report:\n%s\n%s", a, b)
	}
}

func TestAssembledIsShownWhereItWasKept(t *testing.T) {
	v := verdicts(t)[0]
	v.SDKs[1].Assembled = json.RawMessage(`{"content":"hello"}`)
	var b bytes.Buffer
	if err := Exchange(&b, v, Gateway, Style{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"CLEAN  anthropic/plain-text", `openai-node 5.23.2, mode stream, assembled {"content":"hello"}`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in:\n%s", want, b.String())
		}
	}
}

// A verdict that was written and read again has null where it had nothing: both are told alike.
func TestNothingAndNullAreToldAlike(t *testing.T) {
	null := wire.OfNull()
	told := func(with *wire.Value) string {
		var out bytes.Buffer
		for _, v := range verdicts(t) {
			for i := range v.Findings {
				v.Findings[i].Expected, v.Findings[i].Got = with, with
			}
			if err := Exchange(&out, v, Caller, Style{}); err != nil {
				t.Fatal(err)
			}
		}
		return out.String()
	}
	if nothing, written := told(nil), told(&null); nothing != written {
		t.Errorf("nothing:\n%s\nnull:\n%s", nothing, written)
	}
}
