package python

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"reassay/sdkemu"
	"reassay/wire"
)

// TestFuzzPartial grows JSON texts piece by piece, whole, cut and spoilt ones, and wants an exception where jiter
// raises it, with its text, and of the last text the value that jiter makes of it.
func TestFuzzPartial(t *testing.T) {
	ref := startReference(t, &releases[0])
	g := shaper{rand.New(rand.NewPCG(*fuzzSeed, 13))}
	specimens := make([]specimen, *fuzzStreams*5)
	for i := range specimens {
		specimens[i] = specimen{name: strconv.Itoa(i), partial: g.growing(g.spoilt(g.json(5)))}
	}
	differ, raised := 0, 0
	ref.each(t, specimens, func(s specimen, want outcome) {
		if want.Exception != nil {
			raised++
		}
		if d := fed(t, s.partial).difference(want); d != "" {
			if differ++; differ <= 20 {
				t.Errorf("%q: %s", s.partial, d)
			}
		}
	})
	t.Logf("%d texts, %d raise, %d differ", len(specimens), raised, differ)
}

func fed(t *testing.T, texts []string) outcome {
	t.Helper()
	var c partialCheck
	work := budget{left: 1 << 30}
	v := none
	for at, text := range texts {
		if at == 0 {
			v = ofStr(text)
		} else {
			v = concat(v, ofStr(text[len(v.text):]))
		}
		if err := c.feed(v, &work); err != nil {
			e := err.(*raised)
			return outcome{Outcome: sdkemu.Exception, Exception: &sdkemu.ExceptionDetail{Class: e.class, Message: e.message, Thrown: "error", AtEvent: json.RawMessage(strconv.Itoa(at))}}
		}
	}
	held, fault := parsePartial(v.text)
	if fault != nil {
		t.Fatalf("%q: %v", v.text, fault)
	}
	rendered, err := render(nil, held)
	if err != nil {
		t.Fatalf("%q: %v", v.text, err)
	}
	assembled, err := wire.Parse(rendered)
	if err != nil {
		t.Fatalf("%q: %v", v.text, err)
	}
	return outcome{Outcome: sdkemu.OK, Assembled: assembled}
}

// json is a JSON text with blanks and escapes of every kind.
func (g shaper) json(depth int) string {
	blank := pick(g.r, []string{"", "", "", " ", "\n"})
	switch n := g.r.IntN(9); {
	case n < 2 && depth > 0:
		parts := g.some(func() string { return g.json(depth - 1) })
		return blank + "[" + strings.Join(append(parts, g.some(func() string { return g.json(depth - 1) })...), ",") + blank + "]"
	case n < 5 && depth > 0:
		parts := g.some(func() string { return blank + g.text() + ":" + g.json(depth-1) })
		return blank + "{" + strings.Join(append(parts, g.some(func() string { return g.text() + blank + ":" + g.json(depth-1) })...), ","+blank) + blank + "}"
	case n < 7:
		return blank + g.text()
	}
	return blank + pick(g.r, []string{"null", "true", "false", "0", "-0", "12", "-3.25", "1e5", "2E-3", "0.5", "NaN", "Infinity", "-Infinity", strings.Repeat("7", 20), strings.Repeat("8", 4300), strings.Repeat("9", 4301)})
}

func (g shaper) text() string {
	return `"` + strings.Join(g.some(func() string {
		return pick(g.r, []string{"a", "é", "😀", `\n`, `\"`, `\\`, `\u0041`, `\ud83d\ude00`, `\u00e9`, " ", strings.Repeat("x", 40)})
	}), "") + `"`
}

// spoilt leaves half of the texts whole and spoils the others.
func (g shaper) spoilt(text string) string {
	if text == "" || g.r.IntN(2) == 0 {
		return text
	}
	runes := []rune(text)
	i := g.r.IntN(len(runes))
	switch g.r.IntN(4) {
	case 0:
		return string(runes[:i]) + string(runes[i+1:])
	case 1:
		return string(runes[:i])
	}
	odd := pick(g.r, []string{",", "]", "}", "[", "{", ":", `"`, `\`, "x", "1", ".", "-", "e", "\t", "\n", " ", `\u12`, `\ud83d`, `\ude00`, `\x`, "\u0001", "nul", "\u00a0"})
	return string(runes[:i]) + odd + string(runes[i:])
}

// growing are up to ten beginnings of the text, the last of them whole.
func (g shaper) growing(text string) []string {
	runes := []rune(text)
	var out []string
	for i := 0; i < len(runes); {
		i = min(len(runes), i+1+g.r.IntN(1+len(runes)/3))
		out = append(out, string(runes[:i]))
	}
	if len(out) == 0 {
		out = []string{""}
	}
	return out
}

// TestPartialIsLinear parses a class's content of half a megabyte in small pieces.
func TestPartialIsLinear(t *testing.T) {
	var b strings.Builder
	b.WriteString(chunkOf(`{"role":"assistant","content":"{\"a\":\""}`, "null"))
	const n = 50_000
	for range n {
		b.WriteString(chunkOf(`{"content":"0123456789"}`, "null"))
	}
	b.WriteString(chunkOf(`{"content":"\"}"}`, `"stop"`))
	r := New().Run(t.Context(), target(sdkemu.Chat, sdkemu.ModeStream), sdkemu.Input{Body: []byte(b.String()), Parsed: true})
	if want := fmt.Sprintf(`"parsed":{"a":"%s"}`, strings.Repeat("0123456789", n)); r.Outcome != sdkemu.OK || !strings.Contains(string(r.Assembled), want) {
		t.Errorf("%s %v %s", r.Outcome, r.Exception, r.Reason)
	}
}
