package node

import (
	"embed"
	"fmt"

	"github.com/dop251/goja"
)

// The prelude gives goja what the SDKs use of Node. Every file is a function expression that takes the host object.
//
//go:embed prelude/*.js
var prelude embed.FS

// preludeOrder is the order in which the files run: a file may use what an earlier one defined. The last one's value
// is kept.
var preludeOrder = []string{"host.js", "text.js", "abort.js", "clone.js", "streams.js", "url.js", "fetch.js"}

func compilePrelude() ([]*goja.Program, error) {
	var out []*goja.Program
	for _, name := range preludeOrder {
		text, err := prelude.ReadFile("prelude/" + name)
		if err != nil {
			return nil, fmt.Errorf("read the prelude: %w", err)
		}
		p, err := goja.Compile("prelude/"+name, string(text), true)
		if err != nil {
			return nil, fmt.Errorf("compile prelude/%s: %w", name, err)
		}
		out = append(out, p)
	}
	return out, nil
}
