package capture

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"reassay/wire"
)

// fixtureFiles lists the capture files of the tree.
func fixtureFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"../fixtures/captures/*.jsonl", "../fixtures/cases/*.json", "../fixtures/transport/*.json"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no file matches %s (%v)", pattern, err)
		}
		files = append(files, found...)
	}
	return files
}

// decodeOne reads the only exchange of a text.
func decodeOne(t *testing.T, text []byte) *Exchange {
	t.Helper()
	all, err := decodeAll(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 1 {
		t.Fatalf("%d exchanges, want one", len(all))
	}
	return all[0]
}

// decodeAll reads every exchange and joins the errors.
func decodeAll(r io.Reader) ([]*Exchange, error) {
	var all []*Exchange
	var faults []error
	for x, err := range Decode(r, "test") {
		if err != nil {
			faults = append(faults, err)
			continue
		}
		all = append(all, x)
	}
	return all, errors.Join(faults...)
}

func TestRoundTripOfEveryFixture(t *testing.T) {
	for _, name := range fixtureFiles(t) {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for x, err := range Decode(f, name) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			line := Encode(x)
			if bytes.IndexByte(line, '\n') >= 0 || !json.Valid(line) {
				t.Fatalf("%s: exchange %s is not one line of JSON", name, x.ID)
			}
			again := decodeOne(t, line)
			if !bytes.Equal(Encode(again), line) {
				t.Fatalf("%s: exchange %s reads differently once it was written", name, x.ID)
			}
			if a, b := x.Legs(), again.Legs(); !reflect.DeepEqual(a, b) {
				t.Fatalf("%s: exchange %s has other legs once it was written", name, x.ID)
			}
		}
		f.Close()
		if n == 0 {
			t.Errorf("%s holds no exchange", name)
		}
	}
}

const everyField = `{
  "capture_version": 1,
  "id": "demo/é/1",
  "gateway": {"name": "demo", "version": "1.2", "region": "ignored"},
  "population": "probed",
  "same_content": true,
  "meta": {"shape": "tool", "nested": [1, {"b": null}]},
  "observed_at": "2026-01-02T03:04:05.678+02:00",
  "labels": {"model": "demo-large", "route": "/v1?x=1"},
  "sample": 0.25,
  "request": {"dialect": "openai-chat", "body": {"model": "m", "n": 1.0}},
  "caller": {"response_format": "parsed"},
  "upstream_request": {"dialect": "anthropic-messages", "body": {"model": "c"}},
  "upstream": [
    {"dialect": "gemini-generate", "status": 0, "error": "dial tcp: refused"},
    {"dialect": "anthropic-messages", "status": 529, "content_type": "application/json", "body": "{\"type\":\"error\"}", "trailers": {"X-Trailer": "t"}}
  ],
  "upstream_non_stream": {"id": "msg_1", "big": 12345678901234567890},
  "stream": {"dialect": "openai-chat", "status": 200, "content_type": "text/event-stream",
    "headers": {"Content-Type": "text/event-stream", "X-Request-Id": ["a", "b"], "Date": "dropped"},
    "body": "data: é\n\n", "error": {"by": "upstream", "message": "reset"},
    "chunks": [{"at_us": 5, "bytes": 7}, {"at_us": 9, "bytes": 0}, {"at_us": 12, "bytes": 4}]},
  "non_stream": {"dialect": "openai-chat", "status": 502, "headers": {"content-type": ["text/html"]}, "body_base64": "AP8="},
  "unknown": {"ignored": true}
}`

