package python

import (
	"math"
	"math/big"
	"strings"
)

// outputItems is what ResponseStreamState of openai 3.57.0, lib/streaming/responses/_responses.py, keeps of a
// response's output items beside its snapshot. Comments here and in responses_track.go name its attributes.
type outputItems struct {
	announced mapping                // _output_items: the snapshot's items, by output_index
	completed mapping                // _completed_output: whole items, by output_index
	places    map[identityHash]value // _completed_positions: the output_index of a whole item, by its identity
}

// identity is _output_identity: what an item must keep from its announcement to its end.
type identity struct{ kind, id, call value }

// identityOf reads an item's identity. Of functions and of what runs in a shell the id does not count.
func identityOf(item value) (identity, error) {
	call := attributeOrNone(item, "call_id")
	kind, err := attribute(item, "type")
	if err != nil {
		return identity{}, err
	}
	if kind.kind == kindStr {
		switch kind.text {
		case "function_call", "custom_tool_call", "shell_call", "shell_call_output":
			return identity{kind: kind, call: call}, nil
		}
	}
	return identity{kind: kind, id: attributeOrNone(item, "id"), call: call}, nil
}

// attributeOrNone is getattr(v, name, None).
func attributeOrNone(v value, name string) value {
	x, err := attribute(v, name)
	if err != nil {
		return none
	}
	return x
}

// equal is a == b for two tuples, whose elements are looked at for being one object first.
func (a identity) equal(b identity) bool {
	return sameOrEqual(a.kind, b.kind) && sameOrEqual(a.id, b.id) && sameOrEqual(a.call, b.call)
}

// sameOrEqual is a is b or a == b: there is one object for NaN, which json.loads gives every time.
func sameOrEqual(a, b value) bool { return equal(a, b) || isNaN(a) && isNaN(b) }

func isNaN(v value) bool { return v.kind == kindFloat && math.IsNaN(v.float()) }

// repr is what Python prints of the tuple.
func (a identity) repr() (string, error) {
	var parts []string
	for _, v := range []value{a.kind, a.id, a.call} {
		text, err := repr(v)
		if err != nil {
			return "", err
		}
		parts = append(parts, text)
	}
	return "(" + strings.Join(parts, ", ") + ")", nil
}

// hash stands for a value as the key of a Python dict: equal keys have equal hashes, others have not.
type hash struct {
	kind kind
	bits uint64
	text string
}

// hashOf is the key that v makes, or the TypeError of a value that can be none.
func hashOf(v value) (hash, error) {
	switch v.kind {
	case kindNone:
		return hash{}, nil
	case kindBool, kindInt:
		if n, fits := v.small(); fits {
			return hash{kind: kindInt, bits: uint64(n)}, nil
		}
		return hash{kind: kindInt, text: v.integer().String()}, nil
	case kindFloat:
		f := v.float()
		switch {
		case math.IsNaN(f):
			return hash{kind: kindFloat, text: "nan"}, nil
		case f == math.Trunc(f) && !math.IsInf(f, 0):
			n, _ := big.NewFloat(f).Int(nil)
			return hashOf(ofBig(n))
		}
		return hash{kind: kindFloat, bits: v.bits}, nil
	case kindStr:
		return hash{kind: kindStr, text: v.text}, nil
	}
	return hash{}, raise("TypeError", "unhashable type: '%s'", v.className())
}

// identityHash is the key that an identity makes.
type identityHash [3]hash

// keyOf is an item's identity and the key that it makes.
func keyOf(item value) (id identity, h identityHash, err error) {
	if id, err = identityOf(item); err != nil {
		return id, h, err
	}
	for i, v := range []value{id.kind, id.id, id.call} {
		if h[i], err = hashOf(v); err != nil {
			return id, h, err
		}
	}
	return id, h, nil
}

// mapping is a Python dict whose keys are any values that a reply may hold. Nothing is ever taken out of it.
type mapping struct {
	keys, vals []value
	places     map[hash]int
}

// get is m.get(key). The error is that of a key that cannot be one.
func (m *mapping) get(key value) (v value, ok bool, err error) {
	h, err := hashOf(key)
	if err != nil {
		return none, false, err
	}
	i, ok := m.places[h]
	if ok {
		v = m.vals[i]
	}
	return v, ok, nil
}

// set is m[key] = v.
func (m *mapping) set(key, v value) error {
	h, err := hashOf(key)
	if err != nil {
		return err
	}
	if i, ok := m.places[h]; ok {
		m.vals[i] = v
		return nil
	}
	if m.places == nil {
		m.places = map[hash]int{}
	}
	m.places[h] = len(m.keys)
	m.keys, m.vals = append(m.keys, key), append(m.vals, v)
	return nil
}

// insertionSorted is the most entries that list.sort puts in order by binary insertion alone.
const insertionSorted = 63

// sorted is sorted(keys). The error is the TypeError of the first two of them that have no order, in the order in which
// CPython compares them (Objects/listobject.c, count_run and binarysort).
func sorted(keys []value) ([]value, error) {
	if len(keys) > insertionSorted {
		for _, k := range keys[1:] {
			if _, err := less(k, keys[0]); err != nil {
				return nil, &limitError{what: "indices of unlike types: more than 63 to sort"}
			}
		}
	}
	out := append([]value(nil), keys...)
	run, err := orderedRun(out)
	if err != nil {
		return nil, err
	}
	for at := run; at < len(out); at++ {
		pivot, low, high := out[at], 0, at
		for low < high {
			middle := (low + high) / 2
			before, err := less(pivot, out[middle])
			if err != nil {
				return nil, err
			}
			if before {
				high = middle
			} else {
				low = middle + 1
			}
		}
		copy(out[low+1:at+1], out[low:at])
		out[low] = pivot
	}
	return out, nil
}

// orderedRun is how many entries from the first on are in order. Falling ones are turned round.
func orderedRun(keys []value) (int, error) {
	if len(keys) < 2 {
		return len(keys), nil
	}
	falling, err := less(keys[1], keys[0])
	if err != nil {
		return 0, err
	}
	n := 2
	for ; n < len(keys); n++ {
		before, err := less(keys[n], keys[n-1])
		if err != nil {
			return 0, err
		}
		if before != falling {
			break
		}
	}
	if falling {
		for i := range n / 2 {
			keys[i], keys[n-1-i] = keys[n-1-i], keys[i]
		}
	}
	return n, nil
}

// less is a < b for two keys.
func less(a, b value) (bool, error) {
	switch {
	case a.isInt() && b.isInt():
		return a.integer().Cmp(b.integer()) < 0, nil
	case a.isNumber() && b.isNumber():
		x, y := exactOf(a), exactOf(b)
		return x != nil && y != nil && x.Cmp(y) < 0, nil
	case a.kind == kindStr && b.kind == kindStr:
		return a.text < b.text, nil
	}
	return false, raise("TypeError", "'<' not supported between instances of '%s' and '%s'", a.className(), b.className())
}

// exactOf is a number's exact value, nil for NaN.
func exactOf(v value) *big.Float {
	switch {
	case v.isInt():
		return new(big.Float).SetInt(v.integer())
	case isNaN(v):
		return nil
	}
	return big.NewFloat(v.float())
}
