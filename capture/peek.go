package capture

import (
	"github.com/tidwall/gjson"

	"reassay/wire"
)

const (
	// peekBytes is how much of a text is looked at: an exchange's id stands near its beginning.
	peekBytes = 64 << 10
	// peekDepth is how deeply nested a text may be that gjson is given, which calls itself.
	peekDepth = 512
)

// peek is the value of a key at the top of a text that may be broken or too long to be parsed; Missing when it
// cannot be made out.
func peek(text []byte, key string) wire.Value {
	text = text[:min(len(text), peekBytes)]
	if depth(text) > peekDepth {
		return wire.Value{}
	}
	raw := gjson.GetBytes(text, key).Raw
	v, err := wire.Parse([]byte(raw))
	if err != nil {
		return wire.Value{}
	}
	return v
}

// peekID is the exchange's id, as far as it can be made out; a longer one than the format allows is cut.
func peekID(text []byte) string {
	id := peek(text, "id").Str()
	if len(id) > maxID {
		return cut(id)
	}
	return id
}

// depth is how deeply the brackets in text are nested.
func depth(text []byte) int {
	deepest, now := 0, 0
	for i, in := 0, false; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			in = !in
		case in && c == '\\':
			i++
		case in:
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}
