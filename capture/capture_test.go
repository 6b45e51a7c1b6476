package capture

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// fixtureFiles lists the capture files of the tree.
func fixtureFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"../fixtures/captures/*.jsonl", "../fixtures/cases/*.json"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no file matches %s (%v)", pattern, err)
		}
		files = append(files, found...)
	}
	return files
}

func TestRoundTripOfEveryFixture(t *testing.T) {
	n := 0
	for _, name := range fixtureFiles(t) {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for x, err := range Decode(f, name) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			line := Encode(x)
			again := decodeOne(t, line)
			if !bytes.Equal(Encode(again), line) {
				t.Fatalf("%s: exchange %s reads differently once it was written", name, x.ID)
			}
		}
		f.Close()
	}
	if want := 274 + 84; n != want {
		t.Errorf("read %d exchanges, want %d", n, want)
	}
}

// decodeOne reads the only exchange of a text.
func decodeOne(t *testing.T, text []byte) *Exchange {
	t.Helper()
	var got *Exchange
	for x, err := range Decode(bytes.NewReader(text), "test") {
		if err != nil {
			t.Fatal(err)
		}
		if got != nil {
			t.Fatal("more than one exchange")
		}
		got = x
	}
	if got == nil {
		t.Fatal("no exchange")
	}
	return got
}
