package node

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reassay/capture"
	"reassay/internal/fixture"
	"reassay/sdkemu"
	"reassay/wire"
)

const fixtures = "../../fixtures"

// specimen is one reply that both the emulator and the real SDK are given.
type specimen struct {
	name      string
	api       sdkemu.API
	in        sdkemu.Input
	chunkings []sdkemu.Chunking
}

// probe is a line of fixtures/probes (its README has the format).
type probe struct {
	Name        string              `json:"name"`
	Fact        string              `json:"fact"`
	Body        *string             `json:"body"`
	BodyBase64  *string             `json:"body_base64"`
	Status      int                 `json:"status"`
	ContentType *string             `json:"content_type"`
	Headers     map[string][]string `json:"headers"`
	Error       *struct {
		By      string `json:"by"`
		Message string `json:"message"`
	} `json:"error"`
	Request wire.Value `json:"request"`
	Caller  struct {
		ResponseFormat string `json:"response_format"`
	} `json:"caller"`
}

const parsed = "parsed"

// probes reads the probe streams of one API.
func probes(t testing.TB, api sdkemu.API) []specimen {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(fixtures, "probes", string(api), "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no probe files for %s (%v)", api, err)
	}
	seen := map[string]bool{}
	var out []specimen
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			dec := json.NewDecoder(bytes.NewReader(lines.Bytes()))
			dec.DisallowUnknownFields()
			var p probe
			if err := dec.Decode(&p); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if p.Name == "" || p.Fact == "" || seen[p.Name] {
				t.Fatalf("%s: probe %q lacks a name or a fact, or is there twice", file, p.Name)
			}
			seen[p.Name] = true
			out = append(out, p.specimen(t, api))
		}
		if err := lines.Err(); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return out
}

func (p probe) specimen(t testing.TB, api sdkemu.API) specimen {
	t.Helper()
	in := sdkemu.Input{Status: p.Status, ContentType: "text/event-stream", Headers: p.Headers, Request: p.Request, Parsed: p.Caller.ResponseFormat == parsed}
	switch {
	case p.Body != nil:
		in.Body = []byte(*p.Body)
	case p.BodyBase64 != nil:
		body, err := base64.StdEncoding.DecodeString(*p.BodyBase64)
		if err != nil {
			t.Fatalf("probe %s: %v", p.Name, err)
		}
		in.Body = body
	default:
		t.Fatalf("probe %s has no body", p.Name)
	}
	if p.ContentType != nil {
		in.ContentType = *p.ContentType
	}
	if p.Error != nil {
		in.Break = &sdkemu.Break{Message: p.Error.Message}
	}
	return specimen{"probe/" + p.Name, api, in, sdkemu.Chunkings}
}

// apiOf says how a leg's caller reads it.
var apiOf = map[wire.Dialect]sdkemu.API{
	wire.OpenAIChat: sdkemu.Chat, wire.OpenAIResponses: sdkemu.Responses, wire.AnthropicMessages: sdkemu.AnthropicMessages,
}

// apis are all that some SDK has.
var apis = []sdkemu.API{sdkemu.Chat, sdkemu.Responses, sdkemu.AnthropicMessages}

// recorded reads every leg of the exchange files that a Node SDK could have read as a stream.
func recorded(t testing.TB) []specimen {
	t.Helper()
	var out []specimen
	files, err := fixture.ExchangeFiles(fixtures)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for x, err := range capture.Decode(f, file) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, legsOf(t, x)...)
		}
	}
	bare, err := fixture.Streams(fixtures)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range bare {
		out = append(out, legsOf(t, &capture.Exchange{ID: s.Name, Stream: s.Leg})...)
	}
	return out
}

func legsOf(t testing.TB, x *capture.Exchange) []specimen {
	t.Helper()
	var out []specimen
	for _, l := range x.Legs() {
		request, caller := x.Request, x.Parsed
		switch {
		case l.Role == capture.RoleStream:
		case strings.HasPrefix(string(l.Role), "upstream."):
			request, caller = x.UpstreamRequest, false
		default:
			continue
		}
		api, ok := apiOf[l.Leg.Dialect]
		if !ok {
			continue
		}
		body, broken := l.Leg.Plain()
		in := sdkemu.Input{Status: l.Leg.Status, ContentType: l.Leg.ContentType, Headers: l.Leg.Headers, Body: body, Parsed: caller}
		if request != nil && request.Dialect == l.Leg.Dialect {
			in.Request = request.Body
		}
		switch {
		case l.Leg.Error != nil:
			in.Break = &sdkemu.Break{Message: l.Leg.Error.Message}
		case broken != nil:
			in.Break = &sdkemu.Break{Message: broken.Error()}
		}
		out = append(out, specimen{x.ID + "#" + string(l.Role), api, in, []sdkemu.Chunking{sdkemu.Whole, sdkemu.Hostile}})
	}
	return out
}
