package node

import (
	"fmt"
	"strings"
	"testing"

	"reassay/sdkemu"
	"reassay/wire"
)

// What an SDK parses anew at every delta grows with the square of the text: Limits.Parse bounds it, in every version
// that does so, where the same deltas of a text that nobody parses pass. (anthropic-node parses a tool's input once,
// when it is looked at.)
func TestParseLimit(t *testing.T) {
	e := newEmulator(t)
	const deltas = 200
	schema, err := wire.Parse([]byte(`{"response_format":{"type":"json_schema","json_schema":{"name":"x","strict":true,"schema":{"type":"object"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	// A JSON object in deltas of one letter.
	body := strings.Replace(role, `"x"`, `"{\"a\":\""`, 1) +
		strings.Repeat(`data: {"choices":[{"index":0,"delta":{"content":"y"}}]}`+"\n\n", deltas) +
		`data: {"choices":[{"index":0,"delta":{"content":"\"}"}}]}` + "\n\n" + stop
	plain := sdkemu.Input{Body: []byte(body), ContentType: "text/event-stream"}
	parsed := plain
	parsed.Request, parsed.Parsed = schema, true
	for _, target := range e.Targets() {
		if target.Mode != sdkemu.ModeStream || target.API != sdkemu.Chat {
			continue
		}
		t.Run(target.Name(), func(t *testing.T) {
			e.Limits.Parse = 2 * len(body)
			if res := e.Run(t.Context(), target, plain); res.Outcome != sdkemu.OK {
				t.Errorf("a text that is not parsed is %+v", res)
			}
			want := fmt.Sprintf("limit parse: the SDK parsed more than %d bytes of JSON in all", e.Limits.Parse)
			if res := e.Run(t.Context(), target, parsed); res.Outcome != sdkemu.Inconclusive || res.Reason != want || res.Retryable {
				t.Errorf("a text that is parsed at every delta is %+v, want %s", res, want)
			}
			e.Limits.Parse = DefaultLimits.Parse
			if res := e.Run(t.Context(), target, parsed); res.Outcome != sdkemu.OK {
				t.Errorf("the same within the default limits is %+v", res)
			}
		})
	}
}

// Every text that JSON.parse is given counts, in every version.
func TestParseLimitOfEvents(t *testing.T) {
	e := newEmulator(t)
	e.Limits.Parse = 400
	for _, target := range e.Targets() {
		for _, s := range benchStreams(target.API) {
			res := e.Run(t.Context(), target, sdkemu.Input{Body: []byte(s.body), ContentType: "text/event-stream"})
			if res.Outcome != sdkemu.Inconclusive || !strings.HasPrefix(res.Reason, "limit parse: ") || res.Retryable {
				t.Errorf("%s, %s: %+v, want limit parse", target.Name(), s.name, res)
			}
		}
	}
}
