package wire

import "unicode/utf8"

// InvalidUTF8 is the place of the first byte in b that is not part of a UTF-8 character, or -1. The three bytes of a
// surrogate half are not UTF-8.
func InvalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// ToUTF8 is b with what is not UTF-8 replaced by U+FFFD, one for each maximal part of a character, as TextDecoder in
// JavaScript and bytes.decode(errors="replace") in Python do it. Valid text is returned as it is, not copied.
// Source: WHATWG Encoding, section 8.1.1 "UTF-8 decoder".
func ToUTF8(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	out := make([]byte, 0, len(b)+16)
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			n = subpart(b[i:])
		}
		out = utf8.AppendRune(out, r)
		i += n
	}
	return out
}

// subpart is how many bytes at the beginning of b, which begins no whole character, one U+FFFD stands for.
func subpart(b []byte) int {
	lo, hi, need := byte(0x80), byte(0xBF), 0
	switch c := b[0]; {
	case c >= 0xC2 && c <= 0xDF:
		need = 1
	case c >= 0xE0 && c <= 0xEF:
		need = 2
		if c == 0xE0 {
			lo = 0xA0
		}
		if c == 0xED {
			hi = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		need = 3
		if c == 0xF0 {
			lo = 0x90
		}
		if c == 0xF4 {
			hi = 0x8F
		}
	}
	n := 1
	for n <= need && n < len(b) && b[n] >= lo && b[n] <= hi {
		n++
		lo, hi = 0x80, 0xBF
	}
	return n
}
