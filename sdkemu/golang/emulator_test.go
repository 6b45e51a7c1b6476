package golang

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"reassay/sdkemu"
	"reassay/wire"
)

const hello = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"},"finish_reason":null}]}

data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":"stop"}]}

`

func run(t *testing.T, mode sdkemu.Mode, in sdkemu.Input) sdkemu.Result {
	t.Helper()
	return runAPI(t, "openai-go", sdkemu.Chat, mode, in)
}

func runAPI(t *testing.T, sdk string, api sdkemu.API, mode sdkemu.Mode, in sdkemu.Input) sdkemu.Result {
	t.Helper()
	e := New()
	for _, target := range e.Targets() {
		if target.SDK == sdk && target.API == api && target.Mode == mode {
			return e.Run(t.Context(), target, in)
		}
	}
	t.Fatalf("%s has no %s/%s", sdk, api, mode)
	return sdkemu.Result{}
}

func TestStreamAccumulates(t *testing.T) {
	got := run(t, sdkemu.ModeStream, sdkemu.Input{Body: []byte(hello + "data: [DONE]\n\n")})
	if got.Outcome != sdkemu.OK {
		t.Fatalf("outcome %s: %+v", got.Outcome, got.Exception)
	}
	v, err := wire.Parse(got.Assembled)
	if err != nil {
		t.Fatal(err)
	}
	if text := v.Get("choices").At(0).Path("message", "content").Str(); text != "Hello" {
		t.Errorf("content %q, want %q", text, "Hello")
	}
}

func TestIterateListsChunks(t *testing.T) {
	got := run(t, sdkemu.ModeIterate, sdkemu.Input{Body: []byte(hello + "data: [DONE]\n\n")})
	var chunks []json.RawMessage
	if err := json.Unmarshal(got.Assembled, &chunks); err != nil || len(chunks) != 2 {
		t.Fatalf("%d chunks (%v), want 2", len(chunks), err)
	}
}

// Every chunking of one stream must have one outcome: the SDK reads lines, not reads.
func TestChunkingDoesNotMatter(t *testing.T) {
	body := []byte(hello + "data: [DONE]\n\n")
	whole := run(t, sdkemu.ModeStream, sdkemu.Input{Body: body})
	var each []int
	for i := range body {
		each = append(each, i+1)
	}
	cut := run(t, sdkemu.ModeStream, sdkemu.Input{Body: body, Cuts: each})
	if string(whole.Assembled) != string(cut.Assembled) {
		t.Errorf("byte by byte %s, whole %s", cut.Assembled, whole.Assembled)
	}
}

func TestExceptions(t *testing.T) {
	for _, c := range []struct {
		name           string
		in             sdkemu.Input
		class, message string
		at             string
	}{
		{"error event", sdkemu.Input{Body: []byte(hello + "data: {\"error\":{\"message\":\"overloaded\"}}\n\n")},
			"*ssestream.StreamError", `received error while streaming: {"message":"overloaded"}`, "2"},
		{"status 429", sdkemu.Input{Status: 429, ContentType: "application/json", Body: []byte(`{"error":{"message":"slow down"}}`)},
			"*apierror.Error", "OpenAI API error: 429 Too Many Requests", "null"},
		{"broken transport", sdkemu.Input{Body: []byte(hello), Break: &sdkemu.Break{Message: "reset"}},
			"*errors.errorString", "unexpected EOF", "2"},
		{"broken JSON", sdkemu.Input{Body: []byte("data: {\"id\n\n")},
			"*json.SyntaxError", "invalid character '\\n' in string literal", "0"},
	} {
		got := run(t, sdkemu.ModeStream, c.in)
		if got.Outcome != sdkemu.Exception {
			t.Errorf("%s: outcome %s (%s), want exception", c.name, got.Outcome, got.Reason)
			continue
		}
		if e := got.Exception; e.Class != c.class || e.Message != c.message || string(e.AtEvent) != c.at {
			t.Errorf("%s: %s %q at %s, want %s %q at %s", c.name, e.Class, e.Message, e.AtEvent, c.class, c.message, c.at)
		}
	}
}

func TestPanicIsTold(t *testing.T) {
	var nobody *pass
	err := nobody.guarded(context.Background(), openAIChat, sdkemu.Input{Body: []byte(hello)})
	if err == nil {
		t.Fatal("a panic in the run was swallowed")
	}
	if d := describe(err, nil); d.Class != "panic" || !strings.Contains(d.Message, "nil pointer") {
		t.Errorf("got %+v", d)
	}
}

func TestLimits(t *testing.T) {
	e := New()
	e.limits = Limits{Bytes: 1 << 20, Events: 1}
	got := e.Run(context.Background(), e.Targets()[0], sdkemu.Input{Body: []byte(hello)})
	if got.Outcome != sdkemu.Inconclusive || !strings.Contains(got.Reason, "limit events") {
		t.Errorf("got %s %q", got.Outcome, got.Reason)
	}
	e.limits.Bytes = 3
	got = e.Run(context.Background(), e.Targets()[0], sdkemu.Input{Body: []byte(hello)})
	if got.Outcome != sdkemu.Inconclusive || !strings.Contains(got.Reason, "limit bytes") {
		t.Errorf("got %s %q", got.Outcome, got.Reason)
	}
}

// The environment of the person who runs reassay must not reach the SDK.
func TestEnvironmentDoesNotMatter(t *testing.T) {
	t.Setenv("OPENAI_BASE_URL", "http://localhost:1/elsewhere")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "broken")
	if got := run(t, sdkemu.ModeStream, sdkemu.Input{Body: []byte(hello)}); got.Outcome != sdkemu.OK {
		t.Errorf("outcome %s: %+v", got.Outcome, got.Exception)
	}
}

func TestPinnedIsWhatGoModSays(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for module, version := range pinned {
		if !strings.Contains(string(mod), module+" v"+version) {
			t.Errorf("go.mod does not require %s v%s", module, version)
		}
	}
}

const message = `event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"f","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"a\":1}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":9}}

