package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"reassay/capture"
	"reassay/internal/measure/ideal"
	"reassay/internal/measure/operator"
	"reassay/wire"
)

// What is measured with must not be able to repeat the mistakes of what is measured.
func TestGeneratorSharesNoCodeWithTheJudge(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./ideal", "./operator").Output()
	if err != nil {
		t.Fatal(err)
	}
	ours := 0
	for _, path := range strings.Fields(string(out)) {
		if !strings.HasPrefix(path, "reassay/") {
			continue
		}
		ours++
		if path != "reassay/wire" && !strings.HasPrefix(path, "reassay/internal/measure/") {
			t.Errorf("the generator imports %s", path)
		}
	}
	if ours != 3 {
		t.Errorf("the generator is made of %d packages of ours, want wire, ideal and operator", ours)
	}
}

// Every ideal translation is read without a fault, its stream equals its whole reply, and nothing is found but what the
// caller's dialect has no documented place for. testdata/flagged.txt names those that the judge is known to be wrong about.
func TestIdealTranslationsAreClean(t *testing.T) {
	r, err := plan{cases: ideal.Cases()}.run()
	if err != nil {
		t.Fatal(err)
	}
	known := flagged(t)
	for _, b := range r.broken {
		t.Error(b)
	}
	seen := map[string]bool{}
	for _, a := range r.alarms {
		id, _, _ := strings.Cut(a, ": ")
		if seen[id] = true; !known[id] {
			t.Error(a)
		}
	}
	for id := range known {
		if !seen[id] {
			t.Errorf("%s is judged right now: its line in testdata/flagged.txt goes", id)
		}
	}
	if r.identity > 0 {
		t.Errorf("%d translations from a dialect into itself are flagged", r.identity)
	}
}

func flagged(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("testdata/flagged.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, line := range strings.Split(string(text), "\n") {
		if id, why, _ := strings.Cut(line, ": "); line != "" && !strings.HasPrefix(line, "#") {
			if why == "" {
				t.Errorf("%s stands in testdata/flagged.txt without a reason", id)
			}
			known[id] = true
		}
	}
	return known
}

// A part of the measurement: every operator on every nineteenth case.
func TestSampleMeetsTheBars(t *testing.T) {
	p := plan{operators: operator.All()}
	for i, c := range ideal.Cases() {
		if i%19 == 4 {
			p.cases = append(p.cases, c)
		}
	}
	r, err := p.run()
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	if code := r.verdict(&said, 0.95, 0.005); code != 0 {
		t.Error(said.String())
	}
	if code := r.verdict(&said, 1.01, 0.005); code != 1 {
		t.Error("a bar that nothing can meet was met")
	}
	if n := r.figures().faults; 50*n.several > n.t1 {
		t.Errorf("%d of %d faults are told by several findings on one leg, want two in a hundred at the most", n.several, n.t1)
	}
	if n := r.figures(); n.faults.n < 4000 || n.alarms.n < 1500 {
		t.Errorf("only %d faults and %d allowed changes were tried", n.faults.n, n.alarms.n)
	}
}

// The measurement is as wide as it says: shapes, operators, and how many of them each rule and each pair has.
func TestMeasurementIsWide(t *testing.T) {
	shapes := map[string]bool{}
	for _, s := range ideal.Shapes() {
		if shapes[s.Name] {
			t.Errorf("two shapes are called %s", s.Name)
		}
		shapes[s.Name] = true
	}
	if len(shapes) < 40 {
		t.Errorf("%d shapes, want 40", len(shapes))
	}
	faults, allowed, names := 0, 0, map[string]bool{}
	for _, o := range operator.All() {
		if names[o.Name] {
			t.Errorf("two operators are called %s", o.Name)
		}
		names[o.Name] = true
		if o.Allowed {
			allowed++
		} else if isT1(o) {
			faults++
		}
		if o.Doc == "" || len(o.Rules) == 0 || len(o.Legs()) == 0 {
			t.Errorf("%s does not say what it does, or does nothing", o.Name)
		}
	}
	if faults < 60 || allowed < 25 {
		t.Errorf("%d faults and %d allowed changes, want 60 and 25", faults, allowed)
	}
	active := activated()
	ofRule, ofPair := map[string]int{}, map[string]map[string]bool{}
	for name, pairs := range active {
		i := slices.IndexFunc(operator.All(), func(o operator.Operator) bool { return o.Name == name })
		o := operator.All()[i]
		ofRule[o.Rules[0]]++
		for p := range pairs {
			if ofPair[p] == nil {
				ofPair[p] = map[string]bool{}
			}
			ofPair[p][name] = ofPair[p][name] || isT1(o)
		}
	}
	for name := range names {
		if active[name] == nil {
			t.Errorf("%s changes nothing anywhere", name)
		}
	}
	for _, rule := range strings.Fields("S01 S02 S03 S04 S05 S06 S07 S08 S08-F S09 S10 S12 S13 R01 R02 R03 R04 R07 D01 D03 D04 D05 D06") {
		if ofRule[rule] < 3 {
			t.Errorf("rule %s has %d operators, want 3", rule, ofRule[rule])
		}
	}
	for _, from := range wire.Dialects {
		for _, to := range wire.Dialects {
			n := 0
			for _, fault := range ofPair[string(from)+" to "+string(to)] {
				if fault {
					n++
				}
			}
			if n < 20 {
				t.Errorf("%s to %s has %d fault operators, want 20", from, to, n)
			}
		}
	}
}

