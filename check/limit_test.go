package check

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"reassay/capture"
	"reassay/wire"
)

func sseOf(payloads ...string) []byte {
	var b strings.Builder
	for _, p := range payloads {
		b.WriteString("data: " + p + "\n\n")
	}
	return []byte(b.String())
}

func chatChunk(delta, finish string) string {
	return `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}`
}

func chatCall(i int, name, args string) string {
	quoted, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"index":%d,"id":"call_%d","type":"function","function":{"name":%q,"arguments":%s}}`, i, i, name, quoted)
}

func chatCalls(n int, name, args func(i int) string) []byte {
	calls := make([]string, n)
	for i := range calls {
		calls[i] = chatCall(i, name(i), args(i))
	}
	return sseOf(chatChunk(`{"role":"assistant","tool_calls":[`+strings.Join(calls, ",")+`]}`, "null"), chatChunk("{}", `"tool_calls"`), "[DONE]")
}

func judgeChat(t *testing.T, stream, upstream []byte) Verdict {
	t.Helper()
	x := &capture.Exchange{ID: "a", Stream: &capture.Leg{Dialect: wire.OpenAIChat, Status: 200, Body: stream}}
	if upstream != nil {
		x.Upstream = []*capture.Leg{{Dialect: wire.OpenAIChat, Status: 200, Body: upstream}}
	}
	v, err := newChecker(t, Config{SDKs: []string{"openai-go"}}).Exchange(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// What is over a limit of ours is not judged: neither clean nor anybody's fault.
func TestOverALimitIsInconclusive(t *testing.T) {
	deep := strings.Repeat("[", wire.MaxDepth+1) + strings.Repeat("]", wire.MaxDepth+1)
	same := func(s string) func(int) string { return func(int) string { return s } }
	for name, c := range map[string]struct {
		body  []byte
		limit string
	}{
		"deep payload":   {sseOf(chatChunk(`{"content":"a","x":`+deep+`}`, `"stop"`), "[DONE]"), "limit events"},
		"deep arguments": {chatCalls(1, same("f"), same(deep)), "limit nesting"},
		"many calls":     {chatCalls(maxParts, same("f"), same("{}")), "limit parts"},
	} {
		v := judgeChat(t, c.body, nil)
		if len(v.Findings) != 0 || v.Worst != WorstIncomplete || v.WorstAny != WorstIncomplete || !strings.Contains(v.Reason, c.limit) {
			t.Errorf("%s: %s (%s) with %d findings, want %s with %s named", name, v.Worst, v.Reason, len(v.Findings), WorstIncomplete, c.limit)
		}
		for _, s := range v.SDKs {
			if s.API == "chat" && s.Outcome != Inconclusive && s.Outcome != NotApplicable || s.SDK == "openai-go" && !strings.Contains(s.Reason, c.limit) {
				t.Errorf("%s: %s %s: %s %q, want inconclusive with %s named", name, s.SDK, s.Mode, s.Outcome, s.Reason, c.limit)
			}
		}
	}
}

func TestUnknownCodingIsNotClean(t *testing.T) {
	v, err := newChecker(t, Config{SDKs: []string{"openai-go"}}).Exchange(context.Background(), &capture.Exchange{ID: "a",
		Stream: &capture.Leg{Dialect: wire.OpenAIChat, Status: 200, Body: []byte("x"), Headers: map[string][]string{"content-encoding": {"compress"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if v.Worst != WorstIncomplete || !strings.Contains(v.Reason, "compress") {
		t.Errorf("a stream that could not be read is %s (%s), want %s", v.Worst, v.Reason, WorstIncomplete)
	}
}

// A reply that was captured and cannot be laid beside the model's own is not clean either.
func TestUnreadUpstreamIsNotClean(t *testing.T) {
	upstream := chatCalls(maxParts, func(int) string { return "f" }, func(int) string { return "{}" })
	v := judgeChat(t, sseOf(chatChunk(`{"role":"assistant","content":"a"}`, `"stop"`), "[DONE]"), upstream)
	if v.Worst != WorstIncomplete || !strings.Contains(v.Reason, "leg upstream: limit parts") {
		t.Errorf("%s (%s), want %s with the leg and limit named", v.Worst, v.Reason, WorstIncomplete)
	}
}

// Thousands of calls, each unlike all others and unlike the reference's, take seconds at most and give a verdict that
// a person can read.
func TestManyDifferencesStayBounded(t *testing.T) {
	const n = maxParts - 1
	stream := chatCalls(n, func(i int) string { return fmt.Sprintf("x%d", i) }, func(i int) string { return fmt.Sprintf(`{"a":%d}`, i) })
	upstream := chatCalls(n-1, func(i int) string { return fmt.Sprintf("y%d", i) }, func(i int) string { return fmt.Sprintf(`{"b":%d}`, i) })
	upstream = []byte(strings.ReplaceAll(string(upstream), "call_", "other_"))
	begun := time.Now()
	v := judgeChat(t, stream, upstream)
	if took := time.Since(begun); took > 90*time.Second {
		t.Errorf("judging took %s", took)
	}
	if size := len(v.JSON()); size > 1<<20 || len(v.Findings) < 2 || v.Worst != WorstCorrupt {
		t.Errorf("%s with %d findings in %d bytes, want a corrupt verdict under 1 MiB", v.Worst, len(v.Findings), size)
	}
}

// Long names, ids and stop reasons of a hostile stream do not make the verdict long.
func TestLongTextsAreCutInVerdicts(t *testing.T) {
	long := strings.Repeat("é", 1<<20)
	var unknown []string
	for i := range 5000 {
		unknown = append(unknown, fmt.Sprintf(`"x%d":{}`, i))
	}
	chunk := strings.Replace(chatChunk(`{"role":"`+long+`","content":"a"}`, `"`+long+`"`), `"id":"c"`, strings.Join(unknown, ",")+`,"id":"`+long+`"`, 1)
	v := judgeChat(t, sseOf(chunk, "[DONE]"), sseOf(chatChunk(`{"role":"assistant","content":"a"}`, `"stop"`), "[DONE]"))
	if size := len(v.JSON()); size > 1<<20 {
		t.Errorf("the verdict has %d bytes", size)
	}
	total := 0
	for _, u := range v.Unread {
		total += u.Count
	}
	if len(v.Unread) > maxPaths+1 || total != 5000 {
		t.Errorf("%d unread paths with %d places, want at most %d with 5000", len(v.Unread), total, maxPaths+1)
	}
	if got := short(long); !strings.HasSuffix(got, "… (2097152 bytes)") || !json.Valid([]byte(`"`+got+`"`)) {
		t.Errorf("cut as %.20q…%q", got, got[len(got)-30:])
	}
}

// A verdict that is stored and read again is the same bytes, whatever the stream's own words are.
func TestVerdictsOfHalvesComeBackAsTheyWere(t *testing.T) {
	half := `"\ud83d \udc00"`
	v := judgeChat(t, sseOf(`{"id":`+half+`,"object":`+half+`,`+half+`:1,"model":"m","choices":[{"index":0,"delta":{"role":`+half+`,"content":`+half+`,`+half+
		`:{}},"finish_reason":`+half+`}]}`, "[DONE]"), sseOf(chatChunk(`{"role":"assistant","content":"a"}`, `"stop"`), "[DONE]"))
	text := v.JSON()
	again, err := DecodeVerdict(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(again.JSON()); got != string(text) || len(v.Findings) == 0 {
		t.Errorf("written as\n%s\nread and written as\n%s", text, got)
	}
}
