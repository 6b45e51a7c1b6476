package wire

import (
	"fmt"
	"unicode/utf8"
)

// Limits of what is read. They bound the memory that a few bytes of text can take.
const (
	MaxDepth      = 10000   // how deeply arrays and objects may be nested
	MaxValues     = 4 << 20 // how many values a text, or all texts read with one [Reader], may hold
	MaxContainers = 2 << 20 // how many of them may be arrays and objects, which take several times as much
)

// shareBytes is the length of a text up to which its strings share one copy of it. In a longer one each string has
// memory of its own, so that a small value does not keep a large text alive.
const shareBytes = 16 << 10

// SyntaxError says why a text is not JSON, and where.
type SyntaxError struct {
	Offset int // byte, 0-based, in the text
	Msg    string
	Ended  bool // the text broke off: it is the beginning of one that could be JSON
	Limit  bool // the text may well be JSON, but is over one of the limits
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.Msg, e.Offset) }

// Parse reads one JSON value (RFC 8259) with white space around it. The error, if any, is a *SyntaxError.
// Bytes in a string that are not UTF-8 become U+FFFD as [ToUTF8] makes them.
// The parser keeps its own stack: no nesting can exhaust the program's.
func Parse(text []byte) (Value, error) { return new(Reader).Parse(text) }

// ParsePrefix is [Reader.ParsePrefix] of one text.
func ParsePrefix(text []byte) (v Value, n int, err error) { return new(Reader).ParsePrefix(text) }

// Reader reads texts that stay in memory together, such as the events of a stream: the limits on the number of values
// hold for all of them. The zero Reader is ready. It is for one goroutine.
type Reader struct {
	values, containers int // that were begun
}

// Parse is like the function [Parse].
func (r *Reader) Parse(text []byte) (Value, error) {
	p := parser{text: text, read: r}
	if len(text) <= shareBytes {
		p.copy = string(text)
	}
	v, err := p.value()
	if err != nil {
		return Value{}, err
	}
	p.space()
	if p.pos < len(text) {
		return Value{}, p.fail("text after the value")
	}
	return v, nil
}

// ParsePrefix reads the JSON value at the beginning of text and tells how many bytes it took, so that a caller can
// walk values that follow each other.
func (r *Reader) ParsePrefix(text []byte) (v Value, n int, err error) {
	p := parser{text: text, read: r}
	v, err = p.value()
	return v, p.pos, err
}

type parser struct {
	text []byte
	copy string // the text again, of which strings are parts; "" when each has its own memory
	pos  int
	read *Reader
}

// open is an array or object whose end has not been read yet. What it holds lies at the end of the parser's stacks,
// from base on.
type open struct {
	key    string // of the member whose value is being read
	base   int
	offset int
	kind   Kind
}

func (p *parser) fail(msg string) error { return &SyntaxError{Offset: p.pos, Msg: msg} }

func (p *parser) limit(format string, most int) error {
	return &SyntaxError{Offset: p.pos, Msg: fmt.Sprintf(format, most), Limit: true}
}

func (p *parser) ended(msg string) error {
	p.pos = len(p.text)
	return &SyntaxError{Offset: p.pos, Msg: msg, Ended: true}
}

// want is the error for a character that is missing at pos.
func (p *parser) want(msg string) error {
	if p.pos >= len(p.text) {
		return p.ended("the text ends: " + msg)
	}
	return p.fail(msg)
}

// part is text[from:to] as a string.
func (p *parser) part(from, to int) string {
	if p.copy != "" {
		return p.copy[from:to]
	}
	return string(p.text[from:to])
}

func (p *parser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *parser) value() (Value, error) {
	// Elements and members of all containers that are open, the innermost last. Each container is copied out in its
	// exact size when it closes.
	var (
		stackSpace  [8]open
		elemSpace   [8]Value
		memberSpace [24]Member
	)
	stack, elems, members := stackSpace[:0], elemSpace[:0], memberSpace[:0]
	for {
		p.space()
		v, opened, err := p.begin()
		if err != nil {
			return Value{}, err
		}
		if opened {
			if len(stack) == MaxDepth {
				return Value{}, p.limit("nested deeper than %d", MaxDepth)
			}
			p.space()
			if !p.take(closer(v.kind)) {
				o := open{kind: v.kind, offset: v.offset, base: len(elems)}
				if v.kind == Object {
					o.base = len(members)
					if o.key, err = p.key(); err != nil {
						return Value{}, err
					}
				}
				stack = append(stack, o)
				continue
			}
			if v.kind == Array {
				v.list = &list{elems: []Value{}}
			} else {
				v.list = &list{members: []Member{}}
			}
		}
		for {
			if len(stack) == 0 {
				return v, nil
			}
			top := &stack[len(stack)-1]
			if top.kind == Array {
				elems = append(elems, v)
			} else {
				members = append(members, Member{top.key, v})
			}
			p.space()
			if p.take(',') {
				if top.kind == Object {
					if top.key, err = p.key(); err != nil {
						return Value{}, err
					}
				}
				break
			}
			if !p.take(closer(top.kind)) {
				return Value{}, p.want(fmt.Sprintf("want ',' or %q", closer(top.kind)))
			}
			v = Value{kind: top.kind, offset: top.offset, list: &list{}}
			if top.kind == Array {
				v.list.elems = append(make([]Value, 0, len(elems)-top.base), elems[top.base:]...)
				elems = elems[:top.base]
			} else {
				v.list.members = append(make([]Member, 0, len(members)-top.base), members[top.base:]...)
				members = members[:top.base]
			}
			stack = stack[:len(stack)-1]
		}
	}
}

