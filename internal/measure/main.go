// Measure plants faults and allowed changes into ideal translations of replies, judges them, and prints how many of
// the faults are found and how many of the allowed changes are taken for faults.
//
// The measurement is in-sample: its shapes and operators stand beside the rules that they measure.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"reassay/capture"
	"reassay/internal/measure/ideal"
	"reassay/internal/measure/operator"
)

func main() {
	debug.SetGCPercent(400) // a few megabytes live: collecting less often takes a fifth off the time
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command: exit code 0 when both bars are met, 1 when one is not, 2 when it could not measure.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("measure", flag.ContinueOnError)
	flags.SetOutput(stderr)
	recall := flags.Float64("min-recall", 0.95, "the share of faults that must be found at T1")
	alarms := flags.Float64("max-alarms", 0.005, "the share of allowed changes that may be found at T1")
	show := flags.String("show", "", "write the exchange of this trial as a line of a capture file, and its findings on standard error: shape/upstream/caller[/legs/operator]")
	name := flags.String("operator", "", "plant only this operator")
	every := flags.Int("every", 1, "plant in every n-th case only: a quick look")
	shape := flags.String("shape", "", "only this shape")
	batches := flags.String("blind", "", "score the blind batches in this folder instead")
	first := flags.Bool("first", false, "with -blind: this is the first scoring of the batches; write it down")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if *show != "" {
		x, err := find(*show)
		if err != nil {
			fmt.Fprintln(stderr, "measure:", err)
			return 2
		}
		fmt.Fprintf(stdout, "%s\n", capture.Encode(x))
		if err := say(stderr, x); err != nil {
			fmt.Fprintln(stderr, "measure:", err)
			return 2
		}
		return 0
	}
	if *batches != "" {
		if err := blind(stdout, *batches, *first); err != nil {
			fmt.Fprintln(stderr, "measure:", err)
			return 1
		}
		return 0
	}
	var p plan
	for i, c := range ideal.Cases() {
		if (*shape == "" || c.Shape == *shape) && i%max(1, *every) == 0 {
			p.cases = append(p.cases, c)
		}
	}
	for _, o := range operator.All() {
		if *name == "" || o.Name == *name {
			p.operators = append(p.operators, o)
		}
	}
	r, err := p.run()
	if err != nil {
		fmt.Fprintln(stderr, "measure:", err)
		return 2
	}
	if len(r.outcomes) == 0 {
		fmt.Fprintln(stderr, "measure: no such shape or operator, or nothing is changed by it")
		return 2
	}
	r.report(stdout)
	return r.verdict(stderr, *recall, *alarms)
}

// say writes the findings on an exchange.
func say(w io.Writer, x *capture.Exchange) error {
	k, err := newChecker()
	if err != nil {
		return err
	}
	v, err := k.Exchange(context.Background(), x)
	if err != nil {
		return err
	}
	for _, f := range v.Findings {
		fmt.Fprintf(w, "%s: %s (consequences: %s)\n", finding(f, true), f.Message, strings.Join(f.Consequences, "; "))
	}
	return nil
}

// verdict says on w which bar was missed.
func (r result) verdict(w io.Writer, recall, alarms float64) int {
	f := r.figures()
	code := 0
	if n := f.faults; n.n > 0 && float64(n.t1) < recall*float64(n.n) {
		fmt.Fprintf(w, "measure: recall %s is under %.2f %%\n", share(n.t1, n.n), 100*recall)
		code = 1
	}
	if n := f.alarms; n.n > 0 && float64(n.t1) > alarms*float64(n.n) {
		fmt.Fprintf(w, "measure: false alarms %s are over %.2f %%\n", share(n.t1, n.n), 100*alarms)
		code = 1
	}
	return code
}

// find builds the exchange that a trial's ID names.
func find(id string) (*capture.Exchange, error) {
	parts := strings.Split(id, "/")
	if len(parts) != 3 && len(parts) != 5 {
		return nil, fmt.Errorf("%q is no shape/upstream/caller[/legs/operator]", id)
	}
	for _, c := range ideal.Cases() {
		if (Trial{Case: c}).ID() != strings.Join(parts[:3], "/") {
			continue
		}
		pr := newPair(c)
		if len(parts) == 3 {
			return pr.ideal(), nil
		}
		for _, o := range operator.All() {
			for _, legs := range o.Legs() {
				if o.Name != parts[4] || legs.String() != parts[3] {
					continue
				}
				if x := pr.planted(&o, legs); x != nil {
					return x, nil
				}
				return nil, fmt.Errorf("%s changes nothing there", o.Name)
			}
		}
		return nil, fmt.Errorf("there is no operator %s on %s", parts[4], parts[3])
	}
	return nil, fmt.Errorf("there is no pair %s", strings.Join(parts[:3], "/"))
}
