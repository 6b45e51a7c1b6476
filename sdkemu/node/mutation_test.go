package node

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"reassay/sdkemu"
	"reassay/wire"
)

// all asks for the whole conformance run: every chunking of every probe, and as many mutations as issue it.
var all = flag.Bool("all", false, "run every probe byte by byte, and many mutated streams")

// mutations are how many mutated streams a version is given, without and with -all.
const (
	fewMutations  = 400
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

// stream is a seed with a few of its frames, values or bytes changed.
func (m *mutant) stream(n int) specimen {
	seeds := m.probes
	if n%2 == 1 {
		seeds = m.recorded
	}
	s := seeds[m.IntN(len(seeds))]
	frames := bytes.SplitAfter(s.in.Body, []byte("\n\n"))
	for range 1 + m.IntN(2) {
		switch n := m.IntN(20); {
		case n == 0:
			frames = m.reorder(frames)
		case n == 1:
			frames = [][]byte{m.bytes(bytes.Join(frames, nil))}
		default:
			i := m.IntN(len(frames))
			frames[i] = m.frame(frames[i])
		}
	}
	s.in.Body = bytes.Join(frames, nil)
	return s
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

// frame changes one value of a frame's JSON, if it has some.
func (m *mutant) frame(frame []byte) []byte {
	head, data, ok := bytes.Cut(frame, []byte("data: "))
	if !ok {
		return frame
	}
	v, n, err := wire.ParsePrefix(data)
	if err != nil {
		return frame
	}
	out := append(slices.Clone(head), "data: "...)
	out = append(out, m.value(v).JSON()...)
	return append(out, data[n:]...)
}

func (m *mutant) hostile() wire.Value {
	v, err := wire.Parse([]byte(m.pick(hostile)))
	if err != nil {
		panic(err) // a mistake in the list
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

// TestMutations runs mutated probes through the emulator and through the real SDK. It prints the forms of exception
// that it met, so that a reader sees what was tried.
func TestMutations(t *testing.T) {
	needSDKs(t)
	e := newEmulator(t)
	count := fewMutations
	if *all {
		count = manyMutations
	}
	forms := map[string]int{}
	final := 0
	var runs []trial
	for _, api := range []sdkemu.API{sdkemu.Chat, sdkemu.Responses} {
		m := mutant{rand.New(rand.NewPCG(1, uint64(len(api)))), probes(t, api), slices.DeleteFunc(recorded(t), func(s specimen) bool { return s.api != api })}
		for n := range count {
			s := m.stream(n)
			s.name = fmt.Sprintf("mutation %d of %s", n, s.name)
			s.chunkings = []sdkemu.Chunking{sdkemu.Whole}
			runs = append(runs, trials(t, e.Targets(), []specimen{s})...)
		}
	}
	questions := make([]question, len(runs))
	for i, tr := range runs {
		questions[i] = questionOf(tr.id, tr.target, tr.in)
	}
	ours := make(chan []sdkemu.Result, 1)
	go func() { ours <- emulate(t, e, runs) }()
	answers := ask(t, questions)
	results := <-ours
	stream := 0
	for i, tr := range runs {
		want := answers[i].result()
		if diff := difference(results[i], want); diff != "" {
			t.Errorf("%s: %s\n%s", tr.id, diff, tr.in.Body)
		}
		if tr.target.Mode == sdkemu.ModeStream {
			stream++
			if want.Outcome == sdkemu.OK {
				final++
			}
		}
		if want.Exception != nil {
			forms[want.Exception.Class+": "+form(want.Exception.Message)]++
		}
	}
	if final*10 < stream*4 {
		t.Errorf("%d of %d mutated streams reach the final object, want 40 %%", final, stream)
	}
	t.Logf("%d runs, %d of %d streams reach the final object, %d forms of exception", len(runs), final, stream, len(forms))
	for _, f := range slices.SortedFunc(maps.Keys(forms), func(a, b string) int { return cmp.Or(forms[b]-forms[a], strings.Compare(a, b)) }) {
		t.Logf("%6d %s", forms[f], f)
	}
}

var particulars = regexp.MustCompile(`(?s)\{.*\}|\[.*\]|\d+|'[^']*'|"[^"]*"`)

// form is a message without its particulars.
func form(message string) string { return particulars.ReplaceAllString(message, "…") }
