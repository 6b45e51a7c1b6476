package rules

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reassay/wire"
)

func parsed(t *testing.T, text string) wire.Value {
	t.Helper()
	v, err := wire.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Each bound alone keeps a schema away from the validator, which nothing could stop.
func TestJudgeable(t *testing.T) {
	nested := strings.Repeat(`{"properties":{"a":`, 60) + `{}` + strings.Repeat(`}}`, 60)
	words := func(n int) string { return `["` + strings.Repeat(`w","`, n) + `w"]` }
	for _, c := range []struct {
		name, schema, text string
		want               bool
	}{
		{"plain", `{"type":"object","properties":{"a":{"pattern":"^[a-z]+$","enum":["x","y"]}},"uniqueItems":true}`, `{"a":"x"}`, true},
		{"reference to a part", `{"$ref":"#/$defs/n","$defs":{"n":{"type":"number"}}}`, `1`, true},
		{"depth", nested, `{}`, false},
		{"number of the text", `{"minimum":0}`, `1e401`, false},
		{"digits of the text", `{"minimum":0}`, strings.Repeat("1", 1001), false},
		{"number of the schema", `{"multipleOf":1e-401}`, `3`, false},
		{"reference to itself", `{"$ref":"#"}`, `{}`, false},
		{"reference to an outside document", `{"$ref":"https://example.com/a.json"}`, `{}`, false},
		{"reference to an anchor", `{"$ref":"#n","$defs":{"n":{"$anchor":"n"}}}`, `{}`, false},
		{"pattern that Go lacks", `{"not":{"pattern":"^(?!a)"}}`, `"b"`, false},
		{"key pattern that Go lacks", `{"patternProperties":{"(?=a)":{}}}`, `{}`, false},
		{"white space beside a pattern", `{"pattern":"^\\s$"}`, `"\u00a0"`, false},
		{"white space in a key beside a pattern", `{"pattern":"^.$"}`, `{"\r":1}`, false},
		{"work of patterns", `{"items":{"pattern":"(a?){500}y"}}`, `["` + strings.Repeat("a", 40000) + `"]`, false},
		{"work of key patterns", `{"patternProperties":{"(a?){500}y":{}}}`, `{"` + strings.Repeat("a", 40000) + `":1}`, false},
		{"work of parts", `{"items":{"allOf":[` + strings.Repeat(`{},`, 200) + `{}]}}`, words(6000), false},
		{"work of an enumeration", `{"items":{"enum":` + words(1000) + `}}`, words(1100), false},
		{"work of unique items", `{"uniqueItems":true}`, words(1100), false},
		{"work of names", `{"propertyNames":{"enum":` + words(1000000) + `}}`, `{"a":1}`, false},
	} {
		if got := judgeable(parsed(t, c.schema), parsed(t, c.text)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// The validator's own panic is not the program's: without the bounds this number has a nil one behind it.
func TestValidatorsPanic(t *testing.T) {
	if how, known := breachOf(parsed(t, `{"minimum":0}`), json.Number("1e1000001")); how != "" || known {
		t.Errorf("%q (%v), want no claim", how, known)
	}
}

// A captured schema cannot have files read: here its meta schema is one that is there and right.
func TestSchemasReadNoFiles(t *testing.T) {
	meta := filepath.Join(t.TempDir(), "meta.json")
	if err := os.WriteFile(meta, []byte(`{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"file://`+meta+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, schema := range []string{`{"$schema":"file://` + meta + `","type":"string"}`, `{"$ref":"file://` + meta + `"}`} {
		if _, err := compileSchema(parsed(t, schema)); err == nil || !strings.Contains(err.Error(), "outside document") {
			t.Errorf("%s: %v, want a refusal to read it", schema, err)
		}
	}
}
