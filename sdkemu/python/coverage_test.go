package python

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// coverage says which files of a package its streams must run, and which lines of them none does.
type coverage struct {
	Files     []string // the package's streaming code
	Uncovered []*uncovered
}

// uncovered are lines of a package that no stream of the fixtures runs.
type uncovered struct {
	File    string
	In      string   // the function or class, with all that is in it; "" for the module itself
	Texts   []string // the lines; none for all
	Outside bool     // the code is not part of what is emulated: its lines do not count
	Because string

	met bool // a line of some release is one of these
}

// leastCovered is how many in a hundred lines of a file the streams must run.
const leastCovered = 90

// coverages are the coverages by SDK.
func coverages(t *testing.T) map[string]*coverage {
	t.Helper()
	text, err := os.ReadFile("coverage.json")
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var out map[string]*coverage
	if err := d.Decode(&out); err != nil {
		t.Fatal(err)
	}
	for sdk, c := range out {
		for _, u := range c.Uncovered {
			if u.Because == "" || !slices.Contains(c.Files, u.File) {
				t.Errorf("%s: %s of %s is listed as uncovered without a reason, or in a file that is not listed", sdk, u.In, u.File)
			}
		}
	}
	return out
}

// codeLine is a line of a package as cover.py tells it.
type codeLine struct {
	Line int
	In   string
	Text string
	Ran  bool
}

func (u *uncovered) holds(file string, l codeLine) bool {
	return u.File == file && (l.In == u.In || u.In != "" && strings.HasPrefix(l.In, u.In+".")) && (len(u.Texts) == 0 || slices.Contains(u.Texts, l.Text))
}

// measureCoverage runs the streams of the fixtures through the real package and looks at the lines of it that ran: each
// that did not is listed with a reason.
func measureCoverage(t *testing.T, r *release, c *coverage) {
	var in bytes.Buffer
	for _, api := range r.apis {
		for _, s := range sampled(append(probes(t, r, api), exchanges(t, r, api)...)) {
			in.Write(append(s.line(), '\n'))
		}
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(r.environment(), "bin", "python"), append([]string{"-B", "cover.py"}, c.Files...)...)
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("cover.py: %v", err)
	}
	answers := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	var files map[string][]codeLine
	if err := json.Unmarshal(answers[len(answers)-1], &files); err != nil {
		t.Fatalf("cover.py: %v", err)
	}
	for _, file := range c.Files {
		counted, ran := 0, 0
		for _, l := range files[file] {
			outside, known := false, l.Ran
			for _, u := range c.Uncovered {
				if !u.holds(file, l) || l.Ran && !u.Outside {
					continue
				}
				u.met, known, outside = true, true, outside || u.Outside
			}
			if !known {
				t.Errorf("%s:%d: no stream runs %q in %s, and no reason is listed", file, l.Line, l.Text, l.In)
			}
			if outside {
				continue
			}
			if counted++; l.Ran {
				ran++
			}
		}
		if counted == 0 || ran*100 < counted*leastCovered {
			t.Errorf("%s: the streams run %d of %d lines, %d %% must be", file, ran, counted, leastCovered)
			continue
		}
		t.Logf("%s: the streams run %d of %d lines (%.1f %%); of all %d lines %d are of code that is not emulated", file, ran, counted, 100*float64(ran)/float64(counted), len(files[file]), len(files[file])-counted)
	}
}
