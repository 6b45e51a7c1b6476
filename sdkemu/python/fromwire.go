package python

import (
	"math/big"
	"strconv"

	"reassay/wire"
)

// ofWire is a JSON value of the request as the caller holds it in Python.
func ofWire(v wire.Value) value {
	switch v.Kind() {
	case wire.Bool:
		return ofBool(v.True())
	case wire.String:
		return ofStr(v.Str())
	case wire.Number:
		if n, ok := new(big.Int).SetString(v.Num(), 10); ok && len(v.Num()) <= maxDigits {
			return ofBig(n)
		}
		f, _ := strconv.ParseFloat(v.Num(), 64)
		return ofFloat(f)
	case wire.Array:
		l := &list{elems: make([]value, 0, len(v.Elems()))}
		for _, e := range v.Elems() {
			l.elems = append(l.elems, ofWire(e))
		}
		return ofList(l)
	case wire.Object:
		d := newDict(len(v.Members()))
		for _, m := range v.Members() {
			d.set(m.Key, ofWire(m.Value))
		}
		return ofDict(d)
	}
	return none
}
