package wire

import (
	"fmt"
	"unicode/utf8"
)

// MaxDepth is how deeply arrays and objects may be nested in a text that [Parse] takes.
const MaxDepth = 10000

// SyntaxError says why a text is not JSON, and where.
type SyntaxError struct {
	Offset int // byte, 0-based, in the text
	Msg    string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.Msg, e.Offset) }

// Parse reads one JSON value (RFC 8259) with white space around it. The error, if any, is a *SyntaxError.
// Bytes in a string that are not UTF-8 become U+FFFD one by one, as a WHATWG decoder in JavaScript makes them.
// The parser keeps its own stack: no nesting can exhaust the program's.
func Parse(text []byte) (Value, error) {
	p := parser{text: text}
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
func ParsePrefix(text []byte) (v Value, n int, err error) {
	p := parser{text: text}
	v, err = p.value()
	return v, p.pos, err
}

type parser struct {
	text []byte
	pos  int
}

// open is an array or object whose end has not been read yet.
type open struct {
	v   Value
	key string
}

func (p *parser) fail(msg string) error { return &SyntaxError{p.pos, msg} }

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
	var stack []open
	for {
		p.space()
		v, opened, err := p.begin()
		if err != nil {
			return Value{}, err
		}
		if opened {
			if len(stack) == MaxDepth {
				return Value{}, p.fail(fmt.Sprintf("nested deeper than %d", MaxDepth))
			}
			p.space()
			if p.take(closer(v.kind)) {
				opened = false
			} else {
				stack = append(stack, open{v: v})
				if v.kind == Object {
					if stack[len(stack)-1].key, err = p.key(); err != nil {
						return Value{}, err
					}
				}
				continue
			}
		}
		for !opened {
			if len(stack) == 0 {
				return v, nil
			}
			top := &stack[len(stack)-1]
			if top.v.kind == Array {
				top.v.elems = append(top.v.elems, v)
			} else {
				top.v.members = append(top.v.members, Member{top.key, v})
			}
			p.space()
			if p.take(',') {
				if top.v.kind == Object {
					if top.key, err = p.key(); err != nil {
						return Value{}, err
					}
				}
				break
			}
			if !p.take(closer(top.v.kind)) {
				return Value{}, p.fail(fmt.Sprintf("want ',' or %q", closer(top.v.kind)))
			}
			v = top.v
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
		return "", p.fail("want a key in double quotes")
	}
	k, err := p.str()
	if err != nil {
		return "", err
	}
	p.space()
	if !p.take(':') {
		return "", p.fail("want ':' after a key")
	}
	return k, nil
}

// begin reads a scalar whole, or the opening bracket of an array or object.
func (p *parser) begin() (v Value, opened bool, err error) {
	if p.pos >= len(p.text) {
		return v, false, p.fail("the text ends where a value should begin")
	}
	at := p.pos
	switch c := p.text[p.pos]; {
	case c == '{':
		p.pos++
		return Value{kind: Object, members: []Member{}, offset: at}, true, nil
	case c == '[':
		p.pos++
		return Value{kind: Array, elems: []Value{}, offset: at}, true, nil
	case c == '"':
		s, err := p.str()
		return Value{kind: String, text: s, offset: at}, false, err
	case c == '-' || c >= '0' && c <= '9':
		err := p.number()
		return Value{kind: Number, text: string(p.text[at:p.pos]), offset: at}, false, err
	case p.word("true"), p.word("false"):
		return Value{kind: Bool, text: string(p.text[at:p.pos]), offset: at}, false, nil
	case p.word("null"):
		return Value{kind: Null, offset: at}, false, nil
	}
	return v, false, p.fail("not a JSON value")
}

func (p *parser) word(w string) bool {
	if len(p.text)-p.pos >= len(w) && string(p.text[p.pos:p.pos+len(w)]) == w {
		p.pos += len(w)
		return true
	}
	return false
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
		return p.fail("want a digit")
	}
	if p.take('.') && !p.digits() {
		return p.fail("want a digit after the point")
	}
	if p.take('e') || p.take('E') {
		if !p.take('+') {
			p.take('-')
		}
		if !p.digits() {
			return p.fail("want a digit in the exponent")
		}
	}
	return nil
}

func (p *parser) str() (string, error) {
	p.pos++
	at := p.pos
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == '"':
			s := string(p.text[at:p.pos])
			p.pos++
			return s, nil
		case c == '\\' || c >= utf8.RuneSelf:
			return p.strSlow(at)
		case c < ' ':
			return "", p.fail("a control character in a string")
		}
		p.pos++
	}
	return "", p.fail("the text ends inside a string")
}

func (p *parser) strSlow(at int) (string, error) {
	buf := append(make([]byte, 0, 2*(p.pos-at)+32), p.text[at:p.pos]...)
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		switch {
		case c == '"':
			p.pos++
			return string(buf), nil
		case c < ' ':
			return "", p.fail("a control character in a string")
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(p.text[p.pos:])
			buf = utf8.AppendRune(buf, r)
			p.pos += n
		case c != '\\':
			buf = append(buf, c)
			p.pos++
		default:
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			buf = appendUnit(buf, r)
		}
	}
	return "", p.fail("the text ends inside a string")
}

func (p *parser) escape() (rune, error) {
	if p.pos+1 >= len(p.text) {
		return 0, p.fail("the text ends inside a string")
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
			d := -1
			if i < len(p.text) {
				d = hexDigit(p.text[i])
			}
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
