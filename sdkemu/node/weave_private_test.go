package node

import (
	"regexp"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// privateGet is TypeScript's helper, as esbuild writes it without spaces.
const privateGet = `(receiver,state,kind,f){if(kind==="a"&&!f)throw new TypeError("Private accessor was defined without a getter");` +
	`if(typeof state==="function"?receiver!==state||!f:!state.has(receiver))throw new TypeError("Cannot read private member from an object whose class did not declare it");` +
	`return kind==="m"?f:kind==="a"?f.call(receiver):f?f.value:state.get(receiver)}`

// Every __classPrivateFieldGet in a bundle is TypeScript's.
func TestPrivateFieldHelpers(t *testing.T) {
	made := regexp.MustCompile(`(?s)__classPrivateFieldGet\d*(?:=function)?(\(receiver,.*?\})`)
	renamed := regexp.MustCompile(`\b(kind|state)\d+\b`)
	releases, err := Releases()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range releases {
		script, err := bundleText(bundles, "bundles/"+r.BundleName())
		if err != nil {
			t.Fatal(err)
		}
		found := made.FindAllStringSubmatch(script, -1)
		if len(found) == 0 {
			t.Errorf("%s holds no helper", r.Alias())
		}
		for _, f := range found {
			if got := renamed.ReplaceAllString(f[1], "$1"); got != privateGet {
				t.Errorf("%s: a helper is not TypeScript's: %s", r.Alias(), got)
			}
		}
		if names := strings.Count(script, `"Cannot read private member from`); names != len(found) {
			t.Errorf("%s: %d helpers under their name, %d by their words", r.Alias(), len(found), names)
		}
	}
}

// What a private field gives stays the same, in every case of the helper.
func TestPrivateFieldsAreReadAlike(t *testing.T) {
	script := `function __classPrivateFieldGet2` + privateGet + `
const field = new WeakMap(), group = new WeakSet(), method = () => "called", getter = function () { return this.name; };
let calls = 0;
class Own { constructor(v) { this.name = "own"; field.set(this, v); group.add(this); }
  field() { return __classPrivateFieldGet2(this, field, "f"); }
  method() { return __classPrivateFieldGet2(this, group, "m", method).call(this); }
  getter() { return __classPrivateFieldGet2(this, group, "a", getter); }
  undefinedMethod() { return __classPrivateFieldGet2(this, group, "m", undefined); }
  other(o) { return __classPrivateFieldGet2(o, field, "f"); }
  otherMethod(o) { return __classPrivateFieldGet2(o, group, "m", method); }
  once() { return __classPrivateFieldGet2((calls++, this), field, "f"); }
  static shared(o, store) { return __classPrivateFieldGet2(o, Own, "f", store); }
  static method(o) { return __classPrivateFieldGet2(o, Own, "m", method) === method; }
  static bare(o) { return __classPrivateFieldGet2(o, Own, "f"); }
}
const tried = (f) => { try { return String(f()); } catch (e) { return e.name + ": " + e.message; } };
const own = new Own(7);
[
  ...[7, 0, "", false, null, undefined].map((v) => tried(() => new Own(v).field())),
  tried(() => own.method()), tried(() => own.getter()), tried(() => own.undefinedMethod()), tried(() => own.once() + ":" + calls),
  ...[{}, null, undefined, 1, own].flatMap((o) => [tried(() => own.other(o)), tried(() => own.otherMethod(o) === method)]),
  tried(() => Own.shared(Own, { value: 8 })), tried(() => Own.shared({}, { value: 8 })), tried(() => Own.bare(Own)),
  tried(() => Own.method(Own)), tried(() => Own.method({})),
].join("\n")`
	run := func(woven bool) string {
		tree, err := parser.ParseFile(nil, "private.js", script, 0)
		if err != nil {
			t.Fatal(err)
		}
		if woven {
			weavePrivate(tree)
		}
		p, err := goja.CompileAST(tree, false)
		if err != nil {
			t.Fatal(err)
		}
		v, err := goja.New().RunProgram(p)
		if err != nil {
			t.Fatal(err)
		}
		return v.String()
	}
	plain, woven := run(false), run(true)
	if plain != woven {
		t.Errorf("woven:\n%s\nplain:\n%s", woven, plain)
	}
	if !strings.HasPrefix(plain, "7\n0\n\nfalse\nnull\nundefined\ncalled\nown\nundefined\n7:1\nTypeError: ") {
		t.Errorf("the helper gives %q", plain)
	}
}
