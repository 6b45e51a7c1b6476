package sse

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reassay/wire"
)

// show is an event in short: type, frame, offset, and its data or error.
func show(e Event) string {
	what := string(e.Data.JSON())
	if e.Err != nil {
		what = "error: " + e.Err.Error()
	}
	return fmt.Sprintf("%s f%d @%d %s", e.Type, e.Frame, e.Offset, what)
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name   string
		d      wire.Dialect
		body   string
		form   Form
		frames int
		events []string
	}{
		{"nothing", wire.OpenAIChat, "", FormEmpty, 0, nil},
		{"white space", wire.OpenAIChat, " \r\n\t\n", FormEmpty, 0, nil},
		{"byte order mark alone", wire.OpenAIChat, "\uFEFF", FormEmpty, 0, nil},
		{"chat", wire.OpenAIChat, "data: {\"a\":1}\n\ndata: {\"a\":2}\n\ndata: [DONE]\n\n", FormSSE, 3,
			[]string{` f0 @6 {"a":1}`, ` f1 @21 {"a":2}`, `[DONE] f2 @36 null`}},
		{"done with spaces", wire.OpenAIChat, "data:   [DONE] \t\n\n", FormSSE, 1, []string{`[DONE] f0 @6 null`}},
		{"done in another dialect", wire.AnthropicMessages, "event: message_stop\ndata: [DONE]\n\n", FormSSE, 1, []string{`[DONE] f0 @26 null`}},
		{"done in lower case is no sentinel", wire.OpenAIChat, "data: [done]\n\n", FormSSE, 1, []string{` f0 @6 error: not a JSON value at byte 1`}},
		{"the payload's type before the name", wire.AnthropicMessages, "event: ping\ndata: {\"type\":\"message_stop\"}\n\n", FormSSE, 1,
			[]string{`message_stop f0 @18 {"type":"message_stop"}`}},
		{"the name without a type", wire.OpenAIResponses, "event: response.done\ndata: {}\n\n", FormSSE, 1, []string{`response.done f0 @27 {}`}},
		{"a type that spells the sentinel", wire.OpenAIResponses, "event: [DONE]\ndata: {\"type\":\"[DONE]\"}\n\n", FormSSE, 1,
			[]string{` f0 @20 {"type":"[DONE]"}`}},
		{"a type that is no string", wire.OpenAIResponses, "event: e\ndata: {\"type\":1}\n\n", FormSSE, 1, []string{`e f0 @15 {"type":1}`}},
		{"a frame without data", wire.AnthropicMessages, "event: ping\n\n: c\n\ndata: {}\n\n", FormSSE, 3, []string{` f2 @24 {}`}},
		{"empty data", wire.OpenAIChat, "data:\n\n", FormSSE, 1, []string{` f0 @5 error: the text ends where a value should begin at byte 0`}},
		{"no blank line", wire.OpenAIChat, "data: {}\n\ndata: {\"a\":1}", FormSSE, 2, []string{` f0 @6 {}`, ` f1 @16 {"a":1}`}},
		{"cut payload", wire.OpenAIChat, "data: {}\n\ndata: {\"a\":", FormSSE, 2,
			[]string{` f0 @6 {}`, ` f1 @16 error: the text ends where a value should begin at byte 5`}},
		{"over lines", wire.GeminiGenerate, "data: {\ndata: \"a\": 1}\n\n", FormSSE, 1, []string{` f0 @6 {"a":1}`}},
		{"comments only", wire.OpenAIChat, ": keep-alive\n\n", FormSSE, 1, nil},
		{"byte order mark", wire.OpenAIChat, "\uFEFFdata: {}\n\n", FormSSE, 1, []string{` f0 @9 {}`}},
		{"text before the first frame", wire.OpenAIChat, "{\"warning\":1}\ndata: {}\n\n", FormSSE, 1, []string{` f0 @20 {}`}},
		{"CR line ends", wire.OpenAIChat, "data: {}\r\rdata: [DONE]\r\r", FormSSE, 2, []string{` f0 @6 {}`, `[DONE] f1 @16 null`}},
		{"object", wire.OpenAIChat, "\uFEFF \n{\"type\":\"message\"}\n ", FormObject, 0, []string{`message f0 @5 {"type":"message"}`}},
		{"object over lines", wire.OpenAIChat, "{\n  \"data\":\n1}", FormObject, 0, []string{` f0 @0 {"data":1}`}},
		{"array", wire.GeminiGenerate, " [{\"a\":1}\n,\r\n{\"a\":2}]\n", FormArray, 0, []string{` f0 @2 {"a":1}`, ` f1 @13 {"a":2}`}},
		{"empty array", wire.GeminiGenerate, "[ ]", FormArray, 0, nil},
		{"array cut in an element", wire.GeminiGenerate, `[{"a":1},{"a":`, FormArray, 0,
			[]string{` f0 @1 {"a":1}`, ` f1 @9 error: the array of chunks is cut off: the text ends where a value should begin at byte 5`}},
		{"array cut after an element", wire.GeminiGenerate, "[{\"a\":1}\n", FormArray, 0,
			[]string{` f0 @1 {"a":1}`, ` f1 @9 error: the array of chunks is cut off`}},
		{"array cut after a comma", wire.GeminiGenerate, `[{"a":1},`, FormArray, 0,
			[]string{` f0 @1 {"a":1}`, ` f1 @9 error: the array of chunks is cut off`}},
		{"array cut at its beginning", wire.GeminiGenerate, "[\n", FormArray, 0, []string{` f0 @2 error: the array of chunks is cut off`}},
		{"array with a broken element", wire.GeminiGenerate, `[{"a":1},{a},{}]`, FormArray, 0,
			[]string{` f0 @1 {"a":1}`, ` f1 @9 error: want a key in double quotes at byte 1`}},
		{"array without commas", wire.GeminiGenerate, `[{} {}]`, FormArray, 0, []string{` f0 @1 {}`, ` f1 @4 error: want ',' or ']' after an element`}},
		{"text after an array", wire.GeminiGenerate, `[{}]x`, FormArray, 0, []string{` f0 @1 {}`, ` f1 @4 error: text after the array`}},
		{"the sentinel alone", wire.OpenAIChat, "[DONE]", FormOther, 0, []string{` f0 @0 error: not a JSON value at byte 1`}},
		{"HTML", wire.OpenAIChat, "<!DOCTYPE html>\n<p>502</p>\n", FormOther, 0, []string{` f0 @0 error: not a JSON value at byte 0`}},
		{"plain text", wire.OpenAIChat, "upstream connect error: reset", FormOther, 0, []string{` f0 @0 error: not a JSON value at byte 0`}},
		{"JSON lines", wire.OpenAIChat, "{\"a\":1}\n{\"a\":2}\n", FormOther, 0, []string{` f0 @0 error: text after the value at byte 8`}},
		{"broken object", wire.OpenAIChat, "{\"a\":", FormOther, 0, []string{` f0 @0 error: the text ends where a value should begin at byte 5`}},
		{"text that begins as an object", wire.OpenAIChat, "{error: rate limited}", FormOther, 0, []string{` f0 @0 error: want a key in double quotes at byte 1`}},
		{"a JSON string", wire.OpenAIChat, `"overloaded"`, FormOther, 0, []string{` f0 @0 error: the body is a JSON string, want an object`}},
		{"null", wire.OpenAIChat, `null`, FormOther, 0, []string{` f0 @0 error: the body is a JSON null, want an object`}},
		{"fields with a space before them", wire.OpenAIChat, " data: {}\n\n", FormOther, 0, []string{` f0 @1 error: not a JSON value at byte 0`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := []byte(c.body)
			s := Parse(c.d, body)
			if string(body) != c.body {
				t.Errorf("Parse changed the body to %q", body)
			}
			var got []string
			for i, e := range s.Events {
				if e.Index != i {
					t.Errorf("event %d has index %d", i, e.Index)
				}
				got = append(got, show(e))
			}
			if s.Form != c.form || len(s.Frames) != c.frames || s.Err != nil || strings.Join(got, "\n") != strings.Join(c.events, "\n") {
				t.Errorf("got %s, %d frames, error %v, events\n%s\nwant %s, %d frames, events\n%s",
					s.Form, len(s.Frames), s.Err, strings.Join(got, "\n"), c.form, c.frames, strings.Join(c.events, "\n"))
			}
		})
	}
	if s := Parse(wire.GeminiGenerate, []byte(`[{"a":`)); !errors.Is(s.Events[0].Err, ErrCut) {
		t.Errorf("%v does not tell that the array was cut", s.Events[0].Err)
	}
}

