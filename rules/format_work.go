package rules

import (
	"net/url"
	"strconv"
	"strings"

	"reassay/wire"
)

// maxSchemaWork is how many times a part of a schema may be laid beside a part of a text. A few references that meet
// again at every level make the work double with each: such a schema is not judged by.
const maxSchemaWork = 1_000_000

// maxSchemaDepth is how deeply a schema may be nested; vendors take ten levels, of two JSON levels each.
// Source: https://platform.openai.com/docs/guides/structured-outputs.
const maxSchemaDepth = 100

// schemaWork bounds from above what validating by a schema costs.
type schemaWork struct {
	root wire.Value
	left int
}

// affordable reports whether a text can be laid beside a schema in a bounded number of steps. A schema with references
// to anything but its own parts is not.
func affordable(schema, value wire.Value) bool {
	w := schemaWork{root: schema, left: maxSchemaWork}
	return depthWithin(schema, maxSchemaDepth) && w.walk(schema, value, 0)
}

// walk counts the steps of one schema against one value, and reports whether they stay within the bound.
func (w *schemaWork) walk(schema, value wire.Value, refs int) bool {
	if w.left--; w.left < 0 || refs > maxSchemaDepth {
		return false
	}
	for _, m := range schema.Members() {
		ok := true
		switch m.Key {
		case "$ref", "$dynamicRef", "$recursiveRef":
			target, known := w.resolve(m.Value.Str())
			ok = known && w.walk(target, value, refs+1)
		case "allOf", "anyOf", "oneOf":
			for _, s := range m.Value.Elems() {
				ok = ok && w.walk(s, value, refs)
			}
		case "not", "if", "then", "else":
			ok = w.walk(m.Value, value, refs)
		case "dependentSchemas":
			for _, s := range m.Value.Members() {
				ok = ok && w.walk(s.Value, value, refs)
			}
		case "properties":
			for _, p := range m.Value.Members() {
				if v := value.Get(p.Key); v.Exists() {
					ok = ok && w.walk(p.Value, v, 0)
				}
			}
		case "patternProperties":
			for _, p := range m.Value.Members() {
				ok = ok && w.each(p.Value, value)
			}
		case "prefixItems":
			for i, s := range m.Value.Elems() {
				ok = ok && w.walk(s, value.At(i), 0)
			}
		case "items":
			for _, s := range m.Value.Elems() { // before the draft of 2020
				ok = ok && w.each(s, value)
			}
			ok = ok && w.each(m.Value, value)
		case "additionalProperties", "unevaluatedProperties", "propertyNames", "additionalItems", "unevaluatedItems", "contains":
			ok = w.each(m.Value, value)
		}
		if !ok {
			return false
		}
	}
	return true
}

// each lays a schema beside every part of a value.
func (w *schemaWork) each(schema, value wire.Value) bool {
	for _, m := range value.Members() {
		if !w.walk(schema, m.Value, 0) {
			return false
		}
	}
	for _, e := range value.Elems() {
		if !w.walk(schema, e, 0) {
			return false
		}
	}
	return true
}

// resolve is the part of the schema that a reference within it names, by RFC 6901.
func (w *schemaWork) resolve(ref string) (wire.Value, bool) {
	pointer, local := strings.CutPrefix(ref, "#")
	if unescaped, err := url.PathUnescape(pointer); err == nil {
		pointer = unescaped
	}
	at := w.root
	if !local || pointer != "" && pointer[0] != '/' {
		return at, false
	}
	for _, token := range strings.Split(pointer, "/")[1:] {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		if i, err := strconv.Atoi(token); err == nil && at.Kind() == wire.Array {
			at = at.At(i)
			continue
		}
		at = at.Get(token)
	}
	return at, at.Exists()
}

func depthWithin(v wire.Value, levels int) bool {
	if levels < 0 {
		return false
	}
	for _, m := range v.Members() {
		if !depthWithin(m.Value, levels-1) {
			return false
		}
	}
	for _, e := range v.Elems() {
		if !depthWithin(e, levels-1) {
			return false
		}
	}
	return true
}
