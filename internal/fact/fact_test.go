package fact

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reassay/sdkemu"
	"reassay/wire"
)

const fixtures = "../../fixtures"

// fact is a line of fixtures/facts, whose README has the format.
type fact struct {
	Says   string        `json:"says"`
	Names  []string      `json:"names"`
	Probes []string      `json:"probes"` // "chat/tool-index-null"
	Note   string        `json:"note"`
	Expect []expectation `json:"expect"`

	section string // the file's name
}

// expectation is what SDKs make of probes.
type expectation struct {
	By     []string       `json:"by"`     // "openai-node@5/stream"; without a version: every one that is built in
	Probes []string       `json:"probes"` // of the fact's
	Result sdkemu.Outcome `json:"outcome"`

	Class   string          `json:"class"`
	Message *string         `json:"message"` // to the letter
	Begins  string          `json:"begins"`  // how the message begins
	Cause   string          `json:"cause"`   // the class of the exception's cause
	AtEvent json.RawMessage `json:"at_event"`

	Holds map[string]wire.Value `json:"holds"` // JSON pointers into the assembled object, and what is there
	Lacks []string              `json:"lacks"` // JSON pointers to what is not there
}

// facts reads them all, in the order of the files' names.
func facts(t *testing.T) []fact {
	t.Helper()
	var out []fact
	for _, file := range glob(t, "facts", "*.jsonl") {
		section := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		decode(t, file, func(dec *json.Decoder) error {
			f := fact{section: section}
			if err := dec.Decode(&f); err != nil {
				return err
			}
			out = append(out, f)
			return nil
		})
	}
	return out
}

// TestFactsAreTied fails for a fact without a sentence, a name, a probe or something that is expected, for a probe that
// is not there, and for a name of names.txt that no fact has or a fact's that is not in it.
func TestFactsAreTied(t *testing.T) {
	known := probes(t)
	text, err := os.ReadFile(filepath.Join(fixtures, "facts", "names.txt"))
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	for name := range strings.Lines(string(text)) {
		missing[strings.TrimSpace(name)] = true
	}
	named, all := map[string]bool{}, facts(t)
	for _, f := range all {
		for _, n := range f.Names {
			name := f.section + " " + n
			if !missing[name] && !named[name] {
				t.Errorf("%s is not in names.txt", name)
			}
			named[name] = true
			delete(missing, name)
		}
		if f.Says == "" || len(f.Names) == 0 || len(f.Probes) == 0 || len(f.Expect) == 0 {
			t.Errorf("%s: %q lacks a sentence, a name, a probe or an expectation", f.section, f.Says)
		}
		own := map[string]bool{}
		for _, p := range f.Probes {
			if _, ok := known[p]; !ok {
				t.Errorf("%s: %q names the probe %s, which is not there", f.section, f.Says, p)
			}
			own[p] = true
		}
		for _, e := range f.Expect {
			if err := e.sound(own); err != nil {
				t.Errorf("%s: %q: %v", f.section, f.Says, err)
			}
		}
	}
	for name := range missing {
		t.Errorf("no fact has the name %s of names.txt", name)
	}
	t.Logf("%d facts, %d names, %d probes", len(all), len(named), len(known))
}

// sound says what an expectation lacks or says beside its outcome.
func (e expectation) sound(probes map[string]bool) error {
	raised := e.Class != "" || e.Message != nil || e.Begins != "" || e.Cause != "" || e.AtEvent != nil
	switch {
	case len(e.By) == 0 || len(e.Probes) == 0:
		return fmt.Errorf("an expectation of no SDK or no probe")
	case e.Result == sdkemu.Exception && e.Class == "":
		return fmt.Errorf("an exception without class")
	case e.Result == sdkemu.OK && raised:
		return fmt.Errorf("an exception is told for outcome ok")
	case e.Result != sdkemu.OK && e.Result != sdkemu.Exception:
		return fmt.Errorf("outcome %q", e.Result)
	}
	for _, p := range e.Probes {
		if !probes[p] {
			return fmt.Errorf("the probe %s is not among the fact's", p)
		}
	}
	for _, by := range e.By {
		if _, err := parseSubject(by); err != nil {
			return err
		}
	}
	return nil
}

func glob(t *testing.T, path ...string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(append([]string{fixtures}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no file is %s", filepath.Join(path...))
	}
	return files
}

// decode hands each line's decoder to read; members that the format lacks are errors.
func decode(t *testing.T, file string, read func(*json.Decoder) error) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		dec := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		dec.DisallowUnknownFields()
		if err := read(dec); err != nil {
			t.Fatalf("%s:%d: %v", file, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