func TestEveryField(t *testing.T) {
	x := decodeOne(t, []byte(everyField))
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"id", x.ID, "demo/é/1"},
		{"gateway", x.Gateway, Gateway{"demo", "1.2"}},
		{"population", x.Population, "probed"},
		{"same content", x.SameContent, true},
		{"meta", string(x.Meta.JSON()), `{"shape":"tool","nested":[1,{"b":null}]}`},
		{"observed at", x.ObservedAt, "2026-01-02T03:04:05.678+02:00"},
		{"labels", x.Labels, map[string]string{"model": "demo-large", "route": "/v1?x=1"}},
		{"sample", x.Sample, 0.25},
		{"request dialect", x.Request.Dialect, wire.OpenAIChat},
		{"request body", string(x.Request.Body.JSON()), `{"model":"m","n":1.0}`},
		{"parsed", x.Parsed, true},
		{"upstream request", string(x.UpstreamRequest.Body.JSON()), `{"model":"c"}`},
		{"first attempt", *x.Upstream[0], Leg{Dialect: wire.GeminiGenerate, Body: []byte{}, Error: &Break{"unknown", "dial tcp: refused"}}},
		{"served attempt", *x.Served(), Leg{Dialect: wire.AnthropicMessages, Status: 529, ContentType: "application/json",
			Body: []byte(`{"type":"error"}`), Trailers: map[string][]string{"x-trailer": {"t"}}}},
		{"bare reply", *x.UpstreamNonStream, Leg{Dialect: wire.AnthropicMessages, Status: 200, ContentType: "application/json",
			Body: []byte(`{"id":"msg_1","big":12345678901234567890}`)}},
		{"stream", *x.Stream, Leg{Dialect: wire.OpenAIChat, Status: 200, ContentType: "text/event-stream",
			Headers: map[string][]string{"content-type": {"text/event-stream"}, "x-request-id": {"a", "b"}},
			Body:    []byte("data: é\n\n"), Error: &Break{"upstream", "reset"}, Chunks: []Chunk{{5, 7}, {9, 0}, {12, 4}}}},
		{"non-stream", *x.NonStream, Leg{Dialect: wire.OpenAIChat, Status: 502, ContentType: "text/html",
			Headers: map[string][]string{"content-type": {"text/html"}}, Body: []byte{0, 0xFF}}},
		{"cuts", x.Stream.Cuts(), []int{7}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: got %#v, want %#v", c.what, c.got, c.want)
		}
	}
	line := Encode(x)
	if again := Encode(decodeOne(t, line)); !bytes.Equal(again, line) {
		t.Errorf("round trip: got\n%s\nwant\n%s", again, line)
	}
	known := map[string]bool{}
	v, err := wire.Parse(line)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range v.Members() {
		known[m.Key] = true
	}
	all, err := wire.Parse([]byte(everyField))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all.Members() {
		if !known[m.Key] && m.Key != "unknown" {
			t.Errorf("Encode forgets %s", m.Key)
		}
	}
}

func TestDefaults(t *testing.T) {
	x := decodeOne(t, []byte(`{"capture_version":1,"id":"a","gateway":{"name":"g"},"upstream":[],"stream":null,"caller":{},
		"non_stream":{"dialect":"openai-chat","status":200,"body":""},"same_content":null,"labels":null,"meta":null}`))
	if x.Population != "captured" || x.SameContent || x.Parsed || x.Labels != nil || x.Upstream != nil || x.Stream != nil || x.Served() != nil {
		t.Errorf("%+v", x)
	}
	if x.NonStream.Body == nil || len(x.NonStream.Body) != 0 || x.NonStream.Headers != nil {
		t.Errorf("an empty leg is evidence of zero bytes: %+v", x.NonStream)
	}
}

func TestBareReplyTakesTheDialectOfTheUpstreamRequest(t *testing.T) {
	x := decodeOne(t, []byte(`{"capture_version":1,"id":"a","gateway":{"name":"g"},"upstream_request":{"dialect":"gemini-generate","body":{}},
		"upstream_non_stream":{"candidates":[]},"stream":{"dialect":"openai-chat","status":200,"body":""}}`))
	if x.UpstreamNonStream.Dialect != wire.GeminiGenerate {
		t.Errorf("got %s", x.UpstreamNonStream.Dialect)
	}
}

