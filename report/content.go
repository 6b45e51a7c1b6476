package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"reassay/check"
	"reassay/rules"
	"reassay/wire"
)

func itoa(n int) string { return strconv.Itoa(n) }

// page lays out what r says.
func (r Report) page() page {
	var p page
	if len(r.Populations) == 0 {
		p.text("No exchange was judged: there is nothing to report.")
		return p
	}
	for _, name := range slices.Sorted(maps.Keys(r.Populations)) {
		population := r.Populations[name]
		p.heading(1, fmt.Sprintf("Corruption report: %s, population %s", plural(population.Exchanges, "exchange"), name))
		for _, f := range population.Families {
			f.write(&p)
		}
		if len(population.Mechanisms)+len(population.Notes) > 0 {
			p.heading(2, "What was done to replies, over "+plural(population.Exchanges, "exchange")+" of every family")
		}
		p.table(mechanismTable("Mechanisms, by exchanges hit (they overlap)", population.Mechanisms))
		p.table(mechanismTable("Also noted (T2, not counted as corruption)", population.Notes))
	}
	r.legend(&p)
	return p
}

func (r Report) legend(p *page) {
	p.heading(1, "How to read this")
	p.text("gateway: counted against the gateway; what an SDK or the model's API did by itself is left out. " +
		"caller: everything that a caller suffers. avoidable: the caller's dialect has a documented place for what was lost.")
	p.text("exception: the SDK raised. corrupt: it raised nothing and handed over a wrong message. unavoidable: the message " +
		"lacks only what the caller's dialect cannot carry.")
	p.text("Intervals are Wilson 95 %, in percent. Unit: " + r.Unit + ". " + r.Note + " Populations are never added up, nor are SDKs." +
		" The T1 lines and mechanisms use counting " + string(r.Counting) + ". Frames and bytes count from 0.")
	if r.Repeated > 0 {
		p.text(fmt.Sprintf("Left out: %s of exchanges already counted (same id, same bytes, same interpretation).",
			plural(r.Repeated, "verdict")))
	}
	if r.hasHeadline() {
		p.text("Of all these numbers only the union of " + headlinePair + " in column gateway may stand beside the paper's 36.4 % " +
			"(203 of 558 streams).")
	}
	in := r.Interpretation
	p.text(fmt.Sprintf("Interpretation %s: rules %s, completion map %d, SDKs %s.", in.ID, in.Rules, in.CompletionMap,
		strings.Join(in.SDKs, ", ")))
}

// hasHeadline reports whether a union over the paper's pair was made.
func (r Report) hasHeadline() bool {
	for _, p := range r.Populations {
		for _, f := range p.Families {
			for _, u := range f.Unions {
				if u.Headline {
					return true
				}
			}
		}
	}
	return false
}

// write adds the family's heading and tables.
func (f family) write(p *page) {
	title := fmt.Sprintf("%s → %s callers: %s", gatewayName(f.Gateway), f.Caller, plural(f.Exchanges, "exchange"))
	if len(f.Upstreams) == 1 {
		title += ", " + behind(f.Upstreams[0].Dialect)
	}
	p.heading(2, title)
	p.table(f.streamTable(p))
	for _, u := range f.Unions {
		p.table(u.table())
	}
	if len(f.Upstreams) > 1 {
		p.table(upstreamTable(f.Upstreams))
	}
	p.table(f.UpstreamFailed.table())
	p.table(iterateTable(f.Iterate))
	p.table(f.T1.table())
}

func behind(d wire.Dialect) string {
	if d == "" {
		return "no upstream leg captured"
	}
	return string(d) + " behind"
}

