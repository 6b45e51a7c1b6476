package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"sort"
	"strings"
)

// Judgement is what the rules say about a case.
type Judgement struct {
	Findings      []Finding         // with ids, in the order of leg, frame, rule and path
	Ran           []string          // ids of the rules that looked
	NotApplicable map[string]string // id of a rule that could not, and why
}

// judge is the state of one judging.
type judge struct {
	c        *Case
	faults   map[*Leg][]fault
	findings []*Finding
	declared map[*Leg][]declaration
	shown    map[string][]*Difference // those of the stream's comparison by what they say; nil before the first is looked up
}

// Judge runs the rules over the case's legs, then over what each SDK handed over. Each Run of the case gets its findings.
func Judge(c *Case) Judgement {
	j := &judge{c: c, faults: map[*Leg][]fault{}}
	var legs []*Leg
	for _, l := range []*Leg{c.Stream, c.NonStream} {
		if l != nil {
			legs = append(legs, l)
			if l.OK() {
				j.faults[l] = faultsOf(l)
				absorb(l, j.faults[l])
			}
		}
	}
	var comparisons []*Comparison
	for _, x := range []*Comparison{c.StreamComparison, c.WholeComparison} {
		if x != nil {
			comparisons = append(comparisons, x)
		}
	}
	ran, not := j.look(legs, comparisons)
	for _, r := range c.Runs {
		j.run(r)
	}
	return Judgement{Findings: j.numbered(), Ran: ran, NotApplicable: not}
}

// look lets every rule that can look do so, those of lower rank first.
func (j *judge) look(legs []*Leg, comparisons []*Comparison) (ran []string, not map[string]string) {
	not = map[string]string{}
	var passes []*Pass
	for _, r := range byRank() {
		if reason := j.lacks(r); reason != "" {
			not[r.ID] = reason
			continue
		}
		ran = append(ran, r.ID)
		passes = append(passes, &Pass{Rule: r, Case: j.c, judge: j, comparisons: comparisons, legs: legs})
	}
	for _, p := range passes {
		if p.Rule.First != nil {
			p.Rule.First(p)
		}
	}
	for _, p := range passes {
		p.Rule.Check(p)
	}
	for _, p := range passes {
		if p.Rule.Last != nil {
			p.Rule.Last(p)
		}
	}
	sort.Strings(ran)
	return ran, not
}

func byRank() []*Rule {
	rules := append([]*Rule(nil), Catalogue...)
	sort.SliceStable(rules, func(a, b int) bool { return rules[a].Rank < rules[b].Rank })
	return rules
}

// lacks says why a rule cannot look, "" when it can.
func (j *judge) lacks(r *Rule) string {
	c := j.c
	if r.Check == nil {
		return "it is about requests"
	}
	for _, need := range r.Needs {
		has := map[string]bool{
			NeedsReply:     c.Stream != nil || c.NonStream != nil,
			NeedsStream:    c.Stream != nil,
			NeedsReference: c.StreamComparison != nil || c.WholeComparison != nil,
			NeedsRequest:   c.Request != nil,
			NeedsUpstream:  c.Upstream != nil || c.UpstreamWhole != nil,
			NeedsEcho:      echoes(c.Stream) || echoes(c.NonStream),
			NeedsEquality:  c.Equivalence != nil,
		}[need]
		if !has {
			return "no " + strings.TrimPrefix(strings.TrimPrefix(need, "a "), "an ")
		}
	}
	return ""
}

func echoes(l *Leg) bool { return l != nil && l.Reply.Echo.Exists() }

// numbered gives the findings in their order with ids, those of one kind up to a number.
func (j *judge) numbered() []Finding {
	sort.SliceStable(j.findings, func(a, b int) bool {
		x, y := j.findings[a], j.findings[b]
		if rx, ry := legRank(x.Leg), legRank(y.Leg); rx != ry {
			return rx < ry
		}
		if x.Leg != y.Leg {
			return x.Leg < y.Leg
		}
		if fx, fy := frameOf(x), frameOf(y); fx != fy {
			return fx < fy
		}
		if x.Rule != y.Rule {
			return x.Rule < y.Rule
		}
		return x.Path < y.Path
	})
	return number(j.findings)
}

func legRank(leg string) int {
	switch leg {
	case StreamLeg:
		return 0
	case NonStreamLeg:
		return 1
	}
	return 2
}

// frameOf sorts findings without a place behind those with one.
func frameOf(f *Finding) int {
	if f.At == nil {
		return int(^uint(0) >> 1)
	}
	return f.At.Frame
}

// fingerprint names a fault apart from the exchange in which it was seen.
func (j *judge) fingerprint(f Finding) string {
	parts := []string{f.Rule, j.c.Gateway.Name, string(j.c.upstreamDialect()), string(j.c.callerDialect()), f.Construct, f.Mechanism}
	if strings.HasPrefix(f.Leg, sdkLegPrefix) {
		sdk, _, _ := strings.Cut(strings.TrimPrefix(f.Leg, sdkLegPrefix), "@")
		parts = append(parts, sdk)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
