package report

import (
	"bytes"
	"strings"
	"testing"

	"reassay/check"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain, naïve, 漢字":        "plain, naïve, 漢字",
		"\x1b[2Jgone":             `\u001b[2Jgone`,
		"line\nbreak\r\t":         `line\nbreak\r\t`,
		"a\u202Eb":                `a\u202eb`, // turns the direction of what follows
		"a\u200Bb":                `a\u200bb`, // takes no place
		"a\u00A0b":                `a\u00a0b`, // looks like a space
		"\xff":                    `\xff`,
		"half \xed\xa0\xbd of it": `half \xed\xa0\xbd of it`,
		"\U000E0041":              `\U000e0041`,
		"\uFFFD":                  `\ufffd`,
	} {
		if got := printable(in); got != want {
			t.Errorf("printable(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestColumns(t *testing.T) {
	for in, want := range map[string]int{"abc": 3, "漢字": 4, "e\u0301": 1, "→": 1, "": 0} {
		if got := columns(in); got != want {
			t.Errorf("columns(%q) = %d, want %d", in, got, want)
		}
	}
}

func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		text string
		want string
	}{
		{"short", "short"},
		{"one two three four", "one two|three four"},
		{"abcdefghijklmnopqrstuvwxyz", "abcdefghij|klmnopqrst|uvwxyz"},
		{"ab abcdefghijklmn", "ab|abcdefghij|klmn"},
		{"漢字漢字漢字", "漢字漢字漢|字"},
	} {
		if got := strings.Join(wrapped(c.text, 10), "|"); got != c.want {
			t.Errorf("wrapped(%q, 10) = %q, want %q", c.text, got, c.want)
		}
	}
}

// What a capture calls itself can neither move a terminal's cursor nor break a Markdown table.
func TestNamesFromCapturesAreHarmless(t *testing.T) {
	v := verdicts(t)[3]
	v.Exchange = "evil\x1b[2J|<script>\nid"
	v.Gateway.Name = "gate`way\x07"
	v.Findings[0].Message = "text \x1b[31m"
	v.Findings[0].Path = "a|b\u202e"
	r := built(t, Gateway, []check.Verdict{v})
	var text, markdown, details bytes.Buffer
	for _, err := range []error{r.Text(&text, Style{}), r.Markdown(&markdown), Exchange(&details, v, Gateway, Style{})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, out := range map[string]string{"text": text.String(), "markdown": markdown.String(), "details": details.String()} {
		if i := strings.IndexAny(out, "\x1b\x07\u202e"); i >= 0 {
			t.Errorf("%s holds a control character: %q", name, out[max(0, i-20):min(len(out), i+20)])
		}
	}
	for _, line := range strings.Split(markdown.String(), "\n") {
		if strings.Contains(line, "evil") && (!strings.Contains(line, `\|\<script\>`) || strings.Count(line, " | ") != 6) {
			t.Errorf("the name breaks its row: %s", line)
		}
	}
}

// Every class, cause and reason occurs in the hand-made verdicts, so that the numbers counted by hand hold for all.
func TestEveryClassOccurs(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range verdicts(t) {
		seen["worst "+string(v.Worst)], seen["worst "+string(v.WorstAny)] = true, true
		seen["population "+v.Population] = true
		for _, run := range v.SDKs {
			seen["outcome "+run.Mode+" "+string(run.Outcome)] = true
		}
		for _, f := range v.Findings {
			seen["cause "+string(f.Cause)], seen["tier "+string(f.Tier)], seen["scope "+f.Scope] = true, true, true
			seen["support "+string(f.Support)] = true
		}
	}
	for _, want := range []string{
		"worst exception", "worst corrupt", "worst changed", "worst unavoidable", "worst clean", "worst incomplete",
		"worst cancelled", "worst rejected", "worst surfaced", "population captured", "population probed",
		"outcome stream clean", "outcome stream unavoidable", "outcome stream surfaced", "outcome stream corrupt",
		"outcome stream exception", "outcome stream rejected", "outcome stream not_applicable", "outcome stream inconclusive",
		"outcome iterate clean", "outcome iterate exception", "outcome iterate surfaced", "outcome iterate inconclusive",
		"cause gateway", "cause sdk", "cause upstream", "cause undetermined", "tier T1", "tier T2", "scope paper", "scope ours",
		"support avoidable", "support unavoidable", "support borderline",
	} {
		if !seen[want] {
			t.Errorf("no hand-made verdict has %s", want)
		}
	}
}