// activated tells for each operator the pairs of dialects in which it changes something, trying the cases until it did.
func activated() map[string]map[string]bool {
	active := map[string]map[string]bool{}
	for i, c := range ideal.Cases() {
		pr, key := newPair(c), pairOf(outcome{trial: Trial{Case: c}})
		for _, o := range operator.All() {
			if active[o.Name][key] || i%5 > 0 && active[o.Name] != nil {
				continue
			}
			if x := pr.planted(&o, o.Legs()[len(o.Legs())-1]); x != nil {
				if active[o.Name] == nil {
					active[o.Name] = map[string]bool{}
				}
				active[o.Name][key] = true
			}
		}
	}
	return active
}

// The same trial is the same bytes every time, leaves its pair as it was, and is a capture that can be read.
func TestTrialsAreFixedCaptures(t *testing.T) {
	for i, c := range ideal.Cases() {
		if i%97 != 5 {
			continue
		}
		pr := newPair(c)
		before := capture.Encode(pr.ideal())
		for _, o := range operator.All() {
			for _, legs := range o.Legs() {
				x := pr.planted(&o, legs)
				if x == nil {
					continue
				}
				line := capture.Encode(x)
				if again, err := find(x.ID); err != nil || !bytes.Equal(line, capture.Encode(again)) {
					t.Errorf("%s is another exchange when it is looked up (%v)", x.ID, err)
				}
				for read, err := range capture.Decode(bytes.NewReader(line), x.ID) {
					if err != nil || !bytes.Equal(capture.Encode(read), line) {
						t.Errorf("%s is no capture: %v", x.ID, err)
					}
				}
			}
		}
		if !bytes.Equal(before, capture.Encode(pr.ideal())) {
			t.Errorf("operators changed the ideal translation %s", x(c))
		}
	}
}

func x(c ideal.Case) string { return Trial{Case: c}.ID() }

func TestReportIsTheSameTwice(t *testing.T) {
	args := []string{"-shape", "call-parallel"}
	var a, b, errors bytes.Buffer
	if code := run(args, &a, &errors); code != 0 {
		t.Fatalf("exit code %d: %s", code, errors.String())
	}
	run(args, &b, &errors)
	if a.String() != b.String() {
		t.Error("two runs differ")
	}
	if !strings.HasPrefix(a.String(), "In-sample") {
		t.Error("the report does not begin with what it is")
	}
}

func TestCommand(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"-show", "call/openai-chat/openai-chat/stream/call-index-missing"}, 0},
		{[]string{"-show", "call/openai-chat/openai-chat"}, 0},
		{[]string{"-show", "call/openai-chat/openai-chat/whole/call-index-missing"}, 2},
		{[]string{"-show", "text-short/openai-chat/openai-chat/stream/call-index-missing"}, 2},
		{[]string{"-show", "nothing/openai-chat/openai-chat"}, 2},
		{[]string{"-show", "call"}, 2},
		{[]string{"-operator", "nothing"}, 2},
		{[]string{"-nonsense"}, 2},
		{[]string{"-shape", "call", "-operator", "call-index-missing", "-min-recall", "1"}, 0},
		{[]string{"-shape", "call", "-operator", "call-index-missing", "-min-recall", "1.1"}, 1},
		{[]string{"-shape", "call", "-operator", "crlf", "-max-alarms", "-1"}, 1},
	} {
		var out, errors bytes.Buffer
		if code := run(c.args, &out, &errors); code != c.code {
			t.Errorf("%v: exit code %d, want %d\n%s", c.args, code, c.code, errors.String())
		}
	}
}

// A fault that is planted on one leg is told from what the ideal translation has.
func TestOutcomeTellsNewFindings(t *testing.T) {
	k, err := newChecker()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range ideal.Cases() {
		if x(c) != "reasoning-signed-text/anthropic-messages/openai-chat" {
			continue
		}
		v, err := k.Exchange(context.Background(), newPair(c).ideal())
		if err != nil {
			t.Fatal(err)
		}
		known := findingsOf(v)
		if len(known) == 0 {
			t.Error("the lost signature is not found")
		}
		o := operator.Operator{Name: "nothing", Rules: []string{"S03"}}
		out, err := judged(k, Trial{c, &o, operator.BothLegs}, newPair(c).ideal(), known)
		if err != nil || out.t1 || out.any || out.intended || len(out.found) > 0 {
			t.Errorf("what the ideal translation has counts as new: %+v, %v", out, err)
		}
		return
	}
	t.Fatal("the case is gone")
}

// The values are those of the usual calculators for Wilson's interval.
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{{95, 125, 0.678, 0.826}, {2, 100, 0.006, 0.070}, {0, 335, 0, 0.011}, {0, 0, 0, 1}} {
		low, high := wilson(c.k, c.n)
		if low < c.low-0.0006 || low > c.low+0.0006 || high < c.high-0.0006 || high > c.high+0.0006 {
			t.Errorf("%d of %d: [%.4f, %.4f], want [%.3f, %.3f]", c.k, c.n, low, high, c.low, c.high)
		}
	}
}