func TestLayouts(t *testing.T) {
	compact := Encode(decodeOne(t, []byte(everyField)))
	second := bytes.Replace(compact, []byte("demo/é/1"), []byte("second"), 1)
	zipped := func(text []byte) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(text)
		z.Close()
		return b.Bytes()
	}
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	lf, crlf, bom := []byte("\n"), []byte("\r\n"), []byte("\uFEFF")
	for name, c := range map[string]struct {
		text []byte
		want int
	}{
		"one line":                   {compact, 1},
		"one line, ended":            {join(compact, lf), 1},
		"over lines":                 {[]byte(everyField), 1},
		"over lines, white space":    {join(lf, lf, []byte(" \t"), []byte(everyField), lf, lf), 1},
		"CR line ends":               {bytes.ReplaceAll([]byte(everyField), lf, []byte("\r")), 1},
		"CRLF line ends":             {bytes.ReplaceAll([]byte(everyField), lf, crlf), 1},
		"JSON lines":                 {join(compact, lf, second), 2},
		"JSON lines with CRLF":       {join(compact, crlf, second, crlf), 2},
		"JSON lines, blank between":  {join(lf, compact, lf, lf, second, lf), 2},
		"byte order mark":            {join(bom, compact, lf, second), 2},
		"byte order mark, lines":     {join(bom, []byte(everyField)), 1},
		"values over lines":          {join([]byte(everyField), lf, []byte(everyField)), 2},
		"gzip of lines":              {zipped(join(compact, lf, second, lf)), 2},
		"gzip over lines":            {zipped([]byte(everyField)), 1},
		"two gzip members":           {join(zipped(join(compact, lf)), zipped(second)), 2},
		"gzip with byte order mark":  {zipped(join(bom, compact)), 1},
		"line after one over lines":  {join([]byte("{\n"), compact[1:], lf, second), 2},
		"first member on first line": {join([]byte("{\"capture_version\":1,\n"), compact[len(`{"capture_version":1,`):]), 1},
	} {
		for way, r := range map[string]io.Reader{"whole": bytes.NewReader(c.text), "byte by byte": iotest.OneByteReader(bytes.NewReader(c.text))} {
			all, err := decodeAll(r)
			if err != nil || len(all) != c.want {
				t.Errorf("%s, %s: %d exchanges, %v; want %d", name, way, len(all), err, c.want)
				continue
			}
			if !bytes.Equal(Encode(all[0]), compact) {
				t.Errorf("%s, %s: got %s", name, way, Encode(all[0]))
			}
		}
	}
}

func TestDecodeStopsWhenAsked(t *testing.T) {
	line := append(Encode(decodeOne(t, []byte(everyField))), '\n')
	for _, text := range [][]byte{bytes.Repeat(line, 3), []byte("x\n{}\nx\n"), []byte(strings.Repeat(everyField, 3)), append([]byte("{\n"), bytes.Repeat(line, 3)...)} {
		n := 0
		for range Decode(bytes.NewReader(text), "test") {
			n++
			break
		}
		if n != 1 {
			t.Errorf("%.20q: %d items after the caller stopped", text, n)
		}
	}
}

func TestReadError(t *testing.T) {
	line := Encode(decodeOne(t, []byte(everyField)))
	broken := errors.New("disk failed")
	for _, c := range []struct {
		text string
		want int
	}{
		{"", 0}, {string(line) + "\n", 1}, {string(line), 1}, {string(line) + "\n" + string(line[:90]), 1}, {"{\n", 0}, {everyField, 1},
		{"{\n" + everyField, 0}, {"{\n" + string(line) + "\n", 1},
	} {
		all, err := decodeAll(io.MultiReader(strings.NewReader(c.text), iotest.ErrReader(broken)))
		if !errors.Is(err, broken) || len(all) != c.want {
			t.Errorf("%.30q: %d exchanges, %v; want %d and %v", c.text, len(all), err, c.want, broken)
		}
	}
}

