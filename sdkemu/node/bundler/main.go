// Bundler writes the bundles that sdkemu/node embeds: for every SDK version of js/package.json one script for goja,
// one for the explain program, the licences, and a record of what went in, for the test of sources. Then it lets every
// bundle read a sound stream, and fails when one does not come out clean.
//
// It is run in sdkemu/node (make bundles), after npm ci in sdkemu/node/js.
package main

import (
	"context"
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
	js, err = filepath.Abs(js)
	if err != nil {
		return err
	}
	for _, r := range releases {
		if err := bundle(r, js, out); err != nil {
			return fmt.Errorf("bundle %s: %w", r.Alias(), err)
		}
	}
	e, err := node.Load(os.DirFS(out))
	if err != nil {
		return err
	}
	return tryOut(context.Background(), e)
}

// bundle writes all files of one release.
func bundle(r node.Release, js, out string) error {
	if _, err := os.Stat(filepath.Join(js, "node_modules", r.Alias())); err != nil {
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
	licences, err := licencesOf(js, b.packages)
	if err != nil {
		return err
	}
	script, err := node.PackBundle(b.script)
	if err != nil {
		return err
	}
	explainScript, err := node.PackBundle(explain.script)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		text []byte
	}{
		{r.BundleName(), script},
		{r.ExplainName(), explainScript},
		{r.LicenceName(), licences},
		{r.RecordName(), b.record},
	} {
		if err := os.WriteFile(filepath.Join(out, f.name), f.text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
