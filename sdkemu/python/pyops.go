package python

import (
	"math"
	"math/big"
	"slices"
)

// attribute is v.name as the SDK's code reads it. Of the names that it reads, "index" is also a method of str and list.
func attribute(v value, name string) (value, error) {
	switch v.kind {
	case kindModel:
		m := v.model()
		if i, ok := m.class.place(name); ok {
			return m.vals[i], nil
		}
		if m.extra != nil {
			if x, ok := m.extra.get(name); ok {
				return x, nil
			}
		}
	case kindStr, kindList:
		if name == "index" {
			return value{kind: kindMethod, text: name, ref: v.className()}, nil
		}
	}
	return none, noAttribute(v, name)
}

// position is the offset that index i means in a sequence of n, which may lie outside of it. ok is false when i is
// not an int; an int that no offset can be raises IndexError.
func position(i value, n int) (at int, ok bool, err error) {
	if !i.isInt() {
		return 0, false, nil
	}
	k, fits := i.small()
	if !fits {
		return 0, true, raise("IndexError", indexSizedInteger)
	}
	if k < 0 {
		k += int64(n)
	}
	return int(k), true, nil
}

// item is v[i].
func item(v, i value) (value, error) {
	switch v.kind {
	case kindList:
		elems := v.list().elems
		at, ok, err := position(i, len(elems))
		switch {
		case err != nil:
			return none, err
		case !ok:
			return none, raise("TypeError", "list indices must be integers or slices, not %s", i.className())
		case at < 0 || at >= len(elems):
			return none, raise("IndexError", listIndexRange)
		}
		return elems[at], nil
	case kindStr:
		return character(v.text, i)
	case kindDict:
		return keyed(v.dict(), i)
	}
	return none, raise("TypeError", "'%s' object is not subscriptable", v.className())
}

func character(s string, i value) (value, error) {
	n := length(s)
	at, ok, err := position(i, n)
	switch {
	case err != nil:
		return none, err
	case !ok:
		return none, raise("TypeError", "string indices must be integers, not '%s'", i.className())
	case at < 0 || at >= n:
		return none, raise("IndexError", stringIndexRange)
	}
	s = s[byteAt(s, at):]
	_, size := decodeRune(s)
	return ofStr(s[:size]), nil
}

func keyed(d *dict, i value) (value, error) {
	switch i.kind {
	case kindStr:
		if v, ok := d.get(i.text); ok {
			return v, nil
		}
	case kindList, kindDict, kindModel:
		return none, raise("TypeError", "unhashable type: '%s'", i.className())
	}
	text, err := repr(i)
	if err != nil {
		return none, err
	}
	return none, raise("KeyError", "%s", text)
}

// assignItem is v[i] = x for a list.
func (l *list) assignItem(i, x value) error {
	at, ok, err := position(i, len(l.elems))
	switch {
	case err != nil:
		return err
	case !ok:
		return raise("TypeError", "list indices must be integers or slices, not %s", i.className())
	case at < 0 || at >= len(l.elems):
		return raise("IndexError", listAssignRange)
	}
	l.elems[at] = x
	l.plain, l.built = min(l.plain, at), min(l.built, at)
	return nil
}

// assignAttribute is v.name = x.
func assignAttribute(v value, name string, x value) error {
	if v.kind != kindModel {
		return noAttribute(v, name)
	}
	m := v.model()
	if i, ok := m.class.place(name); ok {
		m.assign(i, x)
	} else {
		m.setExtra(name, x)
	}
	return nil
}

// follow is v.a.b.c.
func follow(v value, names ...string) (value, error) {
	for _, name := range names {
		next, err := attribute(v, name)
		if err != nil {
			return none, err
		}
		v = next
	}
	return v, nil
}

// iterate is list(v), except that a model cannot be met where the SDK iterates.
func iterate(v value) ([]value, error) {
	switch v.kind {
	case kindList:
		return v.list().elems, nil
	case kindDict:
		keys := make([]value, 0, v.dict().size())
		for _, k := range v.dict().keys {
			keys = append(keys, ofStr(k))
		}
		return keys, nil
	case kindStr:
		var chars []value
		for s := v.text; s != ""; {
			_, n := decodeRune(s)
			chars = append(chars, ofStr(s[:n]))
			s = s[n:]
		}
		return chars, nil
	}
	return nil, notIterable(v)
}