// streamTable is the table of the SDKs' stream helpers. SDKs that were not run at all are named in a sentence instead.
func (f family) streamTable(p *page) *table {
	t := &table{title: "What each SDK's stream helper did", left: 1,
		head: []string{"", "gateway", "rate", "95 %", "avoidable", "caller", "rate", "95 %", "avoidable"}}
	var notRun []string
	common := f.leftOutOfAll()
	if len(common) > 0 {
		p.text("In no SDK's N: " + reasons(common) + ".")
	}
	for _, s := range f.SDKs {
		own := slices.DeleteFunc(slices.Clone(s.Excluded), func(l left) bool { return slices.Contains(common, l) })
		if !check.Reads(s.SDK, f.Caller) {
			continue // another vendor's SDK: it could not have been run
		}
		if s.N == 0 && len(own) == 1 && !slices.ContainsFunc(own, func(l left) bool { return slices.Contains(leftReasons, l.Reason) }) {
			notRun = append(notRun, s.String()+" ("+own[0].Reason+")")
			continue
		}
		head := fmt.Sprintf("%s  N = %d", s.sdkVersion, s.N)
		if len(own) > 0 {
			head += ", left out for this SDK: " + reasons(own)
		}
		t.span(head)
		if s.N == 0 {
			continue
		}
		classRow := func(name string, tone tone, g, c classRow, failure bool) {
			cells := []cell{text(name)}
			for _, r := range []classRow{g, c} {
				avoidable := cell{}
				if failure && r.Count > 0 {
					avoidable = count(r.Avoidable, plain)
				}
				cells = append(cells, count(r.Count, tone), text(r.rate()), cell{r.interval(), quiet}, avoidable)
			}
			t.add(cells...)
		}
		classRow("exception", bad, s.Gateway.Exception, s.Caller.Exception, true)
		classRow("corrupt", bad, s.Gateway.Corrupt, s.Caller.Corrupt, true)
		classRow("unavoidable", doubtful, s.Gateway.Unavoidable, s.Caller.Unavoidable, false)
		classRow("clean", good, s.Gateway.Clean, s.Caller.Clean, false)
	}
	if len(notRun) > 0 {
		p.text("Not run: " + strings.Join(notRun, "; ") + ".")
	}
	return t
}

// leftOutOfAll is what every SDK's N leaves out alike.
func (n figures) leftOutOfAll() []left {
	if len(n.SDKs) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(n.SDKs[0].Excluded), func(l left) bool {
		return l.Reason == leftInconclusive || !slices.Contains(leftReasons, l.Reason) ||
			slices.ContainsFunc(n.SDKs, func(s streamRow) bool { return !slices.Contains(s.Excluded, l) })
	})
}

// reasons is "8 upstream failed, 1 rejected".
func reasons(left []left) string {
	parts := make([]string, len(left))
	for i, l := range left {
		parts[i] = itoa(l.Count) + " " + l.Reason
	}
	return strings.Join(parts, ", ")
}

func (u union) table() *table {
	names := make([]string, len(u.SDKs))
	for i, s := range u.SDKs {
		names[i] = parseSDKVersion(s).String()
	}
	t := &table{title: fmt.Sprintf("%s together, N = %d", strings.Join(names, " + "), u.N), left: 1,
		head: []string{"", "gateway", "rate", "95 %", "caller", "rate", "95 %"}}
	shares := func(name string, tone tone, g, c share) {
		t.add(text(name), count(g.Count, tone), text(g.rate()), cell{g.interval(), quiet},
			count(c.Count, tone), text(c.rate()), cell{c.interval(), quiet})
	}
	counts := func(name string, g, c int) {
		t.add(text(name), count(g, plain), cell{}, cell{}, count(c, plain), cell{}, cell{})
	}
	either := "at least one raised or was corrupt"
	shares(either, bad, u.Gateway.Either, u.Caller.Either)
	counts("  of which avoidable", u.Gateway.Avoidable, u.Caller.Avoidable)
	g, c := u.Gateway.Split, u.Caller.Split
	counts("  both raise", g.BothRaise, c.BothRaise)
	counts("  one raises, the other corrupts", g.RaiseAndCorrupt, c.RaiseAndCorrupt)
	counts("  one raises, the other neither", g.RaiseOnly, c.RaiseOnly)
	counts("  both corrupt", g.BothCorrupt, c.BothCorrupt)
	counts("  one corrupts, the other neither", g.CorruptOnly, c.CorruptOnly)
	shares("disagree", plain, u.Gateway.Disagree, u.Caller.Disagree)
	return t
}

// upstreamTable is the family one level down. A cell is the count of counting gateway, and after a slash that of
// counting caller where it differs.
func upstreamTable(upstreams []part) *table {
	t := &table{title: "By what the model's API spoke (gateway / caller where they differ)", left: 1,
		head: []string{"", "N", "exception", "corrupt", "unavoidable", "clean"}}
	for _, u := range upstreams {
		head := fmt.Sprintf("%s: %s", behind(u.Dialect), plural(u.Exchanges, "exchange"))
		for _, pair := range u.Unions {
			head += fmt.Sprintf("; %s + %s: %s of %d", parseSDKVersion(pair.SDKs[0]).SDK, parseSDKVersion(pair.SDKs[1]).SDK,
				slash(pair.Gateway.Either.Count, pair.Caller.Either.Count), pair.N)
		}
		t.span(head)
		for _, s := range u.SDKs {
			if s.N == 0 {
				continue
			}
			pairOf := func(g, c classRow, tone tone) cell {
				if g.Count == 0 && c.Count == 0 {
					return count(0, quiet)
				}
				return cell{slash(g.Count, c.Count), tone}
			}
			t.add(text(s.String()), text(itoa(s.N)),
				pairOf(s.Gateway.Exception, s.Caller.Exception, bad), pairOf(s.Gateway.Corrupt, s.Caller.Corrupt, bad),
				pairOf(s.Gateway.Unavoidable, s.Caller.Unavoidable, doubtful), pairOf(s.Gateway.Clean, s.Caller.Clean, good))
		}
	}
	return t
}

