package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"reassay/internal/measure/operator"
	"reassay/rules"
)

// figures are the two numbers that the measurement is about.
type figures struct{ faults, alarms, alone, aloneAlarms, pair, pairAlarms tally }

func (r result) figures() figures {
	var f figures
	for _, o := range r.outcomes {
		alone := o.trial.Legs == operator.StreamAlone
		switch {
		case alone && o.trial.Operator.Allowed:
			f.aloneAlarms.add(o)
		case alone:
			f.alone.add(o)
		case o.trial.Legs == operator.PairAlone && o.trial.Operator.Allowed:
			f.pairAlarms.add(o)
		case o.trial.Legs == operator.PairAlone:
			f.pair.add(o)
		case o.trial.Operator.Allowed:
			f.alarms.add(o)
		case isT1(*o.trial.Operator):
			f.faults.add(o)
		}
	}
	return f
}

// report writes everything that was measured.
func (r result) report(w io.Writer) {
	f := r.figures()
	fmt.Fprint(w, `In-sample measurement: shapes, faults and allowed changes were made beside the rules, by this program, and rules were mended
by what it found. It is no estimate for faults that nobody thought of; that is what the blind batches are for.
Nothing is drawn by chance: every run plants the same. Judged without SDKs, on all four legs.

`)
	fmt.Fprintf(w, "ideal translations  %d pairs of a shape and two dialects; %d flagged beyond the losses that they declare, %d of them from a dialect into itself\n",
		r.pairs, r.flagged, r.identity)
	fmt.Fprintf(w, "recall              T1 %s\n", share(f.faults.t1, f.faults.n))
	fmt.Fprintf(w, "                    by the rule meant %s\n", share(f.faults.intended, f.faults.n))
	fmt.Fprintf(w, "                    at any tier %s\n", share(f.faults.any, f.faults.n))
	fmt.Fprintf(w, "                    found more than once on a leg %s\n", share(f.faults.several, f.faults.t1))
	fmt.Fprintf(w, "                    found on a leg that nothing was planted on %s\n", share(f.faults.astray, f.faults.t1))
	fmt.Fprintf(w, "false alarms        T1 %s\n", share(f.alarms.t1, f.alarms.n))
	fmt.Fprintf(w, "a stream captured alone, faults that it tells by itself  T1 %s\n", share(f.alone.t1, f.alone.n))
	fmt.Fprintf(w, "                    false alarms T1 %s\n", share(f.aloneAlarms.t1, f.aloneAlarms.n))
	fmt.Fprintf(w, "stream and whole reply without the model's own, faults on the stream  T1 %s\n", share(f.pair.t1, f.pair.n))
	fmt.Fprintf(w, "                    false alarms T1 %s\n\n", share(f.pairAlarms.t1, f.pairAlarms.n))
	r.byRule(w)
	r.byPair(w)
	r.byOperator(w, "Faults", func(o operator.Operator) bool { return !o.Allowed && isT1(o) })
	r.byOperator(w, "Notes (T1 is a false alarm, the rule meant is T2)", func(o operator.Operator) bool { return !o.Allowed && !isT1(o) })
	r.byOperator(w, "Allowed changes (T1 is a false alarm, the rule meant is T3)", func(o operator.Operator) bool { return o.Allowed })
	lines(w, "Findings on ideal translations", r.alarms)
	lines(w, "Ideal translations that are not read as well-formed and equal", r.broken)
	r.named(w, "Misses: faults without a T1 finding", func(o outcome) bool { return !o.trial.Operator.Allowed && isT1(*o.trial.Operator) && !o.t1 })
	r.named(w, "Found, but not by the rule meant", func(o outcome) bool {
		return !o.trial.Operator.Allowed && isT1(*o.trial.Operator) && o.t1 && !o.intended
	})
	r.together(w)
	r.named(w, "False alarms: allowed changes with a T1 finding", func(o outcome) bool { return o.trial.Operator.Allowed && o.t1 })
	r.named(w, "Notes that were not made", func(o outcome) bool { return !o.trial.Operator.Allowed && !isT1(*o.trial.Operator) && !o.intended })
	r.named(w, "Notes raised to T1", func(o outcome) bool { return !o.trial.Operator.Allowed && !isT1(*o.trial.Operator) && o.t1 })
}

// together lists what is found beside each other for one fault, the commonest first: kinds that may be one cause.
func (r result) together(w io.Writer) {
	groups, examples := map[string]int{}, map[string]string{}
	n := 0
	for _, o := range r.outcomes {
		if o.trial.Operator.Allowed || !isT1(*o.trial.Operator) || o.number < 2 {
			continue
		}
		n++
		legs := map[string][]string{}
		for _, f := range o.found {
			if part := strings.Split(f, " | "); part[1] == string(rules.T1) {
				legs[part[2]] = append(legs[part[2]], part[0]+" "+part[4])
			}
		}
		for _, leg := range slices.Sorted(maps.Keys(legs)) {
			if len(legs[leg]) < 2 {
				continue
			}
			slices.Sort(legs[leg])
			key := o.trial.Operator.Name + ": " + strings.Join(slices.Compact(legs[leg]), " + ")
			groups[key]++
			examples[key] = o.trial.ID()
		}
	}
	if n == 0 {
		return
	}
	fmt.Fprintf(w, "Found more than once on a leg (%d), by what is found together on one\n", n)
	for _, key := range slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
		return cmp.Or(cmp.Compare(groups[b], groups[a]), strings.Compare(a, b))
	}) {
		fmt.Fprintf(w, "  %d  %s; such as %s\n", groups[key], key, examples[key])
	}
	fmt.Fprintln(w)
}

