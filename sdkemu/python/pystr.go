package python

import (
	"strings"
	"unicode/utf8"
	"unsafe"
)

// growing is the buffer behind a str that was made by appending. Every str that was its content at some time is a
// prefix of it, so that only the newest may append in place.
type growing struct{ buf []byte }

// growFrom is the length from which a concatenation gets a buffer of its own; shorter ones are cheaper copied.
const growFrom = 32

// concat is a + b for two str. Appending piece after piece to one str takes time linear in the result.
func concat(a, b value) value {
	if b.text == "" {
		return a
	}
	if a.text == "" {
		return b
	}
	n := len(a.text) + len(b.text)
	if n < growFrom {
		return ofStr(a.text + b.text)
	}
	g, ok := a.ref.(*growing)
	if !ok || len(g.buf) != len(a.text) {
		g = &growing{buf: append(make([]byte, 0, n+n/2), a.text...)}
	}
	g.buf = append(g.buf, b.text...)
	return value{kind: kindStr, text: unsafe.String(&g.buf[0], n), ref: g}
}

const (
	surrogateFirst, surrogateLast = 0xD800, 0xDFFF
	lowFirst                      = 0xDC00
)

func isSurrogate(r rune) bool { return r >= surrogateFirst && r <= surrogateLast }

// decodeRune is the code point at the beginning of s, which may be a surrogate, and its length in bytes.
func decodeRune(s string) (rune, int) {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return utf8.DecodeRuneInString(s)
}

// appendRune appends a code point, a surrogate as three bytes.
func appendRune(dst []byte, r rune) []byte {
	if isSurrogate(r) {
		return append(dst, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(dst, r)
}

// length is len(s) in code points.
func length(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// surrogateAt is the place, in code points, of the first surrogate in s, or -1; and the code point.
func surrogateAt(s string) (int, rune) {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], 0xED)
		if i < 0 {
			return -1, 0
		}
		at += i
		if r, _ := decodeRune(s[at:]); isSurrogate(r) {
			return length(s[:at]), r
		}
		at += 3
	}
}

// encodable is what s.encode("utf-8") raises for a surrogate, nil when it succeeds. Of several surrogates in a row
// CPython names all (Objects/unicodeobject.c, unicode_encode_utf8).
func encodable(s string) error {
	at, r := surrogateAt(s)
	if at < 0 {
		return nil
	}
	rest := s[byteAt(s, at):]
	n := 0
	for len(rest) > 0 {
		c, size := decodeRune(rest)
		if !isSurrogate(c) {
			break
		}
		n++
		rest = rest[size:]
	}
	if n == 1 {
		return raise("UnicodeEncodeError", "'utf-8' codec can't encode character '\\u%04x' in position %d: surrogates not allowed", r, at)
	}
	return raise("UnicodeEncodeError", "'utf-8' codec can't encode characters in position %d-%d: surrogates not allowed", at, at+n-1)
}

// byteAt is the offset in bytes of code point n.
func byteAt(s string, n int) int {
	for i := 0; i < len(s); i++ {
		if s[i]&0xC0 != 0x80 {
			if n == 0 {
				return i
			}
			n--
		}
	}
	return len(s)
}

// isSpace is Python's str.isspace for one code point (Unicode's White_Space and the four information separators).
func isSpace(r rune) bool {
	switch {
	case r >= 0x09 && r <= 0x0D, r >= 0x1C && r <= 0x20, r == 0x85, r == 0xA0, r == 0x1680, r >= 0x2000 && r <= 0x200A,
		r == 0x2028, r == 0x2029, r == 0x202F, r == 0x205F, r == 0x3000:
		return true
	}
	return false
}

// stripSpace is s.strip().
func stripSpace(s string) string { return strings.TrimFunc(s, isSpace) }

// allSpace reports whether s.lstrip() is empty.
func allSpace(s string) bool { return strings.TrimLeftFunc(s, isSpace) == "" }
