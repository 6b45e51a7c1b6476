package python

import (
	"math"
	"strconv"

	"reassay/wire"
)

// render appends v as the contract prints it: what to_dict() gives, numbers that JSON lacks as {"$": name}. The error
// is what to_dict() raises.
func render(dst []byte, v value) ([]byte, error) {
	var err error
	switch v.kind {
	case kindNone:
		return append(dst, "null"...), nil
	case kindBool:
		return strconv.AppendBool(dst, v.bool()), nil
	case kindInt:
		if v.ref == nil {
			return strconv.AppendInt(dst, int64(v.bits), 10), nil
		}
		text, err := intRepr(v)
		return append(dst, text...), err
	case kindFloat:
		return renderFloat(dst, v.float()), nil
	case kindStr:
		return wire.AppendString(dst, v.text), nil
	case kindTime:
		return wire.AppendString(dst, v.moment().text()), nil
	case kindList:
		dst = append(dst, '[')
		for i, e := range v.list().elems {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = render(dst, e); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	case kindDict:
		dst, err = renderMembers(append(dst, '{'), v.dict(), true)
		return append(dst, '}'), err
	case kindModel:
		return renderModel(dst, v.model())
	}
	return dst, &limitError{what: "assembled objects: one holds a method"}
}

func renderFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, `{"$":"NaN"}`...)
	case math.IsInf(f, 1):
		return append(dst, `{"$":"Infinity"}`...)
	case math.IsInf(f, -1):
		return append(dst, `{"$":"-Infinity"}`...)
	}
	return append(dst, floatRepr(f)...)
}

// renderModel writes the fields that were set, then the extras.
func renderModel(dst []byte, m *model) ([]byte, error) {
	if m.class.aliased {
		// A key that is an alias stands among the extras too.
		d, err := toDict(m)
		if err != nil {
			return dst, err
		}
		return render(dst, ofDict(d))
	}
	if m.oddSet != nil {
		return dst, notASet(*m.oddSet)
	}
	dst = append(dst, '{')
	first := true
	var err error
	for i, v := range m.vals {
		if !m.set.has(i) || m.class.fields[i].undumped {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(wire.AppendString(dst, m.class.fields[i].key), ':')
		if dst, err = render(dst, v); err != nil {
			return dst, err
		}
	}
	if m.extra != nil {
		for _, k := range m.extra.keys {
			if err := encodable(k); err != nil {
				return dst, err
			}
		}
		dst, err = renderMembers(dst, m.extra, first)
	}
	return append(dst, '}'), err
}

func renderMembers(dst []byte, d *dict, first bool) ([]byte, error) {
	for i, k := range d.keys {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		var err error
		dst = append(wire.AppendString(dst, k), ':')
		if dst, err = render(dst, d.vals[i]); err != nil {
			return dst, err
		}
	}
	return dst, nil
}
