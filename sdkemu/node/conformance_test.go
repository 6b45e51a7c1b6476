package node

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
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
	in       sdkemu.Input
	id       string
}

// shortBody is up to how many bytes a body is given byte by byte without -all: goja takes 50 microseconds a chunk.
const shortBody = 1000

// quick says which trials run without -all: every stream whole in both modes, the other chunkings in one mode each,
// since both modes read bytes by the same code.
func quick(c sdkemu.Chunking, mode sdkemu.Mode, body []byte) bool {
	switch c {
	case sdkemu.Event:
		return mode == sdkemu.ModeStream
	case sdkemu.Byte:
		return mode == sdkemu.ModeStream && len(body) <= shortBody
	case sdkemu.Hostile:
		return mode == sdkemu.ModeIterate
	}
	return true
}

// trials crosses specimens with the targets that read them and with their chunkings.
func trials(t testing.TB, e *Emulator, specimens []specimen) []trial {
	t.Helper()
	var out []trial
	for _, s := range specimens {
		for _, target := range e.Targets() {
			if target.API != s.api {
				continue
			}
			for _, c := range s.chunkings {
				in := s.in
				var err error
				if in.Cuts, err = c.Cuts(in.Body); err != nil {
					t.Fatal(err)
				}
				if c != sdkemu.Whole && in.Cuts == nil {
					continue // the same as whole
				}
				if !*all && !quick(c, target.Mode, in.Body) {
					continue
				}
				out = append(out, trial{s.name, target, in, fmt.Sprintf("%s %s %s", s.name, target.Name(), c)})
			}
		}
	}
	return out
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

func divergences(t *testing.T) map[[2]string]divergence {
	t.Helper()
	text, err := os.ReadFile(divergencesFile)
	if err != nil {
		t.Fatal(err)
	}
	var list []divergence
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatalf("%s: %v", divergencesFile, err)
	}
	known := map[[2]string]divergence{}
	count := map[string]int{}
	for _, d := range list {
		if d.SDK == "" || d.Stream == "" || d.Line == "" || d.Why == "" {
			t.Errorf("%s: %+v leaves something out", divergencesFile, d)
		}
		if count[d.SDK]++; count[d.SDK] > mostDivergences {
			t.Errorf("%s lists more than %d streams of %s", divergencesFile, mostDivergences, d.SDK)
		}
		known[[2]string{d.SDK, d.Stream}] = d
	}
	return known
}

// TestConformanceNode runs every stream of the fixtures and every probe through the emulator and through the real SDK
// in Node: outcome, exception with its causes, the event where it came, and the assembled object must be the same.
func TestConformanceNode(t *testing.T) {
	needSDKs(t)
	e := newEmulator(t)
	specimens := recorded(t)
	for _, api := range apis {
		specimens = append(specimens, probes(t, api)...)
	}
	runs := trials(t, e, specimens)
	questions := make([]question, len(runs))
	for i, tr := range runs {
		questions[i] = questionOf(tr.id, tr.target, tr.in)
	}
	began := time.Now()
	ours := make(chan []sdkemu.Result, 1)
	go func() { ours <- emulate(t, e, runs) }()
	answers := ask(t, questions)
	results := <-ours

	known := divergences(t)
	met := map[[2]string]bool{}
	outcomes := map[sdkemu.Outcome]int{}
	for i, tr := range runs {
		want := answers[i].result()
		outcomes[want.Outcome]++
		diff := difference(results[i], want)
		if diff == "" {
			continue
		}
		key := [2]string{tr.target.SDK + "@" + tr.target.Version, tr.specimen}
		met[key] = true
		if _, ok := known[key]; !ok || results[i].Outcome != want.Outcome {
			t.Errorf("%s: %s", tr.id, diff)
		}
	}
	for key := range known {
		if !met[key] {
			t.Errorf("%s lists %s of %s, which no longer differs", divergencesFile, key[1], key[0])
		}
	}
	t.Logf("%d streams, %d runs in %s: %v", len(specimens), len(runs), time.Since(began).Round(time.Millisecond), outcomes)
}

// TestReferenceOverHTTP shows that the reference's own fetch stands for Node's: over a real connection the SDK's
// outcome is the same. Chunks cannot be told over a socket, so every probe runs whole.
func TestReferenceOverHTTP(t *testing.T) {
	e := newEmulator(t)
	var runs []trial
	for _, api := range apis {
		for _, s := range probes(t, api) {
			s.chunkings = []sdkemu.Chunking{sdkemu.Whole}
			runs = append(runs, trials(t, e, []specimen{s})...)
		}
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
