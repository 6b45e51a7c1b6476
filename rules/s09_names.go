package rules

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
	declared := p.Case.DeclaredTools()
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
