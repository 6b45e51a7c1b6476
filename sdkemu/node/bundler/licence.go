package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// packageOf is the folder of the package that a module belongs to: "node_modules/name" or "node_modules/@scope/name",
// however deep; "" for a module that belongs to none.
func packageOf(module string) string {
	const modules = "node_modules/"
	at := strings.LastIndex(module, modules)
	if at < 0 {
		return ""
	}
	parts := strings.Split(module[at+len(modules):], "/")
	n := 1
	if strings.HasPrefix(parts[0], "@") {
		n = 2
	}
	return module[:at] + modules + path.Join(parts[:min(n, len(parts))]...)
}

// licencesOf puts the licences of packages, which are folders below js, one behind the other. A package without a
// licence file is named with what its manifest says.
func licencesOf(js string, packages []string) ([]byte, error) {
	var out bytes.Buffer
	for _, p := range packages {
		folder := filepath.Join(js, filepath.FromSlash(p))
		text, err := os.ReadFile(filepath.Join(folder, "package.json"))
		if err != nil {
			return nil, fmt.Errorf("find the licence of %s: %w", p, err)
		}
		var manifest struct{ Name, Version, License string }
		if err := json.Unmarshal(text, &manifest); err != nil {
			return nil, fmt.Errorf("find the licence of %s: %w", p, err)
		}
		fmt.Fprintf(&out, "%s %s (%s)\n\n", manifest.Name, manifest.Version, manifest.License)
		files, err := filepath.Glob(filepath.Join(folder, "[Ll][Ii][Cc][Ee][Nn][CcSs][Ee]*"))
		if err != nil {
			return nil, err
		}
		slices.Sort(files)
		if len(files) == 0 && manifest.License == "" {
			return nil, fmt.Errorf("%s has no licence", p)
		}
		for _, file := range files {
			licence, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			out.Write(bytes.TrimRight(licence, "\n"))
			out.WriteString("\n\n")
		}
	}
	return out.Bytes(), nil
}
