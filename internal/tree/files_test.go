package tree

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// made are the folders that a build, npm or pip fills.
var made = map[string]bool{".git": true, "bin": true, "build": true, "node_modules": true, "bundles": true}

// files hands every file of the tree that is written by hand to look.
func files(t *testing.T, look func(path string, text []byte)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (made[d.Name()] || strings.HasPrefix(d.Name(), ".venv")):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n++
		look(strings.TrimPrefix(filepath.ToSlash(path), root+"/"), text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 100 {
		t.Fatalf("looked at %d files only: is this the tree?", n)
	}
}

// The words are put together so that this file does not hold them.
var forbidden = map[string]string{
	"registry." + "npmjs":     "a registry's host",
	"proxy." + "golang":       "a registry's host",
	"pypi" + ".org":           "a registry's host",
	"files." + "pythonhosted": "a registry's host",
	"deb." + "debian":         "a registry's host",
	"\"resolved\"" + ":":      "an address that npm resolved; write lockfiles with omit-lockfile-registry-resolved",
	"/wo" + "rk/":             "a path of one machine",
	"/ro" + "ot/":             "a path of one machine",
	"TO" + "DO":               "work left over",
	"FIX" + "ME":              "work left over",
	"t." + "Skip(":            "a test that can skip itself",
	"t." + "SkipNow(":         "a test that can skip itself",
	"testing." + "Short()":    "a test that can skip itself",
	"zap.Replace" + "Globals": "a global logger",
}

// Recorded replies may say anything; they are data.
func data(path string) bool {
	return strings.HasPrefix(path, "fixtures/") || strings.Contains(path, "/testdata/")
}

func TestNothingForbiddenInAnyFile(t *testing.T) {
	files(t, func(path string, text []byte) {
		for word, what := range forbidden {
			isData := data(path) && what != "a registry's host" && what != "a path of one machine"
			if !isData && bytes.Contains(text, []byte(word)) {
				t.Errorf("%s holds %q: %s", path, word, what)
			}
		}
	})
}

func TestGoFilesAreOneConcept(t *testing.T) {
	const most = 600
	files(t, func(path string, text []byte) {
		if n := bytes.Count(text, []byte("\n")); strings.HasSuffix(path, ".go") && n > most {
			t.Errorf("%s has %d lines, more than %d: is it one concept?", path, n, most)
		}
		if strings.HasSuffix(path, ".go") && !utf8.Valid(text) {
			t.Errorf("%s is not UTF-8", path)
		}
	})
}

// Knowledge about dialects is data in convir; a rule compares replies and asks wire for a dialect's name.
func TestNoDialectNamesInRules(t *testing.T) {
	names := map[string]bool{"openai-chat": true, "openai-responses": true, "anthropic-messages": true, "gemini-generate": true}
	goFiles(t, "rules/", func(path string, set *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil && names[s] {
					t.Errorf("%s: the dialect %s stands here as a string", set.Position(lit.Pos()), s)
				}
			}
			return true
		})
	})
}

// The process has one edge: only main.go touches it, everything else gets an env.
func TestOneProcessEdge(t *testing.T) {
	goFiles(t, "cmd/", func(path string, set *token.FileSet, file *ast.File) {
		if strings.HasSuffix(path, "/main.go") {
			return
		}
		for _, i := range file.Imports {
			if p, _ := strconv.Unquote(i.Path.Value); p == "os" || strings.HasPrefix(p, "os/") {
				t.Errorf("%s imports %s: take what is needed from env", path, p)
			}
		}
	})
}

// goFiles hands every parsed Go file below folder to look, tests aside.
func goFiles(t *testing.T, folder string, look func(path string, set *token.FileSet, file *ast.File)) {
	t.Helper()
	n := 0
	files(t, func(path string, text []byte) {
		if !strings.HasPrefix(path, folder) || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		n++
		look(path, set, file)
	})
	if n == 0 {
		t.Fatalf("no Go file below %s", folder)
	}
}
