package assemble

import (
	"strconv"

	"reassay/sse"
	"reassay/wire"
)

// geminiData are the fields of a part of which it has one: the part's union field "data".
// Source: https://ai.google.dev/api/caching#Part; @google/genai 2.32.0 Part (toolCall, toolResponse,
// audioTranscription).
var geminiData = set("text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode",
	"codeExecutionResult", "toolCall", "toolResponse", "audioTranscription")

// part is one part of a candidate on its way.
type part struct {
	value       wire.Value // as the first chunk gave it
	joins       bool       // a text part that further text may be added to
	text        joiner
	pieces      []Piece // of text
	signature   wire.Value
	signedAt    At
	first, last At
	call        *streamedCall // arguments that come in pieces
}

func (g *generation) addContent(e sse.Event, c *candidate, v wire.Value, finished bool) {
	if v.Kind() != wire.Object {
		if v.Present() {
			g.candidateFault(WrongType, g.at(e, v), c, ".content", v, wire.Value{})
		}
		return
	}
	for _, m := range v.Members() {
		g.unknown("candidates[].content.", m, geminiContentFields)
		switch {
		case m.Key == "parts":
		case m.Key == "role" && m.Value.Present() && m.Value.Str() != geminiModel:
			g.candidateFault(RoleInvalid, g.at(e, m.Value), c, ".content.role", m.Value, wire.Of(geminiModel))
			fallthrough
		case m.Value.Present() || !c.content.get(m.Key).Exists():
			c.content.set(m.Key, m.Value)
		}
	}
	parts := v.Get("parts")
	if !parts.Present() {
		return
	}
	if parts.Kind() != wire.Array {
		g.candidateFault(WrongType, g.at(e, parts), c, ".content.parts", parts, wire.Value{})
		return
	}
	c.hasParts = true
	for _, p := range parts.Elems() {
		g.addPart(e, c, p, finished)
	}
}

// addPart adds a part, or joins it with the one before, as the whole reply would have it: text to text and thought to
// thought. A signature ends the part that it stands on; that of an empty part is the part's before it, when that
// takes more text.
func (g *generation) addPart(e sse.Event, c *candidate, v wire.Value, finished bool) {
	at := g.at(e, v)
	p := &part{value: v, signature: v.Get("thoughtSignature"), first: at, last: at, signedAt: g.at(e, v.Get("thoughtSignature"))}
	p.joins = plainText(v)
	empty := p.joins && v.Get("text").Str() == "" && !p.signature.Present()
	if finished && !empty {
		g.candidateFault(AfterFinish, at, c, g.nextPart(c), v, c.finish())
	}
	if v.Kind() != wire.Object {
		g.candidateFault(WrongType, at, c, g.nextPart(c), v, wire.Value{})
		c.parts = append(c.parts, p)
		return
	}
	for _, m := range v.Members() {
		g.unknown("candidates[].content.parts[].", m, geminiPartFields)
	}
	if call := v.Get("functionCall"); call.Exists() && g.streamCall(e, c, p, call) {
		return
	}
	if empty {
		return
	}
	if p.joins {
		p.add(v.Get("text").Str(), at)
		p.joins = !p.signature.Present()
		if last := c.lastPart(); last != nil && last.joins && thought(last.value) == thought(v) {
			last.add(v.Get("text").Str(), at)
			last.last = at
			if p.signature.Present() {
				last.signature, last.signedAt, last.joins = p.signature, p.signedAt, false
			}
			return
		}
	} else {
		g.checkPart(e, c, v)
	}
	c.parts = append(c.parts, p)
}

func (p *part) add(s string, at At) {
	p.text.add(s)
	p.pieces = append(p.pieces, Piece{at, len(p.text)})
}

// plainText reports whether a part is text, or a thought, and nothing else that would be lost by joining it.
func plainText(v wire.Value) bool {
	for _, m := range v.Members() {
		switch {
		case m.Key == "text" && m.Value.Kind() == wire.String:
		case m.Key == "thought" && m.Value.Kind() == wire.Bool:
		case m.Key == "thoughtSignature" && m.Value.Kind() == wire.String:
		default:
			return false
		}
	}
	return v.Get("text").Exists()
}

func thought(v wire.Value) bool { return v.Get("thought").True() }

