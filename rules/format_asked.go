package rules

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"reassay/capture"
	"reassay/wire"
)

// format is the output format that a request asks for.
type format struct {
	json   bool
	object bool       // any JSON object will do
	schema wire.Value // Missing where no schema is named
	forced bool       // asked for by way of a tool that the model must call
}

// formatFields is where a dialect's request asks for JSON.
// Sources: https://platform.openai.com/docs/guides/structured-outputs (response_format, text.format);
// https://platform.claude.com/docs/en/build-with-claude/structured-outputs (output_config.format, before it
// output_format); https://ai.google.dev/gemini-api/docs/structured-output (responseJsonSchema, responseSchema).
var formatFields = map[wire.Dialect]string{
	wire.OpenAIChat:        "response_format",
	wire.OpenAIResponses:   "text.format",
	wire.AnthropicMessages: "output_config.format",
	wire.GeminiGenerate:    "generationConfig.responseJsonSchema",
}

// formatOf reads which format a request asks for.
func formatOf(r *capture.Request) format {
	if r == nil {
		return format{}
	}
	body := r.Body
	switch r.Dialect {
	case wire.OpenAIChat:
		asked := body.Get("response_format")
		return typedFormat(asked, asked.Path("json_schema", "schema"))
	case wire.OpenAIResponses:
		asked := body.Path("text", "format")
		return typedFormat(asked, asked.Get("schema"))
	case wire.AnthropicMessages:
		asked := body.Path("output_config", "format")
		if !asked.Present() {
			asked = body.Get("output_format")
		}
		return typedFormat(asked, asked.Get("schema"))
	case wire.GeminiGenerate:
		config := body.Get("generationConfig")
		f := format{json: config.Get("responseMimeType").Str() == "application/json", schema: config.Get("responseJsonSchema")}
		if old := config.Get("responseSchema"); !f.schema.Present() && old.Present() {
			f.schema = lowerTypes(old)
		}
		f.json = f.json || f.schema.Present()
		return f
	}
	return format{}
}

func typedFormat(asked, schema wire.Value) format {
	switch asked.Get("type").Str() {
	case "json_object":
		return format{json: true, object: true}
	case "json_schema":
		return format{json: true, schema: schema}
	}
	return format{}
}

// sentFormat is the format that a gateway asked the model's API for: in the API's own field, or by a tool that the
// model must call, as gateways do for models without one.
func sentFormat(r *capture.Request) format {
	f := formatOf(r)
	if f.json {
		return f
	}
	choice := r.Body.Get("tool_choice")
	mode := choice.Get("type").Str() + choice.Str() + r.Body.Path("toolConfig", "functionCallingConfig", "mode").Str()
	switch mode {
	case "tool", "any", "function", "required", "ANY":
		return format{json: true, forced: true}
	}
	return f
}

// lowerTypes turns Gemini's schema, whose types are words in upper case and which says nullable, into a JSON Schema.
// Source: https://ai.google.dev/api/caching#Schema.
func lowerTypes(v wire.Value) wire.Value {
	switch v.Kind() {
	case wire.Array:
		elems := make([]wire.Value, len(v.Elems()))
		for i, e := range v.Elems() {
			elems[i] = lowerTypes(e)
		}
		return wire.Arr(elems...)
	case wire.Object:
		var members []wire.Member
		for _, m := range v.Members() {
			switch {
			case m.Key == "type" && m.Value.Kind() == wire.String && v.Get("nullable").True():
				m.Value = wire.Arr(wire.Of(strings.ToLower(m.Value.Str())), wire.Of("null"))
			case m.Key == "type" && m.Value.Kind() == wire.String:
				m.Value = wire.Of(strings.ToLower(m.Value.Str()))
			case m.Key == "enum" || m.Key == "example" || m.Key == "default":
			case m.Key == "nullable":
				continue
			default:
				m.Value = lowerTypes(m.Value)
			}
			members = append(members, m)
		}
		return wire.Obj(members...)
	}
	return v
}

// breach says in what a text fails the format, "" when it keeps it. known is false where that cannot be told: the schema
// cannot be read, or not within bounds. Then nothing is claimed of the text.
func (f format) breach(text string) (how string, known bool) {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return "is not JSON", true
	}
	if !f.schema.Present() {
		if _, object := value.(map[string]any); f.object && !object {
			return "is no JSON object", true
		}
		return "", true
	}
	parsed, err := wire.Parse([]byte(text))
	if err != nil || !judgeable(f.schema, parsed) {
		return "", false
	}
	return breachOf(f.schema, value)
}

// breachOf validates. The validator is not ours: should it panic on a schema that nobody thought of, nothing is claimed,
// and the exchange is judged by the other rules.
func breachOf(schema wire.Value, value any) (how string, known bool) {
	defer func() {
		if recover() != nil {
			how, known = "", false
		}
	}()
	compiled, err := compileSchema(schema)
	if err != nil {
		return "", false
	}
	var invalid *jsonschema.ValidationError
	if err := compiled.Validate(value); errors.As(err, &invalid) {
		return "does not keep the schema: " + keyword(invalid), true
	}
	return "", true
}

// maxSchema is the size of a schema that is compiled, in bytes. Vendors take far smaller ones.
// Source: https://platform.openai.com/docs/guides/structured-outputs (at most 120,000 characters of names and values).
const maxSchema = 256 << 10

func compileSchema(v wire.Value) (*jsonschema.Schema, error) {
	text := v.JSON()
	if len(text) > maxSchema {
		return nil, fmt.Errorf("the schema has %d bytes, the limit is %d", len(text), maxSchema)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	const here = "request.json"
	if err := c.AddResource(here, doc); err != nil {
		return nil, err
	}
	return c.Compile(here)
}

// noLoader keeps a captured schema from naming files and addresses to read.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("schema names the outside document %s", url)
}

// keyword is the schema's keyword that is broken, the innermost first one: it quotes neither schema nor text.
func keyword(e *jsonschema.ValidationError) string {
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	if path := e.ErrorKind.KeywordPath(); len(path) > 0 {
		return path[len(path)-1]
	}
	return "schema"
}
