package rules

import (
	"strings"

	"reassay/convir"
	"reassay/wire"
)

// S09 checks that a call names a tool that the request declared.
var S09 = &Rule{
	ID:    "S09",
	Title: "tool names",
	Doc: `A call has the name of the tool as the caller declared it. A gateway that shortens or cleans names on the way to
the model restores them on the way back.

A caller looks the tool up by its name; one letter less and the call goes nowhere.

Keep the map from sent to declared names with the request, and apply it to streamed names too.`,
	Source: "https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools; isloss, Table 10, V09 (tool name altered without reversible mapping)",
	Tier:   T1,
	Since:  "1",
	Needs:  []string{NeedsReply, NeedsReference},
	Rank:   3,
	Check:  checkS09,
}

func checkS09(p *Pass) {
	declared := toolsOf(p.Case.Request)
	for _, l := range p.legs {
		p.notRestored(l, declared)
	}
	for _, c := range p.comparisons {
		for _, d := range c.Open() {
			if d.Aspect != Name {
				continue
			}
			f := Finding{Name: "tool name changed", Mechanism: "tool name changed", Message: "a tool call has another name than the model gave it"}
			switch {
			case declared[d.Have.Str()] && !declared[d.Want.Str()]:
				// The model used the shortened name that it was given, and the gateway restored the caller's own.
				d.excused = true
				c.Permitted = append(c.Permitted, Permitted{"R01", d.Path, "the tool's declared name was restored"})
				continue
			case repeats(d.Have.Str(), d.Want.Str()):
				f.Name, f.Mechanism, f.Message = "tool name garbled", "name repeated on the wire is joined", "the name of a tool call is handed over several times in one word"
			case len(declared) > 0 && !declared[d.Have.Str()]:
				f.Mechanism, f.Message = "tool name not restored", "a tool call names a tool that the request did not declare"
			}
			p.finding(c.Leg, f, d)
		}
	}
}

// notRestored reports a name that the caller did not declare and that the gateway itself sent to the model, or must
// have: what is left of a declared one when the characters are cleaned that other vendors refuse.
func (p *Pass) notRestored(l *Leg, declared map[string]bool) {
	if l.OfSDK() || len(declared) == 0 {
		return
	}
	sent := toolsOf(p.Case.UpstreamRequest)
	for i := range l.Reply.Choices {
		for _, e := range eventsOf(&l.Reply.Choices[i], convir.ToolCall) {
			if e.Name == "" || declared[e.Name] || !sent[e.Name] && !cleaned(e.Name, declared) || p.nameNamed(l, e) {
				continue
			}
			name := wire.Of(e.Name)
			p.finding(l, Finding{Name: "tool name changed", Mechanism: "tool name not restored", Construct: string(convir.CToolCall), Path: e.Path, Got: &name,
				At: l.Place(e.Path), Message: "a tool call names a tool as the gateway renamed it and not as the request declared it"})
		}
	}
}

// nameNamed reports whether a difference of the call's name stands, which says the same and more.
func (p *Pass) nameNamed(l *Leg, e *convir.Event) bool {
	c := p.comparison(l)
	if c == nil {
		return false
	}
	for _, d := range c.Differences {
		if d.Aspect == Name && d.Got == e {
			return true
		}
	}
	return false
}

// cleaned reports whether name is a declared one with every character replaced by _ that OpenAI and Anthropic refuse.
// Source: https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools, function.name.
func cleaned(name string, declared map[string]bool) bool {
	for d := range declared {
		clean := strings.Map(func(r rune) rune {
			if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
				return r
			}
			return '_'
		}, d)
		if clean == name {
			return true
		}
	}
	return false
}
