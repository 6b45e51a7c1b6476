package node

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// renderer writes a JavaScript value as JSON.stringify does, apart from what the contract (section 4) has otherwise:
// numbers that JSON lacks are {"$": "NaN"}. It does not recurse, so that no nesting can exhaust the stack.
type renderer struct {
	rt    *jsRuntime
	out   []byte
	stack []frame
}

// frame is an array or object that is being written.
type frame struct {
	object *goja.Object
	array  bool
	next   int
	length int          // of an array
	names  []string     // of an object's members
	keys   []goja.Value // the same as JavaScript has them, where Go strings cannot carry one
	wrote  bool
}

// render gives v as JSON; nil where JSON.stringify gives undefined.
func (rt *jsRuntime) render(v goja.Value) []byte {
	r := renderer{rt: rt}
	if !r.begin(v) {
		return nil
	}
	for len(r.stack) > 0 {
		r.step()
	}
	return r.out
}

// begin writes a scalar, or opens an array or object. It reports false for what JSON leaves out.
func (r *renderer) begin(v goja.Value) bool {
	switch o := v.(type) {
	case nil:
		return false
	case *goja.Object:
		if _, callable := goja.AssertFunction(o); callable {
			return false
		}
		f := frame{object: o, array: o.ClassName() == "Array"}
		if f.array {
			f.length = int(o.Get("length").ToInteger())
			r.out = append(r.out, '[')
		} else {
			f.names, f.keys = r.rt.members(o)
			r.out = append(r.out, '{')
		}
		r.stack = append(r.stack, f)
		return true
	case *goja.Symbol:
		return false
	}
	switch {
	case goja.IsUndefined(v):
		return false
	case goja.IsNull(v):
		r.out = append(r.out, "null"...)
	default:
		r.scalar(v)
	}
	return true
}

func (r *renderer) scalar(v goja.Value) {
	switch x := v.Export().(type) {
	case string:
		r.out = appendQuoted(r.out, text(v))
	case bool:
		r.out = append(r.out, v.String()...)
	case float64:
		switch {
		case math.IsNaN(x) || math.IsInf(x, 0):
			r.out = append(r.out, `{"$":"`+v.String()+`"}`...)
		default:
			r.out = append(r.out, v.String()...) // -0 is "0", as in JavaScript
		}
	default:
		r.out = append(r.out, v.String()...)
	}
}

// step writes one element or member of the innermost frame, or closes it.
func (r *renderer) step() {
	f := &r.stack[len(r.stack)-1]
	if f.array {
		if f.next == f.length {
			r.close(']')
			return
		}
		r.comma(f)
		v := f.object.Get(itoa(f.next))
		f.next++
		if !r.begin(v) {
			r.out = append(r.out, "null"...)
		}
		return
	}
	if f.next == len(f.names) {
		r.close('}')
		return
	}
	name := f.names[f.next]
	var v goja.Value
	if f.keys != nil {
		v, _ = r.rt.read(goja.Undefined(), f.object, f.keys[f.next]) // data properties only: parsed JSON has no getters
	} else {
		v = f.object.Get(name)
	}
	f.next++
	start := len(r.out)
	wrote := f.wrote
	r.comma(f)
	r.out = append(appendQuoted(r.out, name), ':')
	if !r.begin(v) {
		r.out = r.out[:start]
		f.wrote = wrote
	}
}

func (r *renderer) comma(f *frame) {
	if f.wrote {
		r.out = append(r.out, ',')
	}
	f.wrote = true
}

func (r *renderer) close(bracket byte) {
	r.out = append(r.out, bracket)
	r.stack = r.stack[:len(r.stack)-1]
}

// members are an object's own enumerable keys in JavaScript's order, as WTF-8. Keys is given too when a key holds half
// a surrogate pair, by which Go cannot ask for the member.
func (rt *jsRuntime) members(o *goja.Object) (names []string, keys []goja.Value) {
	names = o.Keys()
	odd := false
	for _, n := range names {
		odd = odd || strings.ContainsRune(n, utf8.RuneError)
	}
	if !odd {
		return names, nil
	}
	v, err := rt.keys(goja.Undefined(), o)
	if err != nil {
		return names, nil
	}
	list := v.ToObject(rt.vm)
	for i := range names {
		key := list.Get(itoa(i))
		keys = append(keys, key)
		names[i] = text(key)
	}
	return names, keys
}

const hexDigits = "0123456789abcdef"

// shortEscapes are the escapes of one letter that JSON.stringify writes (ECMA-262, QuoteJSONString).
var shortEscapes = map[byte]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// appendQuoted appends WTF-8 text as JSON.stringify quotes it.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if e, ok := shortEscapes[c]; ok {
			dst = append(dst, '\\', e)
			continue
		}
		if c < ' ' {
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			continue
		}
		if r, ok := halfAt(s, i); ok {
			dst = append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
			i += 2
			continue
		}
		dst = append(dst, c)
	}
	return append(dst, '"')
}
