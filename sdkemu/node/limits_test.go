package node

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"reassay/sdkemu"
)

var chatStream = sdkemu.Target{SDK: "openai-node", Version: "5.23.2", API: sdkemu.Chat, Mode: sdkemu.ModeStream}

const (
	role = `data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"x"},"finish_reason":null}]}` + "\n\n"
	stop = `data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
)

func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

func extra(json string) string { return `data: {"id":"1","choices":[],"x":` + json + "}\n\n" }

// A stream over a limit is inconclusive with the limit's name; one at the limit runs.
func TestLimits(t *testing.T) {
	e := newEmulator(t)
	for name, c := range map[string]struct {
		body string
		want string // the limit's name, or ok
	}{
		"bytes at the limit":     {role + "data: " + strings.Repeat(" ", 16<<20-len(role)-len(stop)-len("data: ")-2) + "\n\n" + stop, "exception"},
		"bytes over":             {role + strings.Repeat(" ", 16<<20), "limit bytes"},
		"events over":            {strings.Repeat("\n", 200_001), "limit events"},
		"nesting at the limit":   {role + extra(nested(1998)) + stop, "ok"},
		"nesting over":           {role + extra(nested(100_000)) + stop, "limit nesting"},
		"nesting in a string":    {role + extra(`"`+nested(100_000)+`"`) + stop, "ok"},
		"choice index over":      {role + `data: {"choices":[{"index":4294967294,"delta":{"content":"x"}}]}` + "\n\n" + stop, "limit index"},
		"choice index as text":   {role + `data: {"choices":[{"index":"4294967294","delta":{"content":"x"}}]}` + "\n\n" + stop, "limit index"},
		"choice index in arrays": {role + `data: {"choices":[{"index":[["4294967294"]],"delta":{"content":"x"}}]}` + "\n\n" + stop, "limit index"},
		"choice index no index":  {`data: {"choices":[{"index":4294967295,"delta":{"role":"assistant","content":"x"},"finish_reason":"stop"}]}` + "\n\n", "exception"},
		"choice index a word":    {role + `data: {"choices":[{"index":"x","delta":{"content":"x"}}]}` + "\n\n" + stop, "ok"},
		"tool index over":        {role + `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":4294967294,"id":"a","type":"function"}]}}]}` + "\n\n" + stop, "limit index"},
		"index of something":     {role + extra(`{"index":4294967294}`) + stop, "ok"},
		"index 127":              {role + `data: {"choices":[{"index":127,"delta":{"role":"assistant","content":"x"},"finish_reason":"stop"}]}` + "\n\n" + stop, "ok"},
		"keys of the prototypes": {role + `data: {"choices":[{"index":"__proto__","__proto__":{"x":1},"delta":{"content":"x","__proto__":{"x":1}}}],"__proto__":{"x":1}}` + "\n\n" + stop, "exception"},
	} {
		t.Run(name, func(t *testing.T) {
			res := e.Run(t.Context(), chatStream, sdkemu.Input{Body: []byte(c.body), ContentType: "text/event-stream"})
			got := string(res.Outcome)
			if res.Outcome == sdkemu.Inconclusive {
				got, _, _ = strings.Cut(res.Reason, ":")
			}
			if got != c.want || res.Retryable {
				t.Errorf("%s (%s, retryable %v), want %s", got, res.Reason, res.Retryable, c.want)
			}
		})
	}
}

// Time is a limit that depends on the machine: it is retried, and the next stream is none the worse.
func TestTimeLimit(t *testing.T) {
	e := newEmulator(t)
	long := sdkemu.Input{Body: []byte(role + strings.Repeat(`data: {"id":"1","choices":[{"index":0,"delta":{"content":"some text"}}]}`+"\n\n", 50_000) + stop)}
	e.Limits.Time = 30 * time.Millisecond
	if res := e.Run(t.Context(), chatStream, long); res.Outcome != sdkemu.Inconclusive || !strings.HasPrefix(res.Reason, "limit time:") || !res.Retryable {
		t.Errorf("a run over its time is %+v", res)
	}
	e.Limits.Time = DefaultLimits.Time
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("shutting down"))
	if res := e.Run(ctx, chatStream, long); res.Outcome != sdkemu.Inconclusive || !strings.Contains(res.Reason, "shutting down") || !res.Retryable {
		t.Errorf("a run that was called off is %+v", res)
	}
	if res := e.Run(t.Context(), chatStream, sdkemu.Input{Body: []byte(role + stop)}); res.Outcome != sdkemu.OK {
		t.Errorf("the next run is %+v", res)
	}
}

// Deep recursion of an SDK's own functions cannot be caught in goja.
func TestCallDepth(t *testing.T) {
	e := newEmulator(t)
	content := fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":%q}}]}}]}`+"\n\n", nested(20_000))
	in := sdkemu.Input{Body: []byte(content + stop), Request: strictTool(t)}
	if res := e.Run(t.Context(), chatStream, in); res.Outcome != sdkemu.Inconclusive || !strings.HasPrefix(res.Reason, "limit calls:") {
		t.Errorf("recursion without end is %+v", res)
	}
}

func TestRefusals(t *testing.T) {
	e := newEmulator(t)
	unknown := chatStream
	unknown.Version = "0.0.1"
	for name, res := range map[string]sdkemu.Result{
		"unknown version": e.Run(t.Context(), unknown, sdkemu.Input{}),
		"status 99":       e.Run(t.Context(), chatStream, sdkemu.Input{Status: 99}),
		"status 600":      e.Run(t.Context(), chatStream, sdkemu.Input{Status: 600}),
	} {
		if res.Outcome != sdkemu.Failed || res.Reason == "" {
			t.Errorf("%s is %+v", name, res)
		}
	}
}

func TestBlankLines(t *testing.T) {
	for body, want := range map[string]int{"": 0, "a": 0, "a\n": 0, "a\n\n": 1, "a\r\n\r\nb\r\r": 2, "\n": 1, "\r\n": 1, "\n\r\n\r": 3, "a\n\n\n": 2} {
		if got := blankLines([]byte(body)); got != want {
			t.Errorf("%q has %d blank lines, want %d", body, got, want)
		}
	}
}

func TestChunkLimit(t *testing.T) {
	e := newEmulator(t)
	body := []byte(role + strings.Repeat(":", e.Limits.Chunks) + "\n\n" + stop)
	cuts, err := sdkemu.Byte.Cuts(body)
	if err != nil {
		t.Fatal(err)
	}
	if res := e.Run(t.Context(), chatStream, sdkemu.Input{Body: body, Cuts: cuts}); res.Outcome != sdkemu.Inconclusive || !strings.HasPrefix(res.Reason, "limit chunks: ") || res.Retryable {
		t.Errorf("%s (%s, retryable %v), want limit chunks", res.Outcome, res.Reason, res.Retryable)
	}
}

// A run that is over before it begins gives no outcome of the SDK's, however short the stream.
func TestRunThatIsOverBeforeItBegins(t *testing.T) {
	e := newEmulator(t)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for range 50 {
		res := e.Run(over, e.Targets()[0], sdkemu.Input{Body: []byte("data: [DONE]\n\n")})
		if res.Outcome != sdkemu.Inconclusive || !res.Retryable {
			t.Fatalf("%+v", res)
		}
	}
}
