package python

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"reassay/sdkemu"
	"reassay/wire"
)

var (
	fuzzStreams = flag.Int("fuzz-streams", 400, "how many mutated streams the emulation and the real package are compared on, for each release and API")
	fuzzSeed    = flag.Uint64("fuzz-seed", 1, "what the mutations are drawn from")
	fuzzFinds   = flag.String("fuzz-finds", "", "file to which shrunk streams that differ are appended as probes")
)

// TestFuzzPython compares the emulation with the real package on mutated streams. What differs is shrunk, told, and
// with -fuzz-finds kept as a probe.
func TestFuzzPython(t *testing.T) {
	for i := range releases {
		r := &releases[i]
		t.Run(r.name(), func(t *testing.T) { compareMutated(t, r) })
	}
}

func compareMutated(t *testing.T, r *release) {
	ref := startReference(t, r)
	e := New()
	for _, api := range r.apis {
		g := generator{m: mutator{rand.New(rand.NewPCG(*fuzzSeed, 7)), apiWords[api]}, release: r, api: api, seeds: seedsOf(append(probes(t, r, api), exchanges(t, r, api)...))}
		for _, in := range g.seeds {
			if e.Run(t.Context(), r.target(api, sdkemu.ModeStream), in).Outcome == sdkemu.OK {
				g.sound = append(g.sound, in)
			}
		}
		forms := map[string]int{}
		streams, final, differ, open := 0, 0, 0, 0
		for done := 0; done < *fuzzStreams && differ < 20; {
			batch := make([]specimen, min(500, *fuzzStreams-done))
			for i := range batch {
				batch[i] = g.next(done + i)
			}
			done += len(batch)
			var odd []specimen
			ref.each(t, batch, func(s specimen, want outcome) {
				if s.target.Mode == sdkemu.ModeStream {
					if streams++; want.Outcome == sdkemu.OK {
						final++
					}
				}
				if want.Exception != nil {
					forms[want.Exception.Class+": "+form(want.Exception.Message)]++
				}
				got := emulated(t, e, s)
				if got.Outcome == sdkemu.Inconclusive {
					open++
				}
				if wrongly(got, want) != "" {
					odd = append(odd, s)
				}
			})
			for _, s := range odd {
				if differ++; differ > 20 {
					break
				}
				s = shrunk(t, e, ref, s)
				t.Errorf("%s: %s\n%s", s.name, differenceOn(t, e, ref, s), probeOf(s))
				keep(t, s)
			}
		}
		if final*100 < streams*leastFinal {
			t.Errorf("%s: %d of %d streams reach the final object, %d %% must", api, final, streams, leastFinal)
		}
		if open*1000 > *fuzzStreams {
			t.Errorf("%s: %d of %d streams are inconclusive, one in 1000 may be", api, open, *fuzzStreams)
		}
		t.Logf("%s: %d streams, %d differ, %d inconclusive; %d of %d read by the helper reach the final object; %d forms of exception", api, *fuzzStreams, differ, open, final, streams, len(forms))
		for _, f := range slices.SortedFunc(maps.Keys(forms), func(a, b string) int { return cmp.Or(forms[b]-forms[a], strings.Compare(a, b)) }) {
			t.Logf("%7d %s", forms[f], f)
		}
	}
}

// leastFinal is how many in a hundred of the streams that a helper reads must give it a final object: what a stream
// that raises early holds further on is not looked at.
const leastFinal = 40

var particulars = regexp.MustCompile(`(?s)\{.*\}|\[.*\]|\(.*\)|0x[0-9a-f]*|-?\d+|'[^']*'|"[^"]*"` + "|`[^`]*`")

// form is a message without its particulars.
func form(message string) string { return particulars.ReplaceAllString(message, "…") }

type generator struct {
	m       mutator
	release *release
	api     sdkemu.API
	seeds   []sdkemu.Input // the streams that mutation starts from
	sound   []sdkemu.Input // those of them that have a final object
	odds    int            // one in so many parts of a woven stream is odd
}

// seed is most often a stream that has a final object.
func (g generator) seed() sdkemu.Input {
	if g.m.r.IntN(8) > 0 {
		return pick(g.m.r, g.sound)
	}
	return pick(g.m.r, g.seeds)
}

// odd is usual, or at times one of the others.
func (g generator) odd(usual string, others ...string) string {
	if g.m.r.IntN(g.odds) == 0 {
		return pick(g.m.r, others)
	}
	return usual
}

// seedsOf are the short streams, each once.
func seedsOf(specimens []specimen) []sdkemu.Input {
	var out []sdkemu.Input
	for _, s := range specimens {
		if s.target.Mode == sdkemu.ModeStream && s.raw == nil && len(s.input.Cuts) == 0 && len(s.input.Body) < 5000 {
			out = append(out, s.input)
		}
	}
	return out
}

// tools are request tools of every kind that the helpers tell apart.
var fuzzTools = []string{
	`{"tools":[{"type":"function","function":{"name":"f","strict":true,"parameters":{}}}]}`,
	`{"tools":[{"type":"function","function":{"name":"f","parameters":{}}},{"type":"function","function":{"name":"g","strict":true}}]}`,
	`{"tools":[{"type":"function","name":"f","strict":true,"parameters":{}},{"type":"function","name":"g"}]}`,
	`{"tools":[]}`,
	`{"tools":[{"type":"namespace","name":"n","tools":[{"type":"function","name":"g"},{"type":"function","name":"f","strict":true}]},{"type":"function","name":"f"}]}`,
}

