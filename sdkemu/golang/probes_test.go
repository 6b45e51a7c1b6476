package golang

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reassay/sdkemu"
	"reassay/wire"
)

// TestProbes runs every probe stream of an API through the linked SDK: each has an outcome of the SDK's, never a fault of
// ours, and the transport's chunks do not change it.
func TestProbes(t *testing.T) {
	e := New()
	for _, target := range e.Targets() {
		outcomes := map[sdkemu.Outcome]int{}
		panics := 0
		for _, p := range probes(t, target.API) {
			whole := e.Run(t.Context(), target, p.in)
			outcomes[whole.Outcome]++
			if whole.Outcome == sdkemu.Failed || whole.Outcome == sdkemu.Inconclusive {
				t.Errorf("%s: %s: %s: %s", target.Name(), p.name, whole.Outcome, whole.Reason)
			}
			if whole.Exception != nil && whole.Exception.Class == "panic" {
				panics++
			}
			for _, chunking := range sdkemu.Chunkings {
				cut := p.in
				var err error
				if cut.Cuts, err = chunking.Cuts(cut.Body); err != nil {
					t.Fatal(err)
				}
				if got := e.Run(t.Context(), target, cut); told(t, got) != told(t, whole) {
					t.Errorf("%s: %s: in chunks %q %s, whole %s", target.Name(), p.name, chunking, told(t, got), told(t, whole))
				}
			}
		}
		t.Logf("%s: %v, %d of them panics", target.Name(), outcomes, panics)
	}
}

func told(t *testing.T, r sdkemu.Result) string {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

type probe struct {
	name string
	in   sdkemu.Input
}

// probes are the streams of fixtures/probes that an API reads.
func probes(t *testing.T, api sdkemu.API) []probe {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../../fixtures/probes", string(api), "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no probes of %s (%v)", api, err)
	}
	var out []probe
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
			v, err := wire.Parse(line)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			in := sdkemu.Input{ContentType: "text/event-stream", Body: []byte(v.Get("body").Str()), Request: v.Get("request")}
			if encoded := v.Get("body_base64"); encoded.Exists() {
				if in.Body, err = base64.StdEncoding.DecodeString(encoded.Str()); err != nil {
					t.Fatalf("%s: %v", file, err)
				}
			}
			in.Status, _ = v.Get("status").Int()
			if c := v.Get("content_type"); c.Exists() {
				in.ContentType = c.Str()
			}
			for _, m := range v.Get("headers").Members() {
				if in.Headers == nil {
					in.Headers = map[string][]string{}
				}
				for _, value := range m.Value.Elems() {
					in.Headers[strings.ToLower(m.Key)] = append(in.Headers[strings.ToLower(m.Key)], value.Str())
				}
			}
			if broken := v.Get("error"); broken.Exists() {
				in.Break = &sdkemu.Break{Message: broken.Get("message").Str()}
			}
			out = append(out, probe{v.Get("name").Str(), in})
		}
	}
	return out
}
