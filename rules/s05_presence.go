package rules

import (
	"strings"

	"reassay/convir"
)

// S05 checks that nothing is lost and nothing is made up.
var S05 = &Rule{
	ID:    "S05",
	Title: "presence of events",
	Doc: `Every event of the model's reply is there, and no other: text, calls, reasoning, refusals, choices, citations, media.
A lone space or ` + "`...`" + ` put where a field may not be empty is invented content; so is a newline between two blocks.

A caller cannot miss what it never saw. A lost call is work that is not done; invented text is quoted as the model's.

Find the branch that drops the event: the first delta of a block, a kind that the translator does not know, a chunk
that carries two things at once. Where the caller's dialect has no field for the event, say so to the caller.`,
	Source: "https://platform.openai.com/docs/api-reference/chat/object; isloss, Table 10, V05 (event lost or invented)",
	Tier:   T1,
	Since:  "1",
	Needs:  []string{NeedsReference},
	Rank:   9,
	Check:  checkS05,
}

func checkS05(p *Pass) {
	for _, c := range p.comparisons {
		for _, d := range c.Open() {
			switch {
			case d.Named(), followsText(d) && textOf(c, d) != nil:
			case d.Aspect == Candidate:
				p.candidate(c, d)
			case d.Aspect == WholeReply && !c.Partial:
				p.wholeReply(c, d)
			case d.Aspect == Presence:
				p.event(c, d)
			case d.Aspect == Content:
				p.textPresence(c, d)
			case d.Aspect == Ending:
				// Only an end that fits what is left is still open: it follows from whatever took the calls.
				if f := takerOf(c, d); f != nil {
					d.named = f
					continue
				}
				p.finding(c.Leg, Finding{Name: "stop reason wrong", Mechanism: "end of a turn with calls shown as a normal end",
					Message: "the model's turn ended with calls and the stop reason is " + d.GotChoice.Stop.Raw}, d)
			}
		}
		p.withTexts(c)
	}
}

// followsText reports a difference in what belongs to the text: the probabilities of its tokens, and a citation that is
// lost.
func followsText(d *Difference) bool {
	return d.Kind == convir.Logprobs && (d.Aspect == Presence || d.Aspect == Payload) || d.Kind == convir.Citation && d.Aspect == Presence && d.Lost()
}

// textOf is the difference in the text of the same choice from which one in what belongs to the text follows, nil where
// none does: any change of the text moves its tokens, only one without text left has no place for a citation.
func textOf(c *Comparison, d *Difference) *Difference {
	for _, x := range c.Differences {
		if x.Aspect == Content && x.Kind == convir.Text && x.RefChoice == d.RefChoice && x.GotChoice == d.GotChoice && !x.excused &&
			(d.Kind == convir.Logprobs || !x.Have.Exists()) {
			return x
		}
	}
	return nil
}

// withTexts makes what follows from a difference in the text a consequence of the finding on that.
func (p *Pass) withTexts(c *Comparison) {
	for _, d := range c.Open() {
		if !followsText(d) {
			continue
		}
		if x := textOf(c, d); x != nil && x.named != nil {
			d.named = x.named
			x.named.Consequences = append(x.named.Consequences, describe(d))
		}
	}
}

func (p *Pass) candidate(c *Comparison, d *Difference) {
	f := Finding{Name: "choice lost", Mechanism: "choice lost", Message: "a choice of the model's reply is missing"}
	switch {
	case d.Invented():
		f = Finding{Name: "choice invented", Mechanism: "choice invented", Message: "there is a choice that the model's reply does not have"}
		f.Support, f.NativeField = support(convir.CText, c.Leg)
	case len(c.Pairs) == 0:
		f.Name, f.Mechanism, f.Message = "reply lost", "whole reply lost", "nothing of the model's reply came"
		f.Construct = string(convir.CText)
	}
	p.finding(c.Leg, f, d)
}

