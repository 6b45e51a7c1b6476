package python

import (
	"strings"
	"unicode/utf8"
)

// decodeStrict is line.decode("utf-8"): the text, or the UnicodeDecodeError that names the first bad bytes.
func decodeStrict(line []byte) (string, error) {
	if utf8.Valid(line) {
		return textOf(line), nil
	}
	at := 0
	for at < len(line) {
		r, n := utf8.DecodeRune(line[at:])
		if r == utf8.RuneError && n <= 1 {
			break
		}
		at += n
	}
	n, why := badSequence(line[at:])
	if n == 1 {
		return "", raise("UnicodeDecodeError", "'utf-8' codec can't decode byte 0x%02x in position %d: %s", line[at], at, why)
	}
	return "", raise("UnicodeDecodeError", "'utf-8' codec can't decode bytes in position %d-%d: %s", at, at+n-1, why)
}

// badSequence says how many bytes at the beginning of b CPython takes for one error, and its name for it: the bytes
// of a sequence that is well-formed up to there (Objects/stringlib/codecs.h, utf8_decode).
func badSequence(b []byte) (int, string) {
	first := b[0]
	need, low, high := 0, byte(0x80), byte(0xBF)
	switch {
	case first >= 0xC2 && first <= 0xDF:
		need = 2
	case first >= 0xE0 && first <= 0xEF:
		need = 3
		if first == 0xE0 {
			low = 0xA0
		}
		if first == 0xED {
			high = 0x9F
		}
	case first >= 0xF0 && first <= 0xF4:
		need = 4
		if first == 0xF0 {
			low = 0x90
		}
		if first == 0xF4 {
			high = 0x8F
		}
	default:
		return 1, "invalid start byte"
	}
	for n := 1; n < need; n++ {
		if n == len(b) {
			return n, "unexpected end of data"
		}
		if b[n] < low || b[n] > high {
			return n, "invalid continuation byte"
		}
		low, high = 0x80, 0xBF
	}
	return 1, "invalid start byte" // not reached: the sequence is bad
}

// decodeReplacing is bytes.decode("utf-8", "replace"): one U+FFFD for each run of bytes that is one error.
func decodeReplacing(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			n, _ = badSequence(b)
		}
		out.WriteRune(r)
		b = b[n:]
	}
	return out.String()
}
