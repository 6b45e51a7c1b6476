package report

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"reassay/check"
	"reassay/wire"
)

// Builder counts verdicts one by one and keeps none of them.
type Builder struct {
	counting       Counting
	interpretation *check.Interpretation
	seen           map[[sha256.Size]byte]bool
	repeated       int
	populations    map[string]*populationTally
}

// New begins a report in which the T1 lines and the mechanisms follow c; the tables of SDKs have both countings.
func New(c Counting) *Builder {
	return &Builder{counting: c, seen: map[[sha256.Size]byte]bool{}, populations: map[string]*populationTally{}}
}

type populationTally struct {
	exchanges  int
	families   map[familyKey]*familyTally
	mechanisms mechanismTally
	notes      mechanismTally
}

type familyKey struct {
	gateway check.Gateway
	caller  wire.Dialect
}

type familyTally struct {
	all       *tally
	upstreams map[wire.Dialect]*tally
}

// Add counts v. The error says that v's interpretation is not that of the verdicts before it: what was judged under
// different rules or SDKs is never added up.
func (b *Builder) Add(v check.Verdict) error {
	if b.interpretation == nil {
		b.interpretation = &v.Interpretation
	} else if v.Interpretation.ID != b.interpretation.ID {
		return fmt.Errorf("count exchange %s: it was judged under interpretation %s, the verdicts before it under %s; "+
			"their counts are not added up", v.Exchange, v.Interpretation.ID, b.interpretation.ID)
	}
	if v.Population == "" {
		v.Population = "captured"
	}
	key := keyOf(v)
	if b.seen[key] {
		b.repeated++
		return nil
	}
	b.seen[key] = true

	p := b.populations[v.Population]
	if p == nil {
		p = &populationTally{
			families:   map[familyKey]*familyTally{},
			mechanisms: mechanismTally{},
			notes:      mechanismTally{},
		}
		b.populations[v.Population] = p
	}
	p.exchanges++
	p.mechanisms.add(v, b.counting, false)
	p.notes.add(v, b.counting, true)

	fk := familyKey{v.Gateway, v.Dialects.Caller}
	f := p.families[fk]
	if f == nil {
		f = &familyTally{newTally(b.counting), map[wire.Dialect]*tally{}}
		p.families[fk] = f
	}
	u := f.upstreams[v.Dialects.Upstream]
	if u == nil {
		u = newTally(b.counting)
		f.upstreams[v.Dialects.Upstream] = u
	}
	f.all.add(v)
	u.add(v)
	return nil
}

// keyOf is the key by which exchanges are counted: the exchange, its gateway and the digests of its legs, under one
// interpretation. The same id with other bytes is another observation.
func keyOf(v check.Verdict) [sha256.Size]byte {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q %q", v.Population, v.Gateway.Name, v.Gateway.Version, v.Exchange, v.Interpretation.ID)
	for _, leg := range slices.Sorted(maps.Keys(v.Evidence)) {
		fmt.Fprintf(h, " %q %q", leg, v.Evidence[leg].SHA256)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// Report is the report over everything that was added so far.
func (b *Builder) Report() Report {
	r := Report{ReportVersion: Version, Counting: b.counting, Unit: unit, Note: note, Repeated: b.repeated,
		Populations: map[string]population{}}
	if b.interpretation != nil {
		r.Interpretation = *b.interpretation
	}
	order := r.Interpretation.SDKs
	for name, p := range b.populations {
		out := population{
			Exchanges:  p.exchanges,
			Mechanisms: p.mechanisms.ranked(p.exchanges),
			Notes:      p.notes.ranked(p.exchanges),
		}
		for key, f := range p.families {
			family := family{Gateway: key.gateway, Caller: key.caller, figures: f.all.numbers(key.caller, order)}
			for d, u := range f.upstreams {
				family.Upstreams = append(family.Upstreams, part{d, u.numbers(key.caller, order)})
			}
			slices.SortFunc(family.Upstreams, func(a, b part) int { return compareDialects(a.Dialect, b.Dialect) })
			out.Families = append(out.Families, family)
		}
		slices.SortFunc(out.Families, func(a, b family) int {
			return cmp.Or(cmp.Compare(a.Gateway.Name, b.Gateway.Name),
				cmp.Compare(a.Gateway.Version, b.Gateway.Version),
				compareDialects(a.Caller, b.Caller))
		})
		r.Populations[name] = out
	}
	return r
}

// compareDialects orders dialects as tables show them; what is no dialect comes last.
func compareDialects(a, b wire.Dialect) int {
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

func rank(d wire.Dialect) int {
	if i := slices.Index(wire.Dialects, d); i >= 0 {
		return i
	}
	return len(wire.Dialects)
}
