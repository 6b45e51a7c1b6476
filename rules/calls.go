package rules

import (
	"strconv"
	"strings"

	"reassay/convir"
	"reassay/wire"
)

// match is a call of the reference with the leg's.
type match struct {
	ref, got *convir.Event
	refPos   int // position among the reference's calls
	gotPos   int
}

// calls matches the client's tool calls of two choices and lists in what they differ. The matches are in the order of the reference.
func (c *comparer) calls(ref, got *convir.Choice) []match {
	refs, gots := eventsOf(ref, convir.ToolCall), eventsOf(got, convir.ToolCall)
	matches, lost, invented := pairCalls(refs, gots)
	for _, m := range matches {
		c.call(ref, got, m)
	}
	for _, i := range lost {
		e := refs[i]
		c.add(Difference{Aspect: Presence, Construct: constructOf(e.Kind, e), Kind: e.Kind, Choice: got.Index, RefChoice: ref, GotChoice: got,
			Path: convir.EventPath(c.Leg.Dialect, got.Path, e.Kind, i), RefPath: e.Path, Ref: e, Want: callValue(e), After: before(ref, e, got, c.chat)})
	}
	for _, j := range invented {
		e := gots[j]
		c.add(Difference{Aspect: Presence, Construct: constructOf(e.Kind, e), Kind: e.Kind, Choice: got.Index, RefChoice: ref, GotChoice: got,
			Path: e.Path, Got: e, Have: callValue(e)})
	}
	c.identities(ref, got, matches)
	return matches
}

func eventsOf(ch *convir.Choice, kind convir.Kind) []*convir.Event {
	var es []*convir.Event
	for i := range ch.Events {
		if ch.Events[i].Kind == kind {
			es = append(es, &ch.Events[i])
		}
	}
	return es
}

// pairCalls finds which call of the leg is which of the reference: the surest signs first, and in order within each.
func pairCalls(refs, gots []*convir.Event) (matches []match, lost, invented []int) {
	to := make([]int, len(refs))
	taken := make([]bool, len(gots))
	for i := range to {
		to[i] = -1
	}
	refArgs, gotArgs := argsHashes(refs), argsHashes(gots)
	same := func(i, j int) bool { return refArgs[i] == gotArgs[j] && sameArgs(refs[i], gots[j]) }
	for _, alike := range []func(i, j int) bool{
		func(i, j int) bool {
			a, b := refs[i], gots[j]
			return a.ID != "" && a.ID == b.ID && a.Name == b.Name && same(i, j)
		},
		func(i, j int) bool { return refs[i].Name == gots[j].Name && same(i, j) },
		func(i, j int) bool { return refs[i].ID != "" && refs[i].ID == gots[j].ID },
		func(i, j int) bool { return refs[i].Name == gots[j].Name },
		// An SDK that glues two calls together hands over one that begins as the first does.
		func(i, j int) bool {
			a, b := refs[i], gots[j]
			return a.ID != "" && strings.HasPrefix(b.ID, a.ID) || a.Name != "" && strings.HasPrefix(b.Name, a.Name)
		},
		func(i, j int) bool { return same(i, j) && !emptyArgs(refs[i]) },
	} {
		first := 0 // of gots that is not taken
		for i := range refs {
			for first < len(gots) && taken[first] {
				first++
			}
			for j := first; j < len(gots) && to[i] < 0; j++ {
				if !taken[j] && alike(i, j) {
					to[i], taken[j] = j, true
				}
			}
		}
	}
	if len(refs) == len(gots) {
		for i, j := 0, 0; i < len(refs); i++ {
			if to[i] >= 0 {
				continue
			}
			for taken[j] {
				j++
			}
			to[i], taken[j] = j, true
		}
	}
	for i, j := range to {
		if j < 0 {
			lost = append(lost, i)
			continue
		}
		matches = append(matches, match{refs[i], gots[j], i, j})
	}
	for j := range gots {
		if !taken[j] {
			invented = append(invented, j)
		}
	}
	return matches, lost, invented
}

// argsHashes are numbers that calls with the same arguments share.
func argsHashes(calls []*convir.Event) []uint64 {
	hashes := make([]uint64, len(calls))
	for i, e := range calls {
		if hashes[i] = wire.Hash(e.Args.Value); !e.Args.Value.Exists() {
			hashes[i] = wire.Hash(wire.Of(e.Args.Raw))
		}
	}
	return hashes
}

