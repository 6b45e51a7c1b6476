package node

import (
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"reassay/sdkemu"
	"reassay/wire"
)

// trial is one stream in one chunking for one target.
type trial struct {
	specimen string
	target   sdkemu.Target
	chunking sdkemu.Chunking
	in       sdkemu.Input
	id       string
}

// only narrows the comparison down while one works on it.
var only = flag.String("only", "", "compare the streams alone whose name holds this")

// shortBody is up to how many bytes a body is given byte by byte without -all: goja takes 50 microseconds a chunk.
const shortBody = 1000

// longBody is the same with -all: what openai-node 4 does to a frame that comes byte by byte grows with its square.
const longBody = 2500

// choose says in which of a body's chunkings a target reads it. With -all that is every one. Without, the version that
// its SDK's name alone stands for reads every stream whole in both modes and in one other chunking in one mode, since
// both modes read bytes by the same code; the other versions read it in one chunking and one mode. Which one is the
// hash of the names.
func choose(name string, target sdkemu.Target, body []byte, chunkings []sdkemu.Chunking) []sdkemu.Chunking {
	most := shortBody
	if *all {
		most = longBody
	}
	if len(body) > most {
		chunkings = slices.DeleteFunc(slices.Clone(chunkings), func(c sdkemu.Chunking) bool { return c == sdkemu.Byte })
	}
	if *all || len(chunkings) == 0 {
		return chunkings
	}
	h := fnv.New32a()
	fmt.Fprint(h, name, target.Version)
	n := int(h.Sum32())
	turn := (n%2 == 0) == (target.Mode == sdkemu.ModeStream)
	n /= 2
	if !(Release{SDK: target.SDK, Version: target.Version}).standard() {
		if !turn {
			return nil
		}
		i := n % len(chunkings)
		return chunkings[i : i+1]
	}
	chosen := []sdkemu.Chunking{sdkemu.Whole}
	others := slices.DeleteFunc(slices.Clone(chunkings), func(c sdkemu.Chunking) bool { return c == sdkemu.Whole })
	if turn && len(others) > 0 {
		chosen = append(chosen, others[n%len(others)])
	}
	return chosen
}

// trials crosses specimens with the targets that read them and with their chunkings.
func trials(t testing.TB, targets []sdkemu.Target, specimens []specimen) []trial {
	t.Helper()
	var out []trial
	for _, s := range specimens {
		for _, target := range targets {
			if target.API != s.api {
				continue
			}
			var distinct []sdkemu.Chunking
			cuts := map[sdkemu.Chunking][]int{}
			for _, c := range s.chunkings {
				at, err := c.Cuts(s.in.Body)
				if err != nil {
					t.Fatal(err)
				}
				if c == sdkemu.Whole || at != nil { // else the same as whole
					distinct, cuts[c] = append(distinct, c), at
				}
			}
			for _, c := range choose(s.name, target, s.in.Body, distinct) {
				in := s.in
				in.Cuts = cuts[c]
				out = append(out, trial{s.name, target, c, in, fmt.Sprintf("%s %s %s", s.name, target.Name(), c)})
			}
		}
	}
	return out
}

// perVersion runs a test for every version.
func perVersion(t *testing.T, test func(t *testing.T, version string, targets []sdkemu.Target)) {
	releases, err := Releases()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range releases {
		version := r.SDK + "@" + r.Version
		t.Run(version, func(t *testing.T) { test(t, version, r.targets()) })
	}
}

// both runs the trials through the emulator and through the real SDK at the same time.
func both(t *testing.T, e *Emulator, runs []trial) (ours, theirs []sdkemu.Result) {
	t.Helper()
	questions := make([]question, len(runs))
	for i, tr := range runs {
		questions[i] = questionOf(tr.id, tr.target, tr.in)
	}
	done := make(chan []sdkemu.Result, 1)
	go func() { done <- emulate(t, e, runs) }()
	for _, a := range ask(t, questions) {
		theirs = append(theirs, a.result())
	}
	return <-done, theirs
}

// emulate runs the trials on as many goroutines as there are processors.
func emulate(t testing.TB, e *Emulator, runs []trial) []sdkemu.Result {
	results := make([]sdkemu.Result, len(runs))
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				results[i] = e.Run(t.Context(), runs[i].target, runs[i].in)
			}
		})
	}
	for i := range runs {
		next <- i
	}
	close(next)
	wg.Wait()
	return results
}

// divergence is a line of divergences.json: a stream of which the emulator tells something else than the SDK.
type divergence struct {
	SDK    string `json:"sdk"`    // "openai-node@5.23.2"
	Stream string `json:"stream"` // the specimen's name
	Line   string `json:"line"`   // of the SDK, or of Node, that explains it
	Why    string `json:"why"`
}

const divergencesFile = "divergences.json"

// mostDivergences is how many streams a version may differ on.
const mostDivergences = 5

func divergences(t *testing.T) []divergence {
	t.Helper()
	text, err := os.ReadFile(divergencesFile)
	if err != nil {
		t.Fatal(err)
	}
	var list []divergence
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatalf("%s: %v", divergencesFile, err)
	}
	return list
}

// The list of divergences holds at most so many a version, each with its cause, and no version that is not built in.
func TestDivergences(t *testing.T) {
	built := map[string]bool{}
	perVersion(t, func(t *testing.T, version string, _ []sdkemu.Target) { built[version] = true })
	count := map[string]int{}
	for _, d := range divergences(t) {
		if d.Stream == "" || d.Line == "" || d.Why == "" || !built[d.SDK] {
			t.Errorf("%s: %+v leaves something out, or its version is not built in", divergencesFile, d)
		}
		if count[d.SDK]++; count[d.SDK] > mostDivergences {
			t.Errorf("%s lists more than %d streams of %s", divergencesFile, mostDivergences, d.SDK)
		}
	}
}