// TestLongLines holds reading to its limit: a line over it is reported, the rest is read, and memory stays bounded.
func TestLongLines(t *testing.T) {
	good := string(Encode(decodeOne(t, []byte(everyField))))
	const long = 50 << 20
	for name, c := range map[string]struct{ head, err string }{
		"no JSON":      {"", `test:1: byte 0: want a JSON object, the line begins with 'a'`},
		"an object":    {`{"capture_version":1,"id":"big","x":"`, `test:1: byte 0: exchange "big": an exchange of more than 1048576 bytes`},
		"a broken one": {`{"capture_version":1,"id":"big"`, `test:1: byte 0: exchange "big": an exchange of more than 1048576 bytes`},
	} {
		src := io.MultiReader(strings.NewReader(c.head), io.LimitReader(repeat('a'), long), strings.NewReader("\n"+good+"\n"))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n, text := 0, ""
		for x, err := range (Decoder{MaxLine: 1 << 20}).Decode(src, "test") {
			if err != nil {
				text += err.Error()
			} else if x.ID == "demo/é/1" {
				n++
			}
		}
		runtime.ReadMemStats(&after)
		if n != 1 || text != c.err {
			t.Errorf("%s: %d exchanges, error %s; want the one behind it and %s", name, n, text, c.err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
			t.Errorf("%s: reading took %d bytes of memory", name, used)
		}
	}
	all, err := decodeAll(io.MultiReader(io.LimitReader(repeat('x'), long), strings.NewReader("\n"+good)))
	if len(all) != 1 || err == nil || err.Error() != `test:1: byte 0: want a JSON object, the line begins with 'x'` {
		t.Errorf("with the default limit: %d exchanges, %v", len(all), err)
	}
	all, err = decodeAll(io.MultiReader(strings.NewReader(`{"id":"b",`), io.LimitReader(repeat('x'), long), strings.NewReader("\n"+good)))
	if len(all) != 1 || err == nil || err.Error() != `test:1: byte 10: exchange "b": not JSON: want a key in double quotes` {
		t.Errorf("with the default limit: %d exchanges, %v", len(all), err)
	}
	all, err = decodeAll(io.MultiReader(strings.NewReader("{\n"), io.LimitReader(repeat('\n'), 1<<20)))
	if len(all) != 0 || err == nil || err.Error() != `test:1048578: byte 1048578: not JSON: the text ends: want a key in double quotes` {
		t.Errorf("an object that never ends: %d exchanges, %v", len(all), err)
	}
}

func TestMaxLineIsExact(t *testing.T) {
	line := Encode(decodeOne(t, []byte(everyField)))
	for _, end := range []string{"", "\n"} {
		for spare, want := range map[int]int{0: 1, -1: 0} {
			n := 0
			for _, err := range (Decoder{MaxLine: len(line) + spare}).Decode(strings.NewReader(string(line)+end), "test") {
				if err == nil {
					n++
				}
			}
			if n != want {
				t.Errorf("a line of %d bytes, ended by %q, under a limit of %d: %d exchanges", len(line), end, len(line)+spare, n)
			}
		}
	}
}

// repeat is an endless text of one byte.
type repeat byte

func (r repeat) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r)
	}
	return len(p), nil
}

func TestDeepJSON(t *testing.T) {
	good := string(Encode(decodeOne(t, []byte(everyField))))
	deep := strings.Repeat(`[`, 1<<20)
	for _, c := range []struct{ text, err string }{
		{`{"capture_version":1,"id":"deep","x":` + deep + strings.Repeat(`]`, 1<<20) + `}`, `test:1: byte 10037: not JSON: nested deeper than 10000`},
		{`{"capture_version":1,"id":"deep","x":` + deep, `test:1: byte 10037: not JSON: nested deeper than 10000`},
		{`{"capture_version":1,"id":"deep","x":` + strings.Repeat(`{"a":`, 1<<18), `test:1: byte 50033: not JSON: nested deeper than 10000`},
		{deep, `test:1: byte 0: a JSON array, want one exchange a line`},
	} {
		all, err := decodeAll(strings.NewReader(c.text + "\n" + good))
		if len(all) != 1 || err == nil || err.Error() != c.err {
			t.Errorf("%.50s: %d exchanges, %v; want %s", c.text, len(all), err, c.err)
		}
	}
	meta := strings.Repeat(`{"a":`, 9000) + `1` + strings.Repeat(`}`, 9000)
	x := decodeOne(t, []byte(`{"capture_version":1,"id":"d","gateway":{"name":"g"},"meta":`+meta+`,"stream":{"dialect":"openai-chat","status":200,"body":""}}`))
	if got := string(x.Meta.JSON()); got != meta {
		t.Errorf("meta of %d bytes reads as %d", len(meta), len(got))
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(everyField))
	f.Add([]byte(`{"capture_version":1,"id":"a","gateway":{"name":"g"},"stream":{"dialect":"openai-chat","status":200,"body":"\u00ff\ufffd"}}` + "\n{"))
	f.Add([]byte("{\n\n{\"capture_version\":1}"))
	f.Add([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\xab\xae\x05\x00"))
	f.Add([]byte("\uFEFF[\n{},\n{}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d := Decoder{MaxLine: 4096}
		n := 0
		for x, err := range d.Decode(bytes.NewReader(text), "test") {
			n++
			var at *Error
			switch {
			case (x == nil) == (err == nil):
				t.Fatalf("%v with %v", x, err)
			case err != nil:
				if !errors.As(err, &at) || at.Line < 1 || at.Line > bytes.Count(text, []byte{'\n'})+1 && text[0] != 0x1F {
					t.Fatalf("%v names no line of the file", err)
				}
			default:
				line := Encode(x)
				if again := Encode(decodeOne(t, line)); !bytes.Equal(again, line) {
					t.Fatalf("got %s\nwant %s", again, line)
				}
			}
		}
		if n == 0 {
			t.Fatal("neither an exchange nor an error")
		}
	})
}
