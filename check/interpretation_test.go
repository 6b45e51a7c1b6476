package check

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"reassay/rules"
)

// sourcesOf copies the rules' sources so that one can be changed.
func sourcesOf(t *testing.T) fstest.MapFS {
	t.Helper()
	m := fstest.MapFS{}
	names, err := fs.Glob(rules.Sources, "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(rules.Sources, name)
		if err != nil {
			t.Fatal(err)
		}
		m[name] = &fstest.MapFile{Data: text}
	}
	return m
}

func TestInterpretationChangesWithWhatAVerdictDependsOn(t *testing.T) {
	k := newChecker(t, Config{SDKs: []string{"openai-go"}})
	i := k.Interpretation()
	base := interpretationID(i, DefaultMaxBody, rules.Sources, policySources)
	if i.ID != base {
		t.Errorf("the id is %s, want %s", i.ID, base)
	}
	for name, file := range sourcesOf(t) {
		changed := sourcesOf(t)
		changed[name] = &fstest.MapFile{Data: append([]byte("// changed\n"), file.Data...)}
		same := interpretationID(i, DefaultMaxBody, changed, policySources) == base
		isTest := len(name) > 8 && name[len(name)-8:] == "_test.go"
		if same != isTest {
			t.Errorf("%s was changed and the id is the same: %t", name, same)
		}
	}
	without := sourcesOf(t)
	delete(without, "s05_presence.go")
	other := i
	other.SDKs = []string{"openai-go@1"}
	later := i
	later.Runtimes = map[string]string{"node": "22", "python": pythonRuntime, "go": "1.26"}
	for what, id := range map[string]string{
		"a rule less":   interpretationID(i, DefaultMaxBody, without, policySources),
		"another SDK":   interpretationID(other, DefaultMaxBody, rules.Sources, policySources),
		"a runtime":     interpretationID(later, DefaultMaxBody, rules.Sources, policySources),
		"another limit": interpretationID(i, 1, rules.Sources, policySources),
	} {
		if id == base {
			t.Errorf("%s does not change the id", what)
		}
	}
}

func TestGoRuntime(t *testing.T) {
	for version, want := range map[string]string{"go1.26.8": "1.26", "go1.27": "1.27", "devel": "devel"} {
		if got := goRuntime(version); got != want {
			t.Errorf("%s: got %s, want %s", version, got, want)
		}
	}
}
