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
	e := New()
	return e.Run(context.Background(), sdkemu.Target{SDK: sdkOpenAI, Version: e.version, API: sdkemu.Chat, Mode: mode}, in)
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
	var nobody *chatRun
	err := nobody.guarded(context.Background(), sdkemu.Input{Body: []byte(hello)})
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
