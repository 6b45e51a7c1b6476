package check

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reassay/capture"
	"reassay/rules"
)

var renew = flag.String("renew", "", "write the verdict of this one exchange, read again, into fixtures/reviewed.jsonl")

// reviewed is a verdict that was read against the raw bytes (fixtures/harness.md).
type reviewed struct {
	Exchange string `json:"exchange"`
	Verdict  string `json:"verdict"`         // see verdictHash
	Clean    bool   `json:"clean"`           // the reading finds nothing that a caller could hold against the gateway
	Shows    string `json:"shows"`           // what the bytes show, with frame and byte; written before the verdict was seen
	Again    string `json:"again,omitempty"` // the same by a second reader, who saw neither; "" until there was one
	Right    bool   `json:"right"`           // the verdict, as it is now
	// WasWrong says what was wrong with the verdict when it was first read, and was mended; Wrong what still is.
	WasWrong string `json:"was_wrong,omitempty"`
	Wrong    string `json:"wrong,omitempty"`
	Differ   string `json:"differ,omitempty"` // where the readings, or reading and verdict, differ, and how that was settled
}

// reviewedSDKs run for the reviewed verdicts, so that one more SDK or version makes no other verdict of them.
var reviewedSDKs = []string{"openai-python@2.54.0", "openai-node@5.23.2", "anthropic-python@2.14.0", "anthropic-node@1.14.0"}

const reviewedFile = fixtures + "/reviewed.jsonl"

// A verdict that was read against the bytes stays as it was read: whoever changes it reads the bytes again, and then
// writes the new hash with `go test ./check -run Reviewed -renew EXCHANGE`.
func TestReviewedVerdicts(t *testing.T) {
	lines := reviewedLines(t)
	exchanges := recorded(t)
	k := newChecker(t, Config{SDKs: reviewedSDKs})
	seen, clean, families := map[string]bool{}, 0, map[string]int{}
	for i := range lines {
		r := &lines[i]
		x := exchanges[r.Exchange]
		if x == nil || seen[r.Exchange] {
			t.Errorf("line %d: %s is no recorded exchange, or stands twice", i+1, r.Exchange)
			continue
		}
		seen[r.Exchange] = true
		r.check(t)
		v, err := k.Exchange(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		if r.Clean && slices.ContainsFunc(v.Findings, blames) || !r.Clean && !slices.ContainsFunc(v.Findings, counted) {
			t.Errorf("%s: the reading says clean: %t\n%s", r.Exchange, r.Clean, list(v))
		}
		if r.Clean {
			clean++
		}
		families[x.Gateway.Name+" "+string(v.Dialects.Upstream)+" to "+string(v.Dialects.Caller)]++
		switch hash := verdictHash(t, v); {
		case *renew == r.Exchange:
			r.Verdict = hash
		case hash != r.Verdict:
			t.Errorf("the verdict of %s is no longer the one that was read against the bytes. They show:\n  %s\n  %s\nIt is now:\n  worst %s, mr_s %s\n%s\nRead the bytes again (fixtures/harness.md, reviewed.jsonl).",
				r.Exchange, r.Shows, r.Again, v.Worst, v.MRS.Status, list(v))
		}
	}
	if len(lines) < 60 || clean < 20 || len(families) < 6 {
		t.Errorf("%d verdicts are reviewed, %d of them clean, of %d gateways and pairs; want 60, 20 and 6", len(lines), clean, len(families))
	}
	if *renew != "" {
		writeReviewed(t, lines, seen[*renew])
	}
}

// check tells what a line lacks.
func (r *reviewed) check(t *testing.T) {
	t.Helper()
	if !strings.Contains(r.Shows, "frame") && !strings.Contains(r.Shows, "byte") {
		t.Errorf("%s: the reading names no frame or byte", r.Exchange)
	}
	if r.Right == (r.Wrong != "") {
		t.Errorf("%s: a verdict is right, or it is said what is wrong with it", r.Exchange)
	}
}

// blames reports a finding that counts against the gateway, or for which nobody else was shown to be at fault.
func blames(f rules.Finding) bool {
	return counted(f) && f.Cause != rules.BySDK && f.Cause != rules.ByUpstream
}

func counted(f rules.Finding) bool { return f.Tier == rules.T1 }

// verdictHash is over all that a verdict says. The interpretation changes with every edit of the rules.
func verdictHash(t *testing.T, v Verdict) string {
	t.Helper()
	v.Interpretation = Interpretation{}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

func reviewedLines(t *testing.T) []reviewed {
	t.Helper()
	text, err := os.ReadFile(reviewedFile)
	if err != nil {
		t.Fatal(err)
	}
	var lines []reviewed
	for i, line := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
		var r reviewed
		if err := strictly(line, &r); err != nil {
			t.Fatalf("%s, line %d: %v", reviewedFile, i+1, err)
		}
		lines = append(lines, r)
	}
	return lines
}

// recorded are the recorded exchanges by their id.
func recorded(t *testing.T) map[string]*capture.Exchange {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(fixtures, "captures", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no captures: %v", err)
	}
	all := map[string]*capture.Exchange{}
	for _, file := range files {
		exchanges, err := readExchanges(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range exchanges {
			all[x.ID] = x
		}
	}
	return all
}

func writeReviewed(t *testing.T, lines []reviewed, known bool) {
	t.Helper()
	if !known {
		t.Fatalf("-renew %s: no such exchange in %s", *renew, reviewedFile)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, r := range lines {
		if err := e.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(reviewedFile, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
