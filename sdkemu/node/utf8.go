package node

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// decodeUTF8 is the standard's UTF-8 decode (WHATWG Encoding, 4.1 and "UTF-8 decoder"): a leading BOM is taken off, and
// every maximal part of an ill-formed sequence becomes one U+FFFD. Go makes one U+FFFD of every byte.
func decodeUTF8(b []byte) string {
	return decodeWithBOM(bytes.TrimPrefix(b, []byte("\xEF\xBB\xBF")))
}

// decodeWithBOM is the same without the first step (WHATWG Encoding, "UTF-8 decode without BOM").
func decodeWithBOM(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	out.Grow(len(b) + 16)
	for len(b) > 0 {
		n, ok := sequence(b)
		if ok {
			out.Write(b[:n])
		} else {
			out.WriteRune(utf8.RuneError)
		}
		b = b[n:]
	}
	return out.String()
}

// sequence is the length of the first sequence of b, or of the maximal ill-formed part it begins with.
func sequence(b []byte) (n int, ok bool) {
	lower, upper := byte(0x80), byte(0xBF)
	need := 0
	switch c := b[0]; {
	case c < 0x80:
		return 1, true
	case c >= 0xC2 && c <= 0xDF:
		need = 1
	case c >= 0xE0 && c <= 0xEF:
		need = 2
		if c == 0xE0 {
			lower = 0xA0
		}
		if c == 0xED {
			upper = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		need = 3
		if c == 0xF0 {
			lower = 0x90
		}
		if c == 0xF4 {
			upper = 0x8F
		}
	default:
		return 1, false
	}
	n = 1
	for ; n <= need; n++ {
		if n >= len(b) || b[n] < lower || b[n] > upper {
			return n, false
		}
		lower, upper = 0x80, 0xBF
	}
	return n, true
}

// utf8Decoder decodes a text that comes in pieces, as a TextDecoder does (WHATWG Encoding, 7.2).
type utf8Decoder struct {
	keepBOM bool
	begun   bool   // something of the text was given out
	rest    []byte // a sequence whose end has not come
}

// decode gives what the text goes on with. More tells that it does not end here.
func (d *utf8Decoder) decode(b []byte, more bool) string {
	b = append(d.rest, b...)
	d.rest = nil
	if more {
		whole := len(b) - unfinished(b)
		d.rest = bytes.Clone(b[whole:])
		b = b[:whole]
	}
	out := decodeWithBOM(b)
	if !d.begun && !d.keepBOM {
		out = strings.TrimPrefix(out, "\uFEFF")
	}
	d.begun = more && (d.begun || len(b) > 0)
	return out
}

// unfinished is the length of the sequence at b's end that more bytes could complete.
func unfinished(b []byte) int {
	for n := 1; n <= 3 && n <= len(b); n++ {
		tail := b[len(b)-n:]
		if tail[0]&0xC0 == 0x80 {
			continue // its first byte stands further ahead
		}
		if length, ok := sequence(tail); !ok && length == n && tail[0] >= 0xC2 && tail[0] <= 0xF4 {
			return n
		}
		return 0
	}
	return 0
}
