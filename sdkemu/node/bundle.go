package node

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
)

// The bundles that make bundles wrote; only a README before that.
//
//go:embed bundles
var bundles embed.FS

// What bundles are made from. A bundle that was made from something else is refused.
//
//go:embed js/package-lock.json js/driver.mjs js/openai.mjs js/openai.entry.mjs bundler/*.go bundler/*.js replacement.go
var sources embed.FS

// bundleMark opens a bundle's first line, a comment; the digest of its sources follows.
const bundleMark = "// reassay bundle of "

// BundleHeader is the first line of every bundle: it names what the bundle was made from.
func BundleHeader() (string, error) {
	h := sha256.New()
	err := fs.WalkDir(sources, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := sources.ReadFile(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%s %d\n", path, len(text))
		h.Write(text)
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("digest the sources of the bundles: %w", err)
	}
	return bundleMark + hex.EncodeToString(h.Sum(nil)) + "\n", nil
}

// GlobalName is the global variable through which a bundle gives its exports.
const GlobalName = "__reassay"

// BundleName is the file of the release's script in the bundle folder.
func (r Release) BundleName() string { return r.Alias() + ".js" }

// ExplainName is the file of its script for the explain program.
func (r Release) ExplainName() string { return r.Alias() + ".explain.js" }

// LicenceName is the file of its package's licence.
func (r Release) LicenceName() string { return r.Alias() + ".LICENSE" }

// RecordName is the file of its [Record]. Its underscore keeps it from being embedded.
func (r Release) RecordName() string { return "_" + r.Alias() + ".json" }

// Record says what a bundle was made from.
type Record struct {
	Given    map[string]string  `json:"given"`    // a module's path in js/ and the SHA-256 of the text that esbuild was given
	Replaced []ReplacedFunction `json:"replaced"` // what stood in it in the place of the SDK's own
	Metafile json.RawMessage    `json:"metafile"` // esbuild's own account
}

// ReplacedFunction is one [Replacement] that was made.
type ReplacedFunction struct {
	Path     string `json:"path"`
	Function string `json:"function"`
}

// bundleText is a bundle as it was embedded.
func bundleText(name string) (string, error) {
	text, err := bundles.ReadFile("bundles/" + name)
	if err != nil {
		return "", fmt.Errorf("the bundle %s is not built in: run `make build`", name)
	}
	header, err := BundleHeader()
	if err != nil {
		return "", err
	}
	if !bytes.HasPrefix(text, []byte(header)) {
		return "", fmt.Errorf("the bundle %s was made from other sources than this program: run `make build`", name)
	}
	return string(text), nil
}
