package check

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"reassay/capture"
	"reassay/wire"
)

// longExchange is a Chat reply of 500 chunks and about 170 KB, streamed and whole on both sides.
func longExchange() *capture.Exchange {
	var stream, text strings.Builder
	for i := 0; i < 500; i++ {
		piece := fmt.Sprintf("word %d of a long answer, ", i)
		text.WriteString(piece)
		delta := fmt.Sprintf(`{"content":%q}`, piece)
		if i == 0 {
			delta = fmt.Sprintf(`{"role":"assistant","content":%q}`, piece)
		}
		finish := "null"
		if i == 499 {
			finish = `"stop"`
		}
		fmt.Fprintf(&stream, `data: {"id":"chatcmpl-9f31c2aa7e50414b","object":"chat.completion.chunk","created":1764500000,"model":"demo-large-2026-11-30","service_tier":"default","system_fingerprint":"fp_a1b2c3d4e5","choices":[{"index":0,"delta":%s,"logprobs":null,"finish_reason":%s}],"usage":null,"obfuscation":"%s"}`+"\n\n", delta, finish, strings.Repeat("x", 48))
	}
	stream.WriteString("data: [DONE]\n\n")
	whole := fmt.Sprintf(`{"id":"chatcmpl-1","object":"chat.completion","created":1764500000,"model":"demo","choices":[{"index":0,"message":{"role":"assistant","content":%q},"finish_reason":"stop"}]}`, text.String())
	leg := func(body string) *capture.Leg {
		return &capture.Leg{Dialect: wire.OpenAIChat, Status: 200, Body: []byte(body)}
	}
	return &capture.Exchange{ID: "bench", Upstream: []*capture.Leg{leg(stream.String())}, UpstreamNonStream: leg(whole), Stream: leg(stream.String()), NonStream: leg(whole)}
}

// BenchmarkJudge judges the long exchange without SDKs.
func BenchmarkJudge(b *testing.B) {
	k := newChecker(b, Config{SDKs: []string{}})
	x := longExchange()
	b.SetBytes(int64(len(x.Stream.Body)))
	b.ReportAllocs()
	for b.Loop() {
		v, err := k.Exchange(context.Background(), x)
		if err != nil || v.Worst != WorstClean {
			b.Fatal(v.Worst, err)
		}
	}
}

// BenchmarkDecodeLegs decodes the same legs once with encoding/json: what judging is measured against.
func BenchmarkDecodeLegs(b *testing.B) {
	x := longExchange()
	b.SetBytes(int64(len(x.Stream.Body)))
	b.ReportAllocs()
	for b.Loop() {
		decodeLegs(b, x)
	}
}

// BenchmarkJudgeBesideDecoding does both in turns, so that the ratio is of one machine in one state: judging must not
// take longer than decoding.
func BenchmarkJudgeBesideDecoding(b *testing.B) {
	k := newChecker(b, Config{SDKs: []string{}})
	x := longExchange()
	var judging, decoding time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := k.Exchange(context.Background(), x); err != nil {
			b.Fatal(err)
		}
		between := time.Now()
		decodeLegs(b, x)
		judging += between.Sub(start)
		decoding += time.Since(between)
	}
	b.ReportMetric(judging.Seconds()/decoding.Seconds(), "judging/decoding")
}

func decodeLegs(b *testing.B, x *capture.Exchange) {
	for _, l := range []*capture.Leg{x.Upstream[0], x.UpstreamNonStream, x.Stream, x.NonStream} {
		for _, line := range bytes.Split(l.Body, []byte("\n")) {
			text := bytes.TrimPrefix(line, []byte("data: "))
			if len(text) == 0 || text[0] != '{' {
				continue
			}
			var v any
			if err := json.Unmarshal(text, &v); err != nil {
				b.Fatal(err)
			}
		}
	}
}
