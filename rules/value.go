package rules

import "reassay/wire"

// maxValue is the largest expected or got value that a finding carries whole, in bytes of its JSON (contract, section 3).
const maxValue = 4 << 10

// headOfCut is how much of a cut value is shown, in bytes.
const headOfCut = 256

// cutValue is v, or where it is too long its length and beginning.
func cutValue(v wire.Value) *wire.Value {
	text := v.JSON()
	if len(text) <= maxValue && shallow(v, maxNesting) {
		return &v
	}
	head := string(text)
	if v.Kind() == wire.String {
		head = v.Str()
	}
	head = headOf(head)
	cut := wire.Obj(wire.Member{Key: "cut", Value: wire.OfBool(true)}, wire.Member{Key: "bytes", Value: wire.OfInt(len(text))},
		wire.Member{Key: "head", Value: wire.Of(head)})
	return &cut
}

// maxNesting is how deeply a value may be nested that a finding carries: some JSON readers stop near 1000 levels, and
// a verdict must be read by all.
const maxNesting = 100

// shallow reports whether v is nested at most n deep. It goes no deeper than that.
func shallow(v wire.Value, n int) bool {
	if n == 0 {
		return len(v.Elems()) == 0 && len(v.Members()) == 0
	}
	for _, e := range v.Elems() {
		if !shallow(e, n-1) {
			return false
		}
	}
	for _, m := range v.Members() {
		if !shallow(m.Value, n-1) {
			return false
		}
	}
	return true
}

// headOf is the beginning of a text, cut where a character ends.
func headOf(s string) string {
	if len(s) <= headOfCut {
		return s
	}
	n := headOfCut
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
