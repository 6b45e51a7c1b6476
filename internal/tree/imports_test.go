package tree

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "reassay"

// allowed is the table of imports: what the files of a package, its tests aside, may import beside the standard
// library. A name without a dot is a package of ours, a name with one a module's import path or a prefix of it.
// Emulators share nothing with our own parsers: sdkemu never imports sse or assemble.
var allowed = map[string][]string{
	"wire":                {"github.com/tidwall/gjson"},
	"capture":             {"wire", "github.com/tidwall/gjson", "github.com/klauspost/compress", "github.com/andybalholm/brotli"},
	"sse":                 {"wire"},
	"assemble":            {"sse", "wire"},
	"convir":              {"wire"},
	"sdkemu":              {"wire"},
	"sdkemu/node":         {"sdkemu", "wire", "github.com/dop251/goja"},
	"sdkemu/node/bundler": {"sdkemu", "sdkemu/node", "github.com/evanw/esbuild", "github.com/dop251/goja"},
	"sdkemu/python":       {"sdkemu", "wire"},
	"sdkemu/isolate":      {"sdkemu", "wire"},
	"sdkemu/golang":       {"sdkemu", "wire", "github.com/openai/openai-go", "github.com/anthropics/anthropic-sdk-go"},
	"rules":               {"capture", "sse", "assemble", "convir", "sdkemu", "wire", "github.com/santhosh-tekuri/jsonschema"},
	"check": {"capture", "sse", "assemble", "convir", "sdkemu", "sdkemu/node", "sdkemu/python", "sdkemu/golang", "rules",
		"wire"},
	"meter":   {"check", "github.com/prometheus/client_golang"},
	"workers": {"capture", "check", "meter", "mirror", "wire", "github.com/nats-io", "go.uber.org/zap", "golang.org/x/sync"},
	// A tap passes traffic and publishes it; it judges nothing.
	"tap":    {"capture", "mirror", "wire", "go.uber.org/zap"},
	"report": {"rules", "check", "wire", "golang.org/x/text/width"},
	"cmd/reassay": {"capture", "sse", "assemble", "convir", "sdkemu", "sdkemu/node", "sdkemu/python", "sdkemu/golang",
		"sdkemu/isolate", "rules", "check", "meter", "workers", "tap", "mirror", "report", "wire", "github.com/spf13/cobra", "github.com/nats-io", "github.com/synadia-io/orbit.go/natscontext",
		"go.uber.org/zap"},
}

// pkg is what go list tells of a package.
type pkg struct {
	ImportPath     string
	Dir            string
	Name           string
	Imports        []string
	TestImports    []string
	XTestImports   []string
	GoFiles        []string
	IgnoredGoFiles []string
	Standard       bool
}

// name is the package's folder in the tree, "." for the root.
func (p pkg) name() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
}

// list is every package of the module.
func list(t *testing.T) []pkg {
	t.Helper()
	c := exec.Command("go", "list", "-json=ImportPath,Dir,Name,Imports,TestImports,XTestImports,GoFiles,IgnoredGoFiles", "./...")
	c.Dir = root
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("read go list: %v", err)
		}
		all = append(all, p)
	}
	if len(all) < len(allowed) {
		t.Fatalf("go list names %d packages, the table has %d", len(all), len(allowed))
	}
	return all
}

const root = "../.."

// mayImport reports whether the table lets a package import path.
func mayImport(table []string, path string) bool {
	ours, isOurs := strings.CutPrefix(path, module+"/")
	if !isOurs && !strings.Contains(strings.SplitN(path, "/", 2)[0], ".") {
		return true // standard library
	}
	return slices.ContainsFunc(table, func(a string) bool {
		if isOurs {
			return a == ours
		}
		return path == a || strings.HasPrefix(path, a+"/")
	})
}

func TestImports(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range list(t) {
		name := p.name()
		seen[name] = true
		if strings.HasPrefix(name, "internal/") {
			for _, path := range p.Imports {
				if strings.HasPrefix(path, module+"/cmd/") {
					t.Errorf("%s imports %s", name, path)
				}
			}
			continue
		}
		table, known := allowed[name]
		if !known {
			t.Errorf("package %s is not in the table of imports", name)
			continue
		}
		for _, path := range p.Imports {
			if !mayImport(table, path) {
				t.Errorf("%s imports %s, which the table does not allow", name, path)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(allowed)) {
		if !seen[name] {
			t.Errorf("the table names package %s, which does not exist", name)
		}
	}
}

// The mirror is a module of its own, so that a gateway can require it: only nats.go, and nothing of ours.
func TestMirrorRequiresOnlyNATS(t *testing.T) {
	c := exec.Command("go", "list", "-f", `{{join .Imports "\n"}}`, "./...")
	c.Dir = filepath.Join(root, "mirror")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("go list in mirror: %v\n%s", err, out)
	}
	for _, path := range strings.Fields(string(out)) {
		if !mayImport([]string{"github.com/nats-io/nats.go"}, path) {
			t.Errorf("mirror imports %s", path)
		}
	}
}

// A file whose name ends in a word of an operating system or a processor is silently left out of the build. Files may
// be left out only by a build constraint that they carry themselves.
func TestNoFileIsSilentlyIgnored(t *testing.T) {
	for _, p := range list(t) {
		for _, name := range p.IgnoredGoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(string(text), "//go:build ") && !strings.Contains(string(text), "\n//go:build ") {
				t.Errorf("%s/%s is left out of the build and carries no build constraint", p.name(), name)
			}
		}
	}
}

func TestPackageNamesSaySomething(t *testing.T) {
	empty := []string{"util", "utils", "common", "helper", "helpers", "lib", "types", "misc", "base"}
	for _, p := range list(t) {
		if slices.Contains(empty, p.Name) {
			t.Errorf("package %s: the name says nothing of what it holds", p.name())
		}
	}
}

func TestNoAssertionLibrary(t *testing.T) {
	for _, p := range list(t) {
		for _, path := range append(p.TestImports, p.XTestImports...) {
			if strings.Contains(path, "testify") || strings.Contains(path, "gomega") || strings.Contains(path, "go-cmp") {
				t.Errorf("the tests of %s import %s; std testing is enough", p.name(), path)
			}
		}
	}
}
