package node

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// JavaScript's strings are UTF-16 units and may hold half a surrogate pair; in Go they are carried as WTF-8.

// text is a JavaScript value's string as WTF-8.
func text(v goja.Value) string {
	s := v.String()
	if !strings.Contains(s, "\uFFFD") {
		return s // goja writes every lone half as U+FFFD, so there is none
	}
	js, ok := v.ToString().(goja.String)
	if !ok {
		return s
	}
	units := make([]uint16, js.Length())
	for i := range units {
		units[i] = js.CharAt(i)
	}
	return fromUnits(units)
}

// fromUnits makes WTF-8 of UTF-16 units.
func fromUnits(units []uint16) string {
	out := make([]byte, 0, len(units)+len(units)/4)
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if utf16.IsSurrogate(r) && i+1 < len(units) {
			if pair := utf16.DecodeRune(r, rune(units[i+1])); pair != utf8.RuneError {
				r = pair
				i++
			}
		}
		out = appendRune(out, r)
	}
	return string(out)
}

// appendRune appends r to WTF-8 text; r may be half a pair.
func appendRune(dst []byte, r rune) []byte {
	if utf16.IsSurrogate(r) {
		return append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F|0x80, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(dst, r)
}

// halfAt is the half of a pair that begins at s[i], if one does.
func halfAt(s string, i int) (rune, bool) {
	if i+2 < len(s) && s[i] == 0xED && s[i+1] >= 0xA0 {
		return 0xD000 | rune(s[i+1]&0x3F)<<6 | rune(s[i+2]&0x3F), true
	}
	return 0, false
}

// hasHalves reports whether WTF-8 text holds half a pair.
func hasHalves(s string) bool {
	for i := 0; ; i++ {
		j := strings.IndexByte(s[i:], 0xED)
		if j < 0 {
			return false
		}
		i += j
		if _, ok := halfAt(s, i); ok {
			return true
		}
	}
}

// toUnits makes UTF-16 units of WTF-8.
func toUnits(s string) []uint16 {
	out := make([]uint16, 0, len(s))
	for i := 0; i < len(s); {
		if r, ok := halfAt(s, i); ok {
			out = append(out, uint16(r))
			i += 3
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		out = utf16.AppendRune(out, r)
		i += n
	}
	return out
}

// unitCount is the length of WTF-8 text in UTF-16 units.
func unitCount(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c&0xC0 == 0x80: // counted with its first byte
		case c >= 0xF0:
			n += 2
		default:
			n++
		}
	}
	return n
}

// stringValue makes a JavaScript string of WTF-8.
func stringValue(vm *goja.Runtime, s string) goja.Value {
	if hasHalves(s) {
		return goja.StringFromUTF16(toUnits(s))
	}
	return vm.ToValue(s)
}
