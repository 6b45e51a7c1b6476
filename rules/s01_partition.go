package rules

import (
	"slices"
	"strings"

	"reassay/convir"
)

// S01 checks that content of different channels is not put into one.
var S01 = &Rule{
	ID:    "S01",
	Title: "partition of channels",
	Doc: `What the model said in one channel must not be handed over in another: reasoning is not answer text, two
choices are not one, and the output of a tool is not the assistant's words.

A caller shows answer text to a person and feeds it to the next step. Reasoning, tags such as ` + "`<think>`" + `, code output or a
second candidate inside it are read as the answer, and nothing tells them apart again.

Look for the place where the translator appends to the text of a message. Put reasoning where the caller's dialect
has a field for it (` + "`thinking`, `thought`, a reasoning item" + `); Chat documents none, there a vendor extension such as
` + "`reasoning_content`" + ` keeps it apart. Keep the second candidate as a choice, or drop it and say so.`,
	Source: "https://platform.openai.com/docs/api-reference/chat/object; isloss, Table 10, V01 (cross-author merge)",
	Tier:   T1,
	Since:  "1",
	Needs:  []string{NeedsReference},
	Rank:   2,
	First:  firstS01,
	Check:  checkS01,
}

// firstS01: an answer that went into the reasoning in part looks as if cut short.
func firstS01(p *Pass) {
	for _, c := range p.comparisons {
		for _, d := range c.Open() {
			if !d.Named() && d.Aspect == Content && d.Kind == convir.Reasoning && d.Have.Exists() {
				p.hidden(c, d)
			}
		}
		p.strayed(c)
	}
}

// strayed reports text of one choice that came under another: one that the model's reply does not have, or one of its
// own.
func (p *Pass) strayed(c *Comparison) {
	for _, d := range c.Open() {
		if d.Named() || d.Aspect != Content || d.Kind != convir.Text {
			continue
		}
		gone := addedText(d.Have.Str(), d.Want.Str())
		for _, x := range c.Open() {
			came := ""
			switch {
			case x.GotChoice == nil || x.GotChoice == d.GotChoice:
			case x.Aspect == Candidate:
				came, _ = joined(x.GotChoice, convir.Text)
			case x.Aspect == Content && x.Kind == convir.Text:
				came = addedText(x.Want.Str(), x.Have.Str())
			}
			if came == "" || came != gone || len(d.Have.Str())+len(gone) != len(d.Want.Str()) {
				continue
			}
			p.finding(c.Leg, Finding{Name: "text under another choice", Mechanism: "text moved into another choice",
				Message: "a part of one choice's text comes under another; want it under its own index"}, d, x)
			break
		}
	}
}

func checkS01(p *Pass) {
	for _, c := range p.comparisons {
		for _, d := range c.Open() {
			if d.Named() || d.Aspect != Content || d.Kind != convir.Text || !d.Have.Exists() {
				continue
			}
			p.folded(c, d)
		}
	}
}

// folded reports text that holds what belongs to another channel.
func (p *Pass) folded(c *Comparison, d *Difference) {
	want, have := d.Want.Str(), d.Have.Str()
	if other := mergedChoice(c, d, want, have); other != nil {
		p.finding(c.Leg, Finding{Name: "choices merged", Mechanism: "two choices merged into one",
			Message: "the text of two choices stands in one; want each under its own index"}, d, other)
		return
	}
	reasoning, _ := joined(d.RefChoice, convir.Reasoning)
	tagged := hasThinkTags(have) && !hasThinkTags(want)
	if tagged || reasoning != "" && holds(have, want, eventTexts(d.RefChoice, convir.Reasoning)) {
		f := Finding{Name: "reasoning in the answer", Mechanism: "reasoning folded into the answer text",
			Message: "the answer text holds the model's reasoning; want the answer alone"}
		if tagged {
			f.Mechanism = "reasoning in tags inside the answer text"
			f.Message = "the answer text holds reasoning between tags; want the answer alone"
		}
		p.finding(c.Leg, f, append([]*Difference{d}, p.moved(c, d, convir.Reasoning)...)...)
		return
	}
	output := append(eventTexts(d.RefChoice, convir.CodeResult), eventTexts(d.RefChoice, convir.ServerToolResult)...)
	if holds(have, want, output) || putInto(have, want, output) {
		p.finding(c.Leg, Finding{Name: "tool output in the answer", Mechanism: "tool output merged into the answer text",
			Message: "the answer text holds the output of code or a tool that the vendor ran; want the answer alone"},
			append([]*Difference{d}, p.moved(c, d, convir.Code, convir.CodeResult, convir.ServerToolCall, convir.ServerToolResult)...)...)
	}
}

