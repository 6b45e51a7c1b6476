package node

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"path"
	"reflect"
	"strings"
	"testing"
)

func decodeEvents(d eventDecoder, chunks ...[]byte) []serverEvent {
	var out []serverEvent
	for _, c := range chunks {
		out = append(out, d.feed(c)...)
	}
	return append(out, d.finish()...)
}

// The SDKs wait for a line's or an event's end, so that no cut of the transport's can matter.
func FuzzEventDecoderChunking(f *testing.F) {
	f.Add([]byte("event: a\r\ndata: 1\r\n\r\ndata: 2\r\rdata: 3\n\n: c\n\ndata\n\n"), uint(9))
	f.Add([]byte("data: \xF0\x9F\x98\x80\r\r\n\n\r\ndata: x"), uint(7))
	f.Fuzz(func(t *testing.T, body []byte, at uint) {
		at %= uint(len(body)) + 1
		for name, decoder := range eventDecoders {
			whole, cut := decodeEvents(decoder(), body), decodeEvents(decoder(), body[:at], body[at:])
			if !reflect.DeepEqual(whole, cut) {
				t.Errorf("%s: %q gives %+v, cut at %d %+v", name, body, whole, at, cut)
			}
		}
	})
}

// What the SDKs do otherwise than the standard, and than each other.
func TestEventDecoder(t *testing.T) {
	message, empty := "message", ""
	a := serverEvent{nil, "a"}
	for name, bodies := range map[string]map[string][]serverEvent{
		"openai 4": {
			"\uFEFFdata: a\n\uFEFFdata: b\n\ndata: a\n\n": {a}, // a BOM belongs to the name
		},
		"openai 5": {
			"data: a\n\n":                         {a},
			"data: a\n":                           nil, // no blank line: no event
			"data: a\r\rdata: b\r\r":              {a, {nil, "b"}},
			"\uFEFFdata: a\n\uFEFFdata: b\n\n":    {{nil, "a\nb"}}, // a BOM opens no line
			"event: message\n\n":                  {{&message, ""}},
			"event:\ndata: a\n\n":                 {{&empty, "a"}},
			"event:\n\n":                          nil, // an empty name is no event
			"id: 1\nretry: 5\n\ndata:  a\n\n":     {{nil, " a"}},
			": c\n\n: d\n\ndata\n\n":              {{nil, ""}},
			"data: a\n\r\ndata: b\n\n":            {a, {nil, "b"}},
			"data: \xFFa\xE2\x82\n\n":             {{nil, "\uFFFDa\uFFFD"}},
			"data: a\r\ndata: b\rdata: c\n\r\n\r": {{nil, "a\nb\nc"}},
		},
		"openai 7": {
			"data: a\n":         {a}, // the end of the body ends an event
			"data: a":           {a},
			"data: a\r\n\ndata": {a, {nil, ""}},
		},
		"anthropic 1": {
			"data: a\n":               nil,
			"data: a\n\r":             {a},
			"\uFEFFdata: a\n\uFEFF\n": {a}, // a line of a BOM is blank
		},
	} {
		for body, want := range bodies {
			if got := decodeEvents(eventDecoders[name](), []byte(body)); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %q gives %+v, want %+v", name, body, got, want)
			}
		}
	}
}

var eventPieces = []string{
	"\n", "\n", "\r", "\r", "\r\n", "\n\n", "\r\n\r\n", "data: x\n", "data: y\r", "event: z\r\n", "data: ", "data:", "data", "event: ", "event:", "event", "id: 1", ":", " ", "x", "{}", "é", "🎉", "\uFEFF",
	"\xFF", "\xE2\x82", "\xF0\x9F", "\xED\xA0\x80", "\x00", "[DONE]",
}

// someChunks is a stream of a few pieces, cut anywhere; some chunks are empty.
func someChunks(r *rand.Rand) [][]byte {
	var body []byte
	for range 1 + r.IntN(40) {
		body = append(body, eventPieces[r.IntN(len(eventPieces))]...)
	}
	var chunks [][]byte
	for {
		n := r.IntN(len(body) + 1)
		if r.IntN(4) == 0 {
			n = len(body)
		}
		chunks = append(chunks, body[:n])
		if body = body[n:]; len(body) == 0 {
			return chunks
		}
	}
}

// decoderOf is the decoder's name in a replacement's body.
func decoderOf(t *testing.T, r Replacement) string {
	t.Helper()
	for name := range eventDecoders {
		if strings.Contains(r.Body, `__host.eventDecoder("`+name+`")`) {
			return name
		}
	}
	t.Fatalf("the replacement of %s asks for no decoder: %s", r.File, r.Body)
	return ""
}

const eventStreams = 5000

// TestEventDecodersAreTheSDKs gives the same bytes in the same chunks to every real package's _iterSSEMessages and to
// the decoder that stands for it: the same events must come after the same chunk.
func TestEventDecodersAreTheSDKs(t *testing.T) {
	needSDKs(t)
	met := map[string]bool{}
	for _, made := range madeReplacements(t) {
		name := decoderOf(t, made.Replacement)
		met[name] = true
		r := rand.New(rand.NewPCG(3, 4))
		var in bytes.Buffer
		var streams [][][]byte
		for range eventStreams {
			chunks := someChunks(r)
			streams = append(streams, chunks)
			if err := json.NewEncoder(&in).Encode(map[string]any{
				"module": made.release.Alias() + "/" + strings.TrimSuffix(made.File, path.Ext(made.File)), "chunks": chunks,
			}); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), "node", "js/events.mjs")
		cmd.Stdin = &in
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", made.release.Alias(), err)
		}
		n, events := 0, 0
		for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); n++ {
			want := [][3]any{}
			if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
				t.Fatal(err)
			}
			d := eventDecoders[name]()
			got := [][3]any{}
			add := func(taken int, list []serverEvent) {
				for _, e := range list {
					entry := [3]any{float64(taken), nil, e.data}
					if e.event != nil {
						entry[1] = *e.event
					}
					got = append(got, entry)
				}
			}
			for i, chunk := range streams[n] {
				add(i+1, d.feed(chunk))
			}
			add(len(streams[n])+1, d.finish())
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %q gives %q, want %q", made.release.Alias(), streams[n], got, want)
			}
			events += len(want)
		}
		if n != eventStreams || events < n/2 {
			t.Errorf("%s: %d streams of %d, %d events", made.release.Alias(), n, eventStreams, events)
		}
	}
	for name := range eventDecoders {
		if !met[name] {
			t.Errorf("no replacement that was made asks for the decoder %q", name)
		}
	}
}