func lines(w io.Writer, title string, list []string) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "%s (%d)\n", title, len(list))
	for _, l := range list {
		fmt.Fprintln(w, "  "+l)
	}
	fmt.Fprintln(w)
}

// table writes tallies under their names.
func table(w io.Writer, title string, names []string, of func(string) (tally, string)) {
	fmt.Fprintln(w, title)
	t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  \tactivated\tT1\trule meant\tany tier\tseveral\tastray\tT1, Wilson 95 %\t")
	for _, name := range names {
		n, note := of(name)
		fmt.Fprintf(t, "  %s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\n", name, n.n, n.t1, n.intended, n.any, n.several, n.astray, interval(n), note)
	}
	t.Flush()
	fmt.Fprintln(w)
}

func interval(t tally) string {
	if t.n == 0 {
		return "–"
	}
	low, high := wilson(t.t1, t.n)
	return fmt.Sprintf("%.1f [%.1f, %.1f]", 100*float64(t.t1)/float64(t.n), 100*low, 100*high)
}

// tallies groups outcomes of exchanges that were captured whole by a name; "" leaves one out.
func (r result) tallies(name func(outcome) string) (map[string]tally, []string) {
	by := map[string]tally{}
	for _, o := range r.outcomes {
		if key := name(o); key != "" && o.trial.Legs < operator.StreamAlone {
			t := by[key]
			t.add(o)
			by[key] = t
		}
	}
	return by, slices.Sorted(maps.Keys(by))
}

func (r result) byRule(w io.Writer) {
	by, names := r.tallies(func(o outcome) string { return o.trial.Operator.Rules[0] })
	operators := map[string]map[string]bool{}
	for _, o := range r.outcomes {
		rule := o.trial.Operator.Rules[0]
		if operators[rule] == nil {
			operators[rule] = map[string]bool{}
		}
		operators[rule][o.trial.Operator.Name] = true
	}
	table(w, "By rule (S: faults; D: notes; R: allowed changes)", names, func(n string) (tally, string) {
		return by[n], fmt.Sprintf("%d operators", len(operators[n]))
	})
}

func pairOf(o outcome) string { return string(o.trial.Case.From) + " to " + string(o.trial.Case.To) }

func (r result) byPair(w io.Writer) {
	by, names := r.tallies(func(o outcome) string {
		if o.trial.Operator.Allowed || !isT1(*o.trial.Operator) {
			return ""
		}
		return pairOf(o)
	})
	operators := map[string]map[string]bool{}
	alarms := map[string]tally{}
	for _, o := range r.outcomes {
		if o.trial.Legs >= operator.StreamAlone {
			continue
		}
		key := pairOf(o)
		if operators[key] == nil {
			operators[key] = map[string]bool{}
		}
		if o.trial.Operator.Allowed {
			t := alarms[key]
			t.add(o)
			alarms[key] = t
		} else if isT1(*o.trial.Operator) {
			operators[key][o.trial.Operator.Name] = true
		}
	}
	table(w, "Faults by pair of dialects", names, func(n string) (tally, string) {
		return by[n], fmt.Sprintf("%d operators; false alarms %d/%d", len(operators[n]), alarms[n].t1, alarms[n].n)
	})
}

func (r result) byOperator(w io.Writer, title string, which func(operator.Operator) bool) {
	rule := map[string]string{}
	by, names := r.tallies(func(o outcome) string {
		if !which(*o.trial.Operator) {
			return ""
		}
		rule[o.trial.Operator.Name] = strings.Join(o.trial.Operator.Rules, ", ")
		return o.trial.Operator.Name
	})
	table(w, title, names, func(n string) (tally, string) { return by[n], rule[n] })
}

// named lists the trials that meet a condition, grouped by operator, legs and pair of dialects. A trial's name is put
// together from the group's line and the shape.
func (r result) named(w io.Writer, title string, meets func(outcome) bool) {
	groups, tried := map[string][]string{}, map[string]int{}
	n := 0
	for _, o := range r.outcomes {
		t := o.trial
		key := fmt.Sprintf("*/%s/%s/%s/%s", t.Case.From, t.Case.To, t.Legs, t.Operator.Name)
		tried[key]++
		if meets(o) {
			groups[key] = append(groups[key], t.Case.Shape)
			n++
		}
	}
	if n == 0 {
		return
	}
	fmt.Fprintf(w, "%s (%d); see one with: go run ./internal/measure -show ID, with the shape for *\n", title, n)
	for _, key := range slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
		return strings.Compare(a[strings.LastIndex(a, "/"):]+a, b[strings.LastIndex(b, "/"):]+b)
	}) {
		shapes := strings.Join(groups[key], " ")
		if all := len(groups[key]); all > 3 && all == tried[key] {
			shapes = fmt.Sprintf("all %d shapes that it changes, such as %s", all, groups[key][0])
		}
		fmt.Fprintf(w, "  %s: %s\n", key, shapes)
	}
	fmt.Fprintln(w)
}
