package capture

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the .want files")

// report decodes a file and says in one line each what came out of it.
func report(t *testing.T, r io.Reader, name string) string {
	t.Helper()
	var b strings.Builder
	for x, err := range Decode(r, name) {
		var at *Error
		switch {
		case err == nil:
			fmt.Fprintf(&b, "exchange %q\n", x.ID)
		case !errors.As(err, &at) || x != nil || at.File != name || at.Line < 1:
			t.Errorf("%#v is no error with a place, or has an exchange beside it", err)
		default:
			fmt.Fprintln(&b, err)
		}
	}
	return b.String()
}

// TestBadInput reads every file of fixtures/badinput and compares what is reported with the .want file beside it.
func TestBadInput(t *testing.T) {
	files, err := filepath.Glob("../fixtures/badinput/*")
	if err != nil {
		t.Fatal(err)
	}
	inputs := map[string]bool{}
	for _, f := range files {
		inputs[f] = true
	}
	n := 0
	for _, file := range files {
		if input, isWant := strings.CutSuffix(file, ".want"); isWant {
			if !inputs[input] {
				t.Errorf("%s belongs to no input", file)
			}
			continue
		}
		n++
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := report(t, bytes.NewReader(text), filepath.Base(file))
		if !strings.Contains(got, filepath.Base(file)+":") {
			t.Errorf("%s is read without an error", file)
		}
		if *update {
			if err := os.WriteFile(file+".want", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file + ".want")
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: got\n%swant\n%s", file, got, want)
		}
	}
	if n == 0 {
		t.Fatal("no inputs")
	}
}
