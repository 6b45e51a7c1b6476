package python

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
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

// responseStream is a reply of n events with a message and a call of a function.
func responseStream(n int) []byte {
	var b strings.Builder
	said := 0
	say := func(kind, rest string, args ...any) {
		fmt.Fprintf(&b, "event: %s\ndata: {\"type\":%q,\"sequence_number\":%d,"+rest+"}\n\n", append([]any{kind, kind, said}, args...)...)
		said++
	}
	const response = `"response":{"id":"resp_1","object":"response","created_at":1700000000,"model":"demo-large","status":%q,"output":[%s],"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}`
	message := func(content string) string {
		return `{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[` + content + `]}`
	}
	const call = `{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"%s","status":"completed"}`
	say("response.created", response, "in_progress", "")
	say("response.output_item.added", `"output_index":0,"item":%s`, message(""))
	say("response.content_part.added", `"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}`)
	var text, arguments strings.Builder
	for i := range n / 2 {
		fmt.Fprintf(&text, " word%d", i)
		say("response.output_text.delta", `"item_id":"msg_1","output_index":0,"content_index":0,"delta":" word%d","logprobs":[]`, i)
	}
	whole := message(`{"type":"output_text","text":"` + text.String() + `","annotations":[]}`)
	say("response.output_item.done", `"output_index":0,"item":%s`, whole)
	say("response.output_item.added", `"output_index":1,"item":`+call, "")
	for i := range n / 2 {
		fmt.Fprintf(&arguments, " %d", i)
		say("response.function_call_arguments.delta", `"item_id":"fc_1","output_index":1,"delta":" %d"`, i)
	}
	say("response.output_item.done", `"output_index":1,"item":`+call, arguments.String())
	say("response.completed", response, "completed", whole+","+fmt.Sprintf(call, arguments.String()))
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
	{"responses200", sdkemu.Responses, responseStream(200)},
	{"messages200", sdkemu.AnthropicMessages, messageText(200)},
	{"messages-tools60", sdkemu.AnthropicMessages, messageTools(60)},
}

// BenchmarkRun measures the emulation, and beside it the real package on the same stream: how many streams each reads in
// a second of one core, by the processor's time so that a busy machine counts alike for both, and "times", how many ours
// reads while the package reads one.
func BenchmarkRun(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as cmd/reassay sets it
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
				begin := processorTime(b)
				for b.Loop() {
					if r := e.Run(b.Context(), s.target, s.input); r.Outcome != sdkemu.OK {
						b.Fatalf("%+v", r)
					}
				}
				ours := (processorTime(b) - begin) / time.Duration(b.N)
				b.ReportMetric(float64(time.Second)/float64(ours), "streams/s")
				b.ReportMetric(float64(time.Second)/float64(theirs), "package-streams/s")
				b.ReportMetric(float64(theirs)/float64(ours), "times")
			})
		}
	}
}

// packageTime is the processor's time that the real package takes for the stream, once it is warm.
func packageTime(b *testing.B, ref *reference, s specimen) time.Duration {
	b.Helper()
	const runs = 20
	batch := slices.Repeat([]specimen{s}, runs)
	ref.each(b, batch[:5], func(specimen, outcome) {})
	seconds := 0.0
	ref.each(b, batch, func(_ specimen, o outcome) { seconds += o.seconds })
	return time.Duration(seconds / runs * float64(time.Second))
}

// processorTime is what this process has taken so far, the collection of garbage included.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// longStreams are streams of n deltas of every kind.
var longStreams = []struct {
	name string
	api  sdkemu.API
	body func(n int) []byte
}{
	{"text", sdkemu.Chat, textStream},
	{"tools", sdkemu.Chat, toolStream},
	{"reasoning", sdkemu.Chat, func(n int) []byte {
		return []byte(strings.ReplaceAll(string(textStream(n)), `"content":" word`, `"reasoning_content":" word`))
	}},
	{"details", sdkemu.Chat, func(n int) []byte {
		return []byte(strings.ReplaceAll(string(textStream(n)), `"content":" word`, `"reasoning_details":[{"type":"reasoning.text","index":0,"text":"and so on"}],"content":" word`))
	}},
	{"logprobs", sdkemu.Chat, func(n int) []byte {
		return []byte(strings.ReplaceAll(string(textStream(n)), `"logprobs":null`, `"logprobs":{"content":[{"token":"a","logprob":-1.5,"bytes":[97],"top_logprobs":[]}],"refusal":null}`))
	}},
	{"response", sdkemu.Responses, responseStream},
	{"messages text", sdkemu.AnthropicMessages, messageText},
	{"messages thinking", sdkemu.AnthropicMessages, messageThinking},
	{"messages tools", sdkemu.AnthropicMessages, messageTools},
	{"messages citations", sdkemu.AnthropicMessages, messageCitations},
}

// TestLinear runs streams with many deltas: neither time nor memory may grow faster than the stream.
func TestLinear(t *testing.T) {
	e := New()
	for i := range releases {
		for _, c := range longStreams {
			if slices.Contains(releases[i].apis, c.api) {
				checkLinear(t, e, releases[i].target(c.api, sdkemu.ModeStream), c.name, c.body(30_000))
			}
		}
	}
}

func checkLinear(t *testing.T, e *Emulator, target sdkemu.Target, name string, body []byte) {
	t.Helper()
	begin := time.Now()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := e.Run(t.Context(), target, sdkemu.Input{Body: body})
	runtime.ReadMemStats(&after)
	if r.Outcome != sdkemu.OK {
		t.Errorf("%s, %s: %s %v %s", target.Name(), name, r.Outcome, r.Exception, r.Reason)
	}
	took, allocated := time.Since(begin), after.TotalAlloc-before.TotalAlloc
	t.Logf("%s, %s: %d bytes in 30,000 chunks took %v, %d bytes allocated a byte of the stream", target.Name(), name, len(body), took.Round(time.Millisecond), allocated/uint64(len(body)))
	if allocated > 100*uint64(len(body)) {
		t.Errorf("%s, %s: %d bytes allocated for %d of the stream: the work grows faster than the stream", target.Name(), name, allocated, len(body))
	}
}
