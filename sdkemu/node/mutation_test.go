package node

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"reassay/sdkemu"
	"reassay/wire"
)

// all asks for the whole conformance run: every chunking of every probe, and as many mutations as the issue asks for.
var all = flag.Bool("all", false, "run every probe byte by byte, and many mutated streams")

// mutations overrides how many mutated streams a version is given.
var mutations = flag.Int("mutations", 0, "how many mutated streams a version is given; 0 for 200, with -all 20,000")

// The numbers of mutated streams without and with -all.
const (
	fewMutations  = 200
	manyMutations = 20_000
)

// mutant makes streams out of the seeds. Equal seeds and numbers give equal streams. Every second one comes from a
// recorded reply, because most probes do not reach the final object to begin with.
type mutant struct {
	*rand.Rand
	probes, recorded []specimen
}

// hostile are the values that a mutant puts where another stood.
var hostile = []string{
	`null`, `true`, `false`, `0`, `1`, `-1`, `2`, `3`, `0.5`, `-0`, `1e400`, `9007199254740993`, `""`, `"0"`, `"1"`, `"x"`, `"assistant"`, `"function"`,
	`"stop"`, `"length"`, `"__proto__"`, `"length"`, `"toString"`, `[]`, `{}`, `[null]`, `[1,"a"]`, `[[]]`, `{"a":1}`, `{"toString":1}`, `{"toString":null,"valueOf":null}`,
	`{"index":0}`, `[{"index":0}]`, `{"content":"x"}`, `"\ud83d"`, `"\ude00"`, `"é\u0000\u2028"`, `{"__proto__":{"x":1}}`, `{"constructor":1}`, `{"length":2}`, `{"message":"m"}`,
	`{"then":1}`, `{"type":"function","function":{"name":"f","arguments":"{}"}}`, `"[DONE]"`, `"{\"a\":1}"`,
}

// keys are the keys that a mutant adds.
var keys = []string{"error", "index", "delta", "content", "tool_calls", "finish_reason", "logprobs", "role", "function", "type", "id", "choices", "refusal", "function_call", "usage", "message", "parsed", "__proto__", "length", "toString", "0", "", "name", "arguments"}

func (m *mutant) pick(list []string) string { return list[m.IntN(len(list))] }

// stream is a seed with a few of its frames, values or bytes changed, in a chunking of its own. Most changes are
// such as gateways make without breaking anything, so that what comes behind them is reached.
func (m *mutant) stream(n int) specimen {
	seeds := m.probes
	if n%2 == 1 {
		seeds = m.recorded
	}
	s := seeds[m.IntN(len(seeds))]
	frames := bytes.SplitAfter(s.in.Body, []byte("\n\n"))
	for range 1 + m.IntN(2) {
		i := m.IntN(len(frames))
		switch n := m.IntN(40); {
		case n == 0:
			frames = m.reorder(frames)
		case n == 1:
			frames = [][]byte{m.bytes(bytes.Join(frames, nil))}
		case n < 8:
			frames[i] = m.layout(frames[i])
		case n < 26:
			frames[i] = m.frame(frames[i], m.mild)
		default:
			frames[i] = m.frame(frames[i], m.value)
		}
	}
	s.in.Body = bytes.Join(frames, nil)
	c := []sdkemu.Chunking{sdkemu.Whole, sdkemu.Whole, sdkemu.Event, sdkemu.Hostile, sdkemu.Byte}[m.IntN(5)]
	if c == sdkemu.Byte && len(s.in.Body) > shortBody {
		c = sdkemu.Event
	}
	s.chunkings = []sdkemu.Chunking{c}
	return s
}

// layout changes how a frame is written and not what it says.
func (m *mutant) layout(frame []byte) []byte {
	switch m.IntN(7) {
	case 0:
		return bytes.ReplaceAll(frame, []byte("\n"), []byte("\r\n"))
	case 1:
		return bytes.ReplaceAll(frame, []byte("\n"), []byte("\r"))
	case 2:
		return append([]byte(m.pick([]string{": keep-alive\n\n", "id: 7\n", "retry: 3000\n\n", "event: ping\ndata: {\"type\":\"ping\"}\n\n", "\n", "\uFEFF"})), frame...)
	case 3:
		return bytes.Replace(frame, []byte("data: "), []byte(m.pick([]string{"data:", "data:  ", "x: 1\ndata: "})), 1)
	case 4:
		return bytes.ReplaceAll(frame, []byte(`,"`), []byte(",\ndata: \""))
	case 5:
		return bytes.TrimSuffix(frame, []byte("\n"))
	}
	return append(slices.Clone(frame), '\n')
}

