package rules

import "reassay/convir"

// S07 checks that events keep their order.
var S07 = &Rule{
	ID:    "S07",
	Title: "order of events",
	Doc: `Events keep the order that the model gave them. Chat has one text field and one list of calls: order between
text, reasoning and calls cannot be told there and is not compared; the order among calls, and among pieces of text, is.
Code that the vendor ran keeps its place as well, and within one dialect so do media and the vendor's own tools.

Text that explains a call and comes behind it reads as its result; calls in another order run in another order.

Collect by position, not by kind.`,
	Source: "https://platform.claude.com/docs/en/api/messages; isloss, Table 10, V07 and L07",
	Tier:   T1,
	Since:  "1",
	Needs:  []string{NeedsReference},
	Rank:   6,
	Check:  checkS07,
}

func checkS07(p *Pass) {
	for _, c := range p.comparisons {
		for _, d := range c.Open() {
			switch {
			case d.Aspect == Order && d.Kind == convir.ToolCall && d.Want.Num() != "":
				p.finding(c.Leg, Finding{Name: "calls reordered", Mechanism: "tool calls in another order", Message: "the tool calls come in another order than the model made them"}, d)
			case d.Aspect == Order:
				p.finding(c.Leg, Finding{Name: "events reordered", Mechanism: "text and calls in another order", Message: "text, reasoning and calls come in another order than the model gave them"}, d)
			case d.Aspect == Content && changeOf(d.Want.Str(), d.Have.Str(), piecesOf(eventsOf(d.RefChoice, d.Kind))) == permuted:
				p.finding(c.Leg, Finding{Name: "text reordered", Mechanism: "pieces of text in another order", Message: "the pieces of the " + kindWords[d.Kind] + " come in another order"}, d)
			}
		}
	}
}
