package python

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"reassay/sdkemu"
	"reassay/wire"
)

// TestFuzzConstruct builds every reply class of random values that nearly fit it, with the real package and with the
// emulation: validation, coercion and the choice among a union's members, class by class.
func TestFuzzConstruct(t *testing.T) {
	for i := range releases {
		r := &releases[i]
		t.Run(r.name(), func(t *testing.T) { compareBuilt(t, r) })
	}
}

func compareBuilt(t *testing.T, r *release) {
	ref := startReference(t, r)
	s, err := newSchema(r.schema)
	if err != nil {
		t.Fatal(err)
	}
	keys := make([]string, 0, len(s.classes))
	for key := range s.classes {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	g := shaper{rand.New(rand.NewPCG(*fuzzSeed, 11))}
	var specimens []specimen
	values := map[string]string{}
	for n := range *fuzzStreams * 5 {
		key := keys[n%len(keys)]
		name := fmt.Sprintf("%s %d", key, n)
		values[name] = g.value(&typ{kind: typeClass, class: s.classes[key]}, 4)
		specimens = append(specimens, specimen{name: name, construct: key, value: values[name]})
	}
	differ := 0
	ref.each(t, specimens, func(sp specimen, want outcome) {
		got := builtHere(t, s.classes[sp.construct], sp.value)
		if d := got.difference(want); d != "" {
			if differ++; differ <= 20 {
				t.Errorf("%s: %s\n%s", sp.name, d, sp.value)
			}
		}
	})
	t.Logf("%d classes, %d values, %d differ", len(keys), len(specimens), differ)
}

func builtHere(t *testing.T, c *class, text string) outcome {
	t.Helper()
	v, err := loads(text, 900)
	if err == nil {
		v, err = construct(&typ{kind: typeClass, class: c}, v)
	}
	var rendered []byte
	if err == nil {
		rendered, err = render(nil, v)
	}
	if err != nil {
		e, ok := err.(*raised)
		if !ok {
			return outcome{Outcome: sdkemu.Inconclusive, Reason: err.Error()}
		}
		return outcome{Outcome: sdkemu.Exception, Exception: &sdkemu.ExceptionDetail{Class: e.class, Message: e.message, Thrown: "error", AtEvent: json.RawMessage("null")}}
	}
	assembled, err := wire.Parse(rendered)
	if err != nil {
		t.Fatal(err)
	}
	return outcome{Outcome: sdkemu.OK, Assembled: assembled}
}

// shaper draws JSON values for types, most of which fit.
type shaper struct{ r *rand.Rand }

func (g shaper) value(t *typ, depth int) string {
	if g.r.IntN(12) == 0 {
		return pick(g.r, commonValues)
	}
	switch t.kind {
	case typeNone:
		return "null"
	case typeStr:
		return pick(g.r, []string{`"a"`, `""`, `"1"`, `"x y"`})
	case typeInt:
		return pick(g.r, []string{"0", "1", "7", "-3", `"4"`, "5.0", "true", `" 6 "`, "1.5"})
	case typeFloat:
		return pick(g.r, []string{"0.5", "1", "-2", `"3.5"`, "true", "1e3", `"inf"`})
	case typeBool:
		return pick(g.r, []string{"true", "false", "1", "0", `"yes"`, `"off"`, "0.0", "2"})
	case typeLiteral:
		return strconv.Quote(pick(g.r, t.words))
	case typeUnion:
		return g.value(pick(g.r, t.members), depth)
	case typeList:
		return "[" + strings.Join(g.some(func() string { return g.value(t.item, depth-1) }), ",") + "]"
	case typeDict:
		return "{" + strings.Join(g.some(func() string { return pick(g.r, []string{`"a":`, `"b":`, `"c":`}) + g.value(t.item, depth-1) }), ",") + "}"
	case typeClass:
		return g.class(t.class, depth)
	}
	return pick(g.r, commonValues)
}

func (g shaper) some(one func() string) []string {
	out := make([]string, g.r.IntN(3))
	for i := range out {
		out[i] = one()
	}
	return out
}

func (g shaper) class(c *class, depth int) string {
	var parts []string
	for _, f := range c.fields {
		if !f.required && (depth <= 0 || g.r.IntN(3) == 0) || f.required && g.r.IntN(40) == 0 {
			continue
		}
		parts = append(parts, strconv.Quote(f.key)+":"+g.value(f.typ, depth-1))
	}
	if g.r.IntN(8) == 0 {
		parts = append(parts, pick(g.r, []string{`"x":1`, `"type":"x"`, `"schema_":{}`, `"name":"n"`, `"\ud83d":1`, `"text":"t"`})) // may double a key
	}
	return "{" + strings.Join(parts, ",") + "}"
}
