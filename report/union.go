package report

import (
	"reassay/check"
)

// pairTally counts two SDKs' outcomes together, over the exchanges that are in the N of both.
type pairTally struct {
	n   int
	sum map[Counting]*pairSum
}

type pairSum struct {
	split     split
	avoidable int
	disagree  int
}

// addPair counts v for the pair of SDKs that its caller's dialect has.
func (t *tally) addPair(v check.Verdict) {
	python, node, _, ok := pairOf(v.Dialects.Caller, v.Interpretation.SDKs)
	if !ok {
		return
	}
	a, b := runOf(v, python, modeStream), runOf(v, node, modeStream)
	if leftOutOf(v, a) != "" || leftOutOf(v, b) != "" {
		return
	}
	key := [2]sdkVersion{python, node}
	p := t.pairs[key]
	if p == nil {
		p = &pairTally{sum: map[Counting]*pairSum{Gateway: {}, Caller: {}}}
		t.pairs[key] = p
	}
	p.n++
	for _, c := range countings {
		p.sum[c].add(c.failure(v, *a), c.failure(v, *b))
	}
}

// failure is what one run adds to a union: exception, corrupt, or "" for neither.
type failure struct {
	class     check.SDKOutcome
	avoidable bool
}

func (c Counting) failure(v check.Verdict, run check.SDK) failure {
	class := c.outcome(v, run)
	if class != check.Exception && class != check.Corrupt {
		return failure{}
	}
	return failure{class, run.Avoidable != nil && *run.Avoidable}
}

func (s *pairSum) add(a, b failure) {
	if a.class != b.class {
		s.disagree++
	}
	if a.avoidable || b.avoidable {
		s.avoidable++
	}
	raised, corrupt := 0, 0
	for _, f := range []failure{a, b} {
		switch f.class {
		case check.Exception:
			raised++
		case check.Corrupt:
			corrupt++
		}
	}
	switch {
	case raised == 2:
		s.split.BothRaise++
	case raised == 1 && corrupt == 1:
		s.split.RaiseAndCorrupt++
	case raised == 1:
		s.split.RaiseOnly++
	case corrupt == 2:
		s.split.BothCorrupt++
	case corrupt == 1:
		s.split.CorruptOnly++
	}
}

// sum is how many exchanges the split holds.
func (s split) sum() int {
	return s.BothRaise + s.RaiseAndCorrupt + s.RaiseOnly + s.BothCorrupt + s.CorruptOnly
}

func (p *pairTally) result(python, node sdkVersion, headline bool) union {
	of := func(c Counting) unionSplit {
		s := p.sum[c]
		return unionSplit{Either: shareOf(s.split.sum(), p.n), Avoidable: s.avoidable, Split: s.split,
			Disagree: shareOf(s.disagree, p.n)}
	}
	return union{SDKs: []string{python.SDK + "@" + python.Version, node.SDK + "@" + node.Version}, Headline: headline,
		N: p.n, Gateway: of(Gateway), Caller: of(Caller)}
}