// hidden reports reasoning that holds the answer: d is the reasoning's difference.
func (p *Pass) hidden(c *Comparison, d *Difference) {
	for _, x := range c.Open() {
		if x.RefChoice != d.RefChoice || x.Kind != convir.Text || x.Aspect != Content || !x.Want.Exists() {
			continue
		}
		answer := slices.DeleteFunc(append(piecesOf(eventsOf(x.RefChoice, convir.Text)), x.Want.Str()), func(t string) bool { return strings.Contains(x.Have.Str(), t) })
		gone := addedText(x.Have.Str(), x.Want.Str())
		if holds(d.Have.Str(), d.Want.Str(), answer) || putInto(d.Have.Str(), d.Want.Str(), answer) || gone != "" && gone == addedText(d.Want.Str(), d.Have.Str()) {
			p.finding(c.Leg, Finding{Name: "answer in the reasoning", Mechanism: "answer text moved into the reasoning",
				Message: "the model's answer stands in the reasoning; want it as the answer text"}, append([]*Difference{x, d}, p.tokensOf(c, d)...)...)
			return
		}
	}
}

// mergedChoice is the choice that the leg lacks and whose text stands in d's, or nil.
func mergedChoice(c *Comparison, d *Difference, want, have string) *Difference {
	for _, x := range c.Open() {
		if x.Aspect != Candidate || !x.Lost() {
			continue
		}
		other, _ := joined(x.RefChoice, convir.Text)
		if other == "" || len(have) < len(want)+len(other) {
			continue
		}
		if strings.Contains(have, other) && !strings.Contains(want, other) || woven(have, want, other) {
			return x
		}
	}
	return nil
}

// woven reports whether text is made of a and b, each in its order, piece by piece in turn.
func woven(text, a, b string) bool {
	if len(text) != len(a)+len(b) {
		return false
	}
	// reach[j] tells whether the first i bytes of a and j of b can make the first i+j of text.
	reach := make([]bool, len(b)+1)
	for i := 0; i <= len(a); i++ {
		for j := 0; j <= len(b); j++ {
			switch {
			case i == 0 && j == 0:
				reach[j] = true
			case i == 0:
				reach[j] = reach[j-1] && b[j-1] == text[j-1]
			case j == 0:
				reach[j] = reach[j] && a[i-1] == text[i-1]
			default:
				reach[j] = reach[j] && a[i-1] == text[i+j-1] || reach[j-1] && b[j-1] == text[i+j-1]
			}
		}
		if i+len(b) > maxWoven {
			return false
		}
	}
	return reach[len(b)]
}

// maxWoven bounds the quadratic search of woven, in bytes of text.
const maxWoven = 16 << 10

func hasThinkTags(s string) bool {
	for _, tag := range []string{"<think>", "</think>", "<thinking>", "</thinking>", "<thought>", "<reasoning>"} {
		if strings.Contains(s, tag) {
			return true
		}
	}
	return false
}

func eventTexts(ch *convir.Choice, kind convir.Kind) []string {
	var texts []string
	for _, e := range eventsOf(ch, kind) {
		if e.Text != "" {
			texts = append(texts, e.Text)
		}
	}
	return texts
}

// holds reports whether have holds one of the texts more often than want does. Texts too short to tell must be whole lines.
func holds(have, want string, texts []string) bool {
	for _, t := range texts {
		t = strings.TrimSpace(t)
		if t == "" {
			continue
		}
		if len(t) < minTelling {
			have, want, t = "\n"+have+"\n", "\n"+want+"\n", "\n"+t+"\n"
		}
		if strings.Count(have, t) > strings.Count(want, t) {
			return true
		}
	}
	return false
}

// putInto reports whether have is want with one of the texts put into it, and nothing else but white space around that.
func putInto(have, want string, texts []string) bool {
	more := len(have) - len(want)
	if more <= 0 {
		return false
	}
	// It begins where the two part, or before that where its last bytes are those that stand before it too.
	head := diverges(want, have)
	for i := head; i >= max(0, head-more); i-- {
		added := strings.TrimSpace(have[i : i+more])
		if have[i+more:] == want[i:] && slices.ContainsFunc(texts, func(t string) bool { return added != "" && strings.TrimSpace(t) == added }) {
			return true
		}
	}
	return false
}

// minTelling is the length in bytes from which a text's presence inside another is no accident.
const minTelling = 8

// moved are the open differences of the choice that tell what left the other channels.
func (p *Pass) moved(c *Comparison, d *Difference, kinds ...convir.Kind) []*Difference {
	var out []*Difference
	for _, x := range c.Open() {
		if x == d || x.RefChoice != d.RefChoice {
			continue
		}
		for _, k := range kinds {
			if x.Kind == k && (x.Lost() || x.Aspect == SignatureOf || x.Aspect == Content) {
				out = append(out, x)
			}
		}
	}
	return out
}
