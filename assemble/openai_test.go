package assemble

import (
	"fmt"
	"strings"
	"testing"

	"reassay/sse"
	"reassay/wire"
)

// chatStream is a Chat stream of one choice with n deltas.
func chatStream(n int, delta func(i int) string) []byte {
	var b strings.Builder
	chunk := func(delta, finish string) {
		fmt.Fprintf(&b, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1717171717,"model":"gpt-4o","choices":[{"index":0,"delta":%s,"logprobs":null,"finish_reason":%s}]}`+"\n\n", delta, finish)
	}
	chunk(`{"role":"assistant","content":""}`, "null")
	for i := range n {
		chunk(delta(i), "null")
	}
	chunk("{}", `"stop"`)
	b.WriteString("data: [DONE]\n\n")
	return []byte(b.String())
}

func chatWord(i int) string { return fmt.Sprintf(`{"content":"word %d "}`, i) }

// responsesStream is a Responses stream with n events inside a message of one part.
func responsesStream(n int, event func(i int) string) []byte {
	var b strings.Builder
	seq := 0
	put := func(payload string) {
		fmt.Fprintf(&b, "data: {\"sequence_number\":%d,%s}\n\n", seq, payload)
		seq++
	}
	put(`"type":"response.created","response":{"id":"resp_1","object":"response","status":"in_progress","output":[]}`)
	put(`"type":"response.output_item.added","output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}`)
	put(`"type":"response.content_part.added","item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}`)
	for i := range n {
		put(event(i))
	}
	return []byte(b.String())
}

func responsesWord(i int) string {
	return fmt.Sprintf(`"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"word %d ","logprobs":[]`, i)
}

// TestChatManyDeltas holds the time of assembling to the stream's length, also where a stream was made to be slow.
func TestChatManyDeltas(t *testing.T) {
	message := func(a Assembled) wire.Value { return a.Body.Get("choices").At(0).Get("message") }
	quickly(t, wire.OpenAIChat, "text", chatStream(manyDeltas, chatWord), func(a Assembled) bool {
		return len(a.Faults) == 0 && strings.HasSuffix(message(a).Get("content").Str(), fmt.Sprintf("word %d ", manyDeltas-1))
	})
	quickly(t, wire.OpenAIChat, "halves", chatStream(manyDeltas, func(i int) string {
		half := [2]string{`\ud83d`, `\ude00`}[i%2]
		return `{"content":"` + half + `","reasoning_content":"` + half + `"}`
	}), func(a Assembled) bool {
		whole := strings.Repeat("\U0001F600", manyDeltas/2)
		return message(a).Get("content").Str() == whole && message(a).Get("reasoning_content").Str() == whole
	})
	quickly(t, wire.OpenAIChat, "names without ids", chatStream(manyDeltas, func(i int) string {
		return fmt.Sprintf(`{"tool_calls":[{"index":0,"function":{"name":"n%d","arguments":"{}"}}]}`, i)
	}), func(a Assembled) bool { return len(message(a).Get("tool_calls").Elems()) == manyDeltas })
	quickly(t, wire.OpenAIChat, "calls without an index", chatStream(manyDeltas, func(i int) string {
		return fmt.Sprintf(`{"tool_calls":[{"id":"c%d","type":"function","function":{"name":"a","arguments":"{}"}}]}`, i)
	}), func(a Assembled) bool { return len(message(a).Get("tool_calls").Elems()) == manyDeltas })
	quickly(t, wire.OpenAIChat, "unknown fields", chatStream(manyDeltas, func(i int) string {
		return fmt.Sprintf(`{"x%d":"a","x":[{"index":%d,"text":"b"}]}`, i, i%7)
	}), func(a Assembled) bool { return len(a.Unread) == manyDeltas+1 && len(message(a).Get("x").Elems()) == 7 })
	quickly(t, wire.OpenAIChat, "many choices", chatStream(manyDeltas, func(i int) string {
		return fmt.Sprintf(`{"role":"user","content":"a"}},{"index":%d,"delta":{"role":"assistant","content":"b"}`, i+1)
	}), func(a Assembled) bool { return len(a.Body.Get("choices").Elems()) == manyDeltas+1 })
}

func TestResponsesManyDeltas(t *testing.T) {
	part := func(a Assembled) wire.Value { return a.Body.Get("output").At(0).Get("content").At(0) }
	quickly(t, wire.OpenAIResponses, "text", responsesStream(manyDeltas, responsesWord), func(a Assembled) bool {
		return strings.HasSuffix(part(a).Get("text").Str(), fmt.Sprintf("word %d ", manyDeltas-1))
	})
	quickly(t, wire.OpenAIResponses, "halves", responsesStream(manyDeltas, func(i int) string {
		return `"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"` + [2]string{`\ud83d`, `\ude00`}[i%2] + `"`
	}), func(a Assembled) bool { return part(a).Get("text").Str() == strings.Repeat("\U0001F600", manyDeltas/2) })
	quickly(t, wire.OpenAIResponses, "parts", responsesStream(manyDeltas, func(i int) string {
		return fmt.Sprintf(`"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":%d,"delta":"a"`, manyDeltas-i)
	}), func(a Assembled) bool {
		return len(a.Body.Get("output").At(0).Get("content").Elems()) == manyDeltas+1
	})
	quickly(t, wire.OpenAIResponses, "items", responsesStream(manyDeltas, func(i int) string {
		return fmt.Sprintf(`"type":"response.output_item.added","output_index":%d,"item":{"id":"i%d","type":"message","role":"assistant","content":[]}`, i+1, i)
	}), func(a Assembled) bool { return len(a.Body.Get("output").Elems()) == manyDeltas+1 })
	quickly(t, wire.OpenAIResponses, "commands", responsesStream(manyDeltas, func(i int) string {
		return fmt.Sprintf(`"type":"response.shell_call_command.added","output_index":1,"command_index":%d,"command":"ls"`, i)
	}), func(a Assembled) bool {
		return len(a.Body.Get("output").At(1).Get("action").Get("commands").Elems()) == manyDeltas
	})
	quickly(t, wire.OpenAIResponses, "audio", responsesStream(manyDeltas, func(i int) string {
		return `"type":"response.audio.delta","delta":"aGk="`
	}), func(a Assembled) bool {
		return len(a.Body.Get("output").At(0).Get("content").At(1).Get("data").Str()) == (2*manyDeltas+2)/3*4
	})
	quickly(t, wire.OpenAIResponses, "responses", responsesStream(manyDeltas, func(i int) string {
		return `"type":"response.completed","response":{"id":"resp_1","status":"completed","output":[]}`
	}), func(a Assembled) bool { return a.Terminal })
}

// TestResponsesEvents holds every row of the table to code that reads it: no documented event may be met as unknown.
func TestResponsesEvents(t *testing.T) {
	for _, row := range openAIResponsesEvents {
		body := fmt.Sprintf("data: {\"type\":%q}\n\n", row.Name)
		for _, f := range Assemble(wire.OpenAIResponses, sse.Parse(wire.OpenAIResponses, []byte(body))).Faults {
			if f.Code == UnknownEvent {
				t.Errorf("event %s has a row and is unknown", row.Name)
			}
		}
	}
	for name := range responsesEventFields {
		if !responsesEvents[name] {
			t.Errorf("event %s has fields and no row", name)
		}
	}
	for base := range responsesTexts {
		if !responsesEvents[base+".delta"] || !responsesEvents[base+".done"] {
			t.Errorf("texts %s have no two rows", base)
		}
	}
}

func FuzzOpenAIChat(f *testing.F) {
	seeds(f, wire.OpenAIChat)
	f.Fuzz(func(t *testing.T, body []byte) { sane(t, wire.OpenAIChat, body) })
}

func FuzzOpenAIResponses(f *testing.F) {
	seeds(f, wire.OpenAIResponses)
	f.Fuzz(func(t *testing.T, body []byte) { sane(t, wire.OpenAIResponses, body) })
}

func benchmark(b *testing.B, d wire.Dialect, body []byte) {
	s := sse.Parse(d, body)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		Assemble(d, s)
	}
}

func BenchmarkOpenAIChat(b *testing.B) { benchmark(b, wire.OpenAIChat, chatStream(200, chatWord)) }

func BenchmarkOpenAIResponses(b *testing.B) {
	benchmark(b, wire.OpenAIResponses, responsesStream(200, responsesWord))
}

// BenchmarkOpenAIChatWithParsing is the whole way from bytes to a body.
func BenchmarkOpenAIChatWithParsing(b *testing.B) {
	body := chatStream(200, chatWord)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		Assemble(wire.OpenAIChat, sse.Parse(wire.OpenAIChat, body))
	}
}
