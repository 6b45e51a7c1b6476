package node

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"reassay/sdkemu"
)

// Release is one version of one SDK as its lockfile pins it.
type Release struct {
	SDK     string // "openai-node"
	Version string // as released
	Package string // the package's name, "openai"
	Entry   string // the entry of its bundle in js/
}

// Alias is the name under which the package is installed and bundled: "openai-node-5.23.2".
func (r Release) Alias() string { return r.SDK + "-" + r.Version }

// sdks says what the SDKs are that package.json may name.
var sdks = map[string]struct {
	pkg   string
	entry string // in js/
	apis  []sdkemu.API
}{
	"openai-node": {"openai", "openai.entry.mjs", []sdkemu.API{sdkemu.Chat, sdkemu.Responses}},
}

// packageJSON is the one table of versions: its dependencies are aliases that name an SDK and its version. To add one,
// run in js/
//
//	npm install --save-exact --package-lock-only --ignore-scripts openai-node-6.49.0@npm:openai@6.49.0
//
// which writes its line and its entries of the lockfile, then `make build` and the conformance test.
//
//go:embed js/package.json
var packageJSON []byte

// Releases lists the SDK versions that are built in, by SDK and version.
func Releases() ([]Release, error) {
	var manifest struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := json.Unmarshal(packageJSON, &manifest); err != nil {
		return nil, fmt.Errorf("read js/package.json: %w", err)
	}
	var out []Release
	for alias, spec := range manifest.Dependencies {
		r, err := releaseOf(alias, spec)
		if err != nil {
			return nil, fmt.Errorf("read js/package.json: %w", err)
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b Release) int { return strings.Compare(a.Alias(), b.Alias()) })
	return out, nil
}

func releaseOf(alias, spec string) (Release, error) {
	for name, sdk := range sdks {
		version, ok := strings.CutPrefix(alias, name+"-")
		if !ok {
			continue
		}
		if want := "npm:" + sdk.pkg + "@" + version; spec != want {
			return Release{}, fmt.Errorf("dependency %s is %q, want %q", alias, spec, want)
		}
		return Release{SDK: name, Version: version, Package: sdk.pkg, Entry: sdk.entry}, nil
	}
	return Release{}, fmt.Errorf("dependency %s names no known SDK", alias)
}

func (r Release) targets() []sdkemu.Target {
	var out []sdkemu.Target
	for _, api := range sdks[r.SDK].apis {
		for _, mode := range []sdkemu.Mode{sdkemu.ModeStream, sdkemu.ModeIterate} {
			out = append(out, sdkemu.Target{SDK: r.SDK, Version: r.Version, API: api, Mode: mode})
		}
	}
	return out
}
