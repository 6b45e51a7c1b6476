package python

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// jiterReader is the JSON parser jiter (0.19; crates/jiter/src/python.rs, parse.rs, string_decoder.rs,
// number_decoder.rs), with which pydantic reads JSON; the SDK uses it for JSON that is not complete yet, see
// partialCheck. Its text is UTF-8: it comes of a str.
type jiterReader struct {
	text  string
	pos   int
	depth int // nesting that is still allowed

	partial bool // partial_mode=True: an array or object that breaks off holds what came of it
}

// jiterDepth is jiter's DEFAULT_RECURSION_LIMIT.
const jiterDepth = 200

// jiterFault is a JsonError: what and at which byte.
type jiterFault struct {
	msg string
	at  int
}

func (f *jiterFault) Error() string { return f.msg }

const (
	noCommaInList   = "expected `,` or `]`"
	noCommaInObject = "expected `,` or `}`"
	eofInList       = "EOF while parsing a list"
	eofInObject     = "EOF while parsing an object"
	eofInString     = "EOF while parsing a string"
	eofInValue      = "EOF while parsing a value"
	controlInString = `control character (\u0000-\u001F) found while parsing a string`
)

// isEnd tells an error that more text could undo.
func (f *jiterFault) isEnd() bool {
	switch f.msg {
	case eofInList, eofInObject, eofInString, eofInValue:
		return true
	}
	return false
}

// described is the error's text with its place, columns counted in bytes (LinePosition::find).
func (f *jiterFault) described(text string) string {
	upTo := text[:min(f.at+1, len(text))]
	line := strings.Count(upTo, "\n") + 1
	return fmt.Sprintf("%s at line %d column %d", f.msg, line, len(upTo)-strings.LastIndexByte(upTo, '\n')-1)
}

// parseWhole is a parse of text that may not go on behind the value.
func parseWhole(text string) (value, *jiterFault) {
	p := jiterReader{text: text, depth: jiterDepth}
	c, fault := p.peek()
	if fault != nil {
		return none, fault
	}
	v, fault := p.value(c)
	if fault != nil {
		return none, fault
	}
	if _, ok := p.space(); ok {
		return none, p.fail("trailing characters")
	}
	return v, nil
}

// parsePartial is from_json(text, partial_mode=True): what a text that is not complete yet holds; what follows the value
// is not looked at.
func parsePartial(text string) (value, *jiterFault) {
	p := jiterReader{text: text, depth: jiterDepth, partial: true}
	c, fault := p.peek()
	if fault != nil {
		return none, fault
	}
	return p.value(c)
}

// tolerated is the fault of an array or object, nil where partial mode takes it for the end of what there is.
func (p *jiterReader) tolerated(fault *jiterFault) *jiterFault {
	if fault != nil && p.partial && (fault.isEnd() || fault.msg == noCommaInList || fault.msg == noCommaInObject) {
		return nil
	}
	return fault
}

func (p *jiterReader) fail(msg string) *jiterFault { return &jiterFault{msg, p.pos} }

func (p *jiterReader) failAt(msg string, at int) *jiterFault { return &jiterFault{msg, at} }

// space passes over white space; ok is false at the end of the text.
func (p *jiterReader) space() (next byte, ok bool) {
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; c {
		case ' ', '\t', '\r', '\n':
			p.pos++
		default:
			return c, true
		}
	}
	return 0, false
}

func (p *jiterReader) peek() (byte, *jiterFault) {
	if c, ok := p.space(); ok {
		return c, nil
	}
	return 0, p.fail(eofInValue)
}

// value reads the value that begins with c.
func (p *jiterReader) value(c byte) (value, *jiterFault) {
	switch c {
	case 'n':
		return none, p.word("null")
	case 't':
		return ofBool(true), p.word("true")
	case 'f':
		return ofBool(false), p.word("false")
	case 'N':
		return ofFloat(math.NaN()), p.word("NaN")
	case 'I':
		return ofFloat(math.Inf(1)), p.word("Infinity")
	case '"':
		s, fault := p.str()
		return ofStr(s), fault
	case '[':
		l := &list{}
		return ofList(l), p.tolerated(p.array(l))
	case '{':
		d := &dict{}
		return ofDict(d), p.tolerated(p.object(d))
	}
	if c != '-' && !isDigit(c) {
		return none, p.fail("expected value")
	}
	return p.number()
}