func TestRawIsTheSentinelAsItWasSpelt(t *testing.T) {
	s := Parse(wire.OpenAIChat, []byte("data: [DONE]  \n\n"))
	if got := string(s.Events[0].Raw); got != "[DONE]  " {
		t.Errorf("got %q", got)
	}
}

func TestParseStopsAtTheFrameLimit(t *testing.T) {
	body := append([]byte("data: {}\n\ndata: "), bytes.Repeat([]byte("x"), DefaultMaxFrame)...)
	s := Parse(wire.OpenAIChat, body)
	var at *Error
	if len(s.Events) != 1 || !errors.As(s.Err, &at) || at.Offset != 10 {
		t.Errorf("%d events, %v; want one event and an error at byte 10", len(s.Events), s.Err)
	}
	if s.Err != nil && s.Err.Error() != "frame at byte 10: frame over the size limit of 67108864 bytes" {
		t.Error(s.Err)
	}
}

func TestParseStopsAtTheCountLimits(t *testing.T) {
	const most = 10
	for name, c := range map[string]struct {
		body   string
		events int
		err    string
	}{
		"frames": {strings.Repeat("data\n\n", most+1), most, "frame at byte 60: more than 10 frames or 40 lines"},
		"lines":  {strings.Repeat(strings.Repeat(":\n", 9)+"data\n\n", 5), 4, "frame at byte 96: more than 10 frames or 40 lines"},
		"within": {strings.Repeat(":\n:\n:\ndata\n\n", most), most, ""},
	} {
		s := parse([]byte(c.body), most)
		got := ""
		if s.Err != nil {
			got = s.Err.Error()
		}
		if len(s.Events) != c.events || got != c.err {
			t.Errorf("%s: %d events, %q; want %d, %q", name, len(s.Events), got, c.events, c.err)
		}
	}
	s := parse([]byte("["+strings.Repeat("0,", most+1)), most)
	if n := len(s.Events); n != most+1 || s.Events[most].Err == nil || s.Err == nil {
		t.Errorf("array: %d events", n)
	}
	s = Parse(wire.OpenAIChat, []byte("data\n\n"+strings.Repeat("x\n", maxLines+1)))
	if len(s.Events) != 1 || s.Err == nil || s.Err.Error() != "frame at byte 6: frame of more than 1048576 lines" {
		t.Errorf("a frame of many lines: %d events, %v", len(s.Events), s.Err)
	}
}

