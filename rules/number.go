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

// merged joins the counted findings of one fingerprint on one leg into the first of them, which lists the places of the
// others: what a gateway does to each call or choice of a reply is one fault. All of them take the one's id, so that a
// run that shows one shows that fault.
func merged(findings []*Finding) (kept []*Finding, into map[*Finding]*Finding) {
	first := map[string]*Finding{}
	into = map[*Finding]*Finding{}
	for _, f := range findings {
		key := f.kind() + "\x00" + f.Fingerprint
		one := first[key]
		if f.Tier != T1 || one == nil {
			first[key] = f
			kept = append(kept, f)
			continue
		}
		into[f] = one
		again := "again at " + orReply(f.Path)
		if f.At != nil {
			again += fmt.Sprintf(" in frame %d (byte %d)", f.At.Frame, f.At.Byte)
		}
		one.Consequences = append(append(one.Consequences, again), f.Consequences...)
	}
	return kept, into
}

// number gives the findings, which are in their order, ids. Of more than [maxAlike] of one kind the rest is counted in
// the first one's consequences, and takes its id: a run that shows one of them shows that kind.
func number(findings []*Finding) []Finding {
	all, into := merged(findings)
	defer func() {
		for f, one := range into {
			f.ID = one.ID
		}
	}()
	var kept []*Finding
	alike := map[string][]*Finding{}
	for _, f := range all {
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
