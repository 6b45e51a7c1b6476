package wire

import (
	"errors"
	"strings"
	"testing"
)

func TestHashGoesWithEqual(t *testing.T) {
	deep := strings.Repeat("[", 900) + strings.Repeat("]", 900)
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`1`, `1.0`, true}, {`1`, `10e-1`, true}, {`0`, `-0.00e5`, true}, {`1`, `-1`, false}, {`1`, `10`, false},
		{`1e999999999999999999999`, `10e999999999999999999998`, true}, {`1e400`, `1e401`, false}, {`0.001`, `1E-3`, true},
		{`1e-2147483648`, `0.1e-2147483647`, true},
		{`"a"`, `"\u0061"`, true}, {`"1"`, `1`, false}, {`true`, `false`, false}, {`null`, `0`, false},
		{`[1,2]`, `[1.0,2]`, true}, {`[1,2]`, `[2,1]`, false}, {`[[],[]]`, `[[[]]]`, false},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, true}, {`{"a":1,"b":2}`, `{"a":2,"b":1}`, false},
		{`{"a":1,"a":2}`, `{"a":2}`, true}, {`{"a":1}`, `{"a":{"a":1}}`, false}, {`{}`, `[]`, false}, {deep, deep, true},
	} {
		a, err := Parse([]byte(c.a))
		if err != nil {
			t.Fatal(err)
		}
		b, err := Parse([]byte(c.b))
		if err != nil {
			t.Fatal(err)
		}
		if Equal(a, b) != c.same {
			t.Fatalf("Equal of %s and %s is %t", c.a, c.b, !c.same)
		}
		if (Hash(a) == Hash(b)) != c.same {
			t.Errorf("the hashes of %s and %s: same %t, want %t", c.a, c.b, !c.same, c.same)
		}
	}
}

func TestLimitsAreToldApartFromFaults(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		limit bool
	}{
		"deep":       {strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1), true},
		"values":     {"[" + strings.Repeat("0,", MaxValues) + "0]", true},
		"containers": {"[" + strings.Repeat("[],", MaxContainers) + "0]", true},
		"no JSON":    {"[,]", false},
	} {
		_, err := Parse([]byte(c.text))
		var bad *SyntaxError
		if !errors.As(err, &bad) || bad.Limit != c.limit {
			t.Errorf("%s: %v, want an error with Limit %t", name, err, c.limit)
		}
	}
}

func TestReaderCountsOverTexts(t *testing.T) {
	text := []byte("[" + strings.Repeat("[],", MaxContainers/2) + "0]")
	var r Reader
	if _, err := r.Parse(text); err != nil {
		t.Fatal(err)
	}
	_, err := r.Parse(text)
	var bad *SyntaxError
	if !errors.As(err, &bad) || !bad.Limit {
		t.Errorf("a second text of half the limit: %v, want the limit", err)
	}
}
