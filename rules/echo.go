package rules

import (
	"slices"
	"strings"

	"reassay/convir"
	"reassay/wire"
)

// echoAsked reports a member of the request that the reply echoes otherwise. Where the model's own reply, in the same
// dialect, echoes it so, it is the vendor's word and no fault.
func (p *Pass) echoAsked(l *Leg, f Finding, asked, echoed wire.Value) {
	for _, up := range []*Leg{p.Case.Upstream, p.Case.UpstreamWhole} {
		if up != nil && up.Dialect == l.Dialect && wire.Equal(withoutNulls(at(up.Reply.Echo, f.Path)), withoutNulls(echoed)) {
			return
		}
	}
	f.Construct, f.Field, f.Cause, f.Support = string(convir.COpaque), Control, ByGateway, Avoidable
	f.Expected, f.Got, f.At = cutValue(asked), cutValue(echoed), l.Place(f.Path)
	if p.Case.UpstreamState == NotCaptured {
		f.Cause = Undetermined
	}
	p.finding(l, f)
}

// at is the member of v at a path of names: "text.format".
func at(v wire.Value, path string) wire.Value { return v.Path(strings.Split(path, ".")...) }

// echoedMembers are controls of which a Responses reply repeats single members as they were given. The summary of
// reasoning is none of them: auto is echoed as the kind that was chosen.
// Source: https://platform.openai.com/docs/api-reference/responses/object, text and reasoning.
var echoedMembers = []string{"text.format", "text.verbosity", "reasoning.effort"}

// echoedParts looks at the members of controls that the reply echoes.
func (p *Pass) echoedParts(l *Leg) {
	for _, path := range echoedMembers {
		asked, echoed := at(p.Case.Request.Body, path), at(l.Reply.Echo, path)
		if asked.Present() && echoed.Present() && !keeps(asked, echoed) {
			p.echoAsked(l, Finding{Name: "control echoed otherwise", Mechanism: "control echoed with another value: " + path, Path: path, NativeField: path,
				Message: "the reply echoes " + path + " with another value than the request"}, asked, echoed)
		}
	}
}

// keeps reports whether an echo says all that was asked for. It may say more: defaults that were left out.
func keeps(asked, echoed wire.Value) bool {
	if asked.Kind() != wire.Object || echoed.Kind() != wire.Object {
		return wire.Equal(withoutNulls(asked), withoutNulls(echoed))
	}
	for _, m := range asked.Members() {
		if got := echoed.Get(m.Key); m.Value.Present() && !wire.Equal(withoutNulls(m.Value), withoutNulls(got)) {
			return false
		}
	}
	return true
}

// echoedTools looks at the function tools that the reply echoes. An echo without any tool tells nothing of them.
func (p *Pass) echoedTools(l *Leg) {
	got := l.Reply.Echo.Get("tools").Elems()
	if len(got) == 0 {
		return
	}
	for _, asked := range p.Case.Request.Body.Get("tools").Elems() {
		name := asked.Get("name").Str()
		if asked.Get("type").Str() != "function" || name == "" {
			continue
		}
		f := Finding{Name: "tool echoed otherwise", Mechanism: "tool schema echoed otherwise", Path: "tools", NativeField: "tools[].parameters",
			Message: "the reply echoes the tool " + name + " with another schema than the request declares"}
		i := slices.IndexFunc(got, func(v wire.Value) bool { return v.Get("name").Str() == name })
		switch {
		case i < 0:
			f.Mechanism, f.NativeField, f.Message = "declared tool missing in the echo", "tools[]", "the reply echoes tools, and not the declared tool "+name
			p.echoAsked(l, f, asked, l.Reply.Echo.Get("tools"))
			return
		case !sameTool(asked, got[i]):
			p.echoAsked(l, f, asked, l.Reply.Echo.Get("tools"))
			return
		}
	}
}

// sameTool compares a declared tool with its echo. A schema is kept strictly where the request asks for it; where it
// leaves the choice open the vendor makes it strict: every property is then required, and no other allowed.
// Source: https://platform.openai.com/docs/guides/function-calling, strict mode: Responses normalise such schemas.
func sameTool(asked, echoed wire.Value) bool {
	strict := asked.Get("strict")
	if s := echoed.Get("strict"); strict.Present() && s.Present() && !wire.Equal(strict, s) {
		return false
	}
	if d := asked.Get("description"); d.Present() && echoed.Get("description").Present() && !wire.Equal(d, echoed.Get("description")) {
		return false
	}
	want, have := withoutNulls(asked.Get("parameters")), withoutNulls(echoed.Get("parameters"))
	switch {
	case !asked.Get("parameters").Present():
		return true
	case strict.Present():
		return wire.Equal(want, have)
	}
	return sameSchema(want, have)
}

// sameSchema compares two schemas apart from what strictness adds to the second.
func sameSchema(asked, echoed wire.Value) bool {
	switch {
	case asked.Kind() != echoed.Kind():
		return false
	case asked.Kind() == wire.Array:
		return len(asked.Elems()) == len(echoed.Elems()) && slices.EqualFunc(asked.Elems(), echoed.Elems(), sameSchema)
	case asked.Kind() != wire.Object:
		return wire.Equal(asked, echoed)
	}
	for _, m := range asked.Members() {
		got := echoed.Get(m.Key)
		switch {
		case m.Key == "required" && m.Value.Kind() == wire.Array:
			for _, name := range m.Value.Elems() {
				if !slices.ContainsFunc(got.Elems(), func(v wire.Value) bool { return wire.Equal(v, name) }) {
					return false
				}
			}
		case m.Key == "additionalProperties" && got.Exists():
		case !sameSchema(m.Value, got):
			return false
		}
	}
	for _, m := range echoed.Members() {
		if m.Key != "required" && m.Key != "additionalProperties" && !asked.Get(m.Key).Exists() {
			return false
		}
	}
	return true
}
