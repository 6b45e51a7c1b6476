package main

import (
	"strings"
	"testing"

	"reassay/rules"
)

// Every rule is listed, and explained in its own words.
func TestRulesAreListedAndExplained(t *testing.T) {
	code, list, _ := runIn(t, nil, "rules")
	if code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	if n := strings.Count(list, "\n"); n != len(rules.Catalogue) || n == 0 {
		t.Errorf("%d rules are listed, the catalogue has %d", n, len(rules.Catalogue))
	}
	for _, r := range rules.Catalogue {
		if !strings.Contains(list, r.ID+" ") || !strings.Contains(list, r.Title) {
			t.Errorf("%s is not in the list", r.ID)
		}
		code, text, _ := runIn(t, nil, "rules", strings.ToLower(r.ID))
		if code != exitOK {
			t.Errorf("rules %s: exit code %d", r.ID, code)
		}
		for _, part := range []string{r.ID, r.Title, string(r.Tier), strings.TrimSpace(r.Doc), r.Source} {
			if part == "" || !strings.Contains(text, part) {
				t.Errorf("the explanation of %s lacks %q", r.ID, part)
			}
		}
	}
}