func (m *mutant) reorder(frames [][]byte) [][]byte {
	i, j := m.IntN(len(frames)), m.IntN(len(frames))
	frames = slices.Clone(frames)
	switch m.IntN(3) {
	case 0:
		frames[i], frames[j] = frames[j], frames[i]
	case 1:
		frames = slices.Delete(frames, i, i+1)
	default:
		frames = slices.Insert(frames, i, frames[j])
	}
	if len(frames) == 0 {
		return [][]byte{nil}
	}
	return frames
}

func (m *mutant) bytes(body []byte) []byte {
	body = slices.Clone(body)
	if len(body) == 0 {
		return body
	}
	at := m.IntN(len(body))
	switch m.IntN(4) {
	case 0:
		return body[:at]
	case 1:
		return slices.Delete(body, at, min(len(body), at+1+m.IntN(4)))
	case 2:
		return slices.Insert(body, at, []byte(m.pick([]string{"\n", "\r", "\r\n", "\n\n", ":", " ", "\"", "{", "}", "]", ",", "\\", "\xFF", "\xED\xA0\x80", "\uFEFF", "\x00", "data: ", "event: x\n", "id: 1\n", "0"}))...)
	default:
		body[at] = byte(m.IntN(256))
		return body
	}
}

// frame changes a frame's JSON, if it has some.
func (m *mutant) frame(frame []byte, change func(wire.Value) wire.Value) []byte {
	head, data, ok := bytes.Cut(frame, []byte("data: "))
	if !ok {
		return frame
	}
	v, n, err := wire.ParsePrefix(data)
	if err != nil {
		return frame
	}
	out := append(slices.Clone(head), "data: "...)
	out = append(out, change(v).JSON()...)
	return append(out, data[n:]...)
}

func (m *mutant) hostile() wire.Value {
	v, err := wire.Parse([]byte(m.pick(hostile)))
	if err != nil {
		panic(err) // a mistake in the list
	}
	return v
}

// extras are members that gateways add.
var extras = []string{"provider", "reasoning_content", "native_finish_reason", "x", "obfuscation", "service_tier", "system_fingerprint", "annotations", "cost", "citations"}

// texts are strings that a model may say.
var texts = []string{"", " ", "a", "\u00e9", "\U0001F389", "line\nbreak", "[DONE]", "data: x", "\u2028", "\uFEFF", "{\"a\":", "1}", "\x00", "__proto__"}

// mild changes something that most readers do not mind: what a text says, a number, a member that nobody knows.
func (m *mutant) mild(v wire.Value) wire.Value {
	switch {
	case len(v.Members()) > 0 && m.IntN(6) > 0:
		member := v.Members()[m.IntN(len(v.Members()))]
		if member.Key == "type" || member.Key == "role" || member.Key == "index" || member.Key == "object" {
			return v.With(m.pick(extras), wire.Of(m.pick(texts)))
		}
		return v.With(member.Key, m.mild(member.Value))
	case len(v.Members()) > 0 && m.IntN(2) > 0:
		return v.With(m.pick(extras), m.hostile())
	case len(v.Members()) > 0: // the same in another order
		members := slices.Clone(v.Members())
		m.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		return wire.Obj(members...)
	case len(v.Elems()) > 0:
		elems := slices.Clone(v.Elems())
		i := m.IntN(len(elems))
		elems[i] = m.mild(elems[i])
		return wire.Arr(elems...)
	case v.Kind() == wire.String && v.Str() != "":
		return wire.Of(v.Str() + m.pick(texts))
	case v.Kind() == wire.Number:
		return wire.OfInt(m.IntN(100_000))
	}
	return v
}

