package python

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// jsonReader is json.loads of CPython 3.11 (Lib/json/decoder.py, Modules/_json.c), whose errors it raises with their
// positions. Positions are kept in bytes and told in code points.
type jsonReader struct {
	text  string
	depth int // nesting that is still allowed
	arena *arena
	keys  []string // of the objects that are open, the innermost last
	vals  []value  // in the arrays and objects that are open

	outer   int          // depth within the outermost array or object
	numbers []jsonNumber // the ints that are members of the outermost object
}

// jsonNumber is where an int stands that is a member of an object.
type jsonNumber struct {
	key        string
	begin, end int
}

// loads is json.loads(text), with arrays and objects nested at most depth deep: CPython counts them against the
// recursion limit, of which the caller's frames have used some.
func loads(text string, depth int) (value, error) {
	p := jsonReader{depth: depth}
	return p.loads(text)
}

// loads reads a text; a reader may be used for one text after the other.
func (p *jsonReader) loads(text string) (value, error) {
	p.text, p.keys, p.vals = text, p.keys[:0], p.vals[:0]
	p.outer, p.numbers = p.depth-1, p.numbers[:0]
	if strings.HasPrefix(text, "\ufeff") {
		return none, p.fail("Unexpected UTF-8 BOM (decode using utf-8-sig)", 0)
	}
	v, end, err := p.value(p.space(0))
	if err != nil {
		return none, err
	}
	if end = p.space(end); end != len(text) {
		return none, p.fail("Extra data", end)
	}
	return v, nil
}

// loadsOf is json.loads(v) for a v that need not be a str.
func loadsOf(v value, depth int) (value, error) {
	if v.kind != kindStr {
		return none, raise("TypeError", "the JSON object must be str, bytes or bytearray, not %s", v.className())
	}
	return loads(v.text, depth)
}

