package node

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

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

// BenchmarkStreams gives streams per second on one core, ours and the real package's warm in Node, and the ratio.
func BenchmarkStreams(b *testing.B) {
	needSDKs(b)
	e := newEmulator(b)
	for name, body := range map[string]string{"chat-200": chat200(), "tool-60": tool60()} {
		in := sdkemu.Input{Body: []byte(body), ContentType: "text/event-stream"}
		cuts, err := sdkemu.Event.Cuts(in.Body)
		if err != nil {
			b.Fatal(err)
		}
		for chunking, cuts := range map[string][]int{"whole": nil, "event": cuts} {
			in.Cuts = cuts
			b.Run(name+"/"+chunking, func(b *testing.B) {
				b.SetBytes(int64(len(body)))
				for b.Loop() {
					if res := e.Run(b.Context(), chatStream, in); res.Outcome != sdkemu.OK {
						b.Fatalf("%+v", res)
					}
				}
				ours := float64(b.N) / b.Elapsed().Seconds()
				b.StopTimer()
				theirs := warmNode(b, in)
				b.ReportMetric(ours, "streams/s")
				b.ReportMetric(theirs, "node-streams/s")
				b.ReportMetric(ours/theirs, "of-node")
			})
		}
	}
}

// warmNode is how many streams per second the real SDK does.
func warmNode(b *testing.B, in sdkemu.Input) float64 {
	b.Helper()
	q, err := json.Marshal(questionOf("bench", chatStream, in))
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