event: message_stop
data: {"type":"message_stop"}

`

func TestMessagesAccumulate(t *testing.T) {
	got := runAPI(t, "anthropic-go", sdkemu.AnthropicMessages, sdkemu.ModeStream, sdkemu.Input{Body: []byte(message)})
	if got.Outcome != sdkemu.OK {
		t.Fatalf("outcome %s: %+v", got.Outcome, got.Exception)
	}
	v, err := wire.Parse(got.Assembled)
	if err != nil {
		t.Fatal(err)
	}
	if text := v.Get("content").At(0).Get("text").Str(); text != "Hello" {
		t.Errorf("text %q, want Hello", text)
	}
	if input := v.Get("content").At(1).Path("input", "a").Num(); input != "1" {
		t.Errorf("input a is %q, want 1: %s", input, got.Assembled)
	}
	if stop := v.Get("stop_reason").Str(); stop != "tool_use" {
		t.Errorf("stop_reason %q, want tool_use", stop)
	}
}

// A block that opens at an index that is not the next one ends the documented loop (messageutil.go).
func TestMessagesRefuseAGap(t *testing.T) {
	gap := strings.Replace(message, `"index":1,"content_block"`, `"index":2,"content_block"`, 1)
	got := runAPI(t, "anthropic-go", sdkemu.AnthropicMessages, sdkemu.ModeStream, sdkemu.Input{Body: []byte(gap)})
	if got.Outcome != sdkemu.Exception || !strings.Contains(got.Exception.Message, "expected index 1") {
		t.Errorf("outcome %s: %+v", got.Outcome, got.Exception)
	}
	if string(got.Exception.AtEvent) != "4" {
		t.Errorf("at event %s, want 4", got.Exception.AtEvent)
	}
}

func TestResponsesIterate(t *testing.T) {
	body := "event: response.created\ndata: {\"type\":\"response.created\",\"sequence_number\":0,\"response\":{\"id\":\"r\",\"output\":[]}}\n\n"
	got := runAPI(t, "openai-go", sdkemu.Responses, sdkemu.ModeIterate, sdkemu.Input{Body: []byte(body)})
	var list []json.RawMessage
	if err := json.Unmarshal(got.Assembled, &list); err != nil || len(list) != 1 || got.Outcome != sdkemu.OK {
		t.Errorf("outcome %s, %d events (%v)", got.Outcome, len(list), err)
	}
}

// A stream that ends inside a tool's arguments raises nothing in Message.Accumulate: its caller holds input that is no
// JSON, and no exception.
func TestInputThatIsNoJSON(t *testing.T) {
	const cut = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"x\",\"content\":[],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\n" +
		"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"n\",\"input\":{}}}\n\n" +
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"a\\\": 1 \"}}\n\n"
	got := runAPI(t, "anthropic-go", sdkemu.AnthropicMessages, sdkemu.ModeStream, sdkemu.Input{Body: []byte(cut)})
	if got.Outcome != sdkemu.OK {
		t.Fatalf("outcome %s: %+v %s", got.Outcome, got.Exception, got.Reason)
	}
	v, err := wire.Parse(got.Assembled)
	if err != nil {
		t.Fatal(err)
	}
	if input := v.Get("content").At(0).Get("input"); input.Str() != `{"a": 1 ` {
		t.Errorf("input %s, want the text that came", input.JSON())
	}
}

// What JSON has no number for is held by the caller all the same, and rendered as the contract says (section 4).
func TestNumbersThatJSONLacks(t *testing.T) {
	for word, want := range map[string]string{"NaN": "NaN", "-Infinity": "-Infinity", "Infinity": "Infinity"} {
		body := `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"a"},"logprobs":{"content":[{"token":"a","logprob":"` + word + `","bytes":[97],"top_logprobs":[]}]},"finish_reason":"stop"}]}` + "\n\n"
		for mode, path := range map[sdkemu.Mode]func(wire.Value) wire.Value{
			sdkemu.ModeStream:  func(v wire.Value) wire.Value { return v },
			sdkemu.ModeIterate: func(v wire.Value) wire.Value { return v.At(0) },
		} {
			got := run(t, mode, sdkemu.Input{Body: []byte(body)})
			v, err := wire.Parse(got.Assembled)
			if err != nil {
				t.Fatalf("%s, %s: %v of %+v", word, mode, err, got)
			}
			number := path(v).Get("choices").At(0).Path("logprobs", "content").At(0).Get("logprob")
			if number.Get("$").Str() != want {
				t.Errorf("%s, %s: rendered as %s", word, mode, number.JSON())
			}
		}
	}
}