func (g generator) next(n int) specimen {
	r := g.m.r
	g.odds = pick(r, []int{10, 60, 200})
	in := g.seed()
	frames := split(in.Body)
	if r.IntN(16) == 0 {
		frames = append(frames[:r.IntN(len(frames)+1):len(frames)], split(g.seed().Body)...)
	}
	switch r.IntN(6) {
	case 0, 1:
		in = sdkemu.Input{Status: 200, Body: joined(g.woven())}
	case 2:
		in = sdkemu.Input{Status: 200, Body: g.m.mutated(g.woven())}
	default:
		in.Body = g.m.mutated(frames)
	}
	if r.IntN(12) == 0 {
		in.Request = mustParse(pick(r, fuzzTools))
	}
	if r.IntN(16) == 0 {
		in.Parsed = true
	}
	if r.IntN(40) == 0 {
		in.Break = &sdkemu.Break{Message: "connection reset"}
	}
	if r.IntN(40) == 0 {
		in.Status = pick(r, []int{200, 201, 400, 401, 404, 429, 500, 529, 302})
	}
	if r.IntN(3) == 0 {
		in.Cuts, _ = pick(r, sdkemu.Chunkings).Cuts(in.Body)
	}
	mode := sdkemu.ModeStream
	if r.IntN(4) == 0 {
		mode = sdkemu.ModeIterate
	}
	return specimen{name: fmt.Sprintf("fuzz-%d-%d", *fuzzSeed, n), target: g.release.target(g.api, mode), input: in}
}

func mustParse(text string) wire.Value {
	v, err := wire.Parse([]byte(text))
	if err != nil {
		panic(err) // never: constants of this test
	}
	return v
}

// wrongly is where the emulation says what the package does not. It says nothing where it names a limit: some texts
// hang on the order of a set, which is another in every process.
func wrongly(got, want outcome) string {
	if got.Outcome == sdkemu.Inconclusive {
		return ""
	}
	return got.difference(want)
}

func differenceOn(t *testing.T, e *Emulator, ref *reference, s specimen) (d string) {
	t.Helper()
	ref.each(t, []specimen{s}, func(s specimen, want outcome) { d = wrongly(emulated(t, e, s), want) })
	return d
}

// shrunk takes off what the difference does not need: chunks, then values inside them.
func shrunk(t *testing.T, e *Emulator, ref *reference, s specimen) specimen {
	t.Helper()
	differs := func(c specimen) bool { return differenceOn(t, e, ref, c) != "" }
	for _, simpler := range []func(*sdkemu.Input){
		func(in *sdkemu.Input) { in.Cuts = nil },
		func(in *sdkemu.Input) { in.Request = wire.Value{} },
		func(in *sdkemu.Input) { in.Parsed = false },
		func(in *sdkemu.Input) { in.Break = nil },
		func(in *sdkemu.Input) { in.Status = 200 },
	} {
		c := s
		simpler(&c.input)
		if differs(c) {
			s = c
		}
	}
	if len(s.input.Cuts) > 0 {
		return s
	}
	with := func(frames []frame) specimen {
		c := s
		c.input.Body = joined(frames)
		return c
	}
	frames := split(s.input.Body)
	if !differs(with(frames)) {
		return s
	}
	for changed, budget := true, 400; changed && budget > 0; {
		changed = false
		for i := 0; i < len(frames) && budget > 0; i++ {
			budget--
			if less := slices.Delete(slices.Clone(frames), i, i+1); differs(with(less)) {
				frames, changed = less, true
				i--
			}
		}
		for _, f := range frames {
			if f.data == nil {
				continue
			}
			f.data.walk(func(n *node) {
				for i := 0; i < len(n.kids) && budget > 0; i++ {
					budget--
					before := *n.copied()
					if n.remove(i); differs(with(frames)) {
						changed = true
						i--
					} else {
						*n = before
					}
				}
			})
		}
	}
	return with(frames)
}

// probeOf is a specimen as a line of fixtures/probes.
func probeOf(s specimen) []byte {
	sum := sha256.Sum256(s.line())
	line := map[string]any{"name": "fuzz-" + hex.EncodeToString(sum[:4]), "fact": "found by mutation, " + string(s.target.Mode)}
	if utf8.Valid(s.input.Body) {
		line["body"] = string(s.input.Body)
	} else {
		line["body_base64"] = base64.StdEncoding.EncodeToString(s.input.Body)
	}
	if s.input.Status != 200 {
		line["status"] = s.input.Status
	}
	if s.input.Break != nil {
		line["error"] = map[string]string{"by": "upstream", "message": s.input.Break.Message}
	}
	if s.input.Request.Exists() {
		line["request"] = s.input.Request
	}
	if s.input.Parsed {
		line["caller"] = map[string]string{"response_format": "parsed"}
	}
	text, err := json.Marshal(line)
	if err != nil {
		panic(err) // never: strings, numbers and JSON values
	}
	return text
}

func keep(t *testing.T, s specimen) {
	t.Helper()
	if *fuzzFinds == "" {
		return
	}
	if err := os.MkdirAll(filepath.Dir(*fuzzFinds), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(*fuzzFinds, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, "%s\n", probeOf(s)); err != nil {
		t.Fatal(err)
	}
}