func (p *Pass) wholeReply(c *Comparison, d *Difference) {
	if d.Invented() {
		// An error to the caller where the model answered is a refusal to translate: it fails closed and loudly.
		return
	}
	p.finding(c.Leg, Finding{Name: "error told as a reply", Mechanism: "error told as a reply",
		Message: "the model's API answered with an error and the caller gets a reply"}, d)
}

// event reports an event that is there on one side only.
func (p *Pass) event(c *Comparison, d *Difference) {
	what := kindWords[d.Kind]
	if d.Invented() {
		f := Finding{Name: what + " invented", Mechanism: what + " invented", Message: "there is a " + what + " that the model's reply does not have"}
		f.Support, f.NativeField = support(convir.CText, c.Leg)
		if twin := twinOf(d); twin {
			f.Mechanism, f.Message = what+" handed over twice", "a "+what+" comes a second time"
		}
		p.finding(c.Leg, f, append(append([]*Difference{d}, p.tokensOf(c, d)...), announced(c, d)...)...)
		return
	}
	f := Finding{Name: what + " lost", Mechanism: what + " lost", Message: "a " + what + " of the model's reply is missing"}
	names := append([]*Difference{d}, p.tokensOf(c, d)...)
	if d.Kind == convir.ToolCall {
		f.Mechanism = lostCallMechanism(d)
		for _, x := range c.Open() {
			if x.Aspect == Ending && x.GotChoice == d.GotChoice && callsGone(x) {
				names = append(names, x)
			}
		}
	} else {
		names = append(names, alike(c, d)...)
	}
	p.finding(c.Leg, f, names...)
}

// takerOf is the finding that names a lost or added call of the choice, nil when none does.
func takerOf(c *Comparison, d *Difference) *Finding {
	for _, x := range c.Differences {
		if x.named != nil && x.Kind == convir.ToolCall && x.Aspect == Presence && x.GotChoice == d.GotChoice {
			return x.named
		}
	}
	return nil
}

// announced is the open difference in the end of a choice that announces a call which the reference does not have.
func announced(c *Comparison, d *Difference) []*Difference {
	for _, x := range c.Open() {
		if d.Kind == convir.ToolCall && x.Aspect == Ending && x.GotChoice == d.GotChoice && x.GotChoice.Stop.Outcome == convir.ToolCalls && x.RefChoice.Stop.Outcome != convir.ToolCalls {
			return []*Difference{x}
		}
	}
	return nil
}

// alike are the other open losses of the same kind in the same choice: what a translator does not know it drops each time.
func alike(c *Comparison, d *Difference) []*Difference {
	var out []*Difference
	for _, x := range c.Open() {
		if x != d && x.Aspect == Presence && x.Kind == d.Kind && x.RefChoice == d.RefChoice && x.Construct == d.Construct && x.Lost() {
			out = append(out, x)
		}
	}
	return out
}

// kindWords are what a person calls the kinds.
var kindWords = map[convir.Kind]string{
	convir.Text: "text", convir.Reasoning: "reasoning", convir.RedactedReasoning: "redacted reasoning", convir.Refusal: "refusal",
	convir.ToolCall: "tool call", convir.ServerToolCall: "server tool call", convir.ServerToolResult: "server tool result",
	convir.Citation: "citation", convir.Media: "medium", convir.Code: "code", convir.CodeResult: "code result",
	convir.Logprobs: "log probabilities", convir.ErrorEvent: "error", convir.Opaque: "unknown part",
}

// twinOf reports whether an invented call says what another call of the leg says.
func twinOf(d *Difference) bool {
	for _, e := range eventsOf(d.GotChoice, d.Kind) {
		if e != d.Got && d.Kind == convir.ToolCall && (e.ID != "" && e.ID == d.Got.ID || e.Name == d.Got.Name && sameArgs(e, d.Got)) {
			return true
		}
	}
	return false
}

