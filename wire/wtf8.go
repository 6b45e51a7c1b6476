package wire

import (
	"strings"
	"unicode/utf8"
)

const (
	highFirst, highLast = 0xD800, 0xDBFF
	lowFirst, lowLast   = 0xDC00, 0xDFFF
)

// appendUnit appends one code point, a lone surrogate half as its three WTF-8 bytes. A low half after a high half
// at the end of dst makes the pair's own four bytes, as two adjacent UTF-16 units do in JavaScript.
// Source: The WTF-8 encoding (simonsapin.github.io/wtf-8), sections 3 and 4.
func appendUnit(dst []byte, r rune) []byte {
	if r < highFirst || r > lowLast {
		return utf8.AppendRune(dst, r)
	}
	if r >= lowFirst {
		if hi, ok := trailingHigh(dst); ok {
			return utf8.AppendRune(dst[:len(dst)-3], 0x10000+(hi-highFirst)<<10+(r-lowFirst))
		}
	}
	return append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0xBF, 0x80|byte(r)&0xBF)
}

func trailingHigh(b []byte) (rune, bool) {
	n := len(b)
	if n < 3 || b[n-3] != 0xED || b[n-2] < 0xA0 || b[n-2] > 0xAF {
		return 0, false
	}
	return half(b[n-2], b[n-1]), true
}

func half(b1, b2 byte) rune { return 0xD000 | rune(b1&0x3F)<<6 | rune(b2&0x3F) }

// halfAt reports the lone surrogate half that begins at s[i], if one does.
func halfAt(s string, i int) (rune, bool) {
	if i+2 < len(s) && s[i] == 0xED && s[i+1] >= 0xA0 && s[i+1] <= 0xBF && s[i+2]&0xC0 == 0x80 {
		return half(s[i+1], s[i+2]), true
	}
	return 0, false
}

// Join concatenates WTF-8 strings as UTF-16 does: a high surrogate half at the end of one and a low half at the
// beginning of the next become one character.
func Join(parts ...string) string {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	buf := make([]byte, 0, size)
	for _, p := range parts {
		if lo, ok := halfAt(p, 0); ok {
			buf = appendUnit(buf, lo)
			p = p[3:]
		}
		buf = append(buf, p...)
	}
	return string(buf)
}

// LoneHalves reports whether s holds a surrogate half without its partner, which UTF-8 cannot carry.
func LoneHalves(s string) bool {
	for {
		i := strings.IndexByte(s, 0xED)
		if i < 0 {
			return false
		}
		if _, ok := halfAt(s, i); ok {
			return true
		}
		s = s[i+1:]
	}
}

// Scalar is s with U+FFFD for each lone surrogate half, so that it is UTF-8 if s was [Valid]. Its length is the same.
func Scalar(s string) string {
	if !LoneHalves(s) {
		return s
	}
	out := []byte(s)
	for i := range out {
		if _, ok := halfAt(s, i); ok {
			copy(out[i:], "\uFFFD")
		}
	}
	return string(out)
}

// Valid reports whether s is UTF-8 apart from lone surrogate halves.
func Valid(s string) bool {
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		if _, ok := halfAt(s, i); ok {
			i += 3
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return false
		}
		i += n
	}
	return true
}
