package python

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reassay/capture"
	"reassay/internal/fixture"
	"reassay/sdkemu"
	"reassay/wire"
)

const fixtures = "../../fixtures"

// target reads an API by the default release of the SDK that has it.
func target(api sdkemu.API, mode sdkemu.Mode) sdkemu.Target {
	for i := range releases {
		if slices.Contains(releases[i].apis, api) {
			return releases[i].target(api, mode)
		}
	}
	return sdkemu.Target{SDK: sdkOpenAI, Version: releases[0].version, API: api, Mode: mode}
}

func (r *release) target(api sdkemu.API, mode sdkemu.Mode) sdkemu.Target {
	return sdkemu.Target{SDK: r.sdk, Version: r.version, API: api, Mode: mode}
}

var modes = []sdkemu.Mode{sdkemu.ModeStream, sdkemu.ModeIterate}

// apiOf is the API that reads a dialect, by the dialect's name in a capture.
var apiOf = map[string]sdkemu.API{"openai-chat": sdkemu.Chat, "openai-responses": sdkemu.Responses, "anthropic-messages": sdkemu.AnthropicMessages}

// reads reports whether streams of a dialect are compared for an API: its own, and for a client of Anthropic's, which goes
// by the names of events, those of all others too.
func reads(api sdkemu.API, dialect string) bool {
	return apiOf[dialect] == api || api == sdkemu.AnthropicMessages
}

// probes are the streams of fixtures/probes, each in every chunking and mode. They say what they hold themselves;
// fixtures/probes/README.md has the format.
func probes(t *testing.T, r *release, api sdkemu.API) []specimen {
	t.Helper()
	var out []specimen
	for _, file := range glob(t, "probes", string(api), "*.jsonl") {
		for i, text := range lines(t, file) {
			v := parse(t, fmt.Sprintf("%s:%d", file, i+1), text)
			in := input(t, file, v)
			in.Request, in.Parsed = v.Get("request"), v.Path("caller", "response_format").Str() == "parsed"
			for _, chunking := range sdkemu.Chunkings {
				cuts, err := chunking.Cuts(in.Body)
				if err != nil {
					t.Fatal(err)
				}
				if chunking != sdkemu.Whole && len(cuts) == 0 {
					continue
				}
				in.Cuts = cuts
				for _, mode := range modes {
					out = append(out, specimen{name: fmt.Sprintf("%s %s %s", v.Get("name").Str(), chunking, mode), probe: v.Get("name").Str(), target: r.target(api, mode), input: in})
				}
			}
		}
	}
	return out
}

// foreign are the probes of OpenAI's APIs as a client of Anthropic's meets them, each in one chunk.
func foreign(t *testing.T, r *release) []specimen {
	t.Helper()
	var out []specimen
	for _, api := range []sdkemu.API{sdkemu.Chat, sdkemu.Responses} {
		for _, s := range probes(t, r, api) {
			if len(s.input.Cuts) == 0 {
				s.name, s.target.API = string(api)+" "+s.name, sdkemu.AnthropicMessages
				out = append(out, s)
			}
		}
	}
	return out
}

// sampled leaves of each probe one chunking, the same for both modes, chosen by its name.
func sampled(specimens []specimen) []specimen {
	all := map[string][]specimen{}
	for _, s := range specimens {
		all[s.probe] = append(all[s.probe], s)
	}
	return slices.DeleteFunc(slices.Clone(specimens), func(s specimen) bool {
		if s.probe == "" {
			return false
		}
		h := fnv.New32a()
		h.Write([]byte(s.probe))
		of := all[s.probe]
		chosen := of[int(h.Sum32()%uint32(len(of)/len(modes)))*len(modes)]
		return !slices.Equal(s.input.Cuts, chosen.input.Cuts)
	})
}

// exchanges are the stream legs of every captured exchange among the fixtures that the API reads.
func exchanges(t *testing.T, r *release, api sdkemu.API) []specimen {
	t.Helper()
	var out []specimen
	add := func(place string, text []byte) {
		v := parse(t, place, text)
		leg := v.Get("stream")
		if !reads(api, leg.Get("dialect").Str()) {
			return
		}
		s := specimen{input: input(t, place, leg)}
		if coding := s.input.Headers["content-encoding"]; len(coding) > 0 && len(s.input.Body) > 0 {
			s.raw = s.input.Body
			s.input.Body, s.input.Cuts = undone(t, place, coding[0], s.raw), nil
		}
		s.input.Request, s.input.Parsed = v.Path("request", "body"), v.Path("caller", "response_format").Str() == "parsed"
		for _, mode := range modes {
			s.name, s.target = v.Get("id").Str()+" "+string(mode), r.target(api, mode)
			out = append(out, s)
		}
	}
	files, err := fixture.ExchangeFiles(fixtures)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if filepath.Ext(file) == ".jsonl" {
			for i, text := range lines(t, file) {
				add(fmt.Sprintf("%s:%d", file, i+1), text)
			}
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		add(file, text)
	}
	bare, err := fixture.Streams(fixtures)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range bare {
		add(s.Name, capture.Encode(&capture.Exchange{ID: s.Name, Stream: s.Leg}))
	}
	return out
}

func glob(t *testing.T, path ...string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(append([]string{fixtures}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no file is %s", filepath.Join(path...))
	}
	return files
}

func lines(t *testing.T, file string) [][]byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(text), []byte("\n"))
}

func parse(t *testing.T, place string, text []byte) wire.Value {
	t.Helper()
	v, err := wire.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", place, err)
	}
	return v
}

// input reads a leg, or a probe, which has a leg's members.
func input(t *testing.T, place string, leg wire.Value) sdkemu.Input {
	t.Helper()
	in := sdkemu.Input{Status: 200, ContentType: "text/event-stream", Body: []byte(leg.Get("body").Str())}
	if encoded := leg.Get("body_base64"); encoded.Exists() {
		var err error
		if in.Body, err = base64.StdEncoding.DecodeString(encoded.Str()); err != nil {
			t.Fatalf("%s: body_base64: %v", place, err)
		}
	}
	if n, ok := leg.Get("status").Int(); ok {
		in.Status = n
	}
	if c := leg.Get("content_type"); c.Exists() {
		in.ContentType = c.Str()
	}
	for _, m := range leg.Get("headers").Members() {
		if in.Headers == nil {
			in.Headers = map[string][]string{}
		}
		for _, v := range m.Value.Elems() {
			in.Headers[strings.ToLower(m.Key)] = append(in.Headers[strings.ToLower(m.Key)], v.Str())
		}
	}
	end := 0
	for _, c := range leg.Get("chunks").Elems() {
		n, _ := c.Get("bytes").Int()
		end += n
		if end < len(in.Body) {
			in.Cuts = append(in.Cuts, end)
		}
	}
	if broken := leg.Get("error"); broken.Kind() == wire.Object {
		in.Break = &sdkemu.Break{Message: broken.Get("message").Str()}
	} else if broken.Exists() {
		in.Break = &sdkemu.Break{Message: broken.Str()}
	}
	return in
}

func undone(t *testing.T, place, coding string, body []byte) []byte {
	t.Helper()
	if coding != "gzip" {
		t.Fatalf("%s: this test undoes gzip, not %s", place, coding)
	}
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("%s: %v", place, err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatalf("%s: %v", place, err)
	}
	return plain
}
