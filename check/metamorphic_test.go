package check

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reassay/capture"
)

// What a transport may do to a stream without changing what it says leaves every finding as it was, places apart.
func TestHarmlessChangesChangeNothing(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(fixtures, "captures", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no captures: %v", err)
	}
	k := newChecker(t, Config{SDKs: []string{}})
	for name, change := range map[string]func([]byte) []byte{
		"keep-alives": func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n\n"), []byte("\n\n: keep-alive\n\n")) },
		"CRLF":        func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) },
		"no blank":    func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\ndata: "), []byte("\ndata:")) },
		"ids":         func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n\ndata:"), []byte("\n\nid: 7\ndata:")) },
	} {
		n := 0
		for _, file := range files {
			exchanges, err := readExchanges(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range exchanges {
				if x.Stream == nil || !bytes.Contains(x.Stream.Body, []byte("data:")) {
					continue
				}
				n++
				changed := *x.Stream
				changed.Body, changed.Chunks = change(x.Stream.Body), nil
				y := *x
				y.Stream = &changed
				if a, b := withoutPlaces(t, k, x), withoutPlaces(t, k, &y); !slices.Equal(a, b) {
					t.Errorf("%s, %s:\nwas %v\nis  %v", x.ID, name, a, b)
				}
			}
		}
		if n < 200 {
			t.Errorf("%s: only %d streams were changed", name, n)
		}
	}
}

// withoutPlaces is a verdict's gist: what was found where in the message, but not where in the bytes.
func withoutPlaces(t *testing.T, k *Checker, x *capture.Exchange) []string {
	t.Helper()
	v, err := k.Exchange(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{string(v.Worst), v.MRS.Status}
	for _, f := range v.Findings {
		out = append(out, strings.Join([]string{f.Rule, string(f.Tier), f.Leg, f.Path, f.Mechanism, string(f.Cause)}, " "))
	}
	slices.Sort(out[2:])
	return out
}
