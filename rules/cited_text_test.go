package rules

import (
	"slices"
	"testing"

	"reassay/wire"
)

func TestCharacters(t *testing.T) {
	const text = "a\u00e9\U0001F9ADz" // bytes 0, 1, 3, 7; code points 0 to 3; UTF-16 units 0, 1, 2 and 3, 4
	c := charactersOf(text)
	for n, want := range []int{0, 1, 3, 7, 8, -1} {
		if got := c.point(n); got != want {
			t.Errorf("code point %d begins at byte %d, want %d", n, got, want)
		}
	}
	for n, want := range map[int]int{0: 0, 2: 3, 4: 7, 5: 8, 6: -1, -1: -1} {
		if got := c.unit(n); got != want {
			t.Errorf("UTF-16 unit %d begins at byte %d, want %d", n, got, want)
		}
	}
	if got := cut(text, c.unit, 2, 3); got != "" {
		t.Errorf("half of a pair selects %q, want nothing", got)
	}
}

func TestSpanOfOffsets(t *testing.T) {
	const text = "\u00c9t\u00e9 sec. Pluie."
	for _, x := range []struct {
		name             string
		start, end       int
		readings, others []string
		outside          bool
	}{
		{"characters", 0, 8, []string{"\u00c9t\u00e9 sec.", "\u00c9t\u00e9 sec. "}, []string{"\u00c9t\u00e9 se"}, false},
		{"bytes behind the end", 11, 17, nil, []string{"Pluie."}, true},
		{"turned round", 8, 0, nil, nil, false},
		{"below zero", -4, 3, nil, nil, false},
	} {
		at := wire.Obj(wire.Member{Key: "start_index", Value: wire.OfInt(x.start)}, wire.Member{Key: "end_index", Value: wire.OfInt(x.end)})
		s := inCharacters(countedText{text, charactersOf(text)}, at)[0]
		if !slices.Equal(slices.Compact(slices.Sorted(slices.Values(s.readings))), x.readings) || !slices.Equal(s.wrong, x.others) || s.outside != x.outside {
			t.Errorf("%s: %q, in another unit %q, outside %t; want %q, %q, %t", x.name, s.readings, s.wrong, s.outside, x.readings, x.others, x.outside)
		}
	}
}
