package convir

import (
	"fmt"
	"strings"
	"testing"

	"reassay/wire"
)

// TestPartReaders holds the readers of parts to the fields that a part may have.
func TestPartReaders(t *testing.T) {
	for key := range partReaders {
		if !fieldIndex[wire.GeminiGenerate]["part"][key] {
			t.Errorf("a reader for %s, which is no known field of a part", key)
		}
	}
}

// TestGroundingSize shows that supports which name every source do not make a reply grow by its own length.
func TestGroundingSize(t *testing.T) {
	const n = 20_000
	var chunks, indices strings.Builder
	for i := range n {
		fmt.Fprintf(&chunks, `{"web":{"uri":"u%d"}},`, i)
		fmt.Fprintf(&indices, "%d,%d,", i, i)
	}
	text := fmt.Sprintf(`{"candidates":[{"groundingMetadata":{"groundingChunks":[%s],"groundingSupports":[{"groundingChunkIndices":[%s]}]}}]}`,
		strings.TrimSuffix(chunks.String(), ","), strings.TrimSuffix(indices.String(), ","))
	body, err := wire.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	events := Parse(wire.GeminiGenerate, body).Choices[0].Events
	size := 0
	for _, e := range events {
		size += len(e.Data.JSON())
	}
	if len(events) != n+1 || events[n].Type != "groundingSupports" || size > len(text) {
		t.Errorf("%d events of %d bytes out of %d, want %d events and the supports last", len(events), size, len(text), n+1)
	}
}

func FuzzGemini(f *testing.F) {
	for _, file := range bodyFixtures(f, string(wire.GeminiGenerate)) {
		f.Add(loadBodyCase(f, file).Body.JSON())
	}
	f.Fuzz(func(t *testing.T, text []byte) { sane(t, wire.GeminiGenerate, text) })
}