// fail is a JSONDecodeError at byte at.
func (p *jsonReader) fail(msg string, at int) error {
	before := p.text[:at]
	line := strings.Count(before, "\n") + 1
	column := length(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return raise("JSONDecodeError", "%s: line %d column %d (char %d)", msg, line, column, length(before))
}

func (p *jsonReader) space(i int) int {
	for i < len(p.text) {
		switch p.text[i] {
		case ' ', '\t', '\n', '\r':
			i++
		default:
			return i
		}
	}
	return i
}

// at is the byte at i, 0 beyond the end.
func (p *jsonReader) at(i int) byte {
	if i < len(p.text) {
		return p.text[i]
	}
	return 0
}

func (p *jsonReader) value(i int) (value, int, error) {
	rest := p.text[i:]
	switch {
	case rest == "":
	case rest[0] == '"':
		s, end, err := p.str(i + 1)
		return ofStr(s), end, err
	case rest[0] == '{' || rest[0] == '[':
		return p.nested(i)
	case strings.HasPrefix(rest, "null"):
		return none, i + 4, nil
	case strings.HasPrefix(rest, "true"):
		return ofBool(true), i + 4, nil
	case strings.HasPrefix(rest, "false"):
		return ofBool(false), i + 5, nil
	case strings.HasPrefix(rest, "NaN"):
		return ofFloat(math.NaN()), i + 3, nil
	case strings.HasPrefix(rest, "Infinity"):
		return ofFloat(math.Inf(1)), i + 8, nil
	case strings.HasPrefix(rest, "-Infinity"):
		return ofFloat(math.Inf(-1)), i + 9, nil
	default:
		return p.number(i)
	}
	return none, 0, p.fail("Expecting value", i)
}

func (p *jsonReader) nested(i int) (value, int, error) {
	what, read := "array", p.array
	if p.text[i] == '{' {
		what, read = "object", p.object
	}
	if p.depth == 0 {
		return none, 0, raise("RecursionError", "maximum recursion depth exceeded while decoding a JSON %s from a unicode string", what)
	}
	p.depth--
	v, end, err := read(i + 1)
	p.depth++
	return v, end, err
}

func (p *jsonReader) object(i int) (value, int, error) {
	keys, vals := len(p.keys), len(p.vals)
	i = p.space(i)
	if p.at(i) == '}' {
		return ofDict(p.arena.dict(0)), i + 1, nil
	}
	for {
		if p.at(i) != '"' {
			return none, 0, p.fail("Expecting property name enclosed in double quotes", i)
		}
		key, end, err := p.str(i + 1)
		if err != nil {
			return none, 0, err
		}
		if i = p.space(end); p.at(i) != ':' {
			return none, 0, p.fail("Expecting ':' delimiter", i)
		}
		begin := p.space(i + 1)
		v, end, err := p.value(begin)
		if err != nil {
			return none, 0, err
		}
		if v.kind == kindInt && p.depth == p.outer {
			p.numbers = append(p.numbers, jsonNumber{key, begin, end})
		}
		p.keys, p.vals = append(p.keys, key), append(p.vals, v)
		switch i = p.space(end); p.at(i) {
		case '}':
			return p.closeObject(keys, vals), i + 1, nil
		case ',':
			i = p.space(i + 1)
		default:
			return none, 0, p.fail("Expecting ',' delimiter", i)
		}
	}
}

// closeObject takes what was read since the object began off the stacks. Of a key that is doubled the last value counts.
func (p *jsonReader) closeObject(keys, vals int) value {
	d := p.arena.dict(len(p.keys) - keys)
	for i, key := range p.keys[keys:] {
		d.set(key, p.vals[vals+i])
	}
	p.keys, p.vals = p.keys[:keys], p.vals[:vals]
	return ofDict(d)
}

func (p *jsonReader) array(i int) (value, int, error) {
	vals := len(p.vals)
	i = p.space(i)
	if p.at(i) == ']' {
		return ofList(p.arena.list(nil)), i + 1, nil
	}
	for {
		v, end, err := p.value(i)
		if err != nil {
			return none, 0, err
		}
		p.vals = append(p.vals, v)
		switch i = p.space(end); p.at(i) {
		case ']':
			elems := append(p.arena.elems(len(p.vals)-vals), p.vals[vals:]...)
			p.vals = p.vals[:vals]
			return ofList(p.arena.list(elems)), i + 1, nil
		case ',':
			i = p.space(i + 1)
		default:
			return none, 0, p.fail("Expecting ',' delimiter", i)
		}
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (p *jsonReader) digits(i int) int {
	for isDigit(p.at(i)) {
		i++
	}
	return i
}

// number reads as much of a number as there is: "1.x" is the int 1 with text after it, "1e" likewise.
func (p *jsonReader) number(begin int) (value, int, error) {
	i := begin
	if p.at(i) == '-' {
		i++
	}
	switch c := p.at(i); {
	case c == '0':
		i++
	case isDigit(c):
		i = p.digits(i)
	default:
		return none, 0, p.fail("Expecting value", begin)
	}
	isFloat := false
	if p.at(i) == '.' && isDigit(p.at(i+1)) {
		isFloat = true
		i = p.digits(i + 2)
	}
	if c := p.at(i); c == 'e' || c == 'E' {
		j := i + 1
		if c := p.at(j); c == '+' || c == '-' {
			j++
		}
		if isDigit(p.at(j)) {
			isFloat = true
			i = p.digits(j)
		}
	}
	text := p.text[begin:i]
	if isFloat {
		f, _ := strconv.ParseFloat(text, 64) // out of range is an infinity, as in CPython
		return ofFloat(f), i, nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return ofInt(n), i, nil
	}
	if n := len(strings.TrimPrefix(text, "-")); n > maxDigits {
		return none, 0, raise("ValueError", "Exceeds the limit (%d digits) for integer string conversion: value has %d digits; use sys.set_int_max_str_digits() to increase the limit", maxDigits, n)
	}
	n, _ := new(big.Int).SetString(text, 10)
	return ofBig(n), i, nil
}

// str reads a string whose opening quote stands before i. A string without escapes is a part of the text.
func (p *jsonReader) str(i int) (string, int, error) {
	begin := i
	for i < len(p.text) {
		switch c := p.text[i]; {
		case c == '"':
			return p.text[begin:i], i + 1, nil
		case c == '\\':
			return p.escaped(begin, i)
		case c < ' ':
			return "", 0, p.fail("Invalid control character at", i)
		}
		i++
	}
	return "", 0, p.fail("Unterminated string starting at", begin-1)
}

func (p *jsonReader) escaped(begin, i int) (string, int, error) {
	buf := append(make([]byte, 0, 2*(i-begin)+32), p.text[begin:i]...)
	for i < len(p.text) {
		switch c := p.text[i]; {
		case c == '"':
			return string(buf), i + 1, nil
		case c < ' ':
			return "", 0, p.fail("Invalid control character at", i)
		case c != '\\':
			buf = append(buf, c)
			i++
		default:
			r, end, err := p.escape(begin, i)
			if err != nil {
				return "", 0, err
			}
			buf = appendRune(buf, r)
			i = end
		}
	}
	return "", 0, p.fail("Unterminated string starting at", begin-1)
}

func (p *jsonReader) escape(begin, i int) (rune, int, error) {
	if i+1 >= len(p.text) {
		return 0, 0, p.fail("Unterminated string starting at", begin-1)
	}
	switch c := p.text[i+1]; c {
	case '"', '\\', '/':
		return rune(c), i + 2, nil
	case 'b':
		return '\b', i + 2, nil
	case 'f':
		return '\f', i + 2, nil
	case 'n':
		return '\n', i + 2, nil
	case 'r':
		return '\r', i + 2, nil
	case 't':
		return '\t', i + 2, nil
	case 'u':
		return p.unicode(i)
	}
	return 0, 0, p.fail("Invalid \\escape", i)
}

// unicode reads \uXXXX at i, and a second one that completes a pair. As in CPython the text must go on after the
// four digits, and after a second escape, for either to count.
func (p *jsonReader) unicode(i int) (rune, int, error) {
	end := i + 6
	if !longer(p.text[i+2:], 4) {
		return 0, 0, p.fail("Invalid \\uXXXX escape", i+1)
	}
	r, ok := hex4(p.text[i+2:])
	if !ok {
		return 0, 0, p.fail("Invalid \\uXXXX escape", i+1)
	}
	if r < surrogateFirst || r >= lowFirst || !strings.HasPrefix(p.text[end:], `\u`) || !longer(p.text[end:], 6) {
		return r, end, nil
	}
	low, ok := hex4(p.text[end+2:])
	if !ok {
		return 0, 0, p.fail("Invalid \\uXXXX escape", end+1)
	}
	if low < lowFirst || low > surrogateLast {
		return r, end, nil
	}
	return 0x10000 + (r-surrogateFirst)<<10 + (low - lowFirst), end + 6, nil
}

// longer reports whether s has more than n code points.
func longer(s string, n int) bool {
	for i := 0; i < len(s); i++ {
		if s[i]&0xC0 != 0x80 {
			if n == 0 {
				return true
			}
			n--
		}
	}
	return false
}

func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:4], 16, 32)
	return rune(n), err == nil
}
