package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"reassay/sdkemu/node"
)

// What goja cannot parse (its README, "Known incompatibilities and caveats", and tried): esbuild lowers it.
var unsupported = map[string]bool{
	"async-generator":      false,
	"for-await":            false,
	"dynamic-import":       false,
	"import-meta":          false,
	"top-level-await":      false,
	"regexp-match-indices": false,
	"regexp-set-notation":  false,
}

type built struct {
	script []byte
	record []byte // node.Record as JSON

	packages []string // the folders below js whose modules went in, sorted
}

// build bundles one release. For the explain program optional chaining is lowered too, so that every property is read
// by a plain member expression.
func build(r node.Release, js string, explain bool) (built, error) {
	supported := map[string]bool{}
	for feature, ok := range unsupported {
		supported[feature] = ok
	}
	if explain {
		supported["optional-chain"] = false
	}
	in := &intake{js: js, alias: r.Alias(), record: node.Record{Given: map[string]string{}, Replaced: map[string][]string{}}}
	opts := api.BuildOptions{
		AbsWorkingDir: js,
		EntryPoints:   []string{r.Entry},
		Alias:         map[string]string{"sdk": r.Alias()},
		Bundle:        true,
		Format:        api.FormatIIFE,
		GlobalName:    node.GlobalName,
		Platform:      api.PlatformNeutral,
		MainFields:    []string{"module", "main"},
		Conditions:    []string{"import", "module", "default"},
		TreeShaking:   api.TreeShakingTrue,
		Target:        api.ES2022,
		Supported:     supported,
		Charset:       api.CharsetASCII,
		LegalComments: api.LegalCommentsNone,
		External:      []string{"node:*", "fs", "path", "os", "crypto", "child_process", "zod", "ws"},
		Metafile:      true,
		Plugins:       []api.Plugin{in.plugin()},
		LogLevel:      api.LogLevelSilent,
	}
	res := api.Build(opts)
	if err := failed(res.Errors, res.Warnings); err != nil {
		return built{}, err
	}
	text, err := replaceAsyncGenerator(string(res.OutputFiles[0].Contents))
	if err != nil {
		return built{}, err
	}
	small := api.Transform(text, api.TransformOptions{
		MinifyWhitespace: true, Target: opts.Target, Supported: supported, Charset: opts.Charset, LegalComments: api.LegalCommentsNone,
	})
	if err := failed(small.Errors, small.Warnings); err != nil {
		return built{}, err
	}
	in.record.Metafile = json.RawMessage(res.Metafile)
	record, err := json.MarshalIndent(in.record, "", " ")
	if err != nil {
		return built{}, err
	}
	return built{script: small.Code, record: record, packages: in.packages()}, nil
}

func failed(lists ...[]api.Message) error {
	var errs []error
	for _, list := range lists {
		for _, m := range list {
			at := ""
			if m.Location != nil {
				at = fmt.Sprintf("%s:%d: ", m.Location.File, m.Location.Line)
			}
			errs = append(errs, errors.New(at+m.Text))
		}
	}
	return errors.Join(errs...)
}

// intake hands esbuild every module and keeps what it handed over.
type intake struct {
	js     string
	alias  string     // of the package that is bundled
	mu     sync.Mutex // esbuild loads modules on several goroutines
	record node.Record
}

// packages are the folders of the packages that modules were taken from. An entry's package comes with the alias under
// which it is installed.
func (in *intake) packages() []string {
	var out []string
	for module := range in.record.Given {
		if p := packageOf(module); p != "" && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

func (in *intake) plugin() api.Plugin {
	return api.Plugin{Name: "intake", Setup: func(b api.PluginBuild) {
		b.OnLoad(api.OnLoadOptions{Filter: `\.[cm]?js$`}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			raw, err := os.ReadFile(a.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			path, err := filepath.Rel(in.js, a.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			path = filepath.ToSlash(path)
			text := string(raw)
			var done []string
			if inside, ok := strings.CutPrefix(path, "node_modules/"+in.alias+"/"); ok {
				if text, done, err = in.replaceFunctions(inside, text); err != nil {
					return api.OnLoadResult{}, err
				}
			}
			sum := sha256.Sum256([]byte(text))
			in.mu.Lock()
			defer in.mu.Unlock()
			in.record.Given[path] = hex.EncodeToString(sum[:])
			if len(done) > 0 {
				in.record.Replaced[path] = done
			}
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
		})
	}}
}

// replaceFunctions puts what node.Replacements names into a module's text. Where the package's text is not the one that
// a replacement knows, the function stays as it is.
func (in *intake) replaceFunctions(file, text string) (string, []string, error) {
	var done []string
	pkg := os.DirFS(filepath.Join(in.js, "node_modules", in.alias))
	for _, r := range node.Replacements {
		if r.File != file || !r.Fits(pkg) {
			continue
		}
		from, to, ok := functionText(text, r.Function)
		if !ok {
			return "", nil, fmt.Errorf("%s of %s is not where its digest says that it is", r.Function, file)
		}
		plain := strings.Replace(r.Function, "async function*", "function", 1)
		text = text[:from] + plain + " {\n    " + r.Body + "\n}" + text[to:]
		done = append(done, r.Function)
	}
	return text, done, nil
}

// functionText finds a function declared at a module's top level: it ends at the first closing brace in column 0.
func functionText(text, signature string) (from, to int, ok bool) {
	from = strings.Index(text, signature+" {")
	if from < 0 {
		return 0, 0, false
	}
	end := strings.Index(text[from:], "\n}")
	if end < 0 {
		return 0, 0, false
	}
	return from, from + end + len("\n}"), true
}
