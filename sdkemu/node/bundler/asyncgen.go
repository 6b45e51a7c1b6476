package main

import (
	_ "embed"
	"fmt"
	"regexp"
)

// asyncGenerator is the helper that stands in the place of esbuild's.
//
//go:embed asyncgen.js
var asyncGenerator string

// esbuildHelper is the helper of the esbuild version in go.mod (internal/runtime/runtime.go, __asyncGenerator). When
// esbuild changes it, the build fails here and the new one must be read before the pattern is.
var esbuildHelper = regexp.MustCompile(`(?s)var __asyncGenerator = \(__this, __arguments, generator\) => \{.*?method\("next"\), method\("throw"\), method\("return"\), it;\n  \};\n`)

// replaceAsyncGenerator puts asyncgen.js where esbuild's helper for async generators stands.
func replaceAsyncGenerator(script string) (string, error) {
	found := esbuildHelper.FindAllStringIndex(script, -1)
	if len(found) != 1 {
		return "", fmt.Errorf("esbuild's helper for async generators was found %d times, want once: it has changed", len(found))
	}
	return script[:found[0][0]] + asyncGenerator + script[found[0][1]:], nil
}
