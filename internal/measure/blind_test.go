package main

import (
	"io"
	"path/filepath"
	"strings"
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

func TestWorse(t *testing.T) {
	first := blindResult{{ID: "found", Kind: "fault", T1: true}, {ID: "missed", Kind: "fault"}, {ID: "quiet", Kind: "allowed"}, {ID: "alarm", Kind: "allowed", T1: true}}
	change := func(i int) blindResult {
		now := append(blindResult(nil), first...)
		now[i].T1 = !now[i].T1
		return now
	}
	for i, worse := range []bool{true, false, true, false} {
		err := change(i).worse(first)
		if (err != nil) != worse || worse && !strings.Contains(err.Error(), first[i].ID) {
			t.Errorf("%s changed: %v", first[i].ID, err)
		}
	}
	if err := first.worse(first); err != nil {
		t.Error(err)
	}
}

// A set is scored once.
func TestFirstScoringIsNotMadeAgain(t *testing.T) {
	if err := blind(io.Discard, "../../fixtures/blind2", true); err == nil || !strings.Contains(err.Error(), "scored once") {
		t.Errorf("%v", err)
	}
}
