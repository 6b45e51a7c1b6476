package node

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// jsonParser is JSON.parse as V8 11.3 (Node 20) has it: the same values (halves of surrogate pairs kept, __proto__ an
// own property, of duplicate keys the last) and the same SyntaxError messages (v8json_error.go). It does not recurse.
// Source: V8 11.3, src/json/json-parser.cc.
type jsonParser struct {
	vm      *goja.Runtime
	define  goja.Callable // (object, key, value), for keys that goja's Go interface cannot carry
	nesting int           // Limits.Nesting
	index   int           // Limits.Index
	saw     func(string)  // is told every string and key; may be nil

	s       string // WTF-8
	i       int
	stack   []jsonHolder
	message string      // of the SyntaxError
	over    *limitError // the limit that was met
}

// jsonHolder is an array or object whose end has not been read.
type jsonHolder struct {
	object *goja.Object // nil: an array
	key    string       // of the member that is being read
	elems  []any
}

// parse gives the value; of message and over, the one that is set says why there is none.
func (p *jsonParser) parse(s string) goja.Value {
	p.s, p.i, p.message, p.over = s, 0, "", nil
	p.stack = p.stack[:0]
	for {
		p.space()
		v, opened, ok := p.begin()
		if !ok {
			return nil
		}
		if opened {
			continue
		}
		for {
			if len(p.stack) == 0 {
				p.space()
				if p.i < len(p.s) {
					p.fail("Unexpected non-whitespace character after JSON at position")
					return nil
				}
				return v
			}
			closed, ok := p.give(v)
			if !ok {
				return nil
			}
			if closed == nil {
				break
			}
			v = closed
		}
	}
}

func (p *jsonParser) space() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\t', '\n', '\r':
			p.i++
		default:
			return
		}
	}
}

// begin reads a scalar or an empty array or object whole, or opens one that holds something.
func (p *jsonParser) begin() (v goja.Value, opened, ok bool) {
	if p.i >= len(p.s) {
		return nil, false, p.unexpected()
	}
	switch c := p.s[p.i]; {
	case c == '"':
		s, ok := p.str()
		return stringValue(p.vm, s), false, ok
	case c == '-' || isDigit(c):
		return p.number()
	case c == 't':
		return p.vm.ToValue(true), false, p.word("true")
	case c == 'f':
		return p.vm.ToValue(false), false, p.word("false")
	case c == 'n':
		return goja.Null(), false, p.word("null")
	case c == '{':
		p.i++
		p.space()
		o := p.vm.NewObject()
		if p.take('}') {
			return o, false, true
		}
		if p.i >= len(p.s) || p.s[p.i] != '"' {
			return nil, false, p.fail("Expected property name or '}' in JSON at position")
		}
		return nil, true, p.open(jsonHolder{object: o}) && p.memberKey(true)
	case c == '[':
		p.i++
		p.space()
		if p.take(']') {
			return p.vm.NewArray(), false, true
		}
		return nil, true, p.open(jsonHolder{})
	}
	return nil, false, p.unexpected()
}

func (p *jsonParser) open(h jsonHolder) bool {
	if len(p.stack) == p.nesting {
		p.over = &limitError{name: "nesting", reason: fmt.Sprintf("a JSON text is nested deeper than %d", p.nesting)}
		return false
	}
	p.stack = append(p.stack, h)
	return true
}

// give puts v into the innermost holder. Closed is that holder's value when it ends here.
func (p *jsonParser) give(v goja.Value) (closed goja.Value, ok bool) {
	h := &p.stack[len(p.stack)-1]
	p.space()
	if h.object == nil {
		h.elems = append(h.elems, v)
		if p.take(',') {
			return nil, true
		}
		if !p.take(']') {
			return nil, p.fail("Expected ',' or ']' after array element in JSON at position")
		}
		closed = p.vm.NewArray(h.elems...)
	} else {
		if !p.checkIndex(v) {
			return nil, false
		}
		p.set(h.object, h.key, v)
		if p.take(',') {
			p.space()
			if p.i >= len(p.s) || p.s[p.i] != '"' {
				return nil, p.fail("Expected double-quoted property name in JSON at position")
			}
			return nil, p.memberKey(false)
		}
		if !p.take('}') {
			return nil, p.fail("Expected ',' or '}' after property value in JSON at position")
		}
		closed = h.object
	}
	p.stack = p.stack[:len(p.stack)-1]
	return closed, true
}

func (p *jsonParser) set(o *goja.Object, key string, v goja.Value) {
	switch {
	case hasHalves(key):
		_, _ = p.define(goja.Undefined(), o, goja.StringFromUTF16(toUnits(key)), v) // a new plain object refuses nothing
	case key == "__proto__":
		_ = o.DefineDataProperty(key, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE) // likewise
	default:
		_ = o.Set(key, v) // likewise
	}
}