// value changes v or something in it.
func (m *mutant) value(v wire.Value) wire.Value {
	switch {
	case len(v.Members()) > 0 && m.IntN(10) > 0:
		i := m.IntN(len(v.Members()))
		member := v.Members()[i]
		switch m.IntN(8) {
		case 0:
			return v.With(member.Key, wire.Value{})
		case 1:
			return v.With(m.pick(keys), m.hostile())
		default:
			return v.With(member.Key, m.value(member.Value))
		}
	case len(v.Elems()) > 0 && m.IntN(10) > 0:
		elems := slices.Clone(v.Elems())
		i := m.IntN(len(elems))
		switch m.IntN(8) {
		case 0:
			elems = slices.Delete(elems, i, i+1)
		case 1:
			elems = append(elems, elems[i])
		default:
			elems[i] = m.value(elems[i])
		}
		return wire.Arr(elems...)
	}
	return m.hostile()
}

// TestMutations runs mutated streams through the emulator and through the real SDK. It prints the pairs of class and
// form of message that it met, so that a reader sees what was tried.
func TestMutations(t *testing.T) {
	needSDKs(t)
	e := newEmulator(t)
	count := fewMutations
	if *all {
		count = manyMutations
	}
	if *mutations > 0 {
		count = *mutations
	}
	seeds := recorded(t)
	perVersion(t, func(t *testing.T, version string, targets []sdkemu.Target) {
		var runs []trial
		mutants := map[sdkemu.API]*mutant{}
		for _, target := range targets {
			if mutants[target.API] == nil {
				seed := fnv.New64a()
				fmt.Fprint(seed, version, target.API)
				of := func(s specimen) bool { return s.api != target.API }
				mutants[target.API] = &mutant{rand.New(rand.NewPCG(1, seed.Sum64())), probes(t, target.API), slices.DeleteFunc(slices.Clone(seeds), of)}
			}
		}
		read := slices.Sorted(maps.Keys(mutants))
		for n := range count {
			api := read[n%len(read)]
			s := mutants[api].stream(n / len(read))
			s.name = fmt.Sprintf("mutation %d of %s", n, s.name)
			for _, target := range targets {
				// Both modes read and parse by the same code; the helper does more.
				if target.API != api || target.Mode != sdkemu.ModeStream && n%4 > 0 {
					continue
				}
				in := s.in
				var err error
				if in.Cuts, err = s.chunkings[0].Cuts(in.Body); err != nil {
					t.Fatal(err)
				}
				runs = append(runs, trial{s.name, target, s.chunkings[0], in, fmt.Sprintf("%s %s %s", s.name, target.Name(), s.chunkings[0])})
			}
		}
		ours, theirs := both(t, e, runs)
		forms := map[string]int{}
		final, limited := 0, 0
		for i, tr := range runs {
			if ours[i].Outcome == sdkemu.Inconclusive {
				limited++ // a mutation may write an index or nesting over a limit
				continue
			}
			if diff := difference(ours[i], theirs[i]); diff != "" {
				t.Errorf("%s: %s\n%q", tr.id, diff, tr.in.Body)
			}
			if tr.target.Mode == sdkemu.ModeStream && theirs[i].Outcome == sdkemu.OK {
				final++
			}
			if x := theirs[i].Exception; x != nil {
				forms[x.Class+": "+form(x.Message)]++
			}
		}
		want := 40
		if count < 1000 {
			want = 30 // so few may be an unlucky draw
		}
		if final*100 < count*want {
			t.Errorf("%d of %d mutated streams reach the final object, want %d %%", final, count, want)
		}
		if limited*100 > len(runs) {
			t.Errorf("%d of %d runs met a limit", limited, len(runs))
		}
		t.Logf("%s: %d streams, %d runs, %d %% of the streams reach the final object, %d runs met a limit, %d pairs of class and form:",
			version, count, len(runs), final*100/count, limited, len(forms))
		for _, f := range slices.SortedFunc(maps.Keys(forms), func(a, b string) int { return cmp.Or(forms[b]-forms[a], strings.Compare(a, b)) }) {
			t.Logf("%6d %s", forms[f], f)
		}
	})
}

var particulars = regexp.MustCompile("(?s)\\{.*\\}|\\[.*\\]|-?\\d+(\\.\\d+)?|'[^']*'|\"[^\"]*\"|`[^`]*`")

// form is a message without its particulars.
func form(message string) string { return particulars.ReplaceAllString(message, "…") }
