package workers

import (
	"os"
	"regexp"
	"testing"

	"reassay/capture"
	"reassay/mirror"
)

// A gateway keeps credentials to itself before reassay sees them, by a list of its own: it may not require our packages.
// The two lists must say the same of every word that either of them knows, and of what is built of it.
func TestSenderAndReaderKeepTheSameHeaders(t *testing.T) {
	kept, left := 0, 0
	for _, file := range []string{"../capture/credentials.go", "../mirror/headers.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"([a-z_-]{2,24})"`).FindAllStringSubmatch(string(text), -1) {
			for _, name := range []string{m[1], "x" + m[1], "x-" + m[1], m[1] + "s", m[1] + "id", m[1] + "-id", m[1] + "key"} {
				reads := len(capture.KeptHeaders(map[string][]string{name: {"v"}})) == 1
				if sends := mirror.KeptHeader(name); sends != reads {
					t.Errorf("header %s: the sender keeps it is %t, the reader %t", name, sends, reads)
				}
				if reads {
					kept++
				} else {
					left++
				}
			}
		}
	}
	if kept < 50 || left < 50 {
		t.Errorf("%d names kept and %d left out, want many of both", kept, left)
	}
}