func TestByteOfAJoinedPayload(t *testing.T) {
	body := []byte("event: e\ndata: {\"a\":\r\nid: 1\ndata:   [true,\ndata:null]}\n\n")
	s := Parse(wire.GeminiGenerate, body)
	a := s.Events[0].Data.Get("a")
	for want, v := range map[string]wire.Value{`{"a"`: s.Events[0].Data, `[true`: a, `true,`: a.At(0), `null]`: a.At(1)} {
		if at := s.Byte(s.Events[0], v.Offset()); !bytes.HasPrefix(body[at:], []byte(want)) {
			t.Errorf("byte %d shows %.6q, want %s", at, body[at:], want)
		}
	}
	if at := s.Byte(s.Events[0], 1<<20); at != len(body)-2 {
		t.Errorf("past the payload: %d", at)
	}
	array := Parse(wire.GeminiGenerate, []byte(`[{"a":1}]`))
	if at := array.Byte(array.Events[0], 5); at != 6 {
		t.Errorf("in an array: %d", at)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"data: {\"type\":\"x\"}\n\ndata: [DONE]\n\n", "[{\"a\":1},\n{\"b\":", "{\"a\":1}\n{", "\uFEFF{\"a\":[1]}", "event: a\ndata: {\ndata: }\n", "<html>", "[ ]", "[1,2]x",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		before := string(body)
		s := Parse(wire.GeminiGenerate, body)
		if string(body) != before {
			t.Fatalf("Parse changed the body to %q", body)
		}
		switch s.Form {
		case FormEmpty, FormSSE, FormArray:
		case FormObject, FormOther:
			if len(s.Events) != 1 {
				t.Fatalf("%s with %d events", s.Form, len(s.Events))
			}
		default:
			t.Fatalf("unknown form %q", s.Form)
		}
		if s.Form != FormSSE && len(s.Frames) > 0 {
			t.Fatalf("%s with frames", s.Form)
		}
		last := -1
		for i, e := range s.Events {
			if e.Index != i || e.Offset < last || e.Offset > len(body) || s.Byte(e, 0) != e.Offset {
				t.Fatalf("event %d: %+v after byte %d", i, e, last)
			}
			last = e.Offset
			if (e.Err != nil || e.Type == Done) == e.Data.Exists() {
				t.Fatalf("event %+v", e)
			}
			if s.Form == FormSSE {
				if e.Frame >= len(s.Frames) || !s.Frames[e.Frame].HasData {
					t.Fatalf("event %+v has no frame with data", e)
				}
			} else if !bytes.HasPrefix(body[e.Offset:], e.Raw) {
				t.Fatalf("event %+v is not what stands at its offset", e)
			}
		}
	})
}

