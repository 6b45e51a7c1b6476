package convir

import (
	"encoding/json"
	"strings"
	"testing"

	"reassay/wire"
)

// TestBlockTypes holds the rows of the part table to the shapes of blocks that the parser knows.
func TestBlockTypes(t *testing.T) {
	shapes := map[string]bool{}
	for shape := range anthropicFields {
		if kind, ok := strings.CutPrefix(shape, "block "); ok {
			shapes[kind] = true
		}
	}
	for kind := range shapes {
		body := wire.Obj(wire.Member{Key: "content", Value: wire.Arr(wire.Obj(wire.Member{Key: "type", Value: wire.Of(kind)}))})
		for _, u := range Parse(wire.AnthropicMessages, body).Unread {
			t.Errorf("block %s: %s is not read", kind, u.Path)
		}
	}
	rows := map[string]bool{}
	for _, r := range anthropicParts {
		rows[r.Name] = true
	}
	for kind := range shapes {
		if !rows[kind] {
			t.Errorf("block %s has no row", kind)
		}
	}
}

// sane checks what holds of every reply, whatever the body.
func sane(t *testing.T, d wire.Dialect, text []byte) {
	body, err := wire.Parse(text)
	if err != nil {
		return
	}
	r := Parse(d, body)
	one, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if two, _ := json.Marshal(Parse(d, body)); string(one) != string(two) {
		t.Errorf("a second reading differs\n%s\n%s", one, two)
	}
	for _, c := range r.Choices {
		if c.Stop.Outcome == "" || c.Stop.Known && c.Stop.Outcome == None || !c.Stop.Given && c.Stop.Outcome != None {
			t.Errorf("stop %+v", c.Stop)
		}
		if !c.Stop.Known && (c.Stop.Outcome == Complete || c.Stop.Outcome == ToolCalls) {
			t.Errorf("unknown stop reason %q passes for success", c.Stop.Raw)
		}
		for i, e := range c.Events {
			if e.Kind == "" || e.Path == "" {
				t.Errorf("event %d has no kind or no path: %+v", i, e)
			}
			if joins(e.Kind) && e.Text == "" && e.Signature == "" {
				t.Errorf("event %d says nothing: %+v", i, e)
			}
		}
	}
}

func FuzzAnthropic(f *testing.F) {
	for _, file := range bodyFixtures(f, string(wire.AnthropicMessages)) {
		f.Add(loadBodyCase(f, file).Body.JSON())
	}
	f.Fuzz(func(t *testing.T, text []byte) { sane(t, wire.AnthropicMessages, text) })
}