// sameArgs compares arguments by value, and by text where they are no JSON: free-text calls, and calls that were cut.
func sameArgs(a, b *convir.Event) bool {
	if a.Args.Value.Exists() && b.Args.Value.Exists() {
		return wire.Equal(a.Args.Value, b.Args.Value)
	}
	return !a.Args.Value.Exists() && !b.Args.Value.Exists() && a.Args.Raw == b.Args.Raw
}

// emptyArgs reports arguments that say nothing: {}, "", null or none.
func emptyArgs(e *convir.Event) bool {
	v := e.Args.Value
	return !v.Present() && e.Args.Raw == "" || v.Kind() == wire.Object && len(v.Members()) == 0
}

func (c *comparer) call(ref, got *convir.Choice, m match) {
	base := Difference{Construct: constructOf(m.ref.Kind, m.ref), Kind: m.ref.Kind, Choice: got.Index, Path: m.got.Path, RefPath: m.ref.Path,
		Ref: m.ref, Got: m.got, RefChoice: ref, GotChoice: got}
	if m.ref.Name != m.got.Name {
		d := base
		d.Aspect, d.Want, d.Have = Name, wire.Of(m.ref.Name), wire.Of(m.got.Name)
		c.add(d)
	}
	if isCustom(m.ref) != isCustom(m.got) {
		d := base
		d.Aspect, d.Want, d.Have = CallType, wire.Of(m.ref.Type), wire.Of(m.got.Type)
		c.add(d)
	}
	switch {
	case !sameArgs(m.ref, m.got) && !(nothing(m.ref) && emptyObject(m.got)):
		d := base
		d.Aspect, d.Want, d.Have = Arguments, argsValue(m.ref), argsValue(m.got)
		c.add(d)
	case m.ref.Args.Raw != m.got.Args.Raw:
		c.permit("R04", m.got.Path, "the arguments are spelt in other ways and have the same value")
	}
}

// nothing: Gemini may leave args out of a call without arguments, and {} is then what it means.
func nothing(e *convir.Event) bool {
	return !e.Args.Given || !e.Args.Value.Exists() && e.Args.Raw == ""
}

func emptyObject(e *convir.Event) bool {
	return e.Args.Value.Kind() == wire.Object && len(e.Args.Value.Members()) == 0
}

func isCustom(e *convir.Event) bool { return constructOf(e.Kind, e) == convir.CCustomCall }

// identities compares the calls' ids: they may be renamed one to one and invented where the reference has none.
func (c *comparer) identities(ref, got *convir.Choice, matches []match) {
	owner := map[string]*convir.Event{} // id of the reference to its call
	for _, m := range matches {
		if m.ref.ID != "" {
			owner[m.ref.ID] = m.ref
		}
	}
	seen := map[string]*convir.Event{}
	renamed, given := 0, 0
	for _, m := range matches {
		d := Difference{Aspect: Identity, Construct: convir.CToolCall, Kind: m.ref.Kind, Choice: got.Index, Path: m.got.Path, RefPath: m.ref.Path,
			Ref: m.ref, Got: m.got, RefChoice: ref, GotChoice: got}
		if m.ref.ID != "" {
			d.Want = wire.Of(m.ref.ID)
		}
		if m.got.ID != "" {
			d.Have = wire.Of(m.got.ID)
		}
		first, twice := seen[m.got.ID]
		switch {
		case m.got.ID == "" && (m.ref.ID != "" || c.Leg.Dialect != wire.GeminiGenerate):
			c.add(d)
		case m.got.ID == "":
		case twice && first != m.got && !(m.ref.ID != "" && m.ref.ID == matchOf(matches, first).ref.ID):
			c.add(d)
		case owner[m.got.ID] != nil && owner[m.got.ID] != m.ref:
			c.add(d)
		case m.ref.ID == "":
			given++
		case m.ref.ID != m.got.ID:
			renamed++
		}
		if m.got.ID != "" && !twice {
			seen[m.got.ID] = m.got
		}
	}
	if renamed > 0 {
		c.permit("R03", got.Path, strconv.Itoa(renamed)+" call ids were renamed one to one")
	}
	if given > 0 {
		c.permit("R03", got.Path, "call ids were made up where the reference has none: "+strconv.Itoa(given))
	}
}

func matchOf(matches []match, got *convir.Event) match {
	for _, m := range matches {
		if m.got == got {
			return m
		}
	}
	return match{}
}
