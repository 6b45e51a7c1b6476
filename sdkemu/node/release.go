package node

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
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

// sdk is an SDK that package.json may name.
type sdk struct {
	name     string
	pkg      string // the package's name
	entry    string // in js/
	apis     []sdkemu.API
	standard string // the version that the SDK's name alone stands for
}

// sdks lists them. openai-node stands for the version that the paper measured, anthropic-node for the newest built in.
var sdks = []sdk{
	{"openai-node", "openai", "openai.entry.mjs", []sdkemu.API{sdkemu.Chat, sdkemu.Responses}, "5.23.2"},
	{"anthropic-node", "@anthropic-ai/sdk", "anthropic.entry.mjs", []sdkemu.API{sdkemu.AnthropicMessages}, "1.14.0"},
}

// packageJSON is the one table of versions: its dependencies are aliases that name an SDK and its version
// (CONTRIBUTING.md tells how to add one). What only tests use stands in its devDependencies.
//
//go:embed js/package.json
var packageJSON []byte

// Releases lists the SDK versions that are built in: the SDKs in the order of their table, each with the version that
// its name alone stands for first and the others from old to new.
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
	for _, s := range sdks {
		if !slices.ContainsFunc(out, func(r Release) bool { return r.SDK == s.name && r.Version == s.standard }) {
			return nil, fmt.Errorf("read js/package.json: %s %s, which the name alone stands for, is missing", s.name, s.standard)
		}
	}
	slices.SortFunc(out, func(a, b Release) int {
		return cmp.Or(cmp.Compare(sdkIndex(a.SDK), sdkIndex(b.SDK)), -compareBool(a.standard(), b.standard()), compareVersions(a.Version, b.Version))
	})
	return out, nil
}

func sdkIndex(name string) int {
	return slices.IndexFunc(sdks, func(s sdk) bool { return s.name == name })
}

// standard reports whether the SDK's name alone stands for the release.
func (r Release) standard() bool { return sdks[sdkIndex(r.SDK)].standard == r.Version }

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// compareVersions orders versions by their numbers.
func compareVersions(a, b string) int {
	return slices.Compare(versionNumbers(a), versionNumbers(b))
}

func versionNumbers(v string) []int {
	var out []int
	for _, part := range strings.Split(v, ".") {
		n, _ := strconv.Atoi(part) // what is no number sorts first
		out = append(out, n)
	}
	return out
}

func releaseOf(alias, spec string) (Release, error) {
	for _, s := range sdks {
		version, ok := strings.CutPrefix(alias, s.name+"-")
		if !ok {
			continue
		}
		if want := "npm:" + s.pkg + "@" + version; spec != want {
			return Release{}, fmt.Errorf("dependency %s is %q, want %q", alias, spec, want)
		}
		return Release{SDK: s.name, Version: version, Package: s.pkg, Entry: s.entry}, nil
	}
	return Release{}, fmt.Errorf("dependency %s names no known SDK", alias)
}

func (r Release) targets() []sdkemu.Target {
	var out []sdkemu.Target
	for _, api := range sdks[sdkIndex(r.SDK)].apis {
		for _, mode := range []sdkemu.Mode{sdkemu.ModeStream, sdkemu.ModeIterate} {
			out = append(out, sdkemu.Target{SDK: r.SDK, Version: r.Version, API: api, Mode: mode})
		}
	}
	return out
}
