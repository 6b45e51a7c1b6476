package python

import "strings"

// partialCheck follows a JSON text that grows, and finds what jiter's from_json(text, partial_mode=True) raises for it.
// The SDK parses the whole text anew at every delta; what comes of it is seen by nobody before the end, where the text
// is parsed as a whole. So only new text is read here, and a long reply takes time linear in its length.
type partialCheck struct {
	seen  value // the text that was read
	pos   int   // of the first byte that is not settled yet
	stack []byte
	state partialState
}

// partialState is what the text may go on with at pos.
type partialState uint8

const (
	beginValue partialState = iota
	firstElement
	nextElement
	firstKey
	nextKey
	inKey
	colon
	inString
	afterValue
	complete // whatever follows is not looked at
)

// feed reads a str, of which the one before is usually the beginning. The error is a ValueError, or the
// UnicodeEncodeError of a str that has no UTF-8.
func (c *partialCheck) feed(v value, work *budget) error {
	if !c.continues(v) {
		if err := work.spend(len(v.text)); err != nil {
			return err
		}
		*c = partialCheck{}
	}
	if at, _ := surrogateAt(v.text[len(c.seen.text):]); at >= 0 {
		return encodable(v.text)
	}
	c.seen = v
	r := jiterReader{text: v.text}
	for c.state != complete {
		more, fault := c.step(&r)
		if fault != nil && (len(c.stack) == 0 || !fault.isEnd()) {
			return raise("ValueError", "%s", fault.described(v.text))
		}
		if fault != nil || !more {
			break
		}
	}
	return nil
}

// continues reports whether v begins with what was read before.
func (c *partialCheck) continues(v value) bool {
	if g, ok := v.ref.(*growing); ok && g == c.seen.ref {
		return len(v.text) >= len(c.seen.text)
	}
	return strings.HasPrefix(v.text, c.seen.text)
}

// step settles one token. more is false when the text has ended and nothing is wrong with that; a fault is what jiter
// finds, which inside an array or object does not count if it is the text's end.
func (c *partialCheck) step(r *jiterReader) (more bool, fault *jiterFault) {
	r.pos = c.pos
	if c.state == inKey || c.state == inString {
		return true, c.text(r)
	}
	next, ok := r.space()
	c.pos = r.pos
	if !ok {
		if c.state == afterValue {
			return false, nil
		}
		return false, r.fail(eofInValue)
	}
	switch c.state {
	case afterValue:
		c.afterValue(next)
		return true, nil
	case colon:
		if next != ':' {
			return false, r.fail("expected `:`")
		}
		c.shift(beginValue)
		return true, nil
	case firstKey, nextKey:
		return true, c.key(r, next)
	case firstElement, nextElement:
		if next == ']' && c.state == firstElement {
			c.close()
			return true, nil
		}
		if next == ']' {
			return false, r.fail("trailing comma")
		}
	}
	return c.value(r, next)
}

// shift takes one byte and goes to a state.
func (c *partialCheck) shift(to partialState) {
	c.pos++
	c.state = to
}

func (c *partialCheck) open(bracket byte, to partialState) {
	c.stack = append(c.stack, bracket)
	c.shift(to)
}

func (c *partialCheck) close() {
	c.stack = c.stack[:len(c.stack)-1]
	c.shift(afterValue)
}

// afterValue goes on behind a value. A byte that is neither comma nor the end of the innermost array or object is an
// error that partial mode takes for its end: the byte is then looked at for the one around it.
func (c *partialCheck) afterValue(next byte) {
	for len(c.stack) > 0 {
		top := c.stack[len(c.stack)-1]
		switch {
		case next == ',' && top == '[':
			c.shift(nextElement)
			return
		case next == ',':
			c.shift(nextKey)
			return
		case next == top+2: // ASCII: "]" is two behind "[", "}" two behind "{"
			c.close()
			return
		}
		c.stack = c.stack[:len(c.stack)-1]
	}
	c.state = complete
}

func (c *partialCheck) key(r *jiterReader, next byte) *jiterFault {
	switch {
	case next == '"':
		c.shift(inKey)
	case next == '}' && c.state == firstKey:
		c.close()
	case next == '}':
		return r.fail("trailing comma")
	default:
		return r.fail("key must be a string")
	}
	return nil
}

func (c *partialCheck) value(r *jiterReader, next byte) (more bool, fault *jiterFault) {
	if len(c.stack) > jiterDepth {
		return false, r.fail("recursion limit exceeded")
	}
	switch next {
	case '"':
		c.shift(inString)
		return true, nil
	case '[':
		c.open(next, firstElement)
		return true, nil
	case '{':
		c.open(next, firstKey)
		return true, nil
	}
	if _, fault := r.value(next); fault != nil {
		return false, fault
	}
	if r.pos == len(r.text) && (next == '-' || isDigit(next)) {
		return false, nil // more digits may come
	}
	c.pos, c.state = r.pos, afterValue
	return true, nil
}

// text reads on inside a string, up to an escape that is not whole.
func (c *partialCheck) text(r *jiterReader) *jiterFault {
	for c.pos < len(r.text) {
		switch b := r.text[c.pos]; {
		case b == '"' && c.state == inKey:
			c.shift(colon)
			return nil
		case b == '"':
			c.shift(afterValue)
			return nil
		case b < ' ':
			return r.failAt(controlInString, c.pos)
		case b == '\\':
			_, end, fault := r.escape(c.pos)
			if fault != nil {
				return fault
			}
			c.pos = end
		default:
			c.pos++
		}
	}
	return r.failAt(eofInString, len(r.text))
}