// iterateOr is what `for x in v or []` goes over.
func iterateOr(v value) ([]value, error) {
	if !v.truth() {
		return nil, nil
	}
	return iterate(v)
}

// insert is l.insert(i, v) for an int i.
func (l *list) insert(i value, v value) error {
	k, fits := i.small()
	if !fits {
		return raise("OverflowError", "Python int too large to convert to C ssize_t")
	}
	if k < 0 {
		k = max(k+int64(len(l.elems)), 0)
	}
	k = min(k, int64(len(l.elems)))
	l.plain, l.built = min(l.plain, int(k)), min(l.built, int(k))
	l.elems = append(l.elems, none)
	copy(l.elems[k+1:], l.elems[k:])
	l.elems[k] = v
	return nil
}

// add is a + b for two numbers.
func add(a, b value) (value, error) {
	if a.kind == kindFloat || b.kind == kindFloat {
		x, err := asFloat(a)
		if err != nil {
			return none, err
		}
		y, err := asFloat(b)
		if err != nil {
			return none, err
		}
		return ofFloat(x + y), nil
	}
	if x, ok := a.small(); ok {
		if y, ok := b.small(); ok {
			if sum := x + y; (sum > x) == (y > 0) {
				return ofInt(sum), nil
			}
		}
	}
	return ofBig(new(big.Int).Add(a.integer(), b.integer())), nil
}

// addAssign is old += delta, for values that a str was expected to be among.
func addAssign(old, delta value) (value, error) {
	switch {
	case old.kind == kindStr && delta.kind == kindStr:
		return concat(old, delta), nil
	case old.kind == kindStr:
		return none, raise("TypeError", "can only concatenate str (not \"%s\") to str", delta.className())
	case old.kind == kindList:
		more, err := iterate(delta)
		if err != nil {
			return none, err
		}
		l := old.list()
		l.elems = append(l.elems, more...)
		return old, nil
	case old.isNumber() && delta.isNumber():
		return add(old, delta)
	}
	return none, raise("TypeError", "unsupported operand type(s) for +=: '%s' and '%s'", old.className(), delta.className())
}

// asFloat is float(v) for a number.
func asFloat(v value) (float64, error) {
	if v.kind == kindFloat {
		return v.float(), nil
	}
	if n, ok := v.small(); ok {
		return float64(n), nil
	}
	f, _ := new(big.Float).SetInt(v.integer()).Float64()
	if math.IsInf(f, 0) {
		return 0, raise("OverflowError", "int too large to convert to float")
	}
	return f, nil
}

// exactFloat is float(v) for an int, and whether the result equals v.
func exactFloat(v value) (float64, bool, error) {
	f, err := asFloat(v)
	if err != nil {
		return 0, false, err
	}
	back, accuracy := big.NewFloat(f).Int(nil)
	return f, accuracy == big.Exact && back.Cmp(v.integer()) == 0, nil
}

// equal is a == b for values that a JSON text can give.
func equal(a, b value) bool {
	switch {
	case a.isInt() && b.isInt():
		return a.integer().Cmp(b.integer()) == 0
	case a.isNumber() && b.isNumber():
		x, errX := asFloat(a)
		y, errY := asFloat(b)
		return errX == nil && errY == nil && x == y
	case a.kind != b.kind:
		return false
	case a.kind == kindStr:
		return a.text == b.text
	case a.kind == kindList:
		return slices.EqualFunc(a.list().elems, b.list().elems, equal)
	case a.kind == kindDict:
		return equalDicts(a.dict(), b.dict())
	}
	return a.ref == b.ref
}

func equalDicts(a, b *dict) bool {
	if a.size() != b.size() {
		return false
	}
	for i, k := range a.keys {
		if v, ok := b.get(k); !ok || !equal(a.vals[i], v) {
			return false
		}
	}
	return true
}

// sameIndex is a == b for two values that served as an index: ints, bools or None.
func sameIndex(a, b value) bool {
	if a.kind == kindNone || b.kind == kindNone {
		return a.kind == b.kind
	}
	return a.integer().Cmp(b.integer()) == 0
}