func closer(k Kind) byte {
	if k == Array {
		return ']'
	}
	return '}'
}

func (p *parser) take(c byte) bool {
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *parser) key() (string, error) {
	p.space()
	if p.pos >= len(p.text) || p.text[p.pos] != '"' {
		return "", p.want("want a key in double quotes")
	}
	k, err := p.str()
	if err != nil {
		return "", err
	}
	p.space()
	if !p.take(':') {
		return "", p.want("want ':' after a key")
	}
	return k, nil
}

// begin reads a scalar whole, or the opening bracket of an array or object.
func (p *parser) begin() (v Value, opened bool, err error) {
	if p.pos >= len(p.text) {
		return v, false, p.ended("the text ends where a value should begin")
	}
	if p.read.values++; p.read.values > MaxValues {
		return v, false, p.limit("more than %d values", MaxValues)
	}
	at := p.pos
	switch c := p.text[p.pos]; {
	case c == '{', c == '[':
		if p.read.containers++; p.read.containers > MaxContainers {
			return v, false, p.limit("more than %d arrays and objects", MaxContainers)
		}
		p.pos++
		v = Value{kind: Array, offset: at}
		if c == '{' {
			v.kind = Object
		}
		return v, true, nil
	case c == '"':
		s, err := p.str()
		return Value{kind: String, text: s, offset: at}, false, err
	case c == '-' || c >= '0' && c <= '9':
		err := p.number()
		return Value{kind: Number, text: p.part(at, p.pos), offset: at}, false, err
	case c == 't':
		return Value{kind: Bool, text: "true", offset: at}, false, p.word("true")
	case c == 'f':
		return Value{kind: Bool, text: "false", offset: at}, false, p.word("false")
	case c == 'n':
		return Value{kind: Null, offset: at}, false, p.word("null")
	}
	return v, false, p.fail("not a JSON value")
}

func (p *parser) word(w string) error {
	rest := p.text[p.pos:]
	switch n := min(len(w), len(rest)); {
	case string(rest[:n]) != w[:n]:
		return p.fail("not a JSON value")
	case n < len(w):
		return p.ended("the text ends inside " + w)
	}
	p.pos += len(w)
	return nil
}

func (p *parser) digits() bool {
	at := p.pos
	for p.pos < len(p.text) && p.text[p.pos] >= '0' && p.text[p.pos] <= '9' {
		p.pos++
	}
	return p.pos > at
}

func (p *parser) number() error {
	p.take('-')
	if !p.take('0') && !p.digits() {
		return p.want("want a digit")
	}
	if p.take('.') && !p.digits() {
		return p.want("want a digit after the point")
	}
	if p.take('e') || p.take('E') {
		if !p.take('+') {
			p.take('-')
		}
		if !p.digits() {
			return p.want("want a digit in the exponent")
		}
	}
	return nil
}

const (
	endInString = "the text ends inside a string"
	rawControl  = "a control character in a string"
)

func (p *parser) str() (string, error) {
	p.pos++
	at := p.pos
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == '"':
			s := p.part(at, p.pos)
			p.pos++
			return s, nil
		case c == '\\' || c >= utf8.RuneSelf:
			return p.strSlow(at)
		case c < ' ':
			return "", p.fail(rawControl)
		}
		p.pos++
	}
	return "", p.ended(endInString)
}

// strSlow reads on in a string that holds more than plain ASCII. What was read of it begins at the byte at.
func (p *parser) strSlow(at int) (string, error) {
	var buf []byte
	plain := at // begin of what stands for itself and is not in buf yet
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		switch {
		case c == '"':
			end := p.pos
			p.pos++
			if plain == at {
				return p.part(at, end), nil
			}
			return string(append(buf, p.text[plain:end]...)), nil
		case c < ' ':
			return "", p.fail(rawControl)
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(p.text[p.pos:])
			if r == utf8.RuneError && n == 1 {
				n = subpart(p.text[p.pos:])
				buf = append(buf, p.text[plain:p.pos]...)
				buf = utf8.AppendRune(buf, r)
				plain = p.pos + n
			}
			p.pos += n
		case c != '\\':
			p.pos++
		default:
			if buf == nil {
				buf = make([]byte, 0, 2*(p.pos-plain)+32)
			}
			buf = append(buf, p.text[plain:p.pos]...)
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			buf = appendUnit(buf, r)
			plain = p.pos
		}
	}
	return "", p.ended(endInString)
}

func (p *parser) escape() (rune, error) {
	if p.pos+1 >= len(p.text) {
		return 0, p.ended(endInString)
	}
	switch c := p.text[p.pos+1]; c {
	case '"', '\\', '/':
		p.pos += 2
		return rune(c), nil
	case 'b':
		p.pos += 2
		return '\b', nil
	case 'f':
		p.pos += 2
		return '\f', nil
	case 'n':
		p.pos += 2
		return '\n', nil
	case 'r':
		p.pos += 2
		return '\r', nil
	case 't':
		p.pos += 2
		return '\t', nil
	case 'u':
		var r rune
		for i := p.pos + 2; i < p.pos+6; i++ {
			if i >= len(p.text) {
				return 0, p.ended(endInString)
			}
			d := hexDigit(p.text[i])
			if d < 0 {
				return 0, p.fail("a \\u escape needs four hex digits")
			}
			r = r<<4 | rune(d)
		}
		p.pos += 6
		return r, nil
	}
	return 0, p.fail("an unknown escape in a string")
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
