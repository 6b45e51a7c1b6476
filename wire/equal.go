package wire

import (
	"math/big"
	"strconv"
)

// Equal reports whether a and b mean the same JSON value: key order does not matter, of duplicate keys the last
// counts, numbers are equal when their text is or their value is (1, 1.0 and 1e0 are one value). Missing equals Missing only.
func Equal(a, b Value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case Number:
		return equalNumber(a.text, b.text)
	case Bool, String:
		return a.text == b.text
	case Array:
		if len(a.elems) != len(b.elems) {
			return false
		}
		for i := range a.elems {
			if !Equal(a.elems[i], b.elems[i]) {
				return false
			}
		}
	case Object:
		ka, kb := lastMembers(a), lastMembers(b)
		if len(ka) != len(kb) {
			return false
		}
		for k, va := range ka {
			vb, ok := kb[k]
			if !ok || !Equal(va, vb) {
				return false
			}
		}
	}
	return true
}

func lastMembers(v Value) map[string]Value {
	m := make(map[string]Value, len(v.members))
	for _, e := range v.members {
		m[e.Key] = e.Value
	}
	return m
}

// maxExactDigits bounds the exact comparison: beyond it a number of a few bytes (1e999999999) would need gigabytes.
const maxExactDigits = 4096

func equalNumber(a, b string) bool {
	if a == b {
		return true
	}
	fa, erra := strconv.ParseFloat(a, 64)
	fb, errb := strconv.ParseFloat(b, 64)
	if erra != nil || errb != nil || fa != fb || len(a) > maxExactDigits || len(b) > maxExactDigits {
		return false
	}
	ra, oka := new(big.Rat).SetString(a)
	rb, okb := new(big.Rat).SetString(b)
	return oka && okb && ra.Cmp(rb) == 0
}
