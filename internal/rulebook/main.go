// Rulebook writes what is made from the catalogue: RULES.md, and the examples that `reassay rules ID` shows.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "rulebook:", err)
		os.Exit(1)
	}
}

// write is run in the folder rules, as go generate does.
func write() error {
	root := ".."
	examples, err := examplesJSON(root)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(root, "rules", "examples.json"), examples, 0o644); err != nil {
		return fmt.Errorf("write the examples: %w", err)
	}
	if err := os.WriteFile(filepath.Join(root, "RULES.md"), page(), 0o644); err != nil {
		return fmt.Errorf("write the rules' page: %w", err)
	}
	return nil
}
