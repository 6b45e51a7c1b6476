package capture

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"reassay/wire"
)

// proof shows in an exchange, or in the text of its file, that it is of a kind.
type proof func(x *Exchange, text []byte) bool

// kinds names what the exchanges of fixtures/transport show.
var kinds = map[string]proof{
	"body_base64":              func(_ *Exchange, text []byte) bool { return bytes.Contains(text, []byte(`"body_base64": "`)) },
	"chunks_in_utf8":           cutInside(insideCharacter),
	"chunks_in_crlf":           cutInside(insideCRLF),
	"transport_error":          brokenBy(parties...),
	"transport_error_gateway":  brokenBy("gateway"),
	"transport_error_upstream": brokenBy("upstream"),
	"transport_error_caller":   brokenBy("caller"),
	"transport_error_unknown":  brokenBy("unknown"),
	"transport_error_mirror":   brokenBy("mirror"),
	"status_400_json":          status(400, false), "status_400_sse": status(400, true),
	"status_429_json": status(429, false), "status_429_sse": status(429, true),
	"status_500_json": status(500, false), "status_500_sse": status(500, true),
	"status_529_json": status(529, false), "status_529_sse": status(529, true),
	"gzip": func(x *Exchange, _ []byte) bool {
		for _, l := range x.Legs() {
			if plain, err := l.Leg.Plain(); err == nil && !bytes.Equal(plain, l.Leg.Body) {
				return true
			}
		}
		return false
	},
	"empty_leg": func(x *Exchange, _ []byte) bool {
		for _, l := range x.Legs() {
			if len(l.Leg.Body) == 0 {
				return true
			}
		}
		return false
	},
}

// fewKinds need not have five exchanges: they are parts of a kind that does.
const fewKinds = "transport_error_"

func cutInside(inside func(body []byte, at int) bool) proof {
	return func(x *Exchange, _ []byte) bool {
		for _, at := range x.Stream.Cuts() {
			if inside(x.Stream.Body, at) {
				return true
			}
		}
		return false
	}
}

func insideCharacter(body []byte, at int) bool { return !utf8.RuneStart(body[at]) }

func insideCRLF(body []byte, at int) bool { return body[at-1] == '\r' && body[at] == '\n' }

func brokenBy(by ...string) proof {
	return func(x *Exchange, _ []byte) bool {
		for _, l := range x.Legs() {
			if l.Leg.Error != nil && slices.Contains(by, l.Leg.Error.By) {
				return true
			}
		}
		return false
	}
}

func status(code int, stream bool) proof {
	return func(x *Exchange, _ []byte) bool {
		isStream := bytes.HasPrefix(x.Stream.Body, []byte("data:")) || bytes.Contains(x.Stream.Body, []byte("\ndata:"))
		return x.Stream.Status == code && isStream == stream
	}
}

// TestTransportKinds demands at least five exchanges of each kind, and that each is of the kinds it names.
func TestTransportKinds(t *testing.T) {
	files, err := filepath.Glob("../fixtures/transport/*")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v, err := wire.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		x := decodeOne(t, text)
		if want := strings.TrimSuffix(filepath.Base(file), ".json"); x.ID != "transport/"+want {
			t.Errorf("%s holds exchange %s", file, x.ID)
		}
		if x.Stream == nil {
			t.Errorf("%s: every exchange here needs a stream leg, which SDKs can be given", file)
			continue
		}
		for _, m := range v.Members() {
			if !strings.Contains(" kind capture_version id gateway population request upstream_request upstream upstream_non_stream stream non_stream ", " "+m.Key+" ") {
				t.Errorf("%s: unknown member %s", file, m.Key)
			}
		}
		if len(v.Get("kind").Elems()) == 0 {
			t.Errorf("%s names no kind", file)
		}
		for _, k := range v.Get("kind").Elems() {
			proven, known := kinds[k.Str()]
			if !known {
				t.Errorf("%s: unknown kind %s", file, k.Str())
				continue
			}
			count[k.Str()]++
			if !proven(x, text) {
				t.Errorf("%s is not of kind %s", file, k.Str())
			}
		}
	}
	for k := range kinds {
		want := 5
		if strings.HasPrefix(k, fewKinds) {
			want = 1
		}
		if count[k] < want {
			t.Errorf("%d exchanges of kind %s, want at least %d", count[k], k, want)
		}
	}
}
