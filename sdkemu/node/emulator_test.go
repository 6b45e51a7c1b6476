package node

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"go.uber.org/goleak"

	"reassay/sdkemu"
	"reassay/wire"
)

func strictTool(t testing.TB) wire.Value {
	t.Helper()
	v, err := wire.Parse([]byte(`{"tools":[{"type":"function","function":{"name":"f","strict":true,"parameters":{"type":"object"}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestTargets(t *testing.T) {
	e := newEmulator(t)
	var names []string
	for _, target := range e.Targets() {
		names = append(names, target.Name())
	}
	var want []string
	for _, version := range []string{"5.23.2", "4.104.0", "6.49.0", "7.59.0"} {
		for _, way := range []string{"chat/stream", "chat/iterate", "responses/stream", "responses/iterate"} {
			want = append(want, "openai-node@"+version+"/"+way)
		}
	}
	want = append(want, "anthropic-node@1.14.0/anthropic-messages/stream", "anthropic-node@1.14.0/anthropic-messages/iterate")
	if !slices.Equal(names, want) {
		t.Errorf("targets %q, want %q", names, want)
	}
}

// Runs share nothing: many at once tell what one alone tells, also where streams write to the prototypes and where
// they make the explain program compile.
func TestConcurrentRuns(t *testing.T) {
	defer goleak.VerifyNone(t)
	e := newEmulator(t)
	bodies := []string{
		role + stop,
		`data: {"choices":[{"index":"__proto__","map":1,"push":2,"delta":{"role":"assistant","content":"x"}}]}` + "\n\n" + role + stop,
		`data: {"choices":null}` + "\n\n",
		role,
	}
	var alone []sdkemu.Result
	for _, body := range bodies {
		alone = append(alone, newEmulator(t).Run(t.Context(), chatStream, sdkemu.Input{Body: []byte(body)}))
	}
	var wg sync.WaitGroup
	for range 4 {
		for i, body := range bodies {
			wg.Go(func() {
				if diff := difference(e.Run(t.Context(), chatStream, sdkemu.Input{Body: []byte(body)}), alone[i]); diff != "" {
					t.Errorf("stream %d beside others: %s", i, diff)
				}
			})
		}
	}
	wg.Wait()
}

// The words of a TypeError are V8's, and one stream in goja's words is enough to show that they are looked after.
func TestEngineErrorsAreWordedAsV8(t *testing.T) {
	e := newEmulator(t)
	for body, want := range map[string]string{
		`data: {}`:                        "chunk.choices is not iterable",
		`data: null`:                      "Cannot destructure property 'choices' of 'chunk' as it is null.",
		`data: {"choices":[null]}`:        "Cannot destructure property 'delta' of '.for' as it is null.",
		`data: {"choices":[{"index":0}]}`: "Cannot read properties of undefined (reading 'content')",
		`data: {"choices":[{"index":0,"logprobs":1}]}`:                       "Cannot read properties of undefined (reading 'content')",
		`data: {"choices":[{"index":0,"delta":{"content":{"toString":1}}}]}`: "Cannot convert object to primitive value",
	} {
		res := e.Run(t.Context(), chatStream, sdkemu.Input{Body: []byte(body + "\n\n")})
		if res.Exception == nil || res.Exception.Message != want || res.Exception.Cause == nil || res.Exception.Cause.Class != "TypeError" {
			t.Errorf("%s raises %s, want %q", body, told(res.Exception), want)
		}
	}
}

func TestMissingBundle(t *testing.T) {
	folder := fstest.MapFS{}
	if _, err := Load(folder); err == nil || !strings.Contains(err.Error(), "run `make build`") {
		t.Errorf("bundles that are not there give %v", err)
	}
	releases, err := Releases()
	if err != nil {
		t.Fatal(err)
	}
	old, err := PackBundle([]byte("1"))
	if err != nil {
		t.Fatal(err)
	}
	old = bytes.Replace(old, []byte(sourcesMark), []byte(strings.ToUpper(sourcesMark)), 1)
	for _, r := range releases {
		folder[r.BundleName()] = &fstest.MapFile{Data: old}
	}
	if _, err := Load(folder); err == nil || !strings.Contains(err.Error(), "other sources") {
		t.Errorf("bundles of other sources give %v", err)
	}
}

func TestReleaseNames(t *testing.T) {
	for alias, spec := range map[string]string{
		"openai-node-5.23.2": "npm:openai@5.23.1",
		"openai-5.23.2":      "npm:openai@5.23.2",
		"openai-node-":       "npm:openai@1.0.0",
		"anthropic-node-1.0": "npm:openai@1.0",
	} {
		if r, err := releaseOf(alias, spec); err == nil {
			t.Errorf("%s: %s is taken for %+v", alias, spec, r)
		}
	}
}
