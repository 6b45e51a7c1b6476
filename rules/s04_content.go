package rules

import (
	"strings"

	"reassay/assemble"
	"reassay/convir"
	"reassay/wire"
)

// S04 checks that content is not read as something else.
var S04 = &Rule{
	ID:    "S04",
	Title: "content and its meaning",
	Doc: `Content keeps its kind and value: text is not promoted to a call, arguments have the value that the model
gave, in one encoding, citations and media are not flattened into text, numbers and characters stay what they are, and a
tool that the vendor ran is not handed to the caller to run.

A caller runs what a call says. Arguments that are cut, encoded twice, empty where {} is meant, or with characters
turned into U+FFFD run the wrong thing or fail far from the cause.

Parse the arguments that leave the gateway and compare them with those that came in. Forward byte pieces only at
character boundaries.`,
	Source: "https://platform.openai.com/docs/api-reference/chat/object#chat-object-choices-message-tool_calls; isloss, Table 10, V04",
	Tier:   T1,
	Since:  "1",
	Needs:  []string{NeedsReply},
	Rank:   4,
	First:  firstS04,
	Check:  checkS04,
}

// firstS04: a server's tool that comes as a client's call has no id and no name for the caller either, and an answer of
// which the end became a call looks as if cut short; that is one fault each.
func firstS04(p *Pass) {
	for _, c := range p.comparisons {
		p.serverTools(c)
		p.promoted(c)
	}
}

func checkS04(p *Pass) {
	for _, c := range p.comparisons {
		p.flattened(c)
		for _, d := range c.Open() {
			switch {
			case d.Named(), followsText(d) && textOf(c, d) != nil:
			case d.Aspect == Arguments:
				p.arguments(c, d)
			case d.Aspect == CallType:
				p.finding(c.Leg, Finding{Name: "call of another kind", Mechanism: "call type changed",
					Message: "a call comes as another kind of call than the model made"}, d)
			case d.Aspect == Payload:
				p.finding(c.Leg, Finding{Name: string(d.Construct) + " changed", Mechanism: string(d.Construct) + " changed",
					Message: "a " + string(d.Kind) + " differs from the reference"}, d)
			case d.Aspect == Content && d.Want.Exists() && d.Have.Exists():
				p.alteredText(c, d)
			}
		}
	}
	for _, l := range p.legs {
		p.argumentFaults(l)
	}
}

// arguments reports a call whose arguments have another value.
func (p *Pass) arguments(c *Comparison, d *Difference) {
	f := Finding{Name: "arguments changed", Mechanism: "arguments changed in value", Message: "the arguments of a tool call have another value than the reference"}
	got := d.Got.Args
	switch {
	case emptyArgs(d.Ref) && !got.Value.Present() && strings.TrimSpace(got.Raw) == "", emptyArgs(d.Ref) && got.Value.Kind() == wire.Null:
		f.Mechanism = "empty arguments where {} is meant"
		f.Message = "the arguments of a call without arguments are " + spelt(got) + "; want {}"
	case emptyArgs(d.Got):
		f.Mechanism = "arguments lost"
		f.Message = "the arguments of a tool call are lost"
	case got.Value.Kind() == wire.String && encodes(got.Value.Str(), d.Ref.Args):
		f.Mechanism = "arguments encoded twice"
		f.Message = "the arguments are a JSON string that holds the object; want the object"
	case !got.Value.Exists():
		f.Mechanism = "arguments are not JSON"
		f.Message = "the arguments of a finished tool call are not JSON"
	case strings.Contains(string(got.Value.JSON()), "\uFFFD") && !strings.Contains(string(d.Ref.Args.Value.JSON()), "\uFFFD"):
		f.Mechanism = "characters turned into U+FFFD"
		f.Message = "the arguments hold U+FFFD where the model wrote other characters"
	}
	p.finding(c.Leg, f, d)
}

func spelt(a convir.Args) string {
	switch {
	case !a.Given:
		return "left out"
	case strings.TrimSpace(a.Raw) == "":
		return "empty"
	}
	return "null"
}

// encodes reports whether text is JSON of the value that the arguments have.
func encodes(text string, args convir.Args) bool {
	v, err := wire.Parse([]byte(text))
	return err == nil && wire.Equal(v, args.Value)
}

// argumentCodes are the faults of finished arguments. Whether the model or the gateway wrote them so, only a reference tells.
var argumentCodes = map[assemble.FaultCode]string{
	assemble.ArgsNotJSON:   "arguments are not JSON",
	assemble.ArgsNotObject: "arguments are no JSON object",
	assemble.ArgsEmpty:     "empty arguments where {} is meant",
}

// argumentFaults reports arguments that are wrong in themselves, where no comparison could tell.
func (p *Pass) argumentFaults(l *Leg) {
	if p.comparison(l) != nil {
		return
	}
	for _, x := range argumentFaultsOf(l) {
		if l.Streamed() && (p.Case.Cancelled || l.Broken != nil) && x.Code != assemble.ArgsNotObject {
			continue // the rest of them had not come
		}
		f := Finding{Name: "arguments wrong", Mechanism: argumentCodes[x.Code], Construct: string(convir.CToolCall), Path: x.Path,
			Cause: Undetermined, Message: "the arguments of a finished tool call are no JSON object"}
		if x.Got.Exists() {
			f.Got = cutValue(x.Got)
		}
		if l.Streamed() {
			f.At = l.at(x.At)
		}
		p.finding(l, f)
	}
}

