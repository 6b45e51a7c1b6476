package assemble

import (
	"fmt"
	"strings"
	"testing"

	"reassay/sse"
	"reassay/wire"
)

// geminiStream is a response of n chunks, each with one candidate of the given members.
func geminiStream(n int, candidate func(i int) string) []byte {
	var b strings.Builder
	for i := range n {
		finish := ""
		if i == n-1 {
			finish = `"finishReason":"STOP",`
		}
		fmt.Fprintf(&b, "data: {\"candidates\":[{%s%s}],\"usageMetadata\":{\"promptTokenCount\":4,\"totalTokenCount\":%d},\"modelVersion\":\"gemini-2.5-flash\",\"responseId\":\"r1\"}\r\n\r\n", finish, candidate(i), i)
	}
	return []byte(b.String())
}

func onePart(part string) string {
	return `"content":{"parts":[` + part + `],"role":"model"},"index":0`
}

func textPart(i int) string { return onePart(fmt.Sprintf(`{"text":"word %d "}`, i)) }

func TestGeminiManyChunks(t *testing.T) {
	parts := func(a Assembled) wire.Value { return a.Body.Get("candidates").At(0).Path("content", "parts") }
	quickly(t, wire.GeminiGenerate, "text", geminiStream(manyDeltas, textPart), func(a Assembled) bool {
		return len(a.Faults) == 0 && strings.HasSuffix(parts(a).At(0).Get("text").Str(), fmt.Sprintf("word %d ", manyDeltas-1))
	})
	quickly(t, wire.GeminiGenerate, "halves", geminiStream(manyDeltas, func(i int) string {
		return onePart(`{"text":"` + [2]string{`\ud83d`, `\ude00`}[i%2] + `"}`)
	}), func(a Assembled) bool {
		return parts(a).At(0).Get("text").Str() == strings.Repeat("\U0001F600", manyDeltas/2)
	})
	quickly(t, wire.GeminiGenerate, "calls", geminiStream(manyDeltas, func(i int) string {
		return onePart(fmt.Sprintf(`{"functionCall":{"name":"f","id":"%d"}}`, i))
	}), func(a Assembled) bool { return len(parts(a).Elems()) == manyDeltas })
	quickly(t, wire.GeminiGenerate, "call in pieces", geminiStream(manyDeltas, func(i int) string {
		if i == 0 {
			return onePart(`{"functionCall":{"name":"f","willContinue":true}}`)
		}
		return onePart(fmt.Sprintf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a[%d]","numberValue":%d}],"willContinue":%t}}`, i-1, i, i < manyDeltas-1))
	}), func(a Assembled) bool {
		return len(a.Faults) == 0 && len(parts(a).At(0).Path("functionCall", "args", "a").Elems()) == manyDeltas-1
	})
	quickly(t, wire.GeminiGenerate, "citations", geminiStream(manyDeltas, func(i int) string {
		return fmt.Sprintf(`"citationMetadata":{"citationSources":[{"startIndex":%d}]}`, i)
	}), func(a Assembled) bool {
		return len(a.Body.Get("candidates").At(0).Path("citationMetadata", "citationSources").Elems()) == manyDeltas
	})
	quickly(t, wire.GeminiGenerate, "candidates", geminiStream(manyDeltas, func(i int) string {
		return fmt.Sprintf(`"index":%d`, manyDeltas-i)
	}), func(a Assembled) bool { return len(a.Body.Get("candidates").Elems()) == manyDeltas })
}

func TestJSONPath(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"$", "[]"},
		{"$.a.b", "[{a 0 true} {b 0 true}]"},
		{"$.a[10]['b.c'][\"d\"]", "[{a 0 true} { 10 false} {b.c 0 true} {d 0 true}]"},
		{"$['it\\'s']", "[{it's 0 true}]"},
		{"", ""}, {"a", ""}, {"$a", ""}, {"$.", ""}, {"$..a", ""}, {"$[", ""}, {"$[-1]", ""}, {"$['a'", ""}, {"$['a", ""}, {"$[*]", ""}, {"$['", ""}, {`$["\`, ""},
		{"$" + strings.Repeat(".a", maxJSONPath), ""},
	} {
		got := ""
		if steps, ok := jsonPath(c.path); ok {
			got = fmt.Sprint(steps)
		}
		if got != c.want {
			t.Errorf("jsonPath(%.40q) = %s, want %s", c.path, got, c.want)
		}
	}
}

func FuzzGemini(f *testing.F) {
	seeds(f, wire.GeminiGenerate)
	f.Fuzz(func(t *testing.T, body []byte) { sane(t, wire.GeminiGenerate, body) })
}

func BenchmarkGemini(b *testing.B) {
	body := geminiStream(200, textPart)
	s := sse.Parse(wire.GeminiGenerate, body)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		Assemble(wire.GeminiGenerate, s)
	}
}