// checkIndex holds Limits.Index where a chat chunk's index becomes an array's: choices[].index and
// choices[].delta.tool_calls[].index. Beyond an array's greatest length it is a property like any other.
func (p *jsonParser) checkIndex(v goja.Value) bool {
	st := p.stack
	if st[len(st)-1].key != "index" || st[0].key != "choices" {
		return true
	}
	if choice := len(st) == 3; !choice && !(len(st) == 6 && st[2].key == "delta" && st[3].key == "tool_calls") {
		return true
	}
	for {
		o, ok := v.(*goja.Object)
		if !ok {
			break
		}
		if o.ClassName() != "Array" || o.Get("length").ToInteger() != 1 {
			return true // its string is no number
		}
		v = o.Get("0") // [5] names the element that 5 names
	}
	n := v.ToFloat()
	if n != math.Trunc(n) || n <= float64(p.index) || n >= math.MaxUint32 {
		return true
	}
	if v.ToString().String() != v.ToNumber().String() {
		return true // "+5", " 5": not the name of an element
	}
	p.over = &limitError{name: "index", reason: fmt.Sprintf("an index is %.0f, the limit is %d", n, p.index)}
	return false
}

func (p *jsonParser) take(c byte) bool {
	if p.i < len(p.s) && p.s[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *jsonParser) memberKey(first bool) bool {
	key, ok := p.str()
	if !ok {
		return false
	}
	p.stack[len(p.stack)-1].key = key
	p.space()
	if p.take(':') {
		return true
	}
	if first {
		return p.fail("Expected ':' after property name in JSON at position")
	}
	return p.unexpected()
}

// str reads a string; p.i is at its opening quote.
func (p *jsonParser) str() (string, bool) {
	s, ok := p.spelt()
	if ok && p.saw != nil {
		p.saw(s)
	}
	return s, ok
}

func (p *jsonParser) spelt() (string, bool) {
	p.i++
	from := p.i
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '"':
			p.i++
			return p.s[from : p.i-1], true
		case c == '\\':
			return p.escaped(from)
		case c < ' ':
			return "", p.fail("Bad control character in string literal in JSON at position")
		}
		p.i++
	}
	return "", p.fail("Unterminated string in JSON at position")
}

// escaped reads the rest of a string that has an escape at p.i.
func (p *jsonParser) escaped(from int) (string, bool) {
	buf := append(make([]byte, 0, p.i-from+32), p.s[from:p.i]...)
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '"':
			p.i++
			s := string(buf)
			if hasHalves(s) {
				s = fromUnits(toUnits(s)) // halves that were escaped one by one may be a pair
			}
			return s, true
		case c < ' ':
			return "", p.fail("Bad control character in string literal in JSON at position")
		case c != '\\':
			buf = append(buf, c)
			p.i++
		default:
			r, ok := p.escape()
			if !ok {
				return "", false
			}
			buf = appendRune(buf, r)
		}
	}
	return "", p.fail("Unterminated string in JSON at position")
}

// escapes are the escapes of one letter.
var escapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (p *jsonParser) escape() (rune, bool) {
	p.i++
	if p.i >= len(p.s) {
		return 0, p.unexpected()
	}
	c := p.s[p.i]
	if c != 'u' {
		r, ok := escapes[c]
		if !ok {
			if r, _ := utf8.DecodeRuneInString(p.s[p.i:]); r > unicode.MaxLatin1 || r == utf8.RuneError {
				return 0, p.unexpected()
			}
			return 0, p.fail("Bad escaped character in JSON at position")
		}
		p.i++
		return r, true
	}
	var unit uint64
	for range 4 {
		p.i++
		if p.i >= len(p.s) {
			return 0, p.fail("Bad Unicode escape in JSON at position")
		}
		digit, err := strconv.ParseUint(p.s[p.i:p.i+1], 16, 8)
		if err != nil {
			return 0, p.fail("Bad Unicode escape in JSON at position")
		}
		unit = unit<<4 | digit
	}
	p.i++
	return rune(unit), true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (p *jsonParser) digit() bool { return p.i < len(p.s) && isDigit(p.s[p.i]) }

func (p *jsonParser) digits() {
	for p.digit() {
		p.i++
	}
}

// longestExact is the number of digits up to which every integer is a double.
const longestExact = 15

func (p *jsonParser) number() (v goja.Value, opened, ok bool) {
	from := p.i
	if p.take('-') && !p.digit() {
		return nil, false, p.fail("No number after minus sign in JSON at position")
	}
	if p.take('0') {
		if p.digit() {
			return nil, false, p.fail("Unexpected number in JSON at position")
		}
	} else {
		p.digits()
	}
	integer := true
	if p.take('.') {
		integer = false
		if !p.digit() {
			return nil, false, p.fail("Unterminated fractional number in JSON at position")
		}
		p.digits()
	}
	if p.take('e') || p.take('E') {
		integer = false
		if !p.take('+') {
			p.take('-')
		}
		if !p.digit() {
			return nil, false, p.fail("Exponent part is missing a number in JSON at position")
		}
		p.digits()
	}
	spelt := p.s[from:p.i]
	if integer && len(spelt) <= longestExact && spelt != "-0" {
		n, err := strconv.ParseInt(spelt, 10, 64)
		return p.vm.ToValue(n), false, err == nil
	}
	f, _ := strconv.ParseFloat(spelt, 64) // out of range gives infinity or zero, as in V8
	return p.vm.ToValue(f), false, true
}

// word reads a literal; the fault is at the first letter that differs.
func (p *jsonParser) word(w string) bool {
	if strings.HasPrefix(p.s[p.i:], w) {
		p.i += len(w)
		return true
	}
	for k := 0; k < len(w) && p.i < len(p.s) && p.s[p.i] == w[k]; k++ {
		p.i++
	}
	return p.unexpected()
}
