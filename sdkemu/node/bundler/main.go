// Bundler writes the bundles that sdkemu/node embeds: for every SDK version of js/package.json one script for goja,
// one for the explain program, the licence, and a record of what went in, for the test of sources.
//
// It is run in sdkemu/node (make bundles), after npm ci in sdkemu/node/js.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"reassay/sdkemu/node"
)

func main() {
	if err := run("js", "bundles"); err != nil {
		fmt.Fprintln(os.Stderr, "bundler:", err)
		os.Exit(1)
	}
}

func run(js, out string) error {
	releases, err := node.Releases()
	if err != nil {
		return err
	}
	header, err := node.BundleHeader()
	if err != nil {
		return err
	}
	js, err = filepath.Abs(js)
	if err != nil {
		return err
	}
	for _, r := range releases {
		if err := bundle(r, header, js, out); err != nil {
			return fmt.Errorf("bundle %s: %w", r.Alias(), err)
		}
	}
	return nil
}

// bundle writes all files of one release.
func bundle(r node.Release, header, js, out string) error {
	pkg := filepath.Join(js, "node_modules", r.Alias())
	licence, err := os.ReadFile(filepath.Join(pkg, "LICENSE"))
	if err != nil {
		return fmt.Errorf("%w: run `make node-modules`", err)
	}
	b, err := build(r, js, false)
	if err != nil {
		return err
	}
	explain, err := build(r, js, true)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		text []byte
	}{
		{r.BundleName(), append([]byte(header), b.script...)},
		{r.ExplainName(), append([]byte(header), explain.script...)},
		{r.LicenceName(), licence},
		{r.RecordName(), b.record},
	} {
		if err := os.WriteFile(filepath.Join(out, f.name), f.text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