// word reads one of the literal words, of which the first letter is known to be there.
func (p *jiterReader) word(w string) *jiterFault {
	for i := 1; i < len(w); i++ {
		if p.pos+i == len(p.text) {
			return p.failAt(eofInValue, p.pos+i)
		}
		if p.text[p.pos+i] != w[i] {
			return p.failAt("expected ident", p.pos+i)
		}
	}
	p.pos += len(w)
	return nil
}

// nested reads a value inside an array or object.
func (p *jiterReader) nested(c byte) (value, *jiterFault) {
	if p.depth == 0 {
		return none, p.fail("recursion limit exceeded")
	}
	p.depth--
	v, fault := p.value(c)
	p.depth++
	return v, fault
}

func (p *jiterReader) array(l *list) *jiterFault {
	p.pos++
	c, ok := p.space()
	if !ok {
		return p.fail(eofInList)
	}
	if c == ']' {
		p.pos++
		return nil
	}
	for {
		v, fault := p.nested(c)
		if fault != nil {
			return fault
		}
		l.elems = append(l.elems, v)
		if c, ok = p.space(); !ok {
			return p.fail(eofInList)
		}
		switch c {
		case ']':
			p.pos++
			return nil
		case ',':
			p.pos++
			if c, fault = p.peek(); fault != nil {
				return fault
			}
			if c == ']' {
				return p.fail("trailing comma")
			}
		default:
			return p.fail(noCommaInList)
		}
	}
}

func (p *jiterReader) object(d *dict) *jiterFault {
	p.pos++
	c, ok := p.space()
	if !ok {
		return p.fail(eofInObject)
	}
	if c == '}' {
		p.pos++
		return nil
	}
	for {
		if c != '"' {
			return p.fail("key must be a string")
		}
		key, fault := p.key()
		if fault != nil {
			return fault
		}
		if c, fault = p.peek(); fault != nil {
			return fault
		}
		v, fault := p.nested(c)
		if fault != nil {
			return fault
		}
		d.set(key, v)
		if c, ok = p.space(); !ok {
			return p.fail(eofInObject)
		}
		switch c {
		case '}':
			p.pos++
			return nil
		case ',':
			p.pos++
			if c, fault = p.peek(); fault != nil {
				return fault
			}
			if c == '}' {
				return p.fail("trailing comma")
			}
		default:
			return p.fail(noCommaInObject)
		}
	}
}

func (p *jiterReader) key() (string, *jiterFault) {
	key, fault := p.str()
	if fault != nil {
		return "", fault
	}
	c, ok := p.space()
	if !ok {
		return "", p.fail(eofInObject)
	}
	if c != ':' {
		return "", p.fail("expected `:`")
	}
	p.pos++
	return key, nil
}

// str reads the string whose opening quote is next.
func (p *jiterReader) str() (string, *jiterFault) {
	begin := p.pos + 1
	var buf []byte
	for i := begin; i < len(p.text); {
		switch c := p.text[i]; {
		case c == '"':
			p.pos = i + 1
			if buf == nil {
				return p.text[begin:i], nil
			}
			return string(buf), nil
		case c < ' ':
			return "", p.failAt(controlInString, i)
		case c == '\\':
			if buf == nil {
				buf = append(make([]byte, 0, 2*(i-begin)+16), p.text[begin:i]...)
			}
			r, end, fault := p.escape(i)
			if fault != nil {
				return "", fault
			}
			buf = appendRune(buf, r)
			i = end
		default:
			if buf != nil {
				buf = append(buf, c)
			}
			i++
		}
	}
	return "", p.failAt(eofInString, len(p.text))
}

var jiterEscapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (p *jiterReader) escape(i int) (rune, int, *jiterFault) {
	if i+1 == len(p.text) {
		return 0, 0, p.failAt(eofInString, i+1)
	}
	if r, ok := jiterEscapes[p.text[i+1]]; ok {
		return r, i + 2, nil
	}
	if p.text[i+1] != 'u' {
		return 0, 0, p.failAt("invalid escape", i+1)
	}
	high, last, fault := p.hex(i + 1)
	switch {
	case fault != nil:
		return 0, 0, fault
	case !isSurrogate(high):
		return high, last + 1, nil
	case high >= lowFirst:
		return 0, 0, p.failAt("lone leading surrogate in hex escape", last)
	}
	rest := p.text[last+1:]
	switch {
	case rest == "" || rest == `\`:
		return 0, 0, p.failAt(eofInString, len(p.text))
	case rest[0] != '\\' || len(rest) == 1:
		return 0, 0, p.failAt("unexpected end of hex escape", last+1)
	case rest[1] != 'u':
		return 0, 0, p.failAt("unexpected end of hex escape", last+2)
	}
	low, last, fault := p.hex(last + 2)
	if fault != nil {
		return 0, 0, fault
	}
	if low < lowFirst || low > surrogateLast {
		return 0, 0, p.failAt("lone leading surrogate in hex escape", last)
	}
	return 0x10000 + (high-surrogateFirst)<<10 + (low - lowFirst), last + 1, nil
}

// hex reads the four digits behind the u at i and returns the place of the last.
func (p *jiterReader) hex(i int) (rune, int, *jiterFault) {
	if i+5 > len(p.text) {
		return 0, 0, p.failAt(eofInString, len(p.text))
	}
	var r rune
	for j := i + 1; j < i+5; j++ {
		n, err := strconv.ParseUint(p.text[j:j+1], 16, 8)
		if err != nil {
			return 0, 0, p.failAt("invalid escape", j)
		}
		r = r<<4 | rune(n)
	}
	return r, i + 4, nil
}

// number reads a number, or the infinity that a minus sign can stand before.
func (p *jiterReader) number() (value, *jiterFault) {
	begin, i := p.pos, p.pos
	at := func(i int) byte {
		if i < len(p.text) {
			return p.text[i]
		}
		return 0
	}
	if at(i) == '-' {
		i++
	}
	switch c := at(i); {
	case i == len(p.text):
		return none, p.failAt(eofInValue, i)
	case c == 'I':
		p.pos = i
		if fault := p.word("Infinity"); fault != nil {
			return none, fault
		}
		return ofFloat(math.Inf(-1)), nil
	case c == '0':
		i++
		if isDigit(at(i)) {
			return none, p.failAt("invalid number", i)
		}
	case isDigit(c):
		for isDigit(at(i)) {
			i++
		}
	default:
		return none, p.failAt("invalid number", i)
	}
	isFloat := false
	if at(i) == '.' {
		isFloat = true
		if i++; !isDigit(at(i)) {
			return none, p.noDigit(i)
		}
		for isDigit(at(i)) {
			i++
		}
	}
	if c := at(i); c == 'e' || c == 'E' {
		isFloat = true
		if i++; at(i) == '+' || at(i) == '-' {
			i++
		}
		if !isDigit(at(i)) {
			return none, p.noDigit(i)
		}
		for isDigit(at(i)) {
			i++
		}
	}
	p.pos = i
	digits := p.text[begin:i]
	if isFloat {
		f, _ := strconv.ParseFloat(digits, 64) // out of range is an infinity
		return ofFloat(f), nil
	}
	if len(digits) > maxDigits {
		return none, p.failAt("number out of range", begin+maxDigits+1)
	}
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return ofInt(n), nil
	}
	n, _ := new(big.Int).SetString(digits, 10)
	return ofBig(n), nil
}

func (p *jiterReader) noDigit(i int) *jiterFault {
	if i == len(p.text) {
		return p.failAt(eofInValue, i)
	}
	return p.failAt("invalid number", i)
}

// parsedClass is model_validate_json(content) for a class that takes any JSON object, called Parsed: a dict of what it
// holds. Its ValidationError is pydantic 2.13's.
func parsedClass(content value) (value, error) {
	if content.kind != kindStr {
		return none, validationError("JSON input should be string, bytes or bytearray", "json_type", content)
	}
	if at, _ := surrogateAt(content.text); at >= 0 {
		return none, validationError("Input should be a valid string, unable to parse raw data as a unicode string", "string_unicode", content)
	}
	v, fault := parseWhole(content.text)
	if fault != nil {
		return none, validationError("Invalid JSON: "+fault.described(content.text), "json_invalid", content)
	}
	if v.kind != kindDict {
		return none, validationError("Input should be an object", "model_type", v)
	}
	return v, nil
}

func validationError(message, kind string, input value) error {
	text, err := repr(input)
	if err != nil {
		return err
	}
	return raise("ValidationError", "1 validation error for Parsed\n  %s [type=%s, input_value=%s, input_type=%s]\n    For further information visit https://errors.pydantic.dev/2.13/v/%s",
		message, kind, shortened(text), input.className(), kind)
}

// shortened keeps 25 bytes of the beginning and 24 of the end of a text over 50, less where that would cut a character.
func shortened(text string) string {
	b := []byte(text)
	if len(b) <= 50 {
		return text
	}
	head, tail := 25, len(b)-24
	for head > 0 && b[head]&0xC0 == 0x80 {
		head--
	}
	for tail < len(b) && b[tail]&0xC0 == 0x80 {
		tail++
	}
	return string(bytes.Join([][]byte{b[:head], b[tail:]}, []byte("...")))
}
