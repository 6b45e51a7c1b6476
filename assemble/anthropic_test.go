package assemble

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"reassay/sse"
	"reassay/wire"
)

// TestAnthropicTables holds the rows of the event table to what the code knows of each.
func TestAnthropicTables(t *testing.T) {
	deltas := rowsUnder(anthropicEvents, "content_block_delta/")
	for name := range deltas {
		if _, ok := anthropicDeltas[name]; !ok {
			t.Errorf("delta %s has a row and no fields", name)
		}
	}
	for name, form := range anthropicDeltas {
		if !deltas[name] {
			t.Errorf("delta %s has no row", name)
		}
		for block := range form.blocks {
			if !anthropicBlocks[block] {
				t.Errorf("delta %s fits block %s, which has no row", name, block)
			}
		}
	}
	events := map[string]bool{}
	for _, r := range anthropicEvents {
		if !strings.Contains(r.Name, "/") {
			events[r.Name] = true
			if anthropicEventFields[r.Name] == nil {
				t.Errorf("event %s has a row and no fields", r.Name)
			}
		}
	}
	for name := range anthropicEventFields {
		if !events[name] {
			t.Errorf("event %s has no row", name)
		}
	}
}

// messagesStream is a message of one text of n deltas, framed as the API frames it.
func messagesStream(n int, delta func(i int) string) []byte {
	var b strings.Builder
	frame := func(name, data string) { fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", name, data) }
	frame("message_start", `{"type":"message_start","message":{"id":"msg_01","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":12,"output_tokens":1}}}`)
	frame("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`)
	for i := range n {
		frame("content_block_delta", delta(i))
	}
	frame("content_block_stop", `{"type":"content_block_stop","index":0}`)
	frame("message_delta", `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":9}}`)
	frame("message_stop", `{"type":"message_stop"}`)
	return []byte(b.String())
}

func textDelta(i int) string {
	return fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"word %d "}}`, i)
}

// halves alternates the two halves of one character, so that every border between deltas joins a pair.
func halves(i int) string {
	return `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + [2]string{`\ud83d`, `\ude00`}[i%2] + `"}}`
}

// manyDeltas is how many deltas a stream has in the tests of running time.
const manyDeltas = 100_000

// quickly fails when assembling a stream of [manyDeltas] takes far longer than its size explains. Work that grows
// with the square of the deltas takes minutes.
func quickly(t *testing.T, d wire.Dialect, name string, body []byte, check func(Assembled) bool) {
	t.Helper()
	s := sse.Parse(d, body)
	begin := time.Now()
	a := Assemble(d, s)
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("%s: %d bytes took %v", name, len(body), took)
	}
	if !check(a) {
		t.Errorf("%s: not put together right", name)
	}
}

func TestAnthropicManyDeltas(t *testing.T) {
	text := func(a Assembled) string { return a.Body.Get("content").At(0).Get("text").Str() }
	quickly(t, wire.AnthropicMessages, "text", messagesStream(manyDeltas, textDelta), func(a Assembled) bool {
		return len(a.Faults) == 0 && strings.HasSuffix(text(a), fmt.Sprintf("word %d ", manyDeltas-1))
	})
	quickly(t, wire.AnthropicMessages, "halves", messagesStream(manyDeltas, halves), func(a Assembled) bool {
		return text(a) == strings.Repeat("\U0001F600", manyDeltas/2)
	})
	quickly(t, wire.AnthropicMessages, "arguments", messagesStream(manyDeltas, func(i int) string {
		piece := `1,`
		switch i {
		case 0:
			piece = `[`
		case manyDeltas - 1:
			piece = `1]`
		}
		return `{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"` + piece + `"}}`
	}), func(a Assembled) bool {
		return len(a.Body.Get("content").At(1).Get("input").Elems()) == manyDeltas-1
	})
	quickly(t, wire.AnthropicMessages, "unknown deltas", messagesStream(manyDeltas, func(i int) string {
		return fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"x%d"}}`, i)
	}), func(a Assembled) bool { return len(a.Unread) == manyDeltas })
	quickly(t, wire.AnthropicMessages, "blocks", messagesStream(manyDeltas, func(i int) string {
		return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":"text","text":"","citations":[]}}`, i+1)
	}), func(a Assembled) bool { return len(a.Body.Get("content").Elems()) == manyDeltas+1 })
	quickly(t, wire.AnthropicMessages, "usage", messagesStream(manyDeltas, func(i int) string {
		return fmt.Sprintf(`{"type":"message_delta","delta":{"x%d":1},"usage":{"y%d":1}}`, i, i)
	}), func(a Assembled) bool { return a.Body.Get("usage").Get("y7").Num() == "1" })
}

// seeds adds every fixture of a dialect to a fuzz target's corpus.
func seeds(f *testing.F, d wire.Dialect) {
	for _, file := range streamFixtures(f, string(d)) {
		f.Add(loadStreamCase(f, file).body())
	}
}

// sane checks what holds of every assembled stream, whatever the bytes.
func sane(t *testing.T, d wire.Dialect, body []byte) {
	a := Assemble(d, sse.Parse(d, body))
	if one, two := printed(t, a), printed(t, Assemble(d, sse.Parse(d, body))); one != two {
		t.Errorf("a second reading differs\n%s\n%s", one, two)
	}
	for i, f := range a.Faults {
		if f.At.Byte < 0 || f.At.Frame < 0 {
			t.Errorf("fault %s at %+v", f.Code, f.At)
		}
		if i > 0 && f.At.before(a.Faults[i-1].At) {
			t.Errorf("fault %s at %+v stands behind %+v", f.Code, f.At, a.Faults[i-1].At)
		}
	}
	seen := map[string]bool{}
	for _, p := range a.Places {
		if seen[p.Path] || p.Last.before(p.First) {
			t.Errorf("place %+v, seen before: %t", p, seen[p.Path])
		}
		seen[p.Path] = true
	}
	if text := a.Body.JSON(); a.Body.Exists() {
		if back, err := wire.Parse(text); err != nil || !wire.Equal(back, a.Body) {
			t.Errorf("the body is not what its JSON says: %v\n%s", err, text)
		}
	}
}

func printed(t *testing.T, a Assembled) string {
	text, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func FuzzAnthropic(f *testing.F) {
	seeds(f, wire.AnthropicMessages)
	f.Fuzz(func(t *testing.T, body []byte) { sane(t, wire.AnthropicMessages, body) })
}

func BenchmarkAnthropic(b *testing.B) {
	body := messagesStream(200, textDelta)
	s := sse.Parse(wire.AnthropicMessages, body)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		Assemble(wire.AnthropicMessages, s)
	}
}

// BenchmarkAnthropicWithParsing is the whole way from bytes to a body.
func BenchmarkAnthropicWithParsing(b *testing.B) {
	body := messagesStream(200, textDelta)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		Assemble(wire.AnthropicMessages, sse.Parse(wire.AnthropicMessages, body))
	}
}
