package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

const root = "../.."

func TestGeneratedFilesAreFresh(t *testing.T) {
	for name, make := range map[string]func(string) ([]byte, error){"rules/examples.json": examplesJSON, "RULES.md": func(string) ([]byte, error) { return page(), nil }} {
		want, err := make(root)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the catalogue gives: run go generate ./rules", name)
		}
	}
}
