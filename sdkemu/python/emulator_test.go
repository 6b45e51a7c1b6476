package python

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"reassay/sdkemu"
	"reassay/wire"
)

// TestTablesAreCurrent writes the tables anew from the installed package and interpreter: the files must say the same.
func TestTablesAreCurrent(t *testing.T) {
	for i := range releases {
		r := &releases[i]
		startReference(t, r) // fails when the package is not there
		for script, file := range map[string]string{"schema.py": "schema-" + r.name() + ".json", "unicode.py": "unicode-python-3.11.txt"} {
			want, err := exec.Command(filepath.Join(r.environment(), "bin", "python"), "-B", script).Output()
			if err != nil {
				t.Fatalf("%s: %s: %v", r.name(), script, err)
			}
			got, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s is not what %s writes: run `make python-schemas`", file, script)
			}
		}
	}
}

// TestConcurrentRuns runs streams of all kinds side by side: one Emulator serves any number of goroutines.
func TestConcurrentRuns(t *testing.T) {
	e := New()
	specimens := probes(t, &releases[0], sdkemu.Chat)[:800]
	want := make([]string, len(specimens))
	for i, s := range specimens {
		want[i] = fmt.Sprintf("%+v", resultOf(e.Run(t.Context(), s.target, s.input)))
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range specimens {
				i = (i + g*200) % len(specimens)
				s := specimens[i]
				if got := fmt.Sprintf("%+v", resultOf(e.Run(t.Context(), s.target, s.input))); got != want[i] {
					t.Errorf("%s: %s, alone: %s", s.name, got, want[i])
				}
			}
		})
	}
	wg.Wait()
}

func resultOf(r sdkemu.Result) any {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return string(text)
}

// TestLimits meets each limit and wants it named.
func TestLimits(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	calls := func(n int) string { // n tool calls, then chunks that the fast way does not take
		var b strings.Builder
		b.WriteString(chunkOf(`{"role":"assistant","tool_calls":[`+strings.Repeat(`{"index":0},`, n)+`{"index":0}]}`, "null"))
		for range 50 {
			b.WriteString(chunkOf(`{"n":1}`, "null"))
		}
		return b.String()
	}
	failing := func(n int) string { // n output items, then failures without an output, for which each is copied
		var b strings.Builder
		b.WriteString(`data: {"type":"response.created","response":{"id":"r","output":[]}}` + "\n\n")
		for i := range n {
			fmt.Fprintf(&b, `data: {"type":"response.output_item.added","output_index":%d,"item":{"type":"reasoning","id":"i","summary":[]}}`+"\n\n", i)
		}
		for range 20 {
			b.WriteString(`data: {"type":"response.failed","response":{"id":"r"}}` + "\n\n")
		}
		return b.String()
	}
	for _, c := range []struct {
		name   string
		ctx    context.Context
		limits Limits
		target sdkemu.Target
		input  sdkemu.Input
		want   sdkemu.Outcome
		reason string
	}{
		{"bytes", t.Context(), Limits{Bytes: 10, Work: 10}, target(sdkemu.Chat, sdkemu.ModeStream), sdkemu.Input{Body: []byte("data: [DONE]\n\n")}, sdkemu.Inconclusive, "limit bytes: more than 10"},
		{"work", t.Context(), Limits{Bytes: 1 << 20, Work: 500}, target(sdkemu.Chat, sdkemu.ModeStream), sdkemu.Input{Body: []byte(calls(50))}, sdkemu.Inconclusive, "limit work: more than 500"},
		{"work of copies", t.Context(), Limits{Bytes: 1 << 20, Work: 5000}, sdkemu.Target{SDK: sdkOpenAI, Version: "3.57.0", API: sdkemu.Responses, Mode: sdkemu.ModeStream}, sdkemu.Input{Body: []byte(failing(50))}, sdkemu.Inconclusive, "limit work: more than 5000"},
		{"time", cancelled, DefaultLimits, target(sdkemu.Chat, sdkemu.ModeStream), sdkemu.Input{Body: textStream(10)}, sdkemu.Inconclusive, "limit time"},
		{"redirect", t.Context(), DefaultLimits, target(sdkemu.Chat, sdkemu.ModeIterate), sdkemu.Input{Status: 302, Headers: map[string][]string{"location": {"/x"}}}, sdkemu.Inconclusive, "limit redirects: the reply names another location"},
		{"charset", t.Context(), DefaultLimits, target(sdkemu.Chat, sdkemu.ModeIterate), sdkemu.Input{Status: 400, ContentType: "text/plain; charset=shift_jis"}, sdkemu.Inconclusive, "limit charsets of an error body: shift_jis"},
		{"version", t.Context(), DefaultLimits, sdkemu.Target{SDK: sdkOpenAI, Version: "0.1.0", API: sdkemu.Chat, Mode: sdkemu.ModeStream}, sdkemu.Input{}, sdkemu.Failed, "openai-python@0.1.0/chat/stream is not built in"},
		{"api", t.Context(), DefaultLimits, sdkemu.Target{SDK: sdkOpenAI, Version: "2.54.0", API: sdkemu.AnthropicMessages, Mode: sdkemu.ModeStream}, sdkemu.Input{}, sdkemu.Failed, "openai-python@2.54.0/anthropic-messages/stream is not built in"},
	} {
		r := (&Emulator{limits: c.limits}).Run(c.ctx, c.target, c.input)
		if r.Outcome != c.want || r.Reason != c.reason || r.Retryable != (c.name == "time") || r.Assembled != nil || r.Exception != nil {
			t.Errorf("%s: %+v, want %s %q", c.name, r, c.want, c.reason)
		}
	}
}

