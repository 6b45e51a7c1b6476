package report

import (
	"cmp"
	"maps"
	"slices"

	"reassay/check"
	"reassay/wire"
)

// tally counts a set of exchanges.
type tally struct {
	exchanges int
	failed    int
	leftOut   map[string]int // by reason, the same for every SDK
	sdks      map[sdkVersion]*sdkTally
	pairs     map[[2]sdkVersion]*pairTally
	t1        t1Tally
}

func newTally(c Counting) *tally {
	return &tally{leftOut: map[string]int{}, sdks: map[sdkVersion]*sdkTally{}, pairs: map[[2]sdkVersion]*pairTally{},
		t1: t1Tally{counting: c}}
}

// sdkTally counts one SDK version's runs.
type sdkTally struct {
	leftOut   map[string]int // by reason, this SDK's own
	n         int
	stream    map[Counting]map[check.SDKOutcome]int
	avoidable map[Counting]map[check.SDKOutcome]int
	failed    map[check.SDKOutcome]int
	failedN   int
	iterateN  int
	iterate   map[Counting]map[check.SDKOutcome]int
}

func newSDKTally() *sdkTally {
	both := func() map[Counting]map[check.SDKOutcome]int {
		return map[Counting]map[check.SDKOutcome]int{Gateway: {}, Caller: {}}
	}
	return &sdkTally{leftOut: map[string]int{}, failed: map[check.SDKOutcome]int{},
		stream: both(), avoidable: both(), iterate: both()}
}

func (t *tally) add(v check.Verdict) {
	t.exchanges++
	if v.UpstreamFailed {
		t.failed++
	}
	if why := leftOut(v); why != "" {
		t.leftOut[why]++
	}
	t.t1.add(v)
	for _, s := range versionsIn(v) {
		st := t.sdks[s]
		if st == nil {
			st = newSDKTally()
			t.sdks[s] = st
		}
		st.add(v, s)
	}
	t.addPair(v)
}

// versionsIn are the SDK versions that an interpretation names or that have a run, without repeats.
func versionsIn(v check.Verdict) []sdkVersion {
	var out []sdkVersion
	add := func(s sdkVersion) {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, name := range v.Interpretation.SDKs {
		add(parseSDKVersion(name))
	}
	for _, run := range v.SDKs {
		add(sdkVersion{run.SDK, run.Version})
	}
	return out
}

func (st *sdkTally) add(v check.Verdict, s sdkVersion) {
	if run := runOf(v, s, modeStream); run != nil && leftOut(v) == leftFailed && run.Outcome != check.NotApplicable {
		st.failedN++
		st.failed[run.Outcome]++
	}
	if run := runOf(v, s, modeIterate); run != nil {
		st.addIterate(v, run)
	}
	if leftOut(v) != "" {
		return
	}
	run := runOf(v, s, modeStream)
	if why := leftOutOf(v, run); why != "" {
		st.leftOut[why]++
		return
	}
	st.n++
	for _, c := range countings {
		class := c.outcome(v, *run)
		st.stream[c][class]++
		if run.Avoidable != nil && *run.Avoidable && class == run.Outcome {
			st.avoidable[c][class]++
		}
	}
}

func (st *sdkTally) addIterate(v check.Verdict, run *check.SDK) {
	switch run.Outcome {
	case check.NotApplicable, check.Rejected:
		return
	}
	switch v.Worst {
	case check.WorstIncomplete, check.WorstCancelled:
		return
	}
	st.iterateN++
	for _, c := range countings {
		switch class := c.outcome(v, *run); class {
		case check.Exception, check.Surfaced, check.Inconclusive:
			st.iterate[c][class]++
		default:
			st.iterate[c][check.Clean]++
		}
	}
}

const (
	modeStream  = "stream"
	modeIterate = "iterate"
)

var countings = []Counting{Gateway, Caller}

// numbers are the tally's results for callers of dialect d; order is the SDK set as the interpretation lists it.
func (t *tally) numbers(d wire.Dialect, order []string) figures {
	n := figures{Exchanges: t.exchanges, UpstreamFailed: failedTable{Exchanges: t.failed}, T1: t.t1.result(),
		SDKs: []streamRow{}, Unions: []union{}, Iterate: []iterateRow{}}
	n.UpstreamFailed.SDKs = []failedRow{}
	for _, s := range t.versions(order) {
		st := t.sdks[s]
		n.SDKs = append(n.SDKs, streamRow{sdkVersion: s, Mode: modeStream, N: st.n, Excluded: t.excluded(st),
			Gateway: st.classRows(Gateway), Caller: st.classRows(Caller)})
		if st.failedN > 0 {
			row := failedRow{sdkVersion: s, N: st.failedN, Surfaced: st.failed[check.Surfaced],
				Masked: st.failed[check.Corrupt], Exception: st.failed[check.Exception]}
			row.Other = row.N - row.Surfaced - row.Masked - row.Exception
			n.UpstreamFailed.SDKs = append(n.UpstreamFailed.SDKs, row)
		}
		if st.iterateN > 0 {
			n.Iterate = append(n.Iterate, iterateRow{sdkVersion: s, Mode: modeIterate, N: st.iterateN,
				Gateway: st.iterateSums(Gateway), Caller: st.iterateSums(Caller)})
		}
	}
	if python, node, headline, ok := pairOf(d, order); ok {
		if p := t.pairs[[2]sdkVersion{python, node}]; p != nil {
			n.Unions = append(n.Unions, p.result(python, node, headline))
		}
	}
	return n
}

// versions are the tally's SDK versions: first in the order of the SDK set, then by name.
func (t *tally) versions(order []string) []sdkVersion {
	place := func(s sdkVersion) int {
		if i := slices.Index(order, s.SDK+"@"+s.Version); i >= 0 {
			return i
		}
		return len(order)
	}
	out := make([]sdkVersion, 0, len(t.sdks))
	for s := range t.sdks {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b sdkVersion) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.SDK, b.SDK), cmp.Compare(a.Version, b.Version))
	})
	return out
}

// excluded lists what is not in st's N, by reason, in a fixed order.
func (t *tally) excluded(st *sdkTally) []left {
	out := []left{}
	for _, reason := range leftReasons {
		if n := t.leftOut[reason] + st.leftOut[reason]; n > 0 {
			out = append(out, left{reason, n})
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(st.leftOut)) {
		if !slices.Contains(leftReasons, reason) {
			out = append(out, left{reason, st.leftOut[reason]})
		}
	}
	return out
}

func (st *sdkTally) classRows(c Counting) classRows {
	row := func(o check.SDKOutcome) classRow {
		return classRow{share: shareOf(st.stream[c][o], st.n), Avoidable: st.avoidable[c][o]}
	}
	return classRows{row(check.Exception), row(check.Corrupt), row(check.Unavoidable), row(check.Clean)}
}

func (st *sdkTally) iterateSums(c Counting) iterateSums {
	of := st.iterate[c]
	return iterateSums{shareOf(of[check.Exception], st.iterateN), of[check.Surfaced], of[check.Inconclusive], of[check.Clean]}
}
