package rules

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

//go:generate go run ../internal/rulebook

// exampleText holds an exchange on which each rule fires and one on which it is quiet, taken from the fixtures.
//
//go:embed examples.json
var exampleText []byte

// Example is one exchange of a rule's fixtures, cut down to what a person needs to see.
type Example struct {
	Fixture string       `json:"fixture"` // the file, below fixtures/rules
	Says    string       `json:"says"`    // what the exchange shows, in words
	Legs    []ExampleLeg `json:"legs"`
	Finding string       `json:"finding,omitempty"` // the rule's message; "" where it is quiet
}

// ExampleLeg is a leg's dialect and body.
type ExampleLeg struct {
	Name    string `json:"name"`
	Dialect string `json:"dialect"`
	Body    string `json:"body"`
}

// Examples are a rule's firing and quiet example.
type Examples struct {
	Fires *Example `json:"fires,omitempty"`
	Quiet *Example `json:"quiet,omitempty"`
}

// Explain is a rule explained in full: what it checks, why, what to do, where it comes from, and two examples. ok is
// false for an id that the catalogue lacks.
func Explain(id string) (text string, ok bool) {
	i := slices.IndexFunc(Catalogue, func(r *Rule) bool { return r.ID == id })
	if i < 0 {
		return "", false
	}
	r := Catalogue[i]
	var b strings.Builder
	needs := "nothing: no reply can break it"
	if len(r.Needs) > 0 {
		needs = strings.Join(r.Needs, ", ")
	}
	fmt.Fprintf(&b, "%s  %s\n%s, since rules %s; needs %s\n\n%s\n\nSource: %s\n", r.ID, r.Title, r.Tier, r.Since, needs, strings.TrimSpace(r.Doc), r.Source)
	x := examplesOf(id)
	x.Fires.write(&b, "Fires")
	x.Quiet.write(&b, "Quiet")
	return b.String(), true
}

func examplesOf(id string) Examples {
	var all map[string]Examples
	if err := json.Unmarshal(exampleText, &all); err != nil {
		// The text is generated and a test reads it; a broken one explains less, no more.
		return Examples{}
	}
	return all[id]
}

func (e *Example) write(b *strings.Builder, when string) {
	if e == nil {
		return
	}
	fmt.Fprintf(b, "\n%s where %s:\n", when, e.Says)
	for _, l := range e.Legs {
		fmt.Fprintf(b, "\n  %s (%s)\n", l.Name, l.Dialect)
		for _, line := range strings.Split(strings.TrimRight(l.Body, "\n"), "\n") {
			fmt.Fprintf(b, "    %s\n", line)
		}
	}
	if e.Finding != "" {
		fmt.Fprintf(b, "\n  finding: %s\n", e.Finding)
	}
}
