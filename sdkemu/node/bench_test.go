package node

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"reassay/sdkemu"
)

const chunkHead = `{"id":"chatcmpl-B1","object":"chat.completion.chunk","created":1700000000,"model":"demo-large","service_tier":"default","system_fingerprint":"fp_abc","choices":[`

func benchFrame(delta, finish string) string {
	return `data: ` + chunkHead + `{"index":0,"delta":` + delta + `,"logprobs":null,"finish_reason":` + finish + `}],"usage":null}` + "\n\n"
}

// chat200 is a text answer of 200 chunks.
func chat200() string {
	var b strings.Builder
	b.WriteString(benchFrame(`{"role":"assistant","content":"","refusal":null}`, "null"))
	for i := range 197 {
		b.WriteString(benchFrame(fmt.Sprintf(`{"content":" token%d"}`, i%7), "null"))
	}
	b.WriteString(benchFrame(`{}`, `"stop"`))
	b.WriteString(`data: ` + chunkHead + `],"usage":{"prompt_tokens":10,"completion_tokens":197,"total_tokens":207}}` + "\n\ndata: [DONE]\n\n")
	return b.String()
}

// tool60 is an answer of two tool calls in 60 chunks.
func tool60() string {
	var b strings.Builder
	b.WriteString(benchFrame(`{"role":"assistant","content":null}`, "null"))
	for call := range 2 {
		b.WriteString(benchFrame(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"call_%d","type":"function","function":{"name":"get_weather","arguments":""}}]}`, call, call), "null"))
		for i := range 28 {
			piece := "xyz"
			switch i {
			case 0:
				piece = `{\"a\":\"`
			case 27:
				piece = `\"}`
			}
			b.WriteString(benchFrame(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":"%s"}}]}`, call, piece), "null"))
		}
	}
	b.WriteString(benchFrame(`{}`, `"tool_calls"`))
	b.WriteString("data: [DONE]\n\n")
	return b.String()
}

// anthropicFrame is an event of the Messages API.
func anthropicFrame(event, data string) string {
	return "event: " + event + "\ndata: {\"type\":\"" + event + "\"," + data + "}\n\n"
}

// anthropicStream is an answer of one block: its opening, the deltas and what closes it.
func anthropicStream(block, stopReason string, deltas []string) string {
	var b strings.Builder
	b.WriteString(anthropicFrame("message_start", `"message":{"id":"msg_B1","type":"message","role":"assistant","model":"demo-large","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":1}}`))
	b.WriteString(anthropicFrame("content_block_start", `"index":0,"content_block":`+block))
	for _, d := range deltas {
		b.WriteString(anthropicFrame("content_block_delta", `"index":0,"delta":`+d))
	}
	b.WriteString(anthropicFrame("content_block_stop", `"index":0`))
	b.WriteString(anthropicFrame("message_delta", `"delta":{"stop_reason":"`+stopReason+`","stop_sequence":null},"usage":{"output_tokens":197}`))
	b.WriteString("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n")
	return b.String()
}

// anthropic200 is a text answer of 200 events.
func anthropic200() string {
	var deltas []string
	for i := range 195 {
		deltas = append(deltas, fmt.Sprintf(`{"type":"text_delta","text":" token%d"}`, i%7))
	}
	return anthropicStream(`{"type":"text","text":""}`, "end_turn", deltas)
}

// anthropicTool60 is an answer of one tool call in 60 events.
func anthropicTool60() string {
	deltas := []string{`{"type":"input_json_delta","partial_json":"{\"a\":\""}`}
	for range 53 {
		deltas = append(deltas, `{"type":"input_json_delta","partial_json":"xyz"}`)
	}
	deltas = append(deltas, `{"type":"input_json_delta","partial_json":"\"}"}`)
	return anthropicStream(`{"type":"tool_use","id":"toolu_B1","name":"get_weather","input":{}}`, "tool_use", deltas)
}

// benchStream is a stream that is timed.
type benchStream struct {
	name string
	body string
}

// benchStreams are the streams of an API: an answer of text and one of tool calls.
func benchStreams(api sdkemu.API) []benchStream {
	switch api {
	case sdkemu.Chat:
		return []benchStream{{"text-200", chat200()}, {"tool-60", tool60()}}
	case sdkemu.AnthropicMessages:
		return []benchStream{{"text-200", anthropic200()}, {"tool-60", anthropicTool60()}}
	}
	return nil
}

// The collector's settings of the program (cmd/reassay, tuneMemory).
const (
	gcPercent   = 400
	memoryLimit = 1 << 30
)

// BenchmarkStreams gives streams a second of one core's time, ours and the real package's warm in Node, and the ratio,
// for every version that is built in. Both count the processor time of all their threads, so that a busy machine shows
// in neither.
func BenchmarkStreams(b *testing.B) {
	needSDKs(b)
	e := newEmulator(b)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memoryLimit))
	for _, target := range e.Targets() {
		if target.Mode != sdkemu.ModeStream {
			continue
		}
		for _, s := range benchStreams(target.API) {
			in := sdkemu.Input{Body: []byte(s.body), ContentType: "text/event-stream"}
			cuts, err := sdkemu.Event.Cuts(in.Body)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(target.Name()+"/"+s.name+"/whole", func(b *testing.B) { benchStreamOn(b, e, target, in) })
			in.Cuts = cuts
			b.Run(target.Name()+"/"+s.name+"/event", func(b *testing.B) { benchStreamOn(b, e, target, in) })
		}
	}
}

// warmUp is how many streams are run before any is timed: the first of a version compiles its bundle. bench.mjs gives
// Node 300, which its compilers need.
const warmUp = 10

func benchStreamOn(b *testing.B, e *Emulator, target sdkemu.Target, in sdkemu.Input) {
	for range warmUp {
		e.Run(b.Context(), target, in)
	}
	began := processorTime(b)
	for b.Loop() {
		if res := e.Run(b.Context(), target, in); res.Outcome != sdkemu.OK {
			b.Fatalf("%+v", res)
		}
	}
	ours := float64(b.N) / (processorTime(b) - began).Seconds()
	theirs := warmNode(b, target, in)
	b.ReportMetric(ours, "streams/s")
	b.ReportMetric(theirs, "node-streams/s")
	b.ReportMetric(ours/theirs, "of-node")
}

// processorTime is what this process has used so far.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// warmNode is how many streams the real SDK does in a second of processor time.
func warmNode(b *testing.B, target sdkemu.Target, in sdkemu.Input) float64 {
	b.Helper()
	q, err := json.Marshal(questionOf("bench", target, in))
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.CommandContext(b.Context(), "node", "js/bench.mjs")
	cmd.Stdin = bytes.NewReader(append(q, '\n'))
	out, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	var answer struct {
		Streams float64 `json:"streams_per_second"`
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		b.Fatal(err)
	}
	return answer.Streams
}
