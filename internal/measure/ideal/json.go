package ideal

import (
	"fmt"

	"reassay/wire"
)

// Obj builds an object from keys and values in turn. A value is a wire.Value, a string, an int, a bool, nil for null,
// or a []wire.Value; a Missing value leaves its key out.
func Obj(keysAndValues ...any) wire.Value {
	members := make([]wire.Member, 0, len(keysAndValues)/2)
	for i := 0; i < len(keysAndValues); i += 2 {
		members = append(members, wire.Member{Key: keysAndValues[i].(string), Value: value(keysAndValues[i+1])})
	}
	return wire.Obj(members...)
}

func value(x any) wire.Value {
	switch x := x.(type) {
	case nil:
		return wire.OfNull()
	case wire.Value:
		return x
	case string:
		return wire.Of(x)
	case int:
		return wire.OfInt(x)
	case bool:
		return wire.OfBool(x)
	case []wire.Value:
		return wire.Arr(x...)
	}
	panic(fmt.Sprintf("no JSON is made of a %T", x))
}

// JSON parses a text that is written in this program: it must be JSON.
func JSON(text string) wire.Value {
	v, err := wire.Parse([]byte(text))
	if err != nil {
		panic(fmt.Sprintf("%q: %v", text, err))
	}
	return v
}

// argument is a call's arguments as a value: where their text is no JSON, as a fault makes it, the text itself.
func argument(p Piece) wire.Value {
	v, err := wire.Parse([]byte(p.Whole()))
	if err != nil {
		return wire.Of(p.Whole())
	}
	return v
}

func orNull(s string) wire.Value {
	if s == "" {
		return wire.OfNull()
	}
	return wire.Of(s)
}

// unless leaves a key out where s is empty.
func unless(s string) wire.Value {
	if s == "" {
		return wire.Value{}
	}
	return wire.Of(s)
}
