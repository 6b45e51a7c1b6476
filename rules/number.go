package rules

import (
	"fmt"
	"strings"
)

// maxAlike is how many findings of one kind on one leg a verdict holds: the first of them say all that can be acted on,
// and a stream that breaks one rule at each of its events must not give a verdict larger than itself.
const maxAlike = 25

// maxConsequences is how many consequences a finding lists.
const maxConsequences = 50

// number gives the findings, which are in their order, ids. Of more than [maxAlike] of one kind the rest is counted in
// the first one's consequences, and takes its id: a run that shows one of them shows that kind.
func number(findings []*Finding) []Finding {
	var kept []*Finding
	alike := map[string][]*Finding{}
	for _, f := range findings {
		kind := f.kind()
		if alike[kind] = append(alike[kind], f); len(alike[kind]) <= maxAlike {
			kept = append(kept, f)
			f.ID = fmt.Sprintf("f%d", len(kept))
			continue
		}
		f.ID = alike[kind][0].ID
	}
	out := make([]Finding, len(kept))
	for i, f := range kept {
		if more := len(f.Consequences) - maxConsequences; more > 0 {
			f.Consequences = append(f.Consequences[:maxConsequences:maxConsequences], fmt.Sprintf("and %d times more", more))
		}
		if all := alike[f.kind()]; all[0] == f && len(all) > maxAlike {
			f.Consequences = append(f.Consequences, fmt.Sprintf("%d findings of this kind in all, %d of them listed", len(all), maxAlike))
		}
		out[i] = *f
	}
	return out
}

// kind is what findings have in common that differ only in where they stand and in what stands there.
func (f *Finding) kind() string {
	return strings.Join([]string{f.Leg, f.Rule, f.Name, string(f.Tier), f.Construct, string(f.Cause), string(f.Support), string(f.Field), f.Scope, f.DeclaredBy}, "\x00")
}
