package node

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"reassay/sdkemu"
)

// tampered is an emulator whose bundles first run a script that takes something of Node away.
func tampered(t *testing.T, script string) *Emulator {
	t.Helper()
	built, err := fs.Sub(bundles, "bundles")
	if err != nil {
		t.Fatal(err)
	}
	releases, err := Releases()
	if err != nil {
		t.Fatal(err)
	}
	folder := fstest.MapFS{}
	for _, r := range releases {
		for _, name := range []string{r.BundleName(), r.ExplainName()} {
			text, err := bundleText(built, name)
			if err != nil {
				t.Fatal(err)
			}
			packed, err := PackBundle([]byte(script + "\n" + text))
			if err != nil {
				t.Fatal(err)
			}
			folder[name] = &fstest.MapFile{Data: packed}
		}
	}
	e, err := Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// An error of the engine's own, or one for want of something that Node has, is a fault of ours and never the SDK's
// exception, whatever the SDK wraps it in.
func TestEngineErrorsAreNoExceptions(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"a global that Node has":               {`delete globalThis.AbortController;`, "AbortController is not defined"},
		"a method that Node has":               {`delete EventTarget.prototype.addEventListener;`, "addEventListener, which Node may have and the prelude lacks"},
		"a property that Node has":             {`EventTarget.prototype.addEventListener = () => crypto.subtle.digest;`, "subtle, which Node may have and the prelude lacks"},
		"a fault that V8's words do not cover": {`EventTarget.prototype.addEventListener = () => Symbol() + '';`, "V8's words for it are not known"},
	} {
		t.Run(name, func(t *testing.T) {
			e := tampered(t, c.script)
			for _, target := range e.Targets() {
				if target.API != sdkemu.Chat || target.Mode != sdkemu.ModeStream {
					continue // the helper listens to its signal
				}
				res := e.Run(t.Context(), target, sdkemu.Input{Body: []byte(role + stop), ContentType: "text/event-stream"})
				if res.Outcome != sdkemu.Failed || !strings.Contains(res.Reason, c.want) {
					t.Errorf("%s: %s (%s%s), want error with %q", target.Name(), res.Outcome, res.Reason, told(res.Exception), c.want)
				}
			}
		})
	}
}
