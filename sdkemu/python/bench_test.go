package python

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"reassay/sdkemu"
)

func chunkOf(delta, finish string) string {
	return fmt.Sprintf(`data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"demo-large","system_fingerprint":"fp_1","choices":[{"index":0,"delta":%s,"logprobs":null,"finish_reason":%s}]}`+"\n\n", delta, finish)
}

// textStream is a reply of n chunks of text.
func textStream(n int) []byte {
	var b strings.Builder
	b.WriteString(chunkOf(`{"role":"assistant","content":"","refusal":null}`, "null"))
	for i := range n - 2 {
		b.WriteString(chunkOf(fmt.Sprintf(`{"content":" word%d"}`, i), "null"))
	}
	b.WriteString(chunkOf(`{}`, `"stop"`) + "data: [DONE]\n\n")
	return []byte(b.String())
}

// toolStream is a reply of n chunks that spell two tool calls.
func toolStream(n int) []byte {
	var b strings.Builder
	b.WriteString(chunkOf(`{"role":"assistant","content":null}`, "null"))
	for call := range 2 {
		b.WriteString(chunkOf(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"call_%d","type":"function","function":{"name":"f","arguments":""}}]}`, call, call), "null"))
		for range n/2 - 2 {
			b.WriteString(chunkOf(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":" 1 "}}]}`, call), "null"))
		}
	}
	b.WriteString(chunkOf(`{}`, `"tool_calls"`) + "data: [DONE]\n\n")
	return []byte(b.String())
}

var benchmarks = []struct {
	name string
	api  sdkemu.API
	body []byte
}{
	{"chat200", sdkemu.Chat, textStream(200)},
	{"tools60", sdkemu.Chat, toolStream(60)},
	{"messages200", sdkemu.AnthropicMessages, messageText(200)},
	{"messages-tools60", sdkemu.AnthropicMessages, messageTools(60)},
}

// BenchmarkRun measures the emulation, and beside it the real package on the same stream: "package-ns/op", and "times",
// how many streams ours reads while the package reads one.
func BenchmarkRun(b *testing.B) {
	e := New()
	for i := range releases {
		r := &releases[i]
		b.Run(r.name(), func(b *testing.B) { benchmarkRelease(b, e, r) })
	}
}

func benchmarkRelease(b *testing.B, e *Emulator, r *release) {
	ref := startReference(b, r)
	for _, c := range benchmarks {
		if !slices.Contains(r.apis, c.api) {
			continue
		}
		for _, mode := range modes {
			b.Run(c.name+"/"+string(mode), func(b *testing.B) {
				s := specimen{name: c.name, target: r.target(c.api, mode), input: sdkemu.Input{Status: 200, Body: c.body}}
				theirs := packageTime(b, ref, s)
				b.SetBytes(int64(len(c.body)))
				b.ReportAllocs()
				for b.Loop() {
					if r := e.Run(b.Context(), s.target, s.input); r.Outcome != sdkemu.OK {
						b.Fatalf("%+v", r)
					}
				}
				ours := b.Elapsed() / time.Duration(b.N)
				b.ReportMetric(float64(theirs.Nanoseconds()), "package-ns/op")
				b.ReportMetric(float64(theirs)/float64(ours), "times")
			})
		}
	}
}

// packageTime is how long the real package takes for the stream, once it is warm.
func packageTime(b *testing.B, ref *reference, s specimen) time.Duration {
	b.Helper()
	const runs = 20
	batch := slices.Repeat([]specimen{s}, runs)
	ref.each(b, batch[:5], func(specimen, outcome) {})
	begin := time.Now()
	ref.each(b, batch, func(specimen, outcome) {})
	return time.Since(begin) / runs
}

// TestLinear runs streams with many deltas: neither time nor memory may grow faster than the stream.
func TestLinear(t *testing.T) {
	e := New()
	for _, c := range []struct {
		name string
		body func(n int) []byte
	}{
		{"text", textStream},
		{"tools", toolStream},
		{"messages text", messageText},
		{"messages thinking", messageThinking},
		{"messages tools", messageTools},
		{"messages citations", messageCitations},
		{"reasoning", func(n int) []byte {
			return []byte(strings.ReplaceAll(string(textStream(n)), `"content":" word`, `"reasoning_content":" word`))
		}},
		{"logprobs", func(n int) []byte {
			return []byte(strings.ReplaceAll(string(textStream(n)), `"logprobs":null`, `"logprobs":{"content":[{"token":"a","logprob":-1.5,"bytes":[97],"top_logprobs":[]}],"refusal":null}`))
		}},
	} {
		body := c.body(30_000)
		begin := time.Now()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		api := sdkemu.Chat
		if strings.HasPrefix(c.name, "messages ") {
			api = sdkemu.AnthropicMessages
		}
		r := e.Run(t.Context(), target(api, sdkemu.ModeStream), sdkemu.Input{Body: body})
		runtime.ReadMemStats(&after)
		if r.Outcome != sdkemu.OK {
			t.Errorf("%s: %s %v %s", c.name, r.Outcome, r.Exception, r.Reason)
		}
		took, allocated := time.Since(begin), after.TotalAlloc-before.TotalAlloc
		t.Logf("%s: %d bytes in 30,000 chunks took %v, %d bytes allocated a byte of the stream", c.name, len(body), took.Round(time.Millisecond), allocated/uint64(len(body)))
		if allocated > 100*uint64(len(body)) {
			t.Errorf("%s: %d bytes allocated for %d of the stream: the work grows faster than the stream", c.name, allocated, len(body))
		}
	}
}
