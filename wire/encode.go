package wire

import "unicode/utf8"

// JSON is v as compact JSON: members in order, numbers as they were spelt, lone surrogate halves as \u escapes,
// everything else as UTF-8. A Missing value is "null".
func (v Value) JSON() []byte { return v.AppendJSON(nil) }

// AppendJSON appends what [Value.JSON] returns.
func (v Value) AppendJSON(dst []byte) []byte {
	switch v.kind {
	case Bool, Number:
		return append(dst, v.text...)
	case String:
		return AppendString(dst, v.text)
	case Array:
		dst = append(dst, '[')
		for i, e := range v.Elems() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = e.AppendJSON(dst)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for i, m := range v.Members() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendString(dst, m.Key), ':')
			dst = m.Value.AppendJSON(dst)
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

// MarshalJSON makes a Value stand as itself in a structure given to encoding/json.
func (v Value) MarshalJSON() ([]byte, error) { return v.JSON(), nil }

// UnmarshalJSON keeps the value as the text spells it.
func (v *Value) UnmarshalJSON(text []byte) error {
	parsed, err := Parse(text)
	if err != nil {
		return err
	}
	*v = parsed
	return nil
}

const hex = "0123456789abcdef"

// AppendString appends the WTF-8 string s as a JSON string.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0 // of what is not appended yet and stands for itself
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		r, n := rune(c), 1
		if c >= utf8.RuneSelf {
			half, lone := halfAt(s, i)
			if !lone {
				if r, n = utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || n > 1 {
					i += n
					continue
				}
			} else {
				r, n = half, 3
			}
		}
		dst = append(dst, s[from:i]...)
		dst = appendEscape(dst, r)
		i += n
		from = i
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

// appendEscape appends what stands for a character that cannot stand for itself.
func appendEscape(dst []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	case utf8.RuneError:
		return utf8.AppendRune(dst, r)
	}
	return append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}