// FuzzRun gives any bytes to every target: nothing may panic, what is assembled is JSON, and the outcome is the
// package's or a named limit, never a fault of ours.
func FuzzRun(f *testing.F) {
	f.Add([]byte("data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n"), 200, false)
	f.Add([]byte("data: {\"type\":\"response.created\",\"response\":{\"output\":[]}}\r\n\r\n"), 200, true)
	f.Add([]byte("{\"error\":{}}"), 429, false)
	f.Add(messageTools(12), 0, false)
	f.Add(messageCitations(8), 0, true)
	e := New()
	f.Fuzz(func(t *testing.T, body []byte, status int, parsed bool) {
		in := sdkemu.Input{Status: 200 + status%400, Body: body, Parsed: parsed}
		if len(body) > 3 {
			in.Cuts = []int{1, len(body) / 2}
		}
		for _, target := range e.Targets() {
			r := e.Run(t.Context(), target, in)
			if r.Outcome == sdkemu.Failed || (r.Outcome == sdkemu.Exception) != (r.Exception != nil) {
				t.Errorf("%s: %+v", target.Name(), r)
			}
			if len(r.Assembled) > 0 {
				if _, err := wire.Parse(r.Assembled); err != nil {
					t.Errorf("%s: assembled is not JSON: %v", target.Name(), err)
				}
			}
		}
	})
}

// FuzzLoads reads any text with both JSON readers: what is JSON by RFC 8259 is read by both.
func FuzzLoads(f *testing.F) {
	for _, text := range []string{`{"a":[1,-2.5e3,"\ud83d\ude00",null,true]}`, `[NaN]`, `"\u12`, `{"a":1,"a":2}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := loads(text, 900)
		_, fault := parseWhole(text)
		v, werr := wire.Parse([]byte(text))
		if werr != nil || deeper(v, jiterDepth) || longNumber(text) || !utf8Text(text) {
			return
		}
		if err != nil {
			t.Errorf("loads(%q): %v", text, err)
		}
		if fault != nil && !strings.Contains(text, `\u`) {
			t.Errorf("parseWhole(%q): %v", text, fault)
		}
	})
}

func deeper(v wire.Value, depth int) bool {
	if depth == 0 {
		return true
	}
	for _, e := range v.Elems() {
		if deeper(e, depth-1) {
			return true
		}
	}
	for _, m := range v.Members() {
		if deeper(m.Value, depth-1) {
			return true
		}
	}
	return false
}

func longNumber(text string) bool { return len(text) > maxDigits }

func utf8Text(text string) bool { return strings.ToValidUTF8(text, "") == text }

// TestTaken wants to know the stream's own event where the helper's count is another.
func TestTaken(t *testing.T) {
	body := chunkOf(`{"role":"assistant","content":"a"}`, "null") + chunkOf(`{"content":"b"}`, "null") + "data: {\n\n"
	for _, c := range []struct {
		mode  sdkemu.Mode
		at    string
		taken string
	}{
		{sdkemu.ModeStream, "4", "2"}, // a chunk and a content.delta each
		{sdkemu.ModeIterate, "2", "nil"},
	} {
		e := New().Run(t.Context(), target(sdkemu.Chat, c.mode), sdkemu.Input{Body: []byte(body)}).Exception
		taken := "nil"
		if e != nil && e.Taken != nil {
			taken = fmt.Sprint(*e.Taken)
		}
		if e == nil || string(e.AtEvent) != c.at || taken != c.taken {
			t.Errorf("%s: %+v, taken %s, want at event %s, taken %s", c.mode, e, taken, c.at, c.taken)
		}
	}
}
