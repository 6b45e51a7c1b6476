package node

import (
	"os"
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

// probes reads the probe streams of one API.
func probes(t testing.TB, api sdkemu.API) []specimen {
	t.Helper()
	all, err := fixture.Probes(fixtures, api)
	if err != nil {
		t.Fatal(err)
	}
	var out []specimen
	for _, p := range all {
		out = append(out, specimen{"probe/" + p.Name, api, p.Input, sdkemu.Chunkings})
	}
	return out
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