func lostCallMechanism(d *Difference) string {
	left := len(eventsOf(d.GotChoice, convir.ToolCall))
	switch {
	case left == 0 && d.GotChoice.Stop.Outcome == convir.ToolCalls:
		return "tool call lost although the stop reason announces it"
	case left > 0:
		return "one of several tool calls lost"
	}
	return "tool call lost"
}

// textPresence reports text that is lost or made up, in whole or in part.
func (p *Pass) textPresence(c *Comparison, d *Difference) {
	what := kindWords[d.Kind]
	f := Finding{Name: what + " lost"}
	switch change := changeOf(d.Want.Str(), d.Have.Str(), piecesOf(eventsOf(d.RefChoice, d.Kind))); change {
	case allLost:
		f.Mechanism = what + " lost"
		if d.Kind == convir.Text && len(eventsOf(d.RefChoice, convir.ToolCall)) > 0 && len(eventsOf(d.GotChoice, convir.ToolCall)) > 0 {
			f.Mechanism = "text beside a tool call lost"
			if d.Ref != nil && len(d.RefChoice.Events) > 0 && &d.RefChoice.Events[0] == d.Ref {
				f.Mechanism = "text before a tool call lost"
			}
		}
		f.Message = "the " + what + " is missing"
	case tailLost, headLost, middleLost:
		f.Mechanism = what + " in part lost: " + partWord[change]
		f.Message = "the " + partWord[change] + " of the " + what + " is missing"
		if change == tailLost && d.Got != nil {
			f.At = c.Leg.PlaceEnd(d.Path)
		}
	case allInvented, headInserted, tailInserted, inserted, repeated:
		f.Name = what + " invented"
		p.inventedText(&f, what, d, change)
		f.Support, f.NativeField = inventedSupport(d, c.Leg)
	default:
		return
	}
	p.finding(c.Leg, f, append([]*Difference{d}, p.tokensOf(c, d)...)...)
}

var partWord = map[textChange]string{tailLost: "end", headLost: "start", middleLost: "middle"}

// inventedSupport: text that nobody wrote is judged by where it stands. In reasoning for which the dialect has no place,
// and which was carried in a vendor's field all the same, no document says what belongs there; but nothing forced the
// gateway to add to it, so that it is no unavoidable loss.
func inventedSupport(d *Difference, l *Leg) (Support, string) {
	if d.Kind != convir.Reasoning {
		return support(convir.CText, l)
	}
	s, field := support(convir.CReasoning, l)
	if s == Unavoidable && !l.OfSDK() {
		s = Borderline
	}
	return s, field
}

func (p *Pass) inventedText(f *Finding, what string, d *Difference, change textChange) {
	added := addedText(d.Want.Str(), d.Have.Str())
	switch {
	case change == repeated:
		f.Mechanism, f.Message = what+" repeated", "the "+what+" comes twice in part or whole"
	case strings.Trim(added, "\r\n") == "" && added != "":
		f.Mechanism, f.Message = "newline added to "+what, "newlines stand in the "+what+" that the model did not write"
	case isPlaceholder(added):
		f.Mechanism, f.Message = "placeholder "+what, "a placeholder stands in the "+what+" that the model did not write"
	default:
		f.Mechanism, f.Message = what+" invented", "there is "+what+" that the model did not write"
	}
}

// addedText is what have holds beyond want, joined.
func addedText(want, have string) string {
	head := diverges(want, have)
	want, have = want[head:], have[head:]
	tail := 0
	for tail < len(want) && tail < len(have) && want[len(want)-1-tail] == have[len(have)-1-tail] {
		tail++
	}
	want, have = want[:len(want)-tail], have[:len(have)-tail]
	var added strings.Builder
	for i := 0; i < len(have); i++ {
		if want != "" && have[i] == want[0] {
			want = want[1:]
			continue
		}
		added.WriteByte(have[i])
	}
	return added.String()
}

func isPlaceholder(s string) bool {
	switch strings.TrimSpace(s) {
	case "", "...", "…", "-", ".", "(no content)", "[no content]":
		return s != ""
	}
	return false
}
