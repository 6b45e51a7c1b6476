package golang

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"time"

	"reassay/wire"
)

// stand are numbers that stand for those that JSON lacks until the text is made: the largest that have no other use.
var stand = []struct {
	name  string
	value float64
}{
	{"NaN", math.MaxFloat64},
	{"Infinity", math.Nextafter(math.MaxFloat64, 0)},
	{"-Infinity", -math.MaxFloat64},
}

// render is json.Marshal for any value that an SDK hands over. A value without JSON is one that its caller holds
// nevertheless: a number that is none or infinite is rendered as {"$": "NaN"} (contract, section 4), bytes of JSON that
// are none as a string, a time whose offset RFC 3339 does not know in UTC.
func render[T any](v T) ([]byte, error) {
	text, err := json.Marshal(v)
	if err == nil {
		return text, nil
	}
	held := reflect.New(reflect.TypeFor[T]()).Elem()
	held.Set(reflect.ValueOf(v))
	if text, err = json.Marshal(renderable(held).Interface()); err != nil {
		return nil, err
	}
	tree, err := wire.Parse(text)
	if err != nil {
		return nil, err
	}
	return withoutStand(tree).JSON(), nil
}

var (
	rawMessage = reflect.TypeFor[json.RawMessage]()
	timeType   = reflect.TypeFor[time.Time]()
)

// renderable is a copy of v with JSON for every value in it.
func renderable(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch {
	case v.Type() == rawMessage:
		if raw := v.Bytes(); raw != nil && !json.Valid(raw) {
			text, _ := json.Marshal(string(raw)) // a string always has JSON
			out.SetBytes(text)
		}
		return out
	case v.Type() == timeType:
		at := v.Interface().(time.Time)
		if _, err := at.MarshalJSON(); err != nil {
			out.Set(reflect.ValueOf(at.UTC()))
		}
		return out
	}
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		switch f := v.Float(); {
		case math.IsNaN(f):
			out.SetFloat(stand[0].value)
		case math.IsInf(f, 1):
			out.SetFloat(stand[1].value)
		case math.IsInf(f, -1):
			out.SetFloat(stand[2].value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if out.Field(i).CanSet() {
				out.Field(i).Set(renderable(v.Field(i)))
			}
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(renderable(v.Index(i)))
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
			for _, key := range v.MapKeys() {
				out.SetMapIndex(key, renderable(v.MapIndex(key)))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(renderable(v.Elem()))
		}
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(renderable(v.Elem()))
		}
	}
	return out
}

// withoutStand puts the objects for the numbers that JSON lacks where numbers stood for them.
func withoutStand(v wire.Value) wire.Value {
	switch v.Kind() {
	case wire.Number:
		for _, s := range stand {
			if text, _ := json.Marshal(s.value); strings.EqualFold(v.Num(), string(text)) {
				return wire.Obj(wire.Member{Key: "$", Value: wire.Of(s.name)})
			}
		}
	case wire.Array:
		elems := make([]wire.Value, len(v.Elems()))
		for i, e := range v.Elems() {
			elems[i] = withoutStand(e)
		}
		return wire.Arr(elems...)
	case wire.Object:
		members := make([]wire.Member, len(v.Members()))
		for i, m := range v.Members() {
			members[i] = wire.Member{Key: m.Key, Value: withoutStand(m.Value)}
		}
		return wire.Obj(members...)
	}
	return v
}
