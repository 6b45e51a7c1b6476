package main

import (
	"io"
	"path/filepath"
	"testing"
)

// What was right at the first scoring of a blind set stays right, and every item has been scored.
func TestBlindSetsAreNoWorse(t *testing.T) {
	sets, err := filepath.Glob("../../fixtures/blind*")
	if err != nil || len(sets) < 2 {
		t.Fatalf("%d sets (%v)", len(sets), err)
	}
	for _, dir := range sets {
		if err := blind(io.Discard, dir, false); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
	}
}
