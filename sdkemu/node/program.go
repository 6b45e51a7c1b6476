package node

import (
	"fmt"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// program is what one runtime runs before the call: compiled once, shared by all.
type program struct {
	prelude []*goja.Program
	words   *goja.Program // nil: engine errors keep goja's words
	bundle  *goja.Program
}

// programs are the two ways in which one release runs.
type programs struct {
	fast    *program
	explain func() (*program, error)
}

// compile makes the programs of a release from its bundles. The explain program waits until the first stream needs it.
func compile(r Release, prelude []*goja.Program) (*programs, error) {
	script, err := bundleText(r.BundleName())
	if err != nil {
		return nil, err
	}
	explain, err := bundleText(r.ExplainName())
	if err != nil {
		return nil, err
	}
	bundle, err := compileBundle(r.BundleName(), script, false)
	if err != nil {
		return nil, err
	}
	return &programs{
		fast: &program{prelude: prelude, bundle: bundle},
		explain: sync.OnceValues(func() (*program, error) {
			words, err := goja.Compile("words.js", wordsScript, true)
			if err != nil {
				return nil, fmt.Errorf("compile words.js: %w", err)
			}
			bundle, err := compileBundle(r.ExplainName(), explain, true)
			if err != nil {
				return nil, err
			}
			return &program{prelude: prelude, words: words, bundle: bundle}, nil
		}),
	}, nil
}

func compileBundle(name, script string, explain bool) (*goja.Program, error) {
	tree, err := parser.ParseFile(nil, name, script, 0)
	if err != nil {
		return nil, fmt.Errorf("parse the bundle %s: %w", name, err)
	}
	if err := weaveResume(tree); err != nil {
		return nil, fmt.Errorf("prepare the bundle %s: %w", name, err)
	}
	if explain {
		weaveChecks(tree)
	}
	p, err := goja.CompileAST(tree, false)
	if err != nil {
		return nil, fmt.Errorf("compile the bundle %s: %w", name, err)
	}
	return p, nil
}
