package python

import (
	_ "embed"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// The tables of CPython 3.11 (Unicode 14), written by unicode.py.
//
//go:embed unicode-python-3.11.txt
var unicodeText string

type runeRange struct{ first, last rune }

// unicodeTables are what repr() and int() need to know of code points.
var unicodeTables = sync.OnceValue(func() (t struct {
	unprintable []runeRange
	zeros       []rune
}) {
	for line := range strings.Lines(unicodeText) {
		words := strings.Fields(line)
		for _, w := range words[1:] {
			switch words[0] {
			case "unprintable":
				first, last, _ := strings.Cut(w, "-")
				t.unprintable = append(t.unprintable, runeRange{hexRune(first), hexRune(last)})
			case "digit":
				t.zeros = append(t.zeros, hexRune(w))
			}
		}
	}
	return t
})

func hexRune(s string) rune {
	n, err := strconv.ParseInt(s, 16, 32)
	if err != nil {
		panic("the embedded Unicode table holds " + s) // never: a test reads the table
	}
	return rune(n)
}

// isPrintable is str.isprintable() for one code point.
func isPrintable(r rune) bool {
	if r < 0x7F {
		return r >= ' '
	}
	u := unicodeTables().unprintable
	i := sort.Search(len(u), func(i int) bool { return u[i].last >= r })
	return i == len(u) || r < u[i].first
}

// decimalDigit is the value of a code point that is a decimal digit of any script.
func decimalDigit(r rune) (int, bool) {
	if r < 0x80 {
		return int(r - '0'), r >= '0' && r <= '9'
	}
	z := unicodeTables().zeros
	i := sort.Search(len(z), func(i int) bool { return z[i] > r })
	if i == 0 || r > z[i-1]+9 {
		return 0, false
	}
	return int(r - z[i-1]), true
}

// parsesAsInt reports whether int(s) succeeds: blanks around, one sign, decimal digits of any script with single
// underscores between them, at most maxDigits of them.
func parsesAsInt(s string) bool {
	s = stripSpace(s)
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	digits, afterDigit := 0, false
	for s != "" {
		r, n := decodeRune(s)
		s = s[n:]
		if r == '_' {
			if !afterDigit {
				return false
			}
			afterDigit = false
			continue
		}
		if _, ok := decimalDigit(r); !ok {
			return false
		}
		digits++
		afterDigit = true
	}
	return afterDigit && digits <= maxDigits
}
