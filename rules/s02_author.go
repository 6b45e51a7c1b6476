package rules

import "reassay/convir"

// S02 checks that a reply's author is the assistant.
var S02 = &Rule{
	ID:    "S02",
	Title: "author of the reply",
	Doc: `A reply is the assistant's (Gemini calls it the model). A role that is missing, another's, empty on later
deltas or joined from its repetitions breaks callers that keep the message in their history: the next request is refused,
or openai-node never hands the message over.

Say the role once, with the first delta of the choice. Repeating it is tolerated, but openai-python joins what is
repeated.`,
	Source: "https://platform.openai.com/docs/api-reference/chat-streaming/streaming#delta-role; isloss, Table 10, V02",
	Tier:   T1,
	Since:  "1",
	Needs:  []string{NeedsReply},
	Rank:   1,
	Check:  checkS02,
}

func checkS02(p *Pass) {
	p.reportFaults()
	for _, c := range p.comparisons {
		for _, d := range c.Open() {
			if d.Aspect != Role {
				continue
			}
			f := Finding{Name: "role wrong", Mechanism: "role other than the assistant's", Message: "the reply's role is not the assistant's"}
			switch {
			case !d.Have.Exists():
				f = Finding{Name: "role missing", Mechanism: "no role at all", Message: "the reply has no role; want the assistant's"}
			case repeats(d.Have.Str(), rightRole(c.Leg.Dialect)):
				f = Finding{Name: "role garbled", Mechanism: "role repeated on the wire is joined",
					Message: "the role is handed over several times in one word; want it once"}
			}
			p.finding(c.Leg, f, d)
		}
	}
	for _, l := range p.legs {
		p.wholeRole(l)
	}
}

// repeats reports whether s is word written several times.
func repeats(s, word string) bool {
	n := 0
	for len(s) >= len(word) && s[:len(word)] == word {
		s, n = s[len(word):], n+1
	}
	return s == "" && n > 1
}

// wholeRole looks at the role of a reply that has no reference: no other leg is needed to see that it is wrong. One that
// is missing is a fault of the body's own grammar.
func (p *Pass) wholeRole(l *Leg) {
	if p.comparison(l) != nil || l.Streamed() {
		return
	}
	for _, ch := range l.Reply.Choices {
		if ch.Role == "" || roleIsRight(l.Dialect, ch.Role) {
			continue
		}
		p.finding(l, Finding{Name: "role wrong", Mechanism: "role other than the assistant's", Construct: string(convir.CRole),
			Path: convir.RolePath(l.Dialect, ch), Cause: ByGateway, Message: "the reply's role is not the assistant's"})
	}
}
