package rules

// S11 checks the tool schemas that a reply echoes.
var S11 = &Rule{
	ID:    "S11",
	Title: "tool schemas that the reply echoes",
	Doc: `A tool's schema keeps its meaning. Schemas stand in requests; a Responses reply repeats the tools that it was made
with, and these are the declared ones: types, enum, required and the rest as the request has them, every declared tool
there. A reply that echoes no tool says nothing of them, and defaults that the vendor fills in are no change.

A caller that reads the echo is told of another contract than the one that its tools keep: another vendor's words for
types, a parameter that may be left out.

Echo the caller's own declarations, not what was made of them for the model's API.`,
	Source: "https://platform.openai.com/docs/api-reference/responses/object#responses-object-tools; isloss, section 3.2",
	Tier:   T1,
	Since:  "3",
	Needs:  []string{NeedsRequest, NeedsEcho},
	Rank:   8,
	Check: func(p *Pass) {
		for _, l := range p.legs {
			if !l.OfSDK() && p.Case.Request.Dialect == l.Dialect && !l.ErrorTold().Exists() {
				p.echoedTools(l)
			}
		}
	},
}