func slash(gateway, caller int) string {
	if gateway == caller {
		return itoa(gateway)
	}
	return itoa(gateway) + " / " + itoa(caller)
}

func (u failedTable) table() *table {
	t := &table{title: fmt.Sprintf("Where the model's API itself failed: %s", plural(u.Exchanges, "exchange")), left: 1,
		head: []string{"", "N", "surfaced", "masked", "exception", "other"}}
	for _, s := range u.SDKs {
		t.add(text(s.String()), text(itoa(s.N)), count(s.Surfaced, good), count(s.Masked, bad), count(s.Exception, bad),
			count(s.Other, plain))
	}
	return t
}

func iterateTable(rows []iterateRow) *table {
	t := &table{title: "What a plain loop over the stream met (gateway / caller where they differ)", left: 1,
		head: []string{"", "N", "exception", "rate", "95 %", "surfaced", "inconclusive", "clean"}}
	for _, s := range rows {
		g, c := s.Gateway, s.Caller
		exception := cell{slash(g.Exception.Count, c.Exception.Count), bad}
		if g.Exception.Count == 0 && c.Exception.Count == 0 {
			exception.tone = quiet
		}
		t.add(text(s.String()), text(itoa(s.N)), exception, text(g.Exception.rate()), cell{g.Exception.interval(), quiet},
			text(slash(g.Surfaced, c.Surfaced)), text(slash(g.Inconclusive, c.Inconclusive)), cell{slash(g.Clean, c.Clean), good})
	}
	return t
}

func (x t1) table() *table {
	t := &table{title: fmt.Sprintf("T1 findings, exchanges out of N = %d", x.N), left: 1,
		head: []string{"", "exchanges", "rate", "95 %"}}
	line := func(name string, s share, tone tone) {
		t.add(text(name), count(s.Count, tone), text(s.rate()), cell{s.interval(), quiet})
	}
	any := "any"
	if x.Unread > 0 {
		any = fmt.Sprintf("any: in %d, at most %d (%s unread fields)", x.Any.Count, x.AtMost, pluralVerb(x.Unread, "has", "have"))
	}
	line(any, x.Any, bad)
	line("any avoidable", x.Avoidable, bad)
	strict := "strict (avoidable, silent and visible, in a well-formed reply)"
	if x.Unheard > 0 {
		strict = fmt.Sprintf("strict: in %d, at most %d (%s no captured headers)", x.Strict.Count, x.StrictAtMost, pluralVerb(x.Unheard, "has", "have"))
	}
	line(strict, x.Strict, bad)
	line(fmt.Sprintf("MR-S violated: stream and whole reply differ, of %d", x.MRS.N), x.MRS, bad)
	line("outside the paper's scope, counted apart", x.Ours, plain)
	return t
}

func mechanismTable(title string, mechanisms []mechanism) *table {
	t := &table{title: title, left: 2, head: []string{"rule", "mechanism", "exchanges", "rate", "95 %", "avoidable"},
		under: "example"}
	for _, m := range mechanisms {
		name := m.Mechanism
		if m.Scope == rules.ScopeOurs {
			name += " (scope ours)"
		}
		t.addWith("e.g. "+m.Example.String(), text(m.Rule), text(name), count(m.Exchanges.Count, bad),
			text(m.Exchanges.rate()), cell{m.Exchanges.interval(), quiet}, count(m.Avoidable, plain))
	}
	return t
}

// String is the example's exchange and place.
func (e example) String() string {
	where := e.Leg
	if e.At != nil {
		where = fmt.Sprintf("%s frame %d, byte %d", e.At.Leg, e.At.Frame, e.At.Byte)
	}
	if e.Path != "" {
		where += ", " + e.Path
	}
	return e.Exchange + ": " + where
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return itoa(n) + " " + noun + "s"
}

func pluralVerb(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return itoa(n) + " " + many
}
