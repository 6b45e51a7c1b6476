package main

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"reassay/check"
)

var update = flag.Bool("update", false, "rewrite the samples of README.md from what the program prints now")

const readme = "../../README.md"

// sample is a block of README.md that shows output. The comment before it names the command, and the words that the
// first and the last line of the excerpt hold; an empty last word stands for the next empty line.
var sample = regexp.MustCompile("(?s)<!-- sample: reassay ([^\n|]+) \\| from \"([^\"]*)\" to \"([^\"]*)\" -->\n```text\n(.*?)```\n")

// The samples in README.md are what the program prints, to the letter.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	example := exampleCapture(t, text)
	found := sample.FindAllSubmatchIndex(text, -1)
	if len(found) < 3 {
		t.Fatalf("README.md has %d samples, want the report, an exchange, and the example", len(found))
	}
	var out bytes.Buffer
	end := 0
	for _, m := range found {
		args, first, last := string(text[m[2]:m[3]]), string(text[m[4]:m[5]]), string(text[m[6]:m[7]])
		_, printed, complaint := runInTree(t, example, strings.Fields(args)...)
		if complaint != "" {
			t.Errorf("reassay %s: %s", args, complaint)
		}
		now := excerpt(printed, first, last)
		if now == "" {
			t.Fatalf("reassay %s prints nothing from %q to %q", args, first, last)
		}
		if was := string(text[m[8]:m[9]]); was != now && !*update {
			t.Errorf("the sample of reassay %s is out of date; go test ./cmd/reassay -update rewrites it. It says\n%s\nthe program prints\n%s", args, was, now)
		}
		out.Write(text[end:m[8]])
		out.WriteString(now)
		end = m[9]
	}
	out.Write(text[end:])
	if *update {
		if err := os.WriteFile(readme, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// runInTree calls the program as if it were started in the tree's root, where my-capture.json is the README's example.
func runInTree(t *testing.T, example []byte, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), env{
		args: args, stdout: &out, stderr: &errs,
		getenv: func(string) string { return "" },
		open: func(name string) (io.ReadCloser, error) {
			if name == "my-capture.json" {
				return io.NopCloser(bytes.NewReader(example)), nil
			}
			return os.Open(filepath.Join("../..", name))
		},
	})
	return code, out.String(), errs.String()
}

// excerpt is printed from the first line that holds first to the next one that holds last.
func excerpt(printed, first, last string) string {
	var kept []string
	for _, line := range strings.Split(printed, "\n") {
		if len(kept) == 0 && !strings.Contains(line, first) {
			continue
		}
		if last == "" && line == "" {
			break
		}
		kept = append(kept, line)
		if last != "" && strings.Contains(line, last) {
			break
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return strings.Join(kept, "\n") + "\n"
}

// exampleCapture is README.md's example of a capture, its one block of JSON.
func exampleCapture(t *testing.T, text []byte) []byte {
	t.Helper()
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(text, -1)
	if len(blocks) != 1 {
		t.Fatalf("README.md has %d blocks of JSON, want the one example", len(blocks))
	}
	return blocks[0][1]
}

// The commands that README.md lists are those that there are.
func TestReadmeNamesTheCommands(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	_, help, _ := runInTree(t, nil, "--help")
	_, list, found := strings.Cut(help, "Available Commands:\n")
	if !found {
		t.Fatalf("no list of commands in:\n%s", help)
	}
	list, _, _ = strings.Cut(list, "\n\n")
	for _, line := range strings.Split(list, "\n") {
		name := strings.Fields(line)[0]
		if name != "help" && !strings.Contains(string(text), "`reassay "+name) {
			t.Errorf("README.md does not name reassay %s", name)
		}
	}
}

// The order of the verdicts is that of the input, and neither it nor a byte depends on how many workers judge.
func TestWorkersChangeNothing(t *testing.T) {
	args := []string{"check", "fixtures/captures/portkey.jsonl", "--format", "jsonl", "--fail-on", "never", "--workers"}
	_, one, _ := runInTree(t, nil, append(args, "1")...)
	code, four, _ := runInTree(t, nil, append(args, "4")...)
	if code != exitOK || one != four {
		t.Errorf("exit code %d; four workers say something else than one", code)
	}
	captures, err := os.ReadFile("../../fixtures/captures/portkey.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	id := regexp.MustCompile(`^{"capture_version":1,"id":"([^"]+)"`)
	lines := strings.Split(strings.TrimSpace(four), "\n")
	for i, line := range strings.Split(strings.TrimSpace(string(captures)), "\n") {
		v, err := check.DecodeVerdict([]byte(lines[i]))
		if err != nil {
			t.Fatal(err)
		}
		if want := id.FindStringSubmatch(line)[1]; v.Exchange != want {
			t.Errorf("verdict %d is on %s, want %s", i, v.Exchange, want)
		}
	}
}
