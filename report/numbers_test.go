package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// numbers writes every count of r in the notation of testdata/numbers.*.txt.
func numbers(r Report) string {
	var b strings.Builder
	line := func(indent int, format string, args ...any) {
		b.WriteString(strings.Repeat(" ", indent) + fmt.Sprintf(format, args...) + "\n")
	}
	line(0, "repeated %d", r.Repeated)
	for _, name := range slices.Sorted(maps.Keys(r.Populations)) {
		p := r.Populations[name]
		line(0, "%s %d", name, p.Exchanges)
		for _, f := range p.Families {
			line(1, "%s %s / %s %d", f.Gateway.Name, f.Gateway.Version, f.Caller, f.Exchanges)
			writeNumbers(line, 2, f.figures)
			for _, u := range f.Upstreams {
				line(2, "< %s %d", u.Dialect, u.Exchanges)
				writeNumbers(line, 3, u.figures)
			}
		}
		for i, list := range [][]mechanism{p.Mechanisms, p.Notes} {
			for _, m := range list {
				var causes []string
				for _, c := range slices.Sorted(maps.Keys(m.Causes)) {
					causes = append(causes, fmt.Sprintf("%s %d", c, m.Causes[c]))
				}
				line(1, "%s %s %s (%s): %d of %d (%d), %s, %s, %s", []string{"mechanism", "note"}[i], m.Rule, m.Mechanism, m.Scope,
					m.Exchanges.Count, m.Exchanges.N, m.Avoidable, strings.Join(causes, " + "), strings.Join(m.Gateways, " + "),
					m.Example.Exchange)
			}
		}
	}
	return b.String()
}

func writeNumbers(line func(int, string, ...any), indent int, n figures) {
	classes := func(c classRows) string {
		return fmt.Sprintf("%d(%d) %d(%d) %d %d", c.Exception.Count, c.Exception.Avoidable, c.Corrupt.Count, c.Corrupt.Avoidable,
			c.Unavoidable.Count, c.Clean.Count)
	}
	for _, s := range n.SDKs {
		left := "none"
		if len(s.Excluded) > 0 {
			left = reasons(s.Excluded)
		}
		line(indent, "%s  %d | %s | %s | %s", s.sdkVersion, s.N, classes(s.Gateway), classes(s.Caller), left)
	}
	split := func(u unionSplit) string {
		return fmt.Sprintf("%d(%d): %d %d %d %d %d; %d", u.Either.Count, u.Avoidable, u.Split.BothRaise, u.Split.RaiseAndCorrupt,
			u.Split.RaiseOnly, u.Split.BothCorrupt, u.Split.CorruptOnly, u.Disagree.Count)
	}
	for _, u := range n.Unions {
		line(indent, "union %s %s %d", map[bool]string{true: "headline", false: "other"}[u.Headline], strings.Join(u.SDKs, " "), u.N)
		line(indent+1, "gateway %s", split(u.Gateway))
		line(indent+1, "caller %s", split(u.Caller))
	}
	line(indent, "failed %d", n.UpstreamFailed.Exchanges)
	for _, s := range n.UpstreamFailed.SDKs {
		line(indent+1, "%s  %d | %d %d %d %d", s.sdkVersion, s.N, s.Surfaced, s.Masked, s.Exception, s.Other)
	}
	sums := func(s iterateSums) string {
		return fmt.Sprintf("%d %d %d %d", s.Exception.Count, s.Surfaced, s.Inconclusive, s.Clean)
	}
	for _, s := range n.Iterate {
		line(indent, "iterate %s  %d | %s | %s", s.sdkVersion, s.N, sums(s.Gateway), sums(s.Caller))
	}
	t := n.T1
	line(indent, "t1 %d | %d (%d, %d) %d %d, %d of %d, %d", t.N, t.Any.Count, t.AtMost, t.Unread, t.Avoidable.Count, t.Strict.Count,
		t.MRS.Count, t.MRS.N, t.Ours.Count)
}
