package wire

import "strconv"

// Kind tells what a [Value] is.
type Kind uint8

// The kinds of JSON value. Missing is the zero Value: a key or element that is not there, told apart from null.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

func (k Kind) String() string {
	return [...]string{"missing", "null", "boolean", "number", "string", "array", "object"}[k]
}

// Value is one JSON value. Nothing that the wire said is lost: numbers keep their text, objects keep key order and
// duplicate keys, strings are WTF-8 (UTF-8 that may hold lone surrogate halves as three bytes, see [Join]).
// The zero Value is [Missing]; look-ups in a value that lacks what is asked for yield it, so they may be chained.
// A Value is immutable. Compare Values with [Equal]; the operator == does not compile.
type Value struct {
	_      [0]func()
	text   string // Number: its text; String: its content; Bool: "true" or "false"
	list   *list  // Array, Object
	offset int
	kind   Kind
}

// list is what an array or an object holds. It stands apart so that a scalar, which most values are, is small.
type list struct {
	elems   []Value
	members []Member
}

// Member is one key of an object with its value.
type Member struct {
	Key   string
	Value Value
}

// Kind tells what v is.
func (v Value) Kind() Kind { return v.kind }

// Exists reports whether v is there at all; null exists.
func (v Value) Exists() bool { return v.kind != Missing }

// Present reports whether v is there and is not null.
func (v Value) Present() bool { return v.kind > Null }

// Offset is the byte at which v begins in the parsed text, 0 for a value that was built.
func (v Value) Offset() int { return v.offset }

// Str is the content of a string in WTF-8, "" for any other kind.
func (v Value) Str() string {
	if v.kind != String {
		return ""
	}
	return v.text
}

// Num is a number's text as the wire spelt it, "" for any other kind.
func (v Value) Num() string {
	if v.kind != Number {
		return ""
	}
	return v.text
}

// True reports whether v is the literal true.
func (v Value) True() bool { return v.kind == Bool && v.text == "true" }

// Elems are an array's elements, nil for any other kind. The caller must not change them.
func (v Value) Elems() []Value {
	if v.list == nil {
		return nil
	}
	return v.list.elems
}

// Members are an object's members in the order of the wire, duplicates included, nil for any other kind.
// The caller must not change them.
func (v Value) Members() []Member {
	if v.list == nil {
		return nil
	}
	return v.list.members
}

// At is an array's element i, or Missing.
func (v Value) At(i int) Value {
	elems := v.Elems()
	if i < 0 || i >= len(elems) {
		return Value{}
	}
	return elems[i]
}

// Get is the value of key, or Missing. Of duplicate keys the last counts, as in JavaScript and Python.
func (v Value) Get(key string) Value {
	members := v.Members()
	for i := len(members) - 1; i >= 0; i-- {
		if members[i].Key == key {
			return members[i].Value
		}
	}
	return Value{}
}

// Path follows keys from v: Path("a", "b") is v.Get("a").Get("b").
func (v Value) Path(keys ...string) Value {
	for _, k := range keys {
		v = v.Get(k)
	}
	return v
}

// Int is v as an integer. ok is false unless v is a number spelt as an integer that fits.
func (v Value) Int() (n int, ok bool) {
	if v.kind != Number {
		return 0, false
	}
	n, err := strconv.Atoi(v.text)
	return n, err == nil
}

// Of builds a string.
func Of(s string) Value { return Value{kind: String, text: s} }

// OfInt builds a number from an integer.
func OfInt(n int) Value { return Value{kind: Number, text: strconv.Itoa(n)} }

// OfNum builds a number from its JSON text, which must be valid.
func OfNum(text string) Value { return Value{kind: Number, text: text} }

// OfBool builds true or false.
func OfBool(b bool) Value {
	if b {
		return Value{kind: Bool, text: "true"}
	}
	return Value{kind: Bool, text: "false"}
}

// OfNull builds null.
func OfNull() Value { return Value{kind: Null} }

// Arr builds an array.
func Arr(elems ...Value) Value {
	if elems == nil {
		elems = []Value{}
	}
	return Value{kind: Array, list: &list{elems: elems}}
}

// Obj builds an object with its members in the given order. Members whose value is Missing are left out.
func Obj(members ...Member) Value {
	kept := make([]Member, 0, len(members))
	for _, m := range members {
		if m.Value.Exists() {
			kept = append(kept, m)
		}
	}
	return Value{kind: Object, list: &list{members: kept}}
}

// With is a copy of the object v with key set to val: in place where the key stands (its last place, if it is
// doubled), else at the end. A Missing val removes every member of that key. On a v that is no object the result
// is an object with this one member.
func (v Value) With(key string, val Value) Value {
	members := v.Members()
	out := make([]Member, 0, len(members)+1)
	last := -1
	for _, m := range members {
		if m.Key == key {
			if !val.Exists() {
				continue
			}
			last = len(out)
		}
		out = append(out, m)
	}
	switch {
	case !val.Exists():
	case last >= 0:
		out[last].Value = val
	default:
		out = append(out, Member{key, val})
	}
	return Value{kind: Object, list: &list{members: out}, offset: v.offset}
}