// argumentFaultsOf are a leg's faults of finished arguments, from the stream or the whole body.
func argumentFaultsOf(l *Leg) []assemble.Fault {
	var out []assemble.Fault
	for _, f := range l.Assembled.Faults {
		if argumentCodes[f.Code] != "" {
			out = append(out, f)
		}
	}
	if !l.Streamed() {
		for _, f := range l.Reply.Faults {
			if code := assemble.FaultCode(f.Code); argumentCodes[code] != "" {
				out = append(out, assemble.Fault{Code: code, Path: f.Path, Got: f.Got, Want: f.Want})
			}
		}
	}
	return out
}

// serverTools reports a tool that the vendor ran and that is handed over as a call for the caller to run.
func (p *Pass) serverTools(c *Comparison) {
	for _, d := range c.Open() {
		if d.Kind != convir.ServerToolCall || d.Aspect != Presence || !d.Lost() {
			continue
		}
		for _, x := range c.Open() {
			if x.Kind == convir.ToolCall && x.Aspect == Presence && x.Invented() && (sameArgs(d.Ref, x.Got) || x.Got.Name == d.Ref.Name && x.Got.Name != "") {
				f := Finding{Name: "server tool as client call", Mechanism: "server tool handed over as a client call", Construct: string(convir.CToolCall),
					Scope: ScopeOurs, Path: x.Path, At: placeOf(c.Leg, x), Got: cutValue(x.Have),
					Message: "a tool that the vendor ran comes as a call for the caller to run"}
				made := p.finding(c.Leg, f, append(append([]*Difference{x, d}, p.sameCall(c, x)...), announced(c, x)...)...)
				for _, mechanism := range []string{"tool call without an id", "tool call with an empty id", "tool call without a name", "tool call without a type"} {
					p.excuse(c.Leg, x.Path, mechanism, made)
				}
				break
			}
		}
	}
}

// promoted reports text that became a call, and a call that became text.
func (p *Pass) promoted(c *Comparison) {
	for _, d := range c.Open() {
		if d.Named() || d.Kind != convir.ToolCall || d.Aspect != Presence {
			continue
		}
		for _, x := range c.Open() {
			if x.Kind != convir.Text || x.Aspect != Content || x.RefChoice != d.RefChoice {
				continue
			}
			if d.Invented() && x.Want.Exists() && (d.Got.Name != "" && holds(x.Want.Str(), x.Have.Str(), []string{d.Got.Name}) || says(d.Got.Args.Value, x)) {
				p.finding(c.Leg, Finding{Name: "text became a call", Mechanism: "text promoted to a call",
					Message: "words of the answer come as a tool call that the model did not make"}, append([]*Difference{d, x}, announced(c, d)...)...)
				break
			}
			if d.Lost() && x.Have.Exists() && (holds(x.Have.Str(), x.Want.Str(), []string{d.Ref.Name}) || spells(addedText(x.Want.Str(), x.Have.Str()), d.Ref)) {
				p.finding(c.Leg, Finding{Name: "call became text", Mechanism: "call flattened into text", Path: x.Path, At: placeOf(c.Leg, x),
					Message: "a tool call comes as words of the answer"}, d, x)
				break
			}
		}
	}
}

// spells reports whether text is a call written out: its name, and each of its arguments under its key.
func spells(text string, call *convir.Event) bool {
	members := call.Args.Value.Members()
	for _, m := range members {
		if !strings.Contains(text, m.Key) || !strings.Contains(text, string(m.Value.JSON())) {
			return false
		}
	}
	return call.Name != "" && len(members) > 0 && strings.Contains(text, call.Name)
}

// says reports whether a string in a call's arguments is text that the answer lost.
func says(args wire.Value, x *Difference) bool {
	gone := addedText(x.Have.Str(), x.Want.Str())
	for _, m := range args.Members() {
		if t := m.Value.Str(); t != "" && (t == gone || x.Lost() && t == x.Want.Str() || len(t) >= minTelling && holds(x.Want.Str(), x.Have.Str(), []string{t})) {
			return true
		}
	}
	return false
}

// flattened reports a medium, a citation or code whose content stands in the text.
func (p *Pass) flattened(c *Comparison) {
	for _, d := range c.Open() {
		if d.Named() || d.Aspect != Content || d.Kind != convir.Text || !d.Have.Exists() {
			continue
		}
		for _, x := range c.Open() {
			if x.RefChoice != d.RefChoice || !x.Lost() {
				continue
			}
			key := ""
			switch x.Kind {
			case convir.Media, convir.Citation:
				key = salient(x.Ref.Data)
			case convir.Code:
				key = x.Want.Str()
			}
			if key != "" && holds(d.Have.Str(), d.Want.Str(), []string{key}) {
				what := kindWords[x.Kind]
				p.finding(c.Leg, Finding{Name: what + " flattened into text", Mechanism: what + " flattened into text",
					Message: "a " + what + " of the reply comes as words of the answer"}, d, x)
				break
			}
		}
	}
}

// alteredText reports text with other characters in the place of the model's. Lost and added text is S05's.
func (p *Pass) alteredText(c *Comparison, d *Difference) {
	what := string(d.Construct)
	switch changeOf(d.Want.Str(), d.Have.Str(), piecesOf(eventsOf(d.RefChoice, d.Kind))) {
	case replaced:
		p.finding(c.Leg, Finding{Name: what + " altered", Mechanism: "characters turned into U+FFFD",
			Message: "the " + what + " holds U+FFFD where the model wrote other characters"}, d)
	case altered:
		p.finding(c.Leg, Finding{Name: what + " altered", Mechanism: what + " altered",
			Message: "the " + what + " differs from the reference"}, d)
	}
}
