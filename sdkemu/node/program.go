package node

import (
	_ "embed"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// program is what one runtime runs before the call: compiled once, shared by all.
type program struct {
	prelude []*goja.Program
	words   *goja.Program // nil: engine errors keep goja's words
	bundle  *goja.Program
	idle    sync.Pool // of *jsRuntime that may run another stream (reuse.go)
}

// programs are the two ways in which one release runs. Each is compiled when the first stream needs it: a process that
// asks for one version does not pay for all.
type programs struct {
	fast    func() (*program, error)
	explain func() (*program, error)
}

// scriptedScript notes which native errors scripts make.
//
//go:embed scripted.js
var scriptedScript string

func programsOf(r Release, folder fs.FS, prelude func() ([]*goja.Program, error)) *programs {
	return &programs{
		fast: sync.OnceValues(func() (*program, error) {
			files, err := prelude()
			if err != nil {
				return nil, err
			}
			bundle, err := compileBundle(folder, r.BundleName(), false)
			if err != nil {
				return nil, err
			}
			return &program{prelude: files, bundle: bundle}, nil
		}),
		explain: sync.OnceValues(func() (*program, error) {
			files, err := prelude()
			if err != nil {
				return nil, err
			}
			scripted, err := goja.Compile("scripted.js", scriptedScript, true)
			if err != nil {
				return nil, fmt.Errorf("compile scripted.js: %w", err)
			}
			words, err := goja.Compile("words.js", wordsScript, true)
			if err != nil {
				return nil, fmt.Errorf("compile words.js: %w", err)
			}
			bundle, err := compileBundle(folder, r.ExplainName(), true)
			if err != nil {
				return nil, err
			}
			return &program{prelude: slices.Concat([]*goja.Program{scripted}, files), words: words, bundle: bundle}, nil
		}),
	}
}

func compileBundle(folder fs.FS, name string, explain bool) (*goja.Program, error) {
	script, err := bundleText(folder, name)
	if err != nil {
		return nil, err
	}
	return compileText(script, name, explain)
}

// compileText compiles a bundle's script.
func compileText(script, name string, explain bool) (*goja.Program, error) {
	tree, err := parser.ParseFile(nil, name, script, 0)
	if err != nil {
		return nil, fmt.Errorf("parse the bundle %s: %w", name, err)
	}
	if err := weaveResume(tree); err != nil {
		return nil, fmt.Errorf("prepare the bundle %s: %w", name, err)
	}
	if err := weavePartial(tree); err != nil {
		return nil, fmt.Errorf("prepare the bundle %s: %w", name, err)
	}
	if explain {
		weaveChecks(tree)
	} else {
		weavePrivate(tree)
	}
	p, err := goja.CompileAST(tree, false)
	if err != nil {
		return nil, fmt.Errorf("compile the bundle %s: %w", name, err)
	}
	return p, nil
}
