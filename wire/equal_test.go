package wire

import (
	"strings"
	"testing"
)

func TestEqual(t *testing.T) {
	parse := func(s string) Value {
		if s == "" {
			return Value{}
		}
		v, err := Parse([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	zeros := strings.Repeat("0", 5000)
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`1`, `1.0`, true}, {`1`, `1e0`, true}, {`10e-1`, `1`, true}, {`0.1`, `1E-1`, true}, {`100`, `1e+2`, true},
		{`1`, `-1`, false}, {`1`, `10`, false}, {`0`, `-0`, true}, {`0`, `0e999999999`, true}, {`0.000`, `-0e-5`, true},
		{`9007199254740993`, `9007199254740992`, false}, {`0.1`, `0.10000000000000001`, false},
		{`1e-999999999`, `2e-999999999`, false}, {`1e-999999999`, `10e-1000000000`, true}, {`1e999999999`, `1e999999998`, false},
		{`1e99999999999999999999`, `10e99999999999999999998`, true}, {`1e99999999999999999999`, `1e99999999999999999998`, false},
		{`1` + zeros, `1e5000`, true}, {`0.` + zeros + `1`, `1e-5001`, true}, {`1` + zeros + `1`, `1e5001`, false},
		{`"a"`, `"\u0061"`, true}, {`"a"`, `"b"`, false}, {`"1"`, `1`, false}, {`"\ud83d"`, `"\ufffd"`, false},
		{`null`, `null`, true}, {`null`, `false`, false}, {`true`, `false`, false}, {`true`, `true`, true},
		{``, ``, true}, {``, `null`, false},
		{`[1,2]`, `[1.0,2]`, true}, {`[1,2]`, `[2,1]`, false}, {`[]`, `[null]`, false}, {`[]`, `{}`, false},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, true}, {`{"a":1}`, `{"a":1,"b":null}`, false}, {`{"a":1}`, `{"b":1}`, false},
		{`{"a":1,"a":2}`, `{"a":2}`, true}, {`{"a":1,"a":2}`, `{"a":3,"a":2}`, true}, {`{"a":1,"a":2}`, `{"a":1,"a":3}`, false},
		{`{"a":1,"b":2,"a":1}`, `{"a":1,"b":2,"b":2}`, true}, {`{"a":{"x":[1]}}`, `{"a":{"x":[2]}}`, false},
	} {
		if got := Equal(parse(c.a), parse(c.b)); got != c.want {
			t.Errorf("Equal(%.40s, %.40s) = %v", c.a, c.b, got)
		}
		if got := Equal(parse(c.b), parse(c.a)); got != c.want {
			t.Errorf("Equal(%.40s, %.40s) = %v", c.b, c.a, got)
		}
	}
}
