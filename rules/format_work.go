package rules

import (
	"net/url"
	"regexp/syntax"
	"strconv"
	"strings"

	"reassay/wire"
)

// What validating may take. Nothing can stop the validator once it runs, so what is over a limit is not judged by.
const (
	// maxSchemaWork is how many times a part of a schema may be laid beside a part of a text: a few references that
	// meet again at every level make the work double with each.
	maxSchemaWork = 1_000_000
	// maxPatternWork bounds the instructions of patterns times the bytes that they are matched against.
	maxPatternWork = 20_000_000
	// maxSchemaDepth is how deeply a schema may be nested; vendors take ten levels, of two JSON levels each.
	// Source: https://platform.openai.com/docs/guides/structured-outputs.
	maxSchemaDepth = 100
	// maxDigits and maxExponent bound a number, which is compared in full: 1e1000000 has a million digits.
	maxDigits, maxExponent = 1000, 400
)

// schemaWork bounds from above what validating by a schema costs.
type schemaWork struct {
	root     wire.Value
	left     int
	patterns int
	odd      bool // the text has characters that patterns of ECMAScript's read otherwise than Go's
}

// judgeable reports whether a schema can be laid beside a text in a bounded number of steps, and means to this validator
// what it means to others. A schema with references to anything but its own parts does not, nor one with a pattern that
// Go cannot read or reads otherwise.
func judgeable(schema, value wire.Value) bool {
	w := schemaWork{root: schema, left: maxSchemaWork, patterns: maxPatternWork, odd: hasAny(value, ecmaSpaces)}
	return depthWithin(schema, maxSchemaDepth) && plainNumbers(schema) && plainNumbers(value) && w.patternsKnown(schema) && w.walk(schema, value, 0)
}

// ecmaSpaces are the characters over which ECMAScript's \s and . differ from Go's.
// Source: https://262.ecma-international.org/#sec-runtime-semantics-compiletocharset-abstract-operation (white space
// and line terminators), https://pkg.go.dev/regexp/syntax.
const ecmaSpaces = "\v\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

// patternsKnown reports whether Go reads every pattern of a schema, and as ECMAScript does where that matters here.
func (w *schemaWork) patternsKnown(schema wire.Value) bool {
	known := func(pattern string) bool {
		_, ok := instructions(pattern)
		return ok && !w.odd
	}
	for _, m := range schema.Members() {
		switch m.Key {
		case "pattern":
			if m.Value.Kind() == wire.String && !known(m.Value.Str()) {
				return false
			}
		case "patternProperties":
			for _, p := range m.Value.Members() {
				if !known(p.Key) {
					return false
				}
			}
		}
		if !w.patternsKnown(m.Value) {
			return false
		}
	}
	for _, e := range schema.Elems() {
		if !w.patternsKnown(e) {
			return false
		}
	}
	return true
}

// instructions is the size of the program that a pattern is compiled to.
func instructions(pattern string) (n int, ok bool) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0, false
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0, false
	}
	return len(program.Inst), true
}

// match counts what it takes to match a pattern against a text.
func (w *schemaWork) match(pattern, text string) bool {
	n, ok := instructions(pattern)
	w.patterns -= n * (len(text) + 1)
	return ok && w.patterns >= 0
}

// spend takes steps, and reports whether there were as many left.
func (w *schemaWork) spend(steps int) bool {
	w.left -= steps
	return w.left >= 0
}

// walk counts the steps of one schema against one value, and reports whether they stay within the bound.
func (w *schemaWork) walk(schema, value wire.Value, refs int) bool {
	if !w.spend(1) || refs > maxSchemaDepth {
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
		case "pattern":
			ok = value.Kind() != wire.String || w.match(m.Value.Str(), value.Str())
		case "patternProperties":
			for _, p := range m.Value.Members() {
				for _, of := range value.Members() {
					ok = ok && w.match(p.Key, of.Key) && w.walk(p.Value, of.Value, 0)
				}
			}
		case "propertyNames":
			for _, of := range value.Members() {
				ok = ok && w.walk(m.Value, wire.Of(of.Key), 0)
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
		case "additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems", "contains":
			ok = w.each(m.Value, value)
		case "enum", "const":
			ok = w.count(m.Value)
		case "uniqueItems":
			ok = w.spend(len(value.Elems()) * len(value.Elems()))
		}
		if !ok {
			return false
		}
	}
	return true
}

// count takes the parts of a value as steps.
func (w *schemaWork) count(v wire.Value) bool {
	if !w.spend(1) {
		return false
	}
	for _, m := range v.Members() {
		if !w.count(m.Value) {
			return false
		}
	}
	for _, e := range v.Elems() {
		if !w.count(e) {
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

// plainNumbers reports whether every number in v is one that can be compared in full.
func plainNumbers(v wire.Value) bool {
	if v.Kind() == wire.Number {
		digits, exponent, _ := strings.Cut(strings.ToLower(v.Num()), "e")
		n, err := strconv.Atoi(strings.TrimPrefix(exponent, "+"))
		return len(digits) <= maxDigits && (exponent == "" || err == nil && n >= -maxExponent && n <= maxExponent)
	}
	for _, m := range v.Members() {
		if !plainNumbers(m.Value) {
			return false
		}
	}
	for _, e := range v.Elems() {
		if !plainNumbers(e) {
			return false
		}
	}
	return true
}

// hasAny reports whether a string or key in v holds one of the characters.
func hasAny(v wire.Value, chars string) bool {
	if v.Kind() == wire.String {
		return strings.ContainsAny(v.Str(), chars)
	}
	for _, m := range v.Members() {
		if strings.ContainsAny(m.Key, chars) || hasAny(m.Value, chars) {
			return true
		}
	}
	for _, e := range v.Elems() {
		if hasAny(e, chars) {
			return true
		}
	}
	return false
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