// allSpecimens are every stream of the fixtures and every probe.
func allSpecimens(t testing.TB) []specimen {
	t.Helper()
	out := recorded(t)
	for _, api := range apis {
		out = append(out, probes(t, api)...)
	}
	return out
}

// TestConformanceNode runs every stream of the fixtures and every probe through the emulator and through the real SDK
// in Node: outcome, exception with its causes, the event where it came, and the assembled object must be the same.
func TestConformanceNode(t *testing.T) {
	needSDKs(t)
	e := newEmulator(t)
	specimens := slices.DeleteFunc(allSpecimens(t), func(s specimen) bool { return !strings.Contains(s.name, *only) })
	listed := divergences(t)
	perVersion(t, func(t *testing.T, version string, targets []sdkemu.Target) {
		began := time.Now()
		known, met := map[string]bool{}, map[string]bool{}
		for _, d := range listed {
			if d.SDK == version {
				known[d.Stream] = true
			}
		}
		runs := trials(t, targets, specimens)
		ours, theirs := both(t, e, runs)
		streams, outcomes, chunkings := map[string]bool{}, map[sdkemu.Outcome]int{}, map[sdkemu.Chunking]int{}
		for i, tr := range runs {
			streams[tr.specimen] = true
			chunkings[tr.chunking]++
			outcomes[theirs[i].Outcome]++
			diff := difference(ours[i], theirs[i])
			if diff == "" {
				continue
			}
			met[tr.specimen] = true
			if !known[tr.specimen] || ours[i].Outcome != theirs[i].Outcome {
				t.Errorf("%s: %s", tr.id, diff)
			}
		}
		for stream := range known {
			if !met[stream] && strings.Contains(stream, *only) {
				t.Errorf("%s lists %s of %s, which no longer differs", divergencesFile, stream, version)
			}
		}
		for _, c := range sdkemu.Chunkings {
			if chunkings[c] == 0 && *only == "" {
				t.Errorf("no stream was read in the chunking %s", c)
			}
		}
		t.Logf("%s: %d streams, %d runs in %s: %v, %v, %d streams listed as divergent", version, len(streams), len(runs),
			time.Since(began).Round(time.Millisecond), outcomes, chunkings, len(known))
	})
}

// TestReferenceOverHTTP shows that the reference's own fetch stands for Node's: over a real connection the SDK's
// outcome is the same. Chunks cannot be told over a socket, so every probe runs whole.
func TestReferenceOverHTTP(t *testing.T) {
	needSDKs(t)
	var specimens []specimen
	for _, api := range apis {
		for _, s := range probes(t, api) {
			s.chunkings = []sdkemu.Chunking{sdkemu.Whole}
			specimens = append(specimens, s)
		}
	}
	perVersion(t, func(t *testing.T, _ string, targets []sdkemu.Target) {
		runs := trials(t, targets, specimens)
		if release := (Release{SDK: targets[0].SDK, Version: targets[0].Version}); !*all && !release.standard() {
			runs = runs[:len(runs)/10] // the transport is the same for all
		}
		questions := make([]question, len(runs))
		for i, tr := range runs {
			questions[i] = questionOf(tr.id, tr.target, tr.in)
		}
		made, real := ask(t, questions), ask(t, questions, "--http")
		for i := range runs {
			if diff := difference(made[i].result(), real[i].result()); diff != "" {
				t.Errorf("%s: %s", runs[i].id, diff)
			}
		}
	})
}

func newEmulator(t testing.TB) *Emulator {
	t.Helper()
	e, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// difference says what of a result is not as wanted; "" for nothing.
func difference(got, want sdkemu.Result) string {
	switch {
	case got.Outcome != want.Outcome:
		return fmt.Sprintf("outcome %s (%s%s), want %s (%s)", got.Outcome, got.Reason, told(got.Exception), want.Outcome, told(want.Exception))
	case told(got.Exception) != told(want.Exception):
		return fmt.Sprintf("exception %s, want %s", told(got.Exception), told(want.Exception))
	case got.Exception != nil && got.Reason != want.Reason:
		return fmt.Sprintf("reason %q, want %q", got.Reason, want.Reason)
	case string(got.Assembled) != string(want.Assembled):
		return differAt(string(got.Assembled), string(want.Assembled))
	}
	return ""
}

// told writes an exception out, causes and all.
func told(d *sdkemu.ExceptionDetail) string {
	if d == nil {
		return ""
	}
	s := fmt.Sprintf("%s %s %s", d.Class, wire.Of(words(d)).JSON(), d.Thrown)
	if d.AtEvent != nil {
		s += " at event " + string(d.AtEvent)
	}
	if d.Cause != nil {
		s += ", cause " + told(d.Cause)
	}
	return s
}

// emulatedNode is the Node version whose words the emulator has.
const emulatedNode = 20

// words is an exception's message, or "" where this machine's Node words it otherwise than Node 20: V8 from 11.4
// on adds line and column to what JSON.parse says, and says another thing of a key without a colon.
func words(d *sdkemu.ExceptionDetail) string {
	ofJSON := func(d *sdkemu.ExceptionDetail) bool { return d != nil && d.Class == "SyntaxError" }
	if nodeMajor() != emulatedNode && (ofJSON(d) || ofJSON(d.Cause) && d.Cause.Message == d.Message) {
		return ""
	}
	return d.Message
}

func differAt(got, want string) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	window := func(s string) string { return s[max(0, min(i, len(s))-60):min(len(s), i+120)] }
	return fmt.Sprintf("assembled differs at byte %d: …%s…, want …%s…", i, strings.ToValidUTF8(window(got), "?"), strings.ToValidUTF8(window(want), "?"))
}
