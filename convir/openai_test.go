package convir

import (
	"strings"
	"testing"

	"reassay/wire"
)

// TestItemTypes holds the rows of the part table to the shapes of items that the parser knows, in both directions.
func TestItemTypes(t *testing.T) {
	rows := map[string]bool{}
	for _, r := range openAIResponsesParts {
		rows[r.Name] = true
	}
	shapes := map[string]bool{}
	for shape := range openAIResponsesFields {
		kind, word, ok := strings.Cut(shape, " ")
		if !ok || kind == "error" || kind == "incomplete" || kind == "input" || kind == "output" {
			continue
		}
		shapes[word] = true
		if !rows[word] {
			t.Errorf("%s %s has fields and no row", kind, word)
		}
		if kind != "item" {
			continue
		}
		item := wire.Obj(wire.Member{Key: "type", Value: wire.Of(word)})
		body := wire.Obj(wire.Member{Key: "object", Value: wire.Of("response")}, wire.Member{Key: "output", Value: wire.Arr(item)})
		for _, u := range Parse(wire.OpenAIResponses, body).Unread {
			t.Errorf("item %s: %s is not read", word, u.Path)
		}
	}
	for _, r := range openAIResponsesParts {
		if r.Into != "" && r.Name != "logprobs" && r.Name != "error" && !shapes[r.Name] {
			t.Errorf("row %s has no fields", r.Name)
		}
	}
}

func FuzzOpenAIChat(f *testing.F) {
	for _, file := range bodyFixtures(f, string(wire.OpenAIChat)) {
		f.Add(loadBodyCase(f, file).Body.JSON())
	}
	f.Fuzz(func(t *testing.T, body []byte) { sane(t, wire.OpenAIChat, body) })
}

func FuzzOpenAIResponses(f *testing.F) {
	for _, file := range bodyFixtures(f, string(wire.OpenAIResponses)) {
		f.Add(loadBodyCase(f, file).Body.JSON())
	}
	f.Fuzz(func(t *testing.T, body []byte) { sane(t, wire.OpenAIResponses, body) })
}

func BenchmarkOpenAIChat(b *testing.B) {
	body := loadBodyCase(b, "../fixtures/convir/openai-chat/tool-calls.json").Body
	b.ReportAllocs()
	for b.Loop() {
		Parse(wire.OpenAIChat, body)
	}
}
