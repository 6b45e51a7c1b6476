package node

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func digestOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Every module of an SDK that esbuild put into a bundle is the installed package's file, byte for byte, apart from the
// functions that Replacements lists.
func TestBundlesHoldTheInstalledPackages(t *testing.T) {
	needSDKs(t)
	releases, err := Releases()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range releases {
		var record Record
		text, err := os.ReadFile(filepath.Join("bundles", r.RecordName()))
		if err != nil {
			t.Fatalf("%v: run `make bundles`", err)
		}
		if err := json.Unmarshal(text, &record); err != nil {
			t.Fatal(err)
		}
		var metafile struct {
			Inputs map[string]struct{ Bytes int }
		}
		if err := json.Unmarshal(record.Metafile, &metafile); err != nil {
			t.Fatal(err)
		}
		for _, path := range slices.Sorted(maps.Keys(record.Replaced)) {
			for _, function := range record.Replaced[path] {
				if !slices.ContainsFunc(fitting(r), func(m Replacement) bool {
					return path == "node_modules/"+r.Alias()+"/"+m.File && function == m.Function
				}) {
					t.Errorf("%s: %s of %s was replaced, and Replacements does not list it", r.Alias(), function, path)
				}
			}
		}
		theirs := 0
		for path := range metafile.Inputs {
			given, ok := record.Given[path]
			if !ok {
				t.Errorf("%s: esbuild took %s from elsewhere", r.Alias(), path)
				continue
			}
			if strings.HasPrefix(path, "node_modules/") {
				theirs++
			}
			same := given == digestOf(t, filepath.Join("js", path))
			if same != (record.Replaced[path] == nil) {
				t.Errorf("%s: %s is the installed file: %v; replaced in it: %v", r.Alias(), path, same, record.Replaced[path])
			}
		}
		if theirs == 0 {
			t.Errorf("%s: the bundle holds no module of the package", r.Alias())
		}
		t.Logf("%s: %d modules of the package", r.Alias(), theirs)
	}
}

func TestInstalledVersions(t *testing.T) {
	needSDKs(t)
	releases, err := Releases()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range releases {
		text, err := os.ReadFile(filepath.Join("js/node_modules", r.Alias(), "package.json"))
		if err != nil {
			t.Fatal(err)
		}
		var manifest struct{ Name, Version string }
		if err := json.Unmarshal(text, &manifest); err != nil {
			t.Fatal(err)
		}
		if manifest.Name != r.Package || manifest.Version != r.Version {
			t.Errorf("%s is %s@%s", r.Alias(), manifest.Name, manifest.Version)
		}
	}
}

// The lockfile pins every package by its content and names no place to get it from.
func TestLockfile(t *testing.T) {
	text, err := os.ReadFile("js/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct{ Resolved, Integrity string }
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		t.Fatal(err)
	}
	for path, p := range lock.Packages {
		if p.Resolved != "" {
			t.Errorf("%s names an address", path)
		}
		if path != "" && !strings.HasPrefix(p.Integrity, "sha512-") {
			t.Errorf("%s has no integrity hash", path)
		}
	}
	if len(lock.Packages) < 2 {
		t.Error("the lockfile pins nothing")
	}
}
