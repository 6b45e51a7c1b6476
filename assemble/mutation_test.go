package assemble

import (
	"path/filepath"
	"testing"

	"reassay/wire"
)

// strange are the values that are put in the place of every other: each type, and the numbers that are no index.
var strange = []wire.Value{
	wire.OfNull(), wire.Of(""), wire.Of("x"), wire.OfInt(0), wire.OfInt(-1), wire.OfNum("1e99"), wire.OfBool(true),
	wire.Arr(), wire.Arr(wire.OfNull()), wire.Obj(), wire.Obj(wire.Member{Key: "type", Value: wire.Of("x")}),
}

// TestStrangeValues puts strange values in the place of every value of every payload of the fixtures, a third of them
// each time by turns, and leaves it out. Byte fuzzing mostly breaks the JSON; this gets past it.
func TestStrangeValues(t *testing.T) {
	for _, d := range wire.Dialects {
		t.Run(string(d), func(t *testing.T) {
			for _, file := range streamFixtures(t, string(d)) {
				c := loadStreamCase(t, file)
				turn := 0
				for i, e := range c.Events {
					for _, changed := range replaced(e, &turn) {
						events := append([]wire.Value(nil), c.Events...)
						events[i] = changed
						sane(t, d, streamCase{Dialect: d, Events: events, Array: c.Array}.body())
						if t.Failed() {
							t.Fatalf("%s, event %d changed to %s", filepath.Base(file), i, changed.JSON())
						}
					}
				}
			}
		})
	}
}

// replaced are values that differ from v in one place.
func replaced(v wire.Value, turn *int) []wire.Value {
	var out []wire.Value
	for i := *turn % 3; i < len(strange); i += 3 {
		out = append(out, strange[i])
	}
	*turn++
	for _, m := range v.Members() {
		out = append(out, v.With(m.Key, wire.Value{}))
		for _, x := range replaced(m.Value, turn) {
			out = append(out, v.With(m.Key, x))
		}
	}
	for i, e := range v.Elems() {
		for _, x := range replaced(e, turn) {
			elems := append([]wire.Value(nil), v.Elems()...)
			elems[i] = x
			out = append(out, wire.Arr(elems...))
		}
	}
	return out
}
