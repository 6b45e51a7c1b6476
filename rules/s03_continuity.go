package rules

import "reassay/convir"

// S03 checks the flags and tokens that a conversation needs to go on.
var S03 = &Rule{
	ID:    "S03",
	Title: "flags and continuity",
	Doc: `A refusal is told as one, a thinking block keeps its signature, encrypted and redacted values and Gemini's
thoughtSignature stay, the run of a server's tool keeps its error flag or outcome, and a message of Responses its phase.

The vendor asks for these back with the next request: Gemini 3 refuses a call whose signature is gone, Messages refuses
thinking without one. A refusal told as plain text is taken for an answer.

Carry the value where the caller's dialect documents a place for it; across vendors that is often unsettled, then
declare the loss. Never write a value of your own (that is S10).`,
	Source: "https://ai.google.dev/gemini-api/docs/thought-signatures; https://platform.claude.com/docs/en/build-with-claude/extended-thinking; isloss, Table 10, V03",
	Tier:   T1,
	Since:  "1",
	Needs:  []string{NeedsReference},
	Rank:   3,
	Check:  checkS03,
}

func checkS03(p *Pass) {
	for _, c := range p.comparisons {
		p.refusals(c)
		for _, d := range c.Open() {
			switch {
			case d.Named():
			case d.Aspect == SignatureOf && d.Lost() && !p.ownerLost(c, d):
				p.finding(c.Leg, Finding{Name: "signature lost", Mechanism: signatureMechanism(d.Construct) + " lost",
					Message: "the integrity token of a " + owner(d) + " is missing; want it byte for byte"}, append([]*Difference{d}, p.otherTokens(c, d)...)...)
			case d.Kind == convir.RedactedReasoning && d.Aspect == Presence && d.Lost():
				p.finding(c.Leg, Finding{Name: "redacted reasoning lost", Mechanism: "redacted reasoning lost",
					Message: "a redacted reasoning value is missing; the vendor asks for it back"}, append([]*Difference{d}, p.tokensOf(c, d)...)...)
			case d.Aspect == ErrorFlag:
				p.finding(c.Leg, Finding{Name: "error flag lost", Mechanism: "error flag of a server tool lost",
					Message: "the run of a server's tool ended otherwise than the reply says"}, d)
			case d.Aspect == phaseOf:
				p.finding(c.Leg, Finding{Name: "phase lost", Mechanism: "phase of a message lost", Support: Avoidable, NativeField: "output[].phase",
					Message: "the phase of a message is not the model's; the vendor asks for it back"}, d)
			case d.Kind == convir.ServerToolResult && d.Aspect == Payload && d.Ref.IsError != d.Got.IsError:
				p.finding(c.Leg, Finding{Name: "error flag lost", Mechanism: "error flag of a server tool's result lost",
					Message: "the result of a server's tool has another error flag than the model's reply"}, d)
			}
		}
	}
}

// refusals reports a refusal that came as ordinary text.
func (p *Pass) refusals(c *Comparison) {
	for _, d := range c.Open() {
		if d.Kind != convir.Refusal || d.Aspect != Content || !d.Lost() {
			continue
		}
		for _, x := range c.Open() {
			if x.RefChoice == d.RefChoice && x.Kind == convir.Text && x.Aspect == Content && x.Have.Exists() && (x.RefusalTold ||
				holds("\n"+x.Have.Str()+"\n", "\n"+x.Want.Str()+"\n", []string{d.Want.Str()})) {
				f := Finding{Name: "refusal told as text", Mechanism: "refusal turned into plain text", Construct: string(convir.CRefusal),
					Path: x.Path, At: placeOf(c.Leg, x), Message: "the refusal comes as ordinary text; want it where the dialect tells a refusal"}
				if p.finding(c.Leg, f, d); !x.RefusalTold {
					x.named = d.named
					d.named.Consequences = append(d.named.Consequences, describe(x))
				}
				break
			}
		}
	}
}

// otherTokens are the other open losses of tokens of the same construct in the choice: one field that is not carried.
func (p *Pass) otherTokens(c *Comparison, d *Difference) []*Difference {
	var out []*Difference
	for _, x := range c.Open() {
		if x != d && x.Aspect == SignatureOf && x.Construct == d.Construct && x.RefChoice == d.RefChoice && x.Lost() && !p.ownerLost(c, x) {
			out = append(out, x)
		}
	}
	return out
}

// ownerLost reports whether the event that the token belongs to is lost itself: then the token is a consequence.
func (p *Pass) ownerLost(c *Comparison, d *Difference) bool {
	if d.Got == nil && d.Ref != nil {
		for _, x := range c.Differences {
			if x != d && x.RefChoice == d.RefChoice && x.Kind == d.Kind && x.Lost() {
				return true
			}
		}
	}
	return false
}

// tokensOf are the open differences over the tokens of the event that d lost or changed.
func (p *Pass) tokensOf(c *Comparison, d *Difference) []*Difference {
	var out []*Difference
	for _, x := range c.Open() {
		if x != d && x.Aspect == SignatureOf && x.Kind == d.Kind && x.RefChoice == d.RefChoice && (d.Ref == nil || x.Ref == nil || x.Ref == d.Ref || d.Aspect == Content && !d.Have.Exists()) {
			out = append(out, x)
		}
	}
	return out
}

func signatureMechanism(c convir.Construct) string {
	switch c {
	case convir.CCallSignature:
		return "signature of a tool call"
	case convir.CPartSignature:
		return "signature of a text part"
	}
	return "signature of reasoning"
}

func owner(d *Difference) string {
	switch d.Construct {
	case convir.CCallSignature:
		return "tool call"
	case convir.CPartSignature:
		return "part"
	}
	return "reasoning block"
}
