package rules

import (
	"fmt"
	"strings"
	"testing"

	"reassay/capture"
	"reassay/wire"
)

func TestBreach(t *testing.T) {
	nested := strings.Repeat(`{"properties":{"a":`, 2000) + `{}` + strings.Repeat(`}}`, 2000)
	doubling := `{"$defs":{"d0":{}`
	for i := 1; i < 60; i++ {
		doubling += fmt.Sprintf(`,"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i-1, i-1)
	}
	doubling += `},"$ref":"#/$defs/d59"}`
	for _, c := range []struct{ name, format, text, want string }{
		{"prose", `{"type":"json_object"}`, `Sure.`, "is not JSON"},
		{"fence", `{"type":"json_object"}`, "```json\n{}\n```", "is not JSON"},
		{"two values", `{"type":"json_object"}`, `{} {}`, "is not JSON"},
		{"array for an object", `{"type":"json_object"}`, `[1]`, "is no JSON object"},
		{"white space around", `{"type":"json_object"}`, "\n {} \n", ""},
		{"missing key", `{"type":"json_schema","json_schema":{"schema":{"required":["a"]}}}`, `{}`, "does not keep the schema: required"},
		{"canary", `{"type":"json_schema","json_schema":{"schema":{"properties":{"a":{"const":1}}}}}`, `{"a":2}`, "does not keep the schema: const"},
		{"reference", `{"type":"json_schema","json_schema":{"schema":{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}}}}}`, `{"next":{"next":3}}`, "does not keep the schema: type"},
		{"reference to itself", `{"type":"json_schema","json_schema":{"schema":{"$ref":"#"}}}`, `{}`, ""},
		{"outside reference", `{"type":"json_schema","json_schema":{"schema":{"$ref":"file:///etc/passwd"}}}`, `{}`, ""},
		{"pattern of ECMAScript alone", `{"type":"json_schema","json_schema":{"schema":{"pattern":"^(?=a)b"}}}`, `"x"`, ""},
		{"no schema", `{"type":"json_schema"}`, `3`, ""},
		{"schema that is none", `{"type":"json_schema","json_schema":{"schema":{"type":7}}}`, `3`, ""},
		{"deep schema", `{"type":"json_schema","json_schema":{"schema":` + nested + `}}`, `{}`, ""},
		{"references that double", `{"type":"json_schema","json_schema":{"schema":` + doubling + `}}`, `{}`, ""},
		{"recursion that doubles", `{"type":"json_schema","json_schema":{"schema":{"properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}}}`,
			strings.Repeat(`{"a":`, 80) + `1` + strings.Repeat(`}`, 80), ""},
		{"number too large to compare", `{"type":"json_schema","json_schema":{"schema":{"minimum":0}}}`, `1e1000001`, ""},
		{"numbers too large to compare", `{"type":"json_schema","json_schema":{"schema":{"items":{"minimum":0}}}}`, `[` + strings.Repeat("1e1000000,", 2000) + `1]`, ""},
		{"bound too large to compare", `{"type":"json_schema","json_schema":{"schema":{"multipleOf":1e-1000001}}}`, `3`, ""},
		{"patterns that cost much", `{"type":"json_schema","json_schema":{"schema":{"allOf":[` + strings.Repeat(`{"not":{"pattern":"(a?){900}y"}},`, 20) + `{}]}}}`, `"` + strings.Repeat("a", 100000) + `"`, ""},
		{"pattern of ECMAScript under not", `{"type":"json_schema","json_schema":{"schema":{"properties":{"city":{"not":{"pattern":"^(?!Oslo)"}}}}}}`, `{"city":"Oslo"}`, ""},
		{"key pattern of ECMAScript", `{"type":"json_schema","json_schema":{"schema":{"patternProperties":{"^(?!x-)":{"type":"number"}}}}}`, `{"x-a":"s"}`, ""},
		{"white space that Go does not know", `{"type":"json_schema","json_schema":{"schema":{"pattern":"^\\s$"}}}`, "\"\u00a0\"", ""},
		{"a plain pattern", `{"type":"json_schema","json_schema":{"schema":{"pattern":"^[a-z]+$"}}}`, `"A"`, "does not keep the schema: pattern"},
		{"names of keys", `{"type":"json_schema","json_schema":{"schema":{"propertyNames":{"maxLength":1}}}}`, `{"ab":1}`, "does not keep the schema: maxLength"},
		{"unique items", `{"type":"json_schema","json_schema":{"schema":{"uniqueItems":true}}}`, `[1,1.0]`, "does not keep the schema: uniqueItems"},
		{"big number", `{"type":"json_schema","json_schema":{"schema":{"type":"integer","maximum":9007199254740993}}}`, `9007199254740994`, "does not keep the schema: maximum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body, err := wire.Parse([]byte(`{"response_format":` + c.format + `}`))
			if err != nil {
				t.Fatal(err)
			}
			f := formatOf(&capture.Request{Dialect: wire.OpenAIChat, Body: body})
			if got, _ := f.breach(c.text); !f.json || got != c.want {
				t.Errorf("breach %q (json %v), want %q", got, f.json, c.want)
			}
		})
	}
}

// Every dialect's own form is read.
func TestFormatOf(t *testing.T) {
	const schema = `{"type":"object","required":["a"]}`
	for _, c := range []struct {
		dialect    wire.Dialect
		body       string
		json, kept bool
	}{
		{wire.OpenAIChat, `{"response_format":{"type":"json_schema","json_schema":{"schema":` + schema + `}}}`, true, true},
		{wire.OpenAIChat, `{"response_format":{"type":"text"}}`, false, false},
		{wire.OpenAIResponses, `{"text":{"format":{"type":"json_schema","schema":` + schema + `}}}`, true, true},
		{wire.AnthropicMessages, `{"output_config":{"format":{"type":"json_schema","schema":` + schema + `}}}`, true, true},
		{wire.AnthropicMessages, `{"output_format":{"type":"json_schema","schema":` + schema + `}}`, true, true},
		{wire.GeminiGenerate, `{"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":` + schema + `}}`, true, true},
		{wire.GeminiGenerate, `{"generationConfig":{"responseMimeType":"application/json","responseSchema":{"type":"OBJECT","nullable":false,"required":["a"]}}}`, true, true},
		{wire.GeminiGenerate, `{"generationConfig":{"responseMimeType":"text/plain"}}`, false, false},
	} {
		body, err := wire.Parse([]byte(c.body))
		if err != nil {
			t.Fatal(err)
		}
		f := formatOf(&capture.Request{Dialect: c.dialect, Body: body})
		empty, _ := f.breach(`{}`)
		full, known := f.breach(`{"a":1}`)
		if f.json != c.json || (empty != "") != c.kept || c.json && (full != "" || !known) {
			t.Errorf("%s %s: json %v, breach of {} %q, of a %q (%v)", c.dialect, c.body, f.json, empty, full, known)
		}
	}
}
