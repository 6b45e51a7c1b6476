package node

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
)

// The bundles that make bundles wrote; only a README before that.
//
//go:embed bundles
var bundles embed.FS

// What bundles are made from. A bundle that was made from something else is refused.
//
//go:embed js/package-lock.json js/driver.mjs js/openai.mjs js/anthropic.mjs js/*.entry.mjs bundler/*.go bundler/*.js replacement.go
var sources embed.FS

// sourcesMark opens the comment in a bundle's gzip header; the digest of its sources follows.
const sourcesMark = "reassay bundle of "

// sourcesComment names what bundles are made from now.
func sourcesComment() (string, error) {
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
	return sourcesMark + hex.EncodeToString(h.Sum(nil)), nil
}

// PackBundle gives the file in which a bundle is kept: the script, compressed, under a header that names what it was
// made from.
func PackBundle(script []byte) ([]byte, error) {
	comment, err := sourcesComment()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("compress a bundle: %w", err)
	}
	w.Comment = comment
	if _, err := w.Write(script); err != nil {
		return nil, fmt.Errorf("compress a bundle: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("compress a bundle: %w", err)
	}
	return out.Bytes(), nil
}

// GlobalName is the global variable through which a bundle gives its exports.
const GlobalName = "__reassay"

// BundleName is the file of the release's script in the bundle folder.
func (r Release) BundleName() string { return r.Alias() + ".js.gz" }

// ExplainName is the file of its script for the explain program.
func (r Release) ExplainName() string { return r.Alias() + ".explain.js.gz" }

// LicenceName is the file of the licences of its package and of the packages that came with it.
func (r Release) LicenceName() string { return r.Alias() + ".LICENSE" }

// RecordName is the file of its [Record]. Its underscore keeps it from being embedded.
func (r Release) RecordName() string { return "_" + r.Alias() + ".json" }

// Record says what a bundle was made from.
type Record struct {
	Given    map[string]string   `json:"given"`    // a module's path in js/ and the SHA-256 of the text that esbuild was given
	Replaced map[string][]string `json:"replaced"` // a module's path in js/ and its functions of which a [Replacement] was made
	Metafile json.RawMessage     `json:"metafile"` // esbuild's own account
}

// openBundle opens a bundle of the folder and holds its header to comment.
func openBundle(folder fs.FS, name, comment string) (*gzip.Reader, error) {
	file, err := fs.ReadFile(folder, name)
	if err != nil {
		return nil, fmt.Errorf("the bundle %s is not built in: run `make build`", name)
	}
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("open the bundle %s: %w: run `make build`", name, err)
	}
	if z.Comment != comment {
		return nil, fmt.Errorf("the bundle %s was made from other sources than this program: run `make build`", name)
	}
	return z, nil
}

// checkBundle looks at a bundle's header alone.
func checkBundle(folder fs.FS, name, comment string) error {
	_, err := openBundle(folder, name, comment)
	return err
}

// bundleText is a bundle's script.
func bundleText(folder fs.FS, name string) (string, error) {
	comment, err := sourcesComment()
	if err != nil {
		return "", err
	}
	z, err := openBundle(folder, name, comment)
	if err != nil {
		return "", err
	}
	script, err := io.ReadAll(z)
	if err != nil {
		return "", fmt.Errorf("read the bundle %s: %w", name, err)
	}
	return string(script), nil
}
