package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"reassay/check"
	"reassay/internal/measure/ideal"
	"reassay/internal/measure/operator"
	"reassay/rules"
	"reassay/sdkemu"
)

// plan says what is measured.
type plan struct {
	cases     []ideal.Case
	operators []operator.Operator
}

// result is what was measured, in the order of the plan.
type result struct {
	pairs    int
	alarms   []string // findings on ideal translations that their own losses do not explain
	flagged  int      // ideal translations with such findings
	identity int      // of them, from a dialect into itself
	broken   []string // ideal translations whose legs the judge does not read as well-formed and equal
	outcomes []outcome
}

// newChecker judges without SDKs: what is measured is the rules.
func newChecker() (*check.Checker, error) {
	return check.New(check.Config{SDKs: []string{}, Emulators: []sdkemu.Emulator{}})
}

// run judges every trial of a plan on all processors. The result does not hang on how many there are.
func (p plan) run() (result, error) {
	k, err := newChecker()
	if err != nil {
		return result{}, err
	}
	parts := make([]result, len(p.cases))
	faults := make([]error, len(p.cases))
	next := make(chan int)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := range next {
				parts[i], faults[i] = p.pair(k, p.cases[i])
			}
		}()
	}
	for i := range p.cases {
		next <- i
	}
	close(next)
	wait.Wait()
	var all result
	for i, part := range parts {
		if faults[i] != nil {
			return result{}, faults[i]
		}
		all.pairs += part.pairs
		all.flagged += part.flagged
		all.identity += part.identity
		all.alarms = append(all.alarms, part.alarms...)
		all.broken = append(all.broken, part.broken...)
		all.outcomes = append(all.outcomes, part.outcomes...)
	}
	return all, nil
}

// pair judges one case: its ideal translation, and that with every operator planted that changes it.
func (p plan) pair(k *check.Checker, c ideal.Case) (result, error) {
	pr := newPair(c)
	v, err := k.Exchange(context.Background(), pr.ideal())
	if err != nil {
		return result{}, fmt.Errorf("judge %s: %w", v.Exchange, err)
	}
	r := result{pairs: 1}
	r.ideal(c, v)
	known := map[operator.Legs]map[string]int{}
	for _, legs := range []operator.Legs{operator.StreamLeg, operator.WholeLeg, operator.BothLegs} {
		known[legs] = findingsOf(v)
	}
	for _, legs := range []operator.Legs{operator.StreamAlone, operator.PairAlone} {
		x := pr.alone()
		if legs == operator.PairAlone {
			x = pr.unreferenced()
		}
		if v, err = k.Exchange(context.Background(), x); err != nil {
			return result{}, fmt.Errorf("judge %s: %w", x.ID, err)
		}
		r.without(v, legs)
		known[legs] = findingsOf(v)
	}
	for i := range p.operators {
		o := &p.operators[i]
		for _, legs := range o.Legs() {
			x := pr.planted(o, legs)
			if x == nil {
				continue
			}
			out, err := judged(k, Trial{c, o, legs}, x, known[legs])
			if err != nil {
				return r, err
			}
			r.outcomes = append(r.outcomes, out)
		}
	}
	return r, nil
}

// without notes what the judge says of an ideal translation of which only some legs were captured: nothing.
func (r *result) without(v check.Verdict, legs operator.Legs) {
	for _, f := range v.Findings {
		if counts(f) {
			r.alarms = append(r.alarms, v.Exchange+", "+legs.String()+": "+finding(f, true))
		}
	}
}

// ideal notes what the judge says of an ideal translation: it may find nothing but the losses that the caller's
// dialect makes inevitable or that no document settles.
func (r *result) ideal(c ideal.Case, v check.Verdict) {
	n := len(r.alarms)
	for _, f := range v.Findings {
		if counts(f) && !(f.Support != rules.Avoidable && slices.Contains(c.Losses, f.Construct)) {
			r.alarms = append(r.alarms, v.Exchange+": "+finding(f, true))
		}
	}
	if len(r.alarms) > n {
		r.flagged++
		if c.From == c.To {
			r.identity++
		}
	}
	names := []string{"stream", "non_stream", "upstream", "upstream_non_stream"}
	for _, name := range names {
		if l := v.Legs[name]; !l.WellFormed || l.Transport != "ok" {
			r.broken = append(r.broken, v.Exchange+": leg "+name+" is not well-formed")
		}
	}
	if v.MRS.Status != "holds" {
		r.broken = append(r.broken, v.Exchange+": MR-S "+v.MRS.Status+" "+v.MRS.Reason)
	}
	for _, u := range v.Unread {
		r.broken = append(r.broken, v.Exchange+": unread "+u.Leg+" "+u.Path)
	}
}
