package wire

import (
	"math/big"
	"strings"
)

// Equal reports whether a and b mean the same JSON value: key order does not matter, of duplicate keys the last
// counts, numbers are equal when their exact value is, however it is spelt (1, 1.0 and 10e-1 are one value, and so are
// 0 and -0). Missing equals Missing only.
func Equal(a, b Value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case Number:
		return a.text == b.text || equalNumber(a.text, b.text)
	case Bool, String:
		return a.text == b.text
	case Array:
		ea, eb := a.Elems(), b.Elems()
		if len(ea) != len(eb) {
			return false
		}
		for i := range ea {
			if !Equal(ea[i], eb[i]) {
				return false
			}
		}
	case Object:
		return equalMembers(a.Members(), b.Members())
	}
	return true
}

func equalMembers(a, b []Member) bool {
	if sameKeys(a, b) {
		same := true
		for i := 0; i < len(a) && same; i++ {
			same = Equal(a[i].Value, b[i].Value)
		}
		if same {
			return true
		}
	}
	ka, kb := lastMembers(a), lastMembers(b)
	if len(ka) != len(kb) {
		return false
	}
	if sameKeys(a, b) && len(ka) == len(a) {
		return false
	}
	for k, va := range ka {
		vb, ok := kb[k]
		if !ok || !Equal(va, vb) {
			return false
		}
	}
	return true
}

// sameKeys reports whether a and b have the same keys in the same order.
func sameKeys(a, b []Member) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Key != b[i].Key {
			return false
		}
	}
	return true
}

func lastMembers(members []Member) map[string]Value {
	last := make(map[string]Value, len(members))
	for _, m := range members {
		last[m.Key] = m.Value
	}
	return last
}

// equalNumber compares by value. It never builds the number: 1e999999999 would need gigabytes.
func equalNumber(a, b string) bool {
	na, nb := decimalOf(a), decimalOf(b)
	return na.negative == nb.negative && na.digits == nb.digits && na.exponent.Cmp(&nb.exponent) == 0
}

// decimal is 0.digits × 10^exponent. Its digits neither begin nor end with a zero; a zero has none.
type decimal struct {
	negative bool
	digits   string
	exponent big.Int
}

// decimalOf reads a JSON number.
func decimalOf(text string) decimal {
	var d decimal
	text, d.negative = strings.CutPrefix(text, "-")
	if e := strings.IndexAny(text, "eE"); e >= 0 {
		d.exponent.SetString(text[e+1:], 10)
		text = text[:e]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	point := int64(len(whole))
	digits := whole + fraction
	trimmed := strings.TrimLeft(digits, "0")
	point -= int64(len(digits) - len(trimmed))
	d.digits = strings.TrimRight(trimmed, "0")
	if d.digits == "" {
		return decimal{}
	}
	d.exponent.Add(&d.exponent, big.NewInt(point))
	return d
}
