package assemble

import (
	"strconv"
	"strings"

	"reassay/sse"
	"reassay/wire"
)

// streamedCall is a function call whose arguments come in pieces: a first part names the function and has
// willContinue, further parts bring partialArgs, a part without willContinue, often an empty call, ends it.
// Source: https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling, "Stream function
// call arguments"; FunctionCall and PartialArg in @google/genai 2.32.0 (Vertex AI only).
type streamedCall struct {
	call wire.Value // as its first part gave it
	args argument
	open bool
}

// argument is one value among the arguments that are still coming.
type argument struct {
	kind  wire.Kind // Missing until something was said of it
	value wire.Value
	text  joiner
	keys  []string
	named map[string]*argument
	elems []*argument
}

// streamCall takes a part whose call comes in pieces. It reports whether the part was used up: it went on with a call
// that stands before it.
func (g *generation) streamCall(e sse.Event, c *candidate, p *part, call wire.Value) bool {
	more := call.Get("willContinue").True()
	if open := c.stream; open != nil && call.Get("name").Str() == "" {
		open.last = p.last
		if p.signature.Present() {
			open.signature, open.signedAt = p.signature, p.signedAt
		}
		open.call.open = more
		g.partialArgs(e, c, len(c.parts)-1, open.call, call)
		if !more {
			c.stream = nil
		}
		return true
	}
	if c.stream != nil { // its end never came, and a new call begins; ArgsCut is noted in the end
		c.stream = nil
	}
	if !more && !call.Get("partialArgs").Exists() {
		return false
	}
	p.call = &streamedCall{call: call, open: more}
	p.call.args.lay(call.Get("args"))
	g.partialArgs(e, c, len(c.parts), p.call, call)
	if more {
		c.stream = p
	}
	return false
}

// partialArgs lays the pieces of arguments over what came before. A piece that cannot be placed is noted.
func (g *generation) partialArgs(e sse.Event, c *candidate, i int, s *streamedCall, call wire.Value) {
	for _, piece := range call.Get("partialArgs").Elems() {
		if !s.args.piece(piece) {
			g.candidateFault(WrongType, g.at(e, piece), c, partPath(i)+".functionCall.partialArgs", piece, wire.Value{})
		}
	}
}

// value is the call as a reply that is not streamed has it.
func (s *streamedCall) value() wire.Value {
	args := s.args.whole()
	if !args.Exists() {
		args = s.call.Get("args")
	}
	return s.call.With("partialArgs", wire.Value{}).With("willContinue", wire.Value{}).With("args", args)
}

// lay begins an argument with a value that is known whole.
func (a *argument) lay(v wire.Value) {
	a.kind, a.value = v.Kind(), v
	switch a.kind {
	case wire.String:
		a.text.add(v.Str())
	case wire.Object:
		for _, m := range v.Members() {
			a.member(m.Key).lay(m.Value)
		}
	case wire.Array:
		for _, e := range v.Elems() {
			x := &argument{}
			x.lay(e)
			a.elems = append(a.elems, x)
		}
	}
}

func (a *argument) member(key string) *argument {
	a.kind = wire.Object
	if a.named == nil {
		a.named = map[string]*argument{}
	}
	if a.named[key] == nil {
		a.named[key] = &argument{}
		a.keys = append(a.keys, key)
	}
	return a.named[key]
}

// piece sets the value that a PartialArg names. ok is false where its path leads nowhere.
func (a *argument) piece(p wire.Value) (ok bool) {
	steps, ok := jsonPath(p.Get("jsonPath").Str())
	if !ok {
		return false
	}
	for _, s := range steps {
		if a, ok = a.step(s); !ok {
			return false
		}
	}
	switch {
	case p.Get("stringValue").Kind() == wire.String:
		a.kind = wire.String
		a.text.add(p.Get("stringValue").Str())
	case p.Get("numberValue").Kind() == wire.Number:
		a.kind, a.value = wire.Number, p.Get("numberValue")
	case p.Get("boolValue").Kind() == wire.Bool:
		a.kind, a.value = wire.Bool, p.Get("boolValue")
	case p.Get("nullValue").Exists():
		a.kind, a.value = wire.Null, wire.OfNull()
	default:
		return false
	}
	return true
}

// step goes one step down. An element may be added at the end of an array, none beyond it: a single large index would
// otherwise cost memory without bound.
func (a *argument) step(s pathStep) (next *argument, ok bool) {
	if s.isKey {
		return a.member(s.key), true
	}
	if s.index > len(a.elems) {
		return nil, false
	}
	a.kind = wire.Array
	if s.index == len(a.elems) {
		a.elems = append(a.elems, &argument{})
	}
	return a.elems[s.index], true
}

func (a *argument) whole() wire.Value {
	switch a.kind {
	case wire.String:
		return wire.Of(a.text.String())
	case wire.Object:
		members := make([]wire.Member, len(a.keys))
		for i, k := range a.keys {
			members[i] = wire.Member{Key: k, Value: a.named[k].whole()}
		}
		return wire.Obj(members...)
	case wire.Array:
		elems := make([]wire.Value, len(a.elems))
		for i, e := range a.elems {
			elems[i] = orNull(e.whole())
		}
		return wire.Arr(elems...)
	}
	return a.value
}

// pathStep is one step of a JSON path: a key or an index.
type pathStep struct {
	key   string
	index int
	isKey bool
}

// jsonPath reads the paths that name one value: "$", then ".name", "['name']", "[\"name\"]" or "[0]".
// Source: RFC 9535, sections 2.5.1 (child segments) and 2.7 (normalized paths).
func jsonPath(s string) (steps []pathStep, ok bool) {
	rest, ok := strings.CutPrefix(s, "$")
	if !ok || len(s) > maxJSONPath {
		return nil, false
	}
	for rest != "" {
		switch {
		case rest[0] == '.':
			rest = rest[1:]
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			if end == 0 {
				return nil, false
			}
			steps = append(steps, pathStep{key: rest[:end], isKey: true})
			rest = rest[end:]
		case strings.HasPrefix(rest, "['") || strings.HasPrefix(rest, `["`):
			key, n, ok := quotedKey(rest[1:])
			if !ok || !strings.HasPrefix(rest[1+n:], "]") {
				return nil, false
			}
			steps = append(steps, pathStep{key: key, isKey: true})
			rest = rest[n+2:]
		case rest[0] == '[':
			inner, after, found := strings.Cut(rest[1:], "]")
			n, err := strconv.Atoi(inner)
			if !found || err != nil || n < 0 {
				return nil, false
			}
			steps = append(steps, pathStep{index: n})
			rest = after
		default:
			return nil, false
		}
	}
	return steps, true
}

// maxJSONPath bounds a path, and so the nesting that one piece can build.
const maxJSONPath = 4096

// quotedKey reads a key in single or double quotes and tells how many bytes it took, quotes included.
func quotedKey(s string) (key string, n int, ok bool) {
	quote := s[0]
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == quote:
			return b.String(), i + 1, true
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return "", 0, false
}
