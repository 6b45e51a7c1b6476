package convir_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"reassay/assemble"
	"reassay/capture"
	"reassay/convir"
	"reassay/wire"
)

// TestUnflaggedCases proves the reading on the cases that report no fault: what the stream says, put together, is what
// the whole reply says. Compared is what rules.md compares: not ids, not the spelling of arguments, not the name of
// the vendor's field that carried reasoning.
func TestUnflaggedCases(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "fixtures", "cases", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	compared := map[wire.Dialect]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var mark struct {
			Flag *bool `json:"flag"`
		}
		if err := json.Unmarshal(text, &mark); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if mark.Flag == nil || *mark.Flag {
			continue
		}
		for x, err := range capture.Decode(bytes.NewReader(text), file) {
			if err != nil {
				t.Fatal(err)
			}
			if x.Stream == nil || x.NonStream == nil {
				continue
			}
			compared[x.Stream.Dialect]++
			a, streamed := read(t, x.Stream)
			_, whole := read(t, x.NonStream)
			if s, w := content(streamed), content(whole); s != w {
				t.Errorf("%s: the two legs differ\nstream %s\nwhole  %s", file, s, w)
			}
			for _, f := range a.Faults {
				if !tolerated[f.Code] {
					t.Errorf("%s: fault %s at %q, frame %d", file, f.Code, f.Path, f.At.Frame)
				}
			}
		}
	}
	for _, d := range []wire.Dialect{wire.OpenAIChat, wire.OpenAIResponses, wire.AnthropicMessages} {
		if compared[d] == 0 {
			t.Errorf("no case of %s without a fault has both legs", d)
		}
	}
}

// tolerated are the faults that the cases without a fault are known to have: grammar that is off the letter and that
// the rules tolerate.
var tolerated = map[assemble.FaultCode]bool{
	assemble.RoleRepeated: true, assemble.UsageRepeated: true, assemble.ReasoningDoubled: true, assemble.DoneSpaced: true,
}

func content(r convir.Reply) string {
	var b bytes.Buffer
	for _, c := range r.Choices {
		fmt.Fprintf(&b, " choice %d %q %s\n", c.Index, c.Role, c.Stop.Outcome)
		for _, e := range c.Events {
			args := e.Args.Raw
			if e.Args.Value.Exists() {
				args = sorted(e.Args.Value)
			}
			fmt.Fprintf(&b, "  %s %q %q %q %s %q %t %s\n", e.Kind, e.Text, e.Type, e.Name, args, e.Signature, e.IsError, sorted(e.Data))
		}
	}
	return b.String()
}
