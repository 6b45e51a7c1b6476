package node

import (
	"reflect"
	"testing"
)

func decodeEvents(chunks ...[]byte) []serverEvent {
	var d eventDecoder
	var out []serverEvent
	for _, c := range chunks {
		out = append(out, d.feed(c)...)
	}
	return append(out, d.finish()...)
}

// The SDK waits for a blank line before it looks at lines, so that no cut of the transport's can matter.
func FuzzEventDecoderChunking(f *testing.F) {
	f.Add([]byte("event: a\r\ndata: 1\r\n\r\ndata: 2\r\rdata: 3\n\n: c\n\ndata\n\n"), uint(9))
	f.Add([]byte("data: \xF0\x9F\x98\x80\r\r\n\n\r\ndata: x"), uint(7))
	f.Fuzz(func(t *testing.T, body []byte, at uint) {
		at %= uint(len(body)) + 1
		whole, cut := decodeEvents(body), decodeEvents(body[:at], body[at:])
		if !reflect.DeepEqual(whole, cut) {
			t.Errorf("%q gives %+v, cut at %d %+v", body, whole, at, cut)
		}
	})
}

// What the SDK does otherwise than the standard.
func TestEventDecoder(t *testing.T) {
	message := "message"
	empty := ""
	for body, want := range map[string][]serverEvent{
		"data: a\n\n":                         {{nil, "a", []string{"data: a"}}},
		"data: a\n":                           nil, // no blank line: no event
		"data: a\r\rdata: b\r\r":              {{nil, "a", []string{"data: a"}}, {nil, "b", []string{"data: b"}}},
		"\uFEFFdata: a\n\uFEFFdata: b\n\n":    {{nil, "a\nb", []string{"data: a", "data: b"}}}, // a BOM opens no line
		"event: message\n\n":                  {{&message, "", []string{"event: message"}}},
		"event:\ndata: a\n\n":                 {{&empty, "a", []string{"event:", "data: a"}}},
		"event:\n\n":                          nil, // an empty name is no event
		"id: 1\nretry: 5\n\ndata:  a\n\n":     {{nil, " a", []string{"id: 1", "retry: 5", "data:  a"}}},
		": c\n\n: d\n\ndata\n\n":              {{nil, "", []string{": c", ": d", "data"}}},
		"data: a\n\r\ndata: b\n\n":            {{nil, "a", []string{"data: a"}}, {nil, "b", []string{"data: b"}}},
		"data: \xFFa\xE2\x82\n\n":             {{nil, "\uFFFDa\uFFFD", []string{"data: \uFFFDa\uFFFD"}}},
		"data: a\r\ndata: b\rdata: c\n\r\n\r": {{nil, "a\nb\nc", []string{"data: a", "data: b", "data: c"}}},
	} {
		if got := decodeEvents([]byte(body)); !reflect.DeepEqual(got, want) {
			t.Errorf("%q gives %+v, want %+v", body, got, want)
		}
	}
}