func (c *candidate) lastPart() *part {
	if len(c.parts) == 0 {
		return nil
	}
	return c.parts[len(c.parts)-1]
}

// nextPart is the path, below the candidate, of the part that comes next.
func (g *generation) nextPart(c *candidate) string { return partPath(len(c.parts)) }

func partPath(i int) string { return ".content.parts[" + strconv.Itoa(i) + "]" }

// checkPart notes what is wrong with a part that is not plain text.
func (g *generation) checkPart(e sse.Event, c *candidate, v wire.Value) {
	at, path := g.at(e, v), g.nextPart(c)
	known := false
	for key := range geminiData {
		known = known || v.Get(key).Exists()
	}
	if text := v.Get("text"); text.Exists() && text.Kind() != wire.String {
		g.candidateFault(WrongType, g.at(e, text), c, path+".text", text, wire.Value{})
	}
	if sig := v.Get("thoughtSignature"); sig.Present() && sig.Kind() != wire.String {
		g.candidateFault(WrongType, g.at(e, sig), c, path+".thoughtSignature", sig, wire.Value{})
	}
	// A part may hold its metadata alone: a signature without data.
	if !known && !v.Get("thoughtSignature").Exists() {
		g.candidateFault(UnknownEvent, at, c, path, v, wire.Value{})
	}
	if call := v.Get("functionCall"); call.Exists() {
		g.checkCall(e, c, path+".functionCall", call)
	}
}

// checkCall notes what is wrong with a call: its name is required, its id and its arguments are not.
func (g *generation) checkCall(e sse.Event, c *candidate, path string, call wire.Value) {
	if call.Kind() != wire.Object {
		g.candidateFault(WrongType, g.at(e, call), c, path, call, wire.Value{})
		return
	}
	if name := call.Get("name"); name.Str() == "" {
		g.candidateFault(NameMissing, g.at(e, call), c, path+".name", name, wire.Value{})
	}
	if id := call.Get("id"); id.Present() {
		switch {
		case id.Kind() != wire.String:
			g.candidateFault(WrongType, g.at(e, id), c, path+".id", id, wire.Value{})
		case id.Str() == "":
			g.candidateFault(CallIDEmpty, g.at(e, id), c, path+".id", id, wire.Value{})
		case c.ids[id.Str()]:
			g.candidateFault(CallIDReused, g.at(e, id), c, path+".id", id, wire.Value{})
		}
		c.ids[id.Str()] = true
	}
	switch args := call.Get("args"); {
	case !args.Exists() || args.Kind() == wire.Object:
	case !args.Present() || args.Kind() == wire.String && args.Str() == "":
		g.candidateFault(ArgsEmpty, g.at(e, args), c, path+".args", args, wire.Obj())
	default:
		g.candidateFault(ArgsNotObject, g.at(e, args), c, path+".args", args, wire.Value{})
	}
}

// whole is the candidate as a reply that is not streamed has it.
func (g *generation) whole(c *candidate) wire.Value {
	var v object
	parts := make([]wire.Value, len(c.parts))
	for i, p := range c.parts {
		path := c.path + partPath(i)
		g.span(Place{path, p.first, p.last, p.pieces})
		if p.signature.Present() {
			g.wrote(path+".thoughtSignature", p.signedAt)
		}
		parts[i] = g.wholePart(c, i, p)
	}
	if c.hasParts {
		c.content.set("parts", wire.Arr(parts...))
	}
	if !c.content.empty() {
		v.set("content", c.content.value())
	}
	v.lay(c.fields.value())
	v.lay(c.pieces.value())
	if c.spelt.Exists() {
		v.set("index", c.spelt)
	}
	return v.value()
}

func (g *generation) wholePart(c *candidate, i int, p *part) wire.Value {
	v := p.value
	if len(p.text) > 0 {
		v = v.With("text", wire.Of(p.text.String()))
	}
	if p.signature.Present() {
		v = v.With("thoughtSignature", p.signature)
	}
	if p.call != nil {
		if p.call.open && !g.out.Error.Exists() {
			g.candidateFault(ArgsCut, p.last, c, partPath(i)+".functionCall.args", wire.Value{}, wire.Value{})
		}
		v = v.With("functionCall", p.call.value())
	}
	return v
}
