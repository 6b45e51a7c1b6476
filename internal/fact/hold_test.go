package fact

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"reassay/check"
	"reassay/sdkemu"
	"reassay/wire"
)

// subject is whom an expectation is about: an SDK, its release or the beginning of one, and a mode.
type subject struct {
	sdk, version string
	mode         sdkemu.Mode
}

func parseSubject(by string) (subject, error) {
	name, mode, _ := strings.Cut(by, "/")
	s := subject{mode: sdkemu.Mode(mode)}
	s.sdk, s.version, _ = strings.Cut(name, "@")
	if s.mode != sdkemu.ModeStream && s.mode != sdkemu.ModeIterate {
		return s, fmt.Errorf("%q names no mode", by)
	}
	return s, nil
}

func (s subject) is(t sdkemu.Target) bool {
	return t.SDK == s.sdk && t.Mode == s.mode && (s.version == "" || t.Version == s.version || strings.HasPrefix(t.Version, s.version+"."))
}

// run is one probe for one target.
type run struct {
	probe  string
	target sdkemu.Target
}

// claim is an expectation of one run.
type claim struct {
	fact fact
	expectation
}

// TestFactsHold runs what each fact expects of each SDK that is built in; emulated SDKs are held to the real ones by
// the conformance tests. What speaks of a release that is not built in is an error: a fact that nothing checks.
func TestFactsHold(t *testing.T) {
	emulators, err := check.Emulators()
	if err != nil {
		t.Fatal(err)
	}
	byTarget := map[sdkemu.Target]sdkemu.Emulator{}
	for _, e := range emulators {
		for _, target := range e.Targets() {
			byTarget[target] = e
		}
	}
	inputs, claims, unchecked := probes(t), map[run][]claim{}, map[string]int{}
	checked, all := map[string]bool{}, facts(t)
	for _, f := range all {
		for _, e := range f.Expect {
			for _, by := range e.By {
				s, err := parseSubject(by)
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range e.Probes {
					api, _, _ := strings.Cut(p, "/")
					n := 0
					for target := range byTarget {
						if s.is(target) && string(target.API) == api {
							claims[run{p, target}] = append(claims[run{p, target}], claim{f, e})
							checked[f.section+f.Says] = true
							n++
						}
					}
					if n == 0 {
						unchecked[by]++
					}
				}
			}
		}
	}
	runs := slices.SortedFunc(maps.Keys(claims), func(a, b run) int { return strings.Compare(a.name(), b.name()) })
	results := make([]sdkemu.Result, len(runs))
	each(len(runs), func(i int) {
		results[i] = byTarget[runs[i].target].Run(t.Context(), runs[i].target, inputs[runs[i].probe])
	})
	n := 0
	for i, r := range runs {
		for _, c := range claims[r] {
			n++
			if d := c.differs(results[i]); d != "" {
				t.Errorf("%s: %q: %s: %s", c.fact.section, c.fact.Says, r.name(), d)
			}
		}
	}
	for _, by := range slices.Sorted(maps.Keys(unchecked)) {
		t.Errorf("not checked: %d expectations of %s, which is not built in for the API of their probes", unchecked[by], by)
	}
	t.Logf("%d of %d facts checked by %d expectations in %d runs", len(checked), len(all), n, len(runs))
}

func (r run) name() string { return r.probe + " by " + r.target.Name() }

// each calls f for 0 to n-1 on as many goroutines as there are processors.
func each(n int, f func(i int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// differs says what of a result is not as expected, "" for nothing.
func (e expectation) differs(r sdkemu.Result) string {
	if r.Outcome != e.Result {
		return fmt.Sprintf("outcome %s%s %s, want %s %s", r.Outcome, told(r.Exception), r.Reason, e.Result, e.Class)
	}
	if x := r.Exception; x != nil {
		switch {
		case x.Class != e.Class,
			e.Message != nil && x.Message != *e.Message,
			!strings.HasPrefix(x.Message, e.Begins),
			e.Cause != "" && (x.Cause == nil || x.Cause.Class != e.Cause),
			e.AtEvent != nil && string(x.AtEvent) != string(e.AtEvent):
			return fmt.Sprintf("raised%s, want %s", told(x), e.exception())
		}
	}
	if len(e.Holds) == 0 && len(e.Lacks) == 0 {
		return ""
	}
	assembled, err := wire.Parse(r.Assembled)
	if err != nil {
		return fmt.Sprintf("assembled %.100q: %v", r.Assembled, err)
	}
	for _, pointer := range slices.Sorted(maps.Keys(e.Holds)) {
		if got, want := text(at(assembled, pointer)), text(e.Holds[pointer]); got != want {
			return fmt.Sprintf("%s is %s, want %s", pointer, got, want)
		}
	}
	for _, pointer := range e.Lacks {
		if got := at(assembled, pointer); got.Exists() {
			return fmt.Sprintf("%s is %s, want nothing", pointer, text(got))
		}
	}
	return ""
}

// exception words what is expected to be raised.
func (e expectation) exception() string {
	s := fmt.Sprintf("%s %q", e.Class, e.Begins)
	if e.Message != nil {
		s = fmt.Sprintf("%s %q", e.Class, *e.Message)
	}
	return s + " " + e.Cause + " " + string(e.AtEvent)
}

func told(d *sdkemu.ExceptionDetail) string {
	if d == nil {
		return ""
	}
	s := fmt.Sprintf(" %s %.300q at %s", d.Class, d.Message, d.AtEvent)
	if d.Cause != nil {
		s += ", cause" + told(d.Cause)
	}
	return s
}

func text(v wire.Value) string {
	if !v.Exists() {
		return "missing"
	}
	return string(v.JSON())
}

// at follows a JSON pointer; a key with a slash or a tilde in it is not needed here.
func at(v wire.Value, pointer string) wire.Value {
	for key := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if v.Kind() != wire.Array {
			v = v.Get(key)
			continue
		}
		i, err := strconv.Atoi(key)
		if err != nil {
			return wire.Value{}
		}
		v = v.At(i)
	}
	return v
}
