package python

import (
	"math"
	"math/big"
	"slices"
)

// kind is the class of a Python object, as far as a JSON text or a reply class built from it can hold one.
type kind uint8

const (
	kindNone kind = iota
	kindBool
	kindInt
	kindFloat
	kindStr
	kindList
	kindDict
	kindModel
	kindTime   // a datetime
	kindMethod // a bound method of a built-in class, which attribute access by a name like "index" finds
)

// value is one Python object. The zero value is None. Containers are shared by reference as in Python; whoever mutates
// one must be its only holder.
type value struct {
	kind kind
	bits uint64 // bool, int that fits 64 bits, float
	text string // str: its code points in UTF-8, surrogates three bytes each, never joined; method: its name
	ref  any    // *big.Int, *list, *dict, *model; *moment for a datetime; *growing for a str that was appended to; method: its owner's class name
}

var none = value{}

func ofBool(b bool) value {
	v := value{kind: kindBool}
	if b {
		v.bits = 1
	}
	return v
}

func ofInt(n int64) value { return value{kind: kindInt, bits: uint64(n)} }

// ofBig is an int of any size; one that fits 64 bits never carries a *big.Int, so that equal ints look alike.
func ofBig(n *big.Int) value {
	if n.IsInt64() {
		return ofInt(n.Int64())
	}
	return value{kind: kindInt, ref: n}
}

func ofFloat(f float64) value { return value{kind: kindFloat, bits: math.Float64bits(f)} }

func ofStr(s string) value { return value{kind: kindStr, text: s} }

func ofList(l *list) value { return value{kind: kindList, ref: l} }

func ofDict(d *dict) value { return value{kind: kindDict, ref: d} }

func ofModel(m *model) value { return value{kind: kindModel, ref: m} }

func (v value) isNone() bool { return v.kind == kindNone }

func (v value) isStr(s string) bool { return v.kind == kindStr && v.text == s }

func (v value) bool() bool { return v.bits != 0 }

func (v value) float() float64 { return math.Float64frombits(v.bits) }

// small is an int or bool that fits 64 bits.
func (v value) small() (int64, bool) {
	return int64(v.bits), (v.kind == kindInt && v.ref == nil) || v.kind == kindBool
}

// integer is an int or bool as a big integer, which the caller must not change.
func (v value) integer() *big.Int {
	if n, ok := v.ref.(*big.Int); ok {
		return n
	}
	return big.NewInt(int64(v.bits))
}

func (v value) list() *list {
	l, _ := v.ref.(*list)
	return l
}

func (v value) dict() *dict {
	d, _ := v.ref.(*dict)
	return d
}

func (v value) model() *model {
	m, _ := v.ref.(*model)
	return m
}

// isInt is Python's isinstance(v, int): a bool is an int.
func (v value) isInt() bool { return v.kind == kindInt || v.kind == kindBool }

// isNumber is Python's isinstance(v, (int, float)).
func (v value) isNumber() bool { return v.isInt() || v.kind == kindFloat }

// truth is Python's bool(v).
func (v value) truth() bool {
	switch v.kind {
	case kindBool:
		return v.bits != 0
	case kindInt:
		return v.bits != 0 || v.ref != nil
	case kindFloat:
		return v.float() != 0
	case kindStr:
		return v.text != ""
	case kindList:
		return len(v.list().elems) > 0
	case kindDict:
		return v.dict().size() > 0
	case kindModel, kindTime, kindMethod:
		return true
	}
	return false
}

// className is type(v).__name__.
func (v value) className() string {
	switch v.kind {
	case kindModel:
		return v.model().class.name
	case kindTime:
		return "datetime"
	case kindMethod:
		return "builtin_function_or_method"
	}
	return [...]string{"NoneType", "bool", "int", "float", "str", "list", "dict"}[v.kind]
}

// list is a Python list.
type list struct {
	elems []value
	plain int // how many elements from the first on are known to be str or number
	built int // how many are known to be nothing that a class could be built of
}

// allPlain is all(isinstance(x, (str, int, float)) for x in l).
func (l *list) allPlain() bool {
	for l.plain < len(l.elems) {
		if e := l.elems[l.plain]; e.kind != kindStr && !e.isNumber() {
			return false
		}
		l.plain++
	}
	return true
}

// dict is a Python dict whose keys are all str: it keeps the order in which keys were first set.
type dict struct {
	keys  []string
	vals  []value
	index map[string]int // made when a scan over keys would take longer

	underscored bool // a key begins with "_"
}

// scanned is the number of keys up to which a dict is searched by scanning.
const scanned = 12

func newDict(capacity int) *dict {
	return &dict{keys: make([]string, 0, capacity), vals: make([]value, 0, capacity)}
}

func (d *dict) size() int { return len(d.keys) }

func (d *dict) find(key string) int {
	if d.index != nil {
		if i, ok := d.index[key]; ok {
			return i
		}
		return -1
	}
	for i, k := range d.keys {
		if k == key {
			return i
		}
	}
	return -1
}

func (d *dict) get(key string) (value, bool) {
	if i := d.find(key); i >= 0 {
		return d.vals[i], true
	}
	return none, false
}

// set is d[key] = v: a key that is there keeps its place.
func (d *dict) set(key string, v value) {
	if i := d.find(key); i >= 0 {
		d.vals[i] = v
		return
	}
	d.keys, d.vals = append(d.keys, key), append(d.vals, v)
	d.underscored = d.underscored || key != "" && key[0] == '_'
	switch {
	case d.index != nil:
		d.index[key] = len(d.keys) - 1
	case len(d.keys) > scanned:
		d.makeIndex()
	}
}

// remove is d.pop(key, None).
func (d *dict) remove(key string) {
	i := d.find(key)
	if i < 0 {
		return
	}
	d.keys, d.vals, d.index = slices.Delete(d.keys, i, i+1), slices.Delete(d.vals, i, i+1), nil
	if len(d.keys) > scanned {
		d.makeIndex()
	}
}

func (d *dict) makeIndex() {
	d.index = make(map[string]int, 2*len(d.keys))
	for i, k := range d.keys {
		d.index[k] = i
	}
}

// model is an instance of one of the SDK's reply classes.
type model struct {
	class *class
	vals  []value  // the fields' values in the order of the class
	set   fieldSet // the fields that were given a value: model_fields_set
	extra *dict    // keys that the class does not declare; nil when there are none

	oddSet  *value // what a reply's key _fields_set put in the place of model_fields_set; nil for none
	settled bool   // dumping it and building it again would give the same: see chatStream.settle
}

// fieldSet is a set of fields of one class, by their place in it.
type fieldSet uint64

// maxFields is how many fields a class may have.
const maxFields = 64

func (s fieldSet) has(i int) bool { return s>>uint(i)&1 != 0 }

func (s *fieldSet) add(i int) { *s |= 1 << uint(i) }

func newModel(c *class) *model { return &model{class: c, vals: make([]value, len(c.fields))} }

// field is the value of the field at place i.
func (m *model) field(i int) value { return m.vals[i] }

// assign is what m.name = v does for a declared field.
func (m *model) assign(i int, v value) {
	m.vals[i] = v
	m.set.add(i)
}
