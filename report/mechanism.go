package report

import (
	"cmp"
	"slices"

	"reassay/check"
	"reassay/rules"
)

// mechanismTally counts exchanges by mechanism.
type mechanismTally map[mechanismKey]*mechanismSum

type mechanismKey struct{ rule, mechanism, scope string }

type mechanismSum struct {
	exchanges, avoidable int
	causes               map[rules.Cause]int
	gateways             []string
	example              example
}

// add counts v's findings: those of t1, or of T2 with t2. An exchange counts once for each mechanism.
func (t mechanismTally) add(v check.Verdict, c Counting, t2 bool) {
	type hit struct {
		avoidable bool
		causes    []rules.Cause
	}
	hits := map[mechanismKey]*hit{}
	for _, f := range v.Findings {
		if !c.counts(f.Cause) || (t2 && f.Tier != rules.T2) || (!t2 && f.Tier != rules.T1) {
			continue
		}
		key := mechanismKey{f.Rule, f.Mechanism, f.Scope}
		sum := t[key]
		if sum == nil {
			sum = &mechanismSum{causes: map[rules.Cause]int{}, example: exampleOf(v, f)}
			t[key] = sum
		}
		h := hits[key]
		if h == nil {
			h = &hit{}
			hits[key] = h
		}
		h.avoidable = h.avoidable || f.Support == rules.Avoidable
		if f.Cause != "" && !slices.Contains(h.causes, f.Cause) {
			h.causes = append(h.causes, f.Cause)
		}
	}
	name := gatewayName(v.Gateway)
	for key, h := range hits {
		sum := t[key]
		sum.exchanges++
		if h.avoidable {
			sum.avoidable++
		}
		for _, cause := range h.causes {
			sum.causes[cause]++
		}
		if i, found := slices.BinarySearch(sum.gateways, name); !found {
			sum.gateways = slices.Insert(sum.gateways, i, name)
		}
	}
}

func exampleOf(v check.Verdict, f rules.Finding) example {
	return example{Exchange: v.Exchange, Gateway: v.Gateway, Leg: f.Leg, Path: f.Path, At: f.At, Message: f.Message}
}

// ranked lists the mechanisms by exchanges hit, out of n.
func (t mechanismTally) ranked(n int) []mechanism {
	out := make([]mechanism, 0, len(t))
	for key, s := range t {
		out = append(out, mechanism{Mechanism: key.mechanism, Rule: key.rule, Scope: key.scope,
			Exchanges: shareOf(s.exchanges, n), Avoidable: s.avoidable, Causes: s.causes, Gateways: s.gateways,
			Example: s.example})
	}
	slices.SortFunc(out, func(a, b mechanism) int {
		return cmp.Or(cmp.Compare(b.Exchanges.Count, a.Exchanges.Count), cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Mechanism, b.Mechanism), cmp.Compare(a.Scope, b.Scope))
	})
	return out
}

func gatewayName(g check.Gateway) string {
	switch {
	case g.Name == "":
		return "unnamed gateway"
	case g.Version == "":
		return g.Name
	}
	return g.Name + " " + g.Version
}
