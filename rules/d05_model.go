package rules

import (
	"strings"

	"reassay/convir"
	"reassay/wire"
)

// D05 notes which model answered.
var D05 = &Rule{
	ID:    "D05",
	Title: "model notes",
	Doc: `Notes that the reply names a model that is neither the one asked for nor the one that answered, and that another
provider answered after a failed attempt without a word to the caller. Never counted.`,
	Source: "https://platform.openai.com/docs/api-reference/chat/object#chat-object-model",
	Tier:   T2,
	Since:  "1",
	Needs:  []string{NeedsReply, NeedsUpstream},
	Rank:   8,
	Check:  checkD05,
}

func checkD05(p *Pass) {
	c := p.Case
	asked := ""
	if c.Request != nil {
		asked = c.Request.Body.Get("model").Str()
	}
	for _, x := range p.comparisons {
		got, ref := x.Leg.Reply.Model, x.Ref.Reply.Model
		if x.Leg.OfSDK() || got == "" || ref == "" || got == ref || got == asked || strings.HasSuffix(asked, "/"+got) || strings.HasPrefix(got, ref) || strings.HasPrefix(ref, got) ||
			x.Ref.Name == NonStreamLeg || x.Ref.Name == StreamLeg {
			continue
		}
		want, have := wire.Of(ref), wire.Of(got)
		p.finding(x.Leg, Finding{Name: "model named otherwise", Mechanism: "model name differs", Construct: string(convir.CModel), Path: "model",
			At: x.Leg.Place("model"), Expected: &want, Got: &have, Message: "the reply names a model that was neither asked for nor used"})
	}
	if len(c.Attempts) == 0 || c.Upstream == nil || len(p.legs) == 0 || p.legs[0].OfSDK() {
		return
	}
	for _, a := range c.Attempts {
		if a.Dialect != c.Upstream.Dialect || a.Reply.Model != "" && a.Reply.Model != c.Upstream.Reply.Model {
			p.finding(p.legs[0], Finding{Name: "served by fallback", Mechanism: "served by fallback", Construct: string(convir.CModel), Path: "model",
				Message: "another provider answered after a failed attempt"})
			return
		}
	}
}
