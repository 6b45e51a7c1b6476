package rules

import "testing"

func TestChangeOf(t *testing.T) {
	for _, c := range []struct {
		want, have string
		pieces     []string
		change     textChange
	}{
		{"Hello there", "", nil, allLost},
		{"", "Hello there", nil, allInvented},
		{"Hello there", "Hello", nil, tailLost},
		{"Hello there", "there", nil, headLost},
		{"The tea is weaker today with syrup in it.", "The tea is today in it.", nil, middleLost},
		{"one two", "one two\n", nil, tailInserted},
		{"one two", "...one two", nil, headInserted},
		{"onetwo", "one\ntwo", nil, inserted},
		{"Nine loaves.", "Nine loaves.Nine loaves.", nil, repeated},
		{"Nine good loaves.", "Nine good good loaves.", nil, repeated},
		{"/srv/窯.md", "/srv/\uFFFD\uFFFD\uFFFD.md", nil, replaced},
		{"窯", "\uFFFD\uFFFD\uFFFD", nil, replaced},
		{"a 窯 b 窯", "a \uFFFD b 窯", nil, replaced},
		{"first second", "second first", []string{"first ", "second"}, altered},
		{"first second", "secondfirst ", []string{"first ", "second"}, permuted},
		{"caffé", "cafe\u0301", nil, altered},
		{"3 apples", "5 pears", nil, altered},
	} {
		if got := changeOf(c.want, c.have, c.pieces); got != c.change {
			t.Errorf("from %q to %q: %s, want %s", c.want, c.have, got, c.change)
		}
	}
}
