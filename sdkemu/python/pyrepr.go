package python

import (
	"fmt"
	"math/big"
	"strings"
)

// reprDepth is how deeply a value may be nested for its repr() to be told. CPython's own limit depends on the caller's
// stack; whatever json.loads took is below it where the SDK makes a message of a part of it.
const reprDepth = 990

// str is str(v).
func str(v value) (string, error) {
	if v.kind == kindStr {
		return v.text, nil
	}
	if v.kind == kindModel {
		w := reprWriter{}
		err := w.model(v.model(), 0)
		return w.b.String(), err
	}
	return repr(v)
}

// repr is repr(v).
func repr(v value) (string, error) {
	w := reprWriter{}
	err := w.value(v, 0)
	return w.b.String(), err
}

type reprWriter struct{ b strings.Builder }

func (w *reprWriter) value(v value, depth int) error {
	if depth > reprDepth {
		return overLimit("nesting of a value in a message", reprDepth)
	}
	switch v.kind {
	case kindNone:
		w.b.WriteString("None")
	case kindBool:
		if v.bool() {
			w.b.WriteString("True")
		} else {
			w.b.WriteString("False")
		}
	case kindInt:
		s, err := intRepr(v)
		if err != nil {
			return err
		}
		w.b.WriteString(s)
	case kindFloat:
		w.b.WriteString(floatRepr(v.float()))
	case kindStr:
		w.str(v.text)
	case kindTime:
		w.b.WriteString(v.moment().repr())
	case kindMethod:
		// CPython prints the object's address, which no emulation can know.
		fmt.Fprintf(&w.b, "<built-in method %s of %s object at 0x%012x>", v.text, v.ref, 0)
	case kindModel:
		return w.model(v.model(), depth)
	case kindList:
		w.b.WriteByte('[')
		for i, e := range v.list().elems {
			if i > 0 {
				w.b.WriteString(", ")
			}
			if err := w.value(e, depth+1); err != nil {
				return err
			}
		}
		w.b.WriteByte(']')
	case kindDict:
		d := v.dict()
		w.b.WriteByte('{')
		for i, k := range d.keys {
			if i > 0 {
				w.b.WriteString(", ")
			}
			w.str(k)
			w.b.WriteString(": ")
			if err := w.value(d.vals[i], depth+1); err != nil {
				return err
			}
		}
		w.b.WriteByte('}')
	}
	return nil
}

// model writes Class(field=..., extra=...), as pydantic's Representation does (pydantic 2.13, _internal/_repr.py).
func (w *reprWriter) model(m *model, depth int) error {
	w.b.WriteString(m.class.name)
	w.b.WriteByte('(')
	sep := ""
	for i, f := range m.class.fields {
		w.b.WriteString(sep + f.name + "=")
		sep = ", "
		if err := w.value(m.vals[i], depth+1); err != nil {
			return err
		}
	}
	if m.extra != nil {
		for i, k := range m.extra.keys {
			w.b.WriteString(sep + k + "=")
			sep = ", "
			if err := w.value(m.extra.vals[i], depth+1); err != nil {
				return err
			}
		}
	}
	w.b.WriteByte(')')
	return nil
}

func (w *reprWriter) str(s string) {
	quote := byte('\'')
	if strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		quote = '"'
	}
	w.b.WriteByte(quote)
	for s != "" {
		r, n := decodeRune(s)
		switch {
		case r == rune(quote) || r == '\\':
			w.b.WriteByte('\\')
			w.b.WriteByte(byte(r))
		case r == '\t':
			w.b.WriteString(`\t`)
		case r == '\n':
			w.b.WriteString(`\n`)
		case r == '\r':
			w.b.WriteString(`\r`)
		case isPrintable(r):
			w.b.WriteString(s[:n])
		case r < 0x100:
			fmt.Fprintf(&w.b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&w.b, `\u%04x`, r)
		default:
			fmt.Fprintf(&w.b, `\U%08x`, r)
		}
		s = s[n:]
	}
	w.b.WriteByte(quote)
}

// maxDigits is how many decimal digits CPython 3.11 converts between int and str (sys.int_info.default_max_str_digits).
const maxDigits = 4300

func intRepr(v value) (string, error) {
	n, ok := v.ref.(*big.Int)
	if !ok {
		return fmt.Sprint(int64(v.bits)), nil
	}
	s := n.String()
	if len(strings.TrimPrefix(s, "-")) > maxDigits {
		return "", raise("ValueError", "Exceeds the limit (%d digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit", maxDigits)
	}
	return s, nil
}
