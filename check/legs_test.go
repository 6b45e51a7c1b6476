package check

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reassay/capture"
	"reassay/wire"
)

// The same end is the same entry whatever the dialect, and an end that nobody knows is never a success.
func TestCanonicalOutcome(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(fixtures, "legs", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	k := newChecker(t, Config{SDKs: []string{}})
	cells := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var f struct {
			Leg struct {
				Dialect     wire.Dialect `json:"dialect"`
				Status      int          `json:"status"`
				ContentType string       `json:"content_type"`
				Body        string       `json:"body"`
				Error       *struct {
					By      string `json:"by"`
					Message string `json:"message"`
				} `json:"error"`
			} `json:"leg"`
			Want struct {
				Transport    string `json:"transport"`
				Generation   string `json:"generation"`
				FinishSeen   bool   `json:"finish_seen"`
				TerminalSeen bool   `json:"terminal_seen"`
			} `json:"want"`
		}
		if err := strictly(text, &f); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		in := &capture.Leg{Dialect: f.Leg.Dialect, Status: f.Leg.Status, ContentType: f.Leg.ContentType, Body: []byte(f.Leg.Body)}
		if f.Leg.Error != nil {
			in.Error = &capture.Break{By: f.Leg.Error.By, Message: f.Leg.Error.Message}
		}
		v, err := k.Exchange(context.Background(), &capture.Exchange{ID: file, Stream: in})
		if err != nil {
			t.Fatal(err)
		}
		got := v.Legs["stream"]
		if got.Transport != f.Want.Transport || got.Generation != f.Want.Generation || got.FinishSeen != f.Want.FinishSeen || got.TerminalSeen != f.Want.TerminalSeen {
			have, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			t.Errorf("%s: got %s, want %+v", filepath.Base(file), have, f.Want)
		}
		name, _, _ := strings.Cut(filepath.Base(file), "-"+string(f.Leg.Dialect))
		cells[name+" "+string(f.Leg.Dialect)] = true
	}
	if len(cells) != 8*len(wire.Dialects) {
		t.Errorf("%d cases of outcome and dialect, want 8 for each of %d", len(cells), len(wire.Dialects))
	}
}
