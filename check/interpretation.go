package check

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"runtime"
	"slices"
	"strings"

	"reassay/convir"
	"reassay/rules"
)

// policySources are this package's own sources: how outcomes are counted is part of what a verdict depends on.
//
//go:embed *.go
var policySources embed.FS

// The runtimes whose behaviour the emulators give. Node's is that of the engine's compatibility layer, Python's that
// of the reference interpreter; Go's is the toolchain that built the program.
const (
	nodeRuntime   = "20"
	pythonRuntime = "3.11"
)

func (c *Checker) interpret() Interpretation {
	i := Interpretation{
		Rules:         rules.Version,
		CompletionMap: convir.CompletionMapVersion,
		SDKs:          []string{},
		Runtimes:      map[string]string{"node": nodeRuntime, "python": pythonRuntime, "go": goRuntime(runtime.Version())},
	}
	for _, r := range c.releases {
		i.SDKs = append(i.SDKs, r.sdk+"@"+r.version)
	}
	i.ID = interpretationID(i, c.maxBody(), rules.Sources, policySources)
	return i
}

// goRuntime is the toolchain's major and minor version: "go1.26.8" gives "1.26".
func goRuntime(version string) string {
	parts := strings.SplitN(strings.TrimPrefix(version, "go"), ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// interpretationID is a hash over everything that an interpretation names: the rules' and the policy's sources, the
// tables of knowledge, the SDK set, runtimes and limits.
func interpretationID(i Interpretation, maxBody int, sources ...fs.FS) string {
	h := sha256.New()
	fmt.Fprintln(h, VerdictVersion, i.Rules, i.CompletionMap, convir.SupportVersion, convir.GrammarVersion, maxBody)
	for _, s := range sources {
		hashSources(h, s)
	}
	fmt.Fprintf(h, "%q\n%q\n%q\n%q\n", convir.StopReasons, convir.SupportTable, convir.OwnTable, convir.Grammar)
	fmt.Fprintf(h, "%q\n%q %q %q\n", i.SDKs, i.Runtimes["node"], i.Runtimes["python"], i.Runtimes["go"])
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// hashSources feeds a folder's Go files in the order of their names, tests left out.
func hashSources(h hash.Hash, files fs.FS) {
	names, err := fs.Glob(files, "*.go")
	if err != nil {
		return
	}
	slices.Sort(names)
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil || strings.HasSuffix(name, "_test.go") {
			continue
		}
		fmt.Fprintf(h, "%s %d\n", name, len(text))
		h.Write(text)
	}
}
