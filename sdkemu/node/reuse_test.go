package node

import (
	_ "embed"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"

	"reassay/sdkemu"
)

// sharedScript gives a function that holds everything that can be reached from some values to what it is now.
//
//go:embed shared_test.js
var sharedScript string

// moduleVariables are the names that a bundle's modules declare at their top level, which esbuild makes variables of one
// function.
func moduleVariables(t *testing.T, bundle string) []string {
	t.Helper()
	tree, err := parser.ParseFile(nil, "bundle", bundle, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	declared := func(list []*ast.Binding) {
		for _, b := range list {
			if id, ok := b.Target.(*ast.Identifier); ok {
				names = append(names, id.Name.String())
			}
		}
	}
	visit := func(list []ast.Statement) {
		for _, s := range list {
			switch x := s.(type) {
			case *ast.VariableStatement:
				declared(x.List)
			case *ast.LexicalDeclaration:
				declared(x.List)
			case *ast.ClassDeclaration:
				names = append(names, x.Class.Name.Name.String())
			case *ast.FunctionDeclaration:
				names = append(names, x.Function.Name.Name.String())
			}
		}
	}
	visit(tree.Body)
	for _, s := range tree.Body {
		v, ok := s.(*ast.VariableStatement)
		if !ok {
			continue
		}
		if call, ok := v.List[0].Initializer.(*ast.CallExpression); ok {
			if f, ok := call.Callee.(*ast.ArrowFunctionLiteral); ok {
				visit(f.Body.(*ast.BlockStatement).List)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// apart are the variables that are not looked at.
var apart = []string{
	GlobalName, "progress", awaitedName, readyName, // hold something of the last run, and are given anew before they are read
	"uuid4", // makes itself another function at its first call
}

// watched is a release's program whose bundle tells the variables of its modules.
func watched(t *testing.T, r Release) *program {
	t.Helper()
	built, err := fs.Sub(bundles, "bundles")
	if err != nil {
		t.Fatal(err)
	}
	text, err := bundleText(built, r.BundleName())
	if err != nil {
		t.Fatal(err)
	}
	names := slices.DeleteFunc(moduleVariables(t, text), func(name string) bool { return slices.Contains(apart, name) })
	if len(names) < 100 {
		t.Fatalf("%s has %d variables", r.Alias(), len(names))
	}
	end := strings.LastIndex(text, "return __toCommonJS(")
	if end < 0 {
		t.Fatalf("the bundle of %s ends otherwise than esbuild's do", r.Alias())
	}
	bundle, err := compileText(text[:end]+"globalThis.__variables=()=>({"+strings.Join(names, ",")+"});"+text[end:], r.BundleName(), false)
	if err != nil {
		t.Fatal(err)
	}
	prelude, err := compilePrelude()
	if err != nil {
		t.Fatal(err)
	}
	return &program{prelude: prelude, bundle: bundle}
}

func started(t *testing.T, p *program) *jsRuntime {
	t.Helper()
	rt, err := newRuntime(p)
	if err != nil {
		t.Fatal(err)
	}
	return rt
}

// leaves runs a stream and reports whether the runtime may run another.
func (rt *jsRuntime) leaves(t *testing.T, target sdkemu.Target, in sdkemu.Input) (reusable bool) {
	t.Helper()
	if err := rt.begin(DefaultLimits); err != nil {
		t.Fatal(err)
	}
	p, err := rt.call(target, in)
	if err != nil {
		return false
	}
	_, engine, err := rt.outcome(target, p)
	return err == nil && rt.reusable(p, in, engine)
}

const (
	firstRuns = 10 // after which a runtime has all that its functions make at their first call
	heldRuns  = 25 // after which it is looked at again
)

// TestRunsLeaveNothingBehind runs, of every version, the streams after which its runtime is used again, one after the
// other in one runtime. All objects that its scripts share, and all variables of the SDK's modules with all that they
// lead to, must be afterwards what they were after the first few streams. Without -all every version has its share of
// the streams, in one mode.
func TestRunsLeaveNothingBehind(t *testing.T) {
	specimens := slices.DeleteFunc(allSpecimens(t), func(s specimen) bool { return !strings.Contains(s.name, *only) })
	version := 0
	perVersion(t, func(t *testing.T, name string, targets []sdkemu.Target) {
		version++
		p := watched(t, Release{SDK: targets[0].SDK, Version: targets[0].Version})
		rt, judge := started(t, p), started(t, p)
		var changed goja.Callable
		ran, refused := 0, 0
		look := func() {
			if changed == nil {
				t.Fatalf("%d streams are too few", ran)
			}
			v, err := changed(goja.Undefined())
			if err != nil {
				t.Fatal(err)
			}
			if what := v.String(); what != "" {
				t.Fatalf("one of the last %d streams leaves something: %s", heldRuns, what)
			}
		}
		for i, s := range specimens {
			for _, target := range targets {
				if target.API != s.api || !*all && (i%5 != version%5 || (target.Mode == sdkemu.ModeStream) != (i%2 == 0)) {
					continue
				}
				if !judge.leaves(t, target, s.in) {
					judge = started(t, p)
					refused++
					continue
				}
				if !rt.leaves(t, target, s.in) {
					t.Fatalf("%s: another stream's runtime may be kept, this one not", s.name)
				}
				switch ran++; {
				case ran == firstRuns:
					v, err := rt.vm.RunString(sharedScript)
					if err != nil {
						t.Fatal(err)
					}
					changed, _ = goja.AssertFunction(v)
				case ran%heldRuns == 0:
					look()
				}
			}
		}
		look()
		t.Logf("%s: %d runs of one runtime, %d after which none is used again", name, ran, refused)
	})
}
