package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reassay/check"
)

// run calls the program in this process and returns its exit code and what it wrote.
func runIn(t *testing.T, stdin io.Reader, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), env{
		args: args, stdin: stdin, stdout: &out, stderr: &errs,
		getenv: func(string) string { return "" },
		open:   func(name string) (io.ReadCloser, error) { return os.Open(filepath.Join(badInput, name)) },
	})
	return code, out.String(), errs.String()
}

const badInput = "../../fixtures/badinput"

// Every file of fixtures/badinput ends with 2, names each place that the .want file beside it lists, and the exchanges
// that the same file lists are judged all the same, in order.
func TestBadInputNamesThePlaceAndTheRestIsJudged(t *testing.T) {
	wants, err := filepath.Glob(filepath.Join(badInput, "*.want"))
	if err != nil || len(wants) == 0 {
		t.Fatalf("no bad input: %v", err)
	}
	for _, file := range wants {
		name := strings.TrimSuffix(filepath.Base(file), ".want")
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var wantErrors, wantIDs []string
			for _, line := range strings.Split(strings.TrimSpace(string(want)), "\n") {
				if id, isExchange := strings.CutPrefix(line, "exchange "); isExchange {
					wantIDs = append(wantIDs, strings.Trim(id, `"`))
				} else {
					wantErrors = append(wantErrors, "reassay: "+line)
				}
			}
			code, stdout, stderr := runIn(t, nil, "check", "--format", "jsonl", name)
			if code != exitUnusable {
				t.Errorf("exit code %d, want %d", code, exitUnusable)
			}
			said := strings.Split(strings.TrimSpace(stderr), "\n")
			if last := len(said) - 1; !strings.HasPrefix(said[last], "hint: ") {
				t.Errorf("no hint what to do:\n%s", stderr)
			} else if got := said[:last]; strings.Join(got, "\n") != strings.Join(wantErrors, "\n") {
				t.Errorf("said\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(wantErrors, "\n"))
			}
			var ids []string
			for _, line := range strings.Split(strings.TrimSpace(stdout), "\n") {
				if line == "" {
					continue
				}
				v, err := check.DecodeVerdict([]byte(line))
				if err != nil {
					t.Fatalf("read what was written: %v", err)
				}
				ids = append(ids, v.Exchange)
			}
			if strings.Join(ids, "\n") != strings.Join(wantIDs, "\n") {
				t.Errorf("judged %q, want %q", ids, wantIDs)
			}
		})
	}
}

// What is too large to be kept as a file.
func TestHugeBadInputIsRefused(t *testing.T) {
	sound := `{"capture_version":1,"id":"sound","gateway":{"name":"g"},"stream":{"dialect":"openai-chat","status":200,"body":"data: [DONE]\n\n"}}` + "\n"
	var cutGzip bytes.Buffer
	w := gzip.NewWriter(&cutGzip)
	io.WriteString(w, strings.Repeat(sound, 1000))
	w.Close()
	for name, c := range map[string]struct {
		input string
		says  string
	}{
		"a line of 50 MiB that is not JSON": {strings.Repeat("x", 50<<20) + "\n" + sound, "standard input:1: "},
		"an open string of 50 MiB":          {`{"id":"` + strings.Repeat("x", 50<<20) + "\n" + sound, "standard input:1: "},
		"a million nested arrays":           {strings.Repeat("[", 1<<20) + "\n" + sound, "standard input:1: "},
		"a million nested objects":          {strings.Repeat(`{"a":`, 1<<20) + "\n" + sound, "standard input:1: "},
		"half of a gzip file":               {cutGzip.String()[:cutGzip.Len()/2], "standard input:"},
	} {
		t.Run(name, func(t *testing.T) {
			code, _, stderr := runIn(t, strings.NewReader(c.input), "check", "--brief", "-")
			if code != exitUnusable || !strings.Contains(stderr, c.says) {
				t.Errorf("exit code %d, want %d; said %.300s", code, exitUnusable, stderr)
			}
			if len(stderr) > 2000 {
				t.Errorf("the complaint has %d bytes", len(stderr))
			}
		})
	}
}