// BenchmarkParse reads a chat stream of about 1 MiB.
func BenchmarkParse(b *testing.B) {
	chunk := `data: {"id":"chatcmpl-9x","object":"chat.completion.chunk","created":1764500000,"model":"demo-large","choices":[{"index":0,"delta":{"content":" birch"},"logprobs":null,"finish_reason":null}]}` + "\n\n"
	body := []byte(strings.Repeat(chunk, 1<<20/len(chunk)) + "data: [DONE]\n\n")
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if s := Parse(wire.OpenAIChat, body); len(s.Events) < 2 {
			b.Fatal(len(s.Events))
		}
	}
}

func BenchmarkReader(b *testing.B) {
	body := []byte(strings.Repeat("event: x\ndata: "+strings.Repeat("y", 200)+"\n\n", 5000))
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := readAll(NewReader(bytes.NewReader(body))); err != nil {
			b.Fatal(err)
		}
	}
}

// TestRecordedStreams reads the bodies of every recorded exchange: each event's payload stands where it says.
func TestRecordedStreams(t *testing.T) {
	files, err := filepath.Glob("../fixtures/captures/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no captures: %v", err)
	}
	forms := map[Form]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
			x, err := wire.Parse(line)
			if err != nil {
				t.Fatal(err)
			}
			for _, leg := range []string{"upstream", "stream", "non_stream"} {
				if !x.Get(leg).Exists() {
					continue
				}
				body := []byte(x.Path(leg, "body").Str())
				s := Parse(wire.Dialect(x.Path(leg, "dialect").Str()), body)
				forms[s.Form]++
				for _, e := range s.Events {
					if !bytes.HasPrefix(body[e.Offset:], e.Raw) {
						t.Fatalf("%s, %s: event %d is not what stands at byte %d", x.Get("id").Str(), leg, e.Index, e.Offset)
					}
				}
			}
		}
	}
	if forms[FormSSE] == 0 || forms[FormObject] == 0 {
		t.Errorf("forms %v: want event streams and objects", forms)
	}
}

// What the reader of JSON cannot hold is a limit of ours and no fault of the stream.
func TestLimitsOfJSONEndTheStream(t *testing.T) {
	deep := strings.Repeat("[", wire.MaxDepth+1) + strings.Repeat("]", wire.MaxDepth+1)
	many := "[" + strings.Repeat("[],", wire.MaxContainers/3) + "0]"
	for name, c := range map[string]struct {
		body  string
		limit bool
	}{
		"deep payload":        {"data: {}\n\ndata: " + deep + "\n\ndata: {}\n\n", true},
		"deep element":        {"[{}," + deep + ",{}]", true},
		"deep object":         {`{"a":` + deep + "}", true},
		"deep array":          {"[" + deep + "]", true},
		"payloads together":   {strings.Repeat("data: "+many+"\n\n", 4), true},
		"broken payload":      {"data: {}\n\ndata: [,\n\ndata: {}\n\n", false},
		"broken element":      {"[{},[,]]", false},
		"payloads that do it": {strings.Repeat("data: "+many+"\n\n", 2), false},
	} {
		if s := Parse(wire.OpenAIChat, []byte(c.body)); (s.Err != nil) != c.limit {
			t.Errorf("%s: form %s, error %v; want a limit: %t", name, s.Form, s.Err, c.limit)
		}
	}
}
