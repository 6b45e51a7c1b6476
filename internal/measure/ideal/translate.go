package ideal

import (
	"fmt"
	"slices"

	"reassay/wire"
)

// Constructs that some dialect has no documented place for, in the words of the support table (RULES.md).
const (
	lostSignature   = "signature"
	lostText        = "thought_signature"
	lostCall        = "call_signature"
	lostRedacted    = "redacted_reasoning"
	lostRefusal     = "refusal"
	lostServerCall  = "server_tool_call"
	lostServerReply = "server_tool_result"
	lostCitation    = "document_citation"
	lostMedia       = "media"
	lostCode        = "code"
	lostCodeResult  = "code_result"
	lostLogprobs    = "logprobs"
	lostChoice      = "choice"
	lostSequence    = "stop_sequence"
)

// translation carries a reply into another dialect, and notes what it has to leave out.
type translation struct {
	from, to wire.Dialect
	losses   []string
	invented int
}

func (t *translation) lose(what ...string) {
	for _, w := range what {
		if !slices.Contains(t.losses, w) {
			t.losses = append(t.losses, w)
		}
	}
}

// Translate is r, said by an upstream of dialect from, as an ideal gateway hands it to a caller of dialect to, and the
// constructs that it has to leave out because to has no documented place for them.
func Translate(r Reply, from, to wire.Dialect) (Reply, []string) {
	t := &translation{from: from, to: to}
	r = r.clone()
	r.ID = replyID(r.ID, to)
	if from == to {
		return r, nil
	}
	if len(r.Choices) > 1 && (to == wire.OpenAIResponses || to == wire.AnthropicMessages) {
		r.Choices = r.Choices[:1]
		t.lose(lostChoice)
	}
	for i := range r.Choices {
		t.choice(&r.Choices[i])
	}
	return r, t.losses
}

func (t *translation) choice(c *Choice) {
	if c.Sequence != "" && t.to != wire.AnthropicMessages {
		c.Sequence = ""
		t.lose(lostSequence)
	}
	kept := c.Pieces[:0]
	for _, p := range c.Pieces {
		if t.piece(&p, c) {
			kept = append(kept, p)
		}
	}
	c.Pieces = kept
}

// piece carries one piece, and reports whether there is a place for it.
func (t *translation) piece(p *Piece, c *Choice) bool {
	openAI := t.to == wire.OpenAIChat || t.to == wire.OpenAIResponses
	switch p.Kind {
	case Text:
		t.text(p)
	case Reasoning:
		if p.Signature != "" {
			p.Signature = ""
			t.lose(lostSignature)
		}
	case Redacted:
		t.lose(lostRedacted)
		return false
	case Refusal:
		if !openAI {
			c.Stop = Refused
			t.lose(lostRefusal)
		}
	case Call:
		if p.Signature != "" && t.to != wire.OpenAIChat {
			p.Signature = ""
			t.lose(lostCall)
		}
		if p.ID == "" {
			t.invented++
			p.ID = fmt.Sprintf("call_made%04d", t.invented)
		}
	case Search:
		t.lose(lostServerCall, lostServerReply)
		return false
	case Code:
		if t.to == wire.OpenAIChat || t.to == wire.AnthropicMessages {
			t.lose(lostCode, lostCodeResult)
			return false
		}
	case Media:
		t.lose(lostMedia)
		return false
	}
	return true
}

func (t *translation) text(p *Piece) {
	if p.Signature != "" {
		p.Signature = ""
		t.lose(lostText)
	}
	if p.Logprobs && t.to == wire.AnthropicMessages {
		p.Logprobs = false
		t.lose(lostLogprobs)
	}
	kept := p.Cites[:0]
	for _, x := range p.Cites {
		if x.Document {
			t.lose(lostCitation)
			continue
		}
		x.Token = ""
		kept = append(kept, x)
	}
	p.Cites = kept
	if len(kept) == 0 {
		p.Cites = nil
	}
}

// replyID is a reply's id as dialect d spells such ids.
func replyID(name string, d wire.Dialect) string {
	switch d {
	case wire.OpenAIChat:
		return "chatcmpl-" + name
	case wire.OpenAIResponses:
		return "resp_" + name
	case wire.AnthropicMessages:
		return "msg_" + name
	}
	return name
}

// Cases lists every shape in every pair of dialects that it exists in, in a fixed order.
func Cases() []Case {
	var cases []Case
	for _, s := range Shapes() {
		for _, from := range wire.Dialects {
			for _, to := range wire.Dialects {
				if c, ok := s.In(from, to); ok {
					cases = append(cases, c)
				}
			}
		}
	}
	return cases
}

// In is the shape as a case of one pair, if it exists there.
func (s Shape) In(from, to wire.Dialect) (Case, bool) {
	if s.From != nil && !slices.Contains(s.From, from) || s.To != nil && !slices.Contains(s.To, to) || s.Identity && from != to {
		return Case{}, false
	}
	up := s.Reply.clone()
	up.ID = replyID(s.Name, from)
	for i := range up.Choices {
		for k := range up.Choices[i].Pieces {
			if p := &up.Choices[i].Pieces[k]; p.Logprobs && from == wire.AnthropicMessages {
				p.Logprobs = false
			}
		}
	}
	named := s.Reply.clone()
	named.ID = s.Name
	down, losses := Translate(named, from, to)
	if s.Ask.Forced != "" {
		// Chat ends with stop after a tool that was forced by name.
		for _, side := range []struct {
			d wire.Dialect
			r *Reply
		}{{from, &up}, {to, &down}} {
			if side.d == wire.OpenAIChat {
				side.r.Choices[0].Word = "stop"
			}
		}
	}
	return Case{Shape: s.Name, From: from, To: to, Up: up, Down: down, Ask: s.Ask, Losses: losses}, true
}
