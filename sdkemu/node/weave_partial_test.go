package node

import (
	"testing"

	"github.com/dop251/goja"
)

// The parser tells the host what it was given once a call, however its variable was given its value.
func TestPartialParserTellsOnce(t *testing.T) {
	for _, program := range []string{
		`const partialParse = input => input.length; partialParse("abc")`,
		`var partialParse2; partialParse2 = input => { return input.length }; partialParse2("abc")`,
	} {
		tree, err := goja.Parse("partial.js", program)
		if err != nil {
			t.Fatal(err)
		}
		if err := weavePartial(tree); err != nil {
			t.Fatal(err)
		}
		compiled, err := goja.CompileAST(tree, true)
		if err != nil {
			t.Fatal(err)
		}
		vm := goja.New()
		told := []string{}
		if err := vm.Set("__host", map[string]any{"parses": func(s string) { told = append(told, s) }}); err != nil {
			t.Fatal(err)
		}
		if v, err := vm.RunProgram(compiled); err != nil || v.ToInteger() != 3 || len(told) != 1 || told[0] != "abc" {
			t.Errorf("%s: %v (%v), told %q", program, v, err, told)
		}
	}
	for _, program := range []string{`const parse = input => input`, `const partialParse = function (a) { return a }`} {
		tree, err := goja.Parse("partial.js", program)
		if err != nil {
			t.Fatal(err)
		}
		if weavePartial(tree) == nil {
			t.Errorf("%s was woven", program)
		}
	}
}
