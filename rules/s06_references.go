package rules

import (
	"reassay/convir"
	"reassay/wire"
)

// S06 checks that calls can be told apart and answered.
var S06 = &Rule{
	ID:    "S06",
	Title: "references between calls, results and citations",
	Doc: `Each call has an id of its own, a name and, in a Chat stream, an index of its own counted from 0; no result of the
vendor's own tools names a call that is neither in the reply nor in the request. Ids may be renamed one to one. A citation
selects the text that the model's selects, whatever the dialect counts its offsets in.

SDKs put a streamed call together by its index: two calls on one index are glued into one broken call, an index that
does not start at 0 raises, and a call without an id cannot be answered. A citation whose offsets were copied from bytes
to characters marks the wrong words, or ends behind the text.

Count the calls of the message, not the blocks of the reply. Send id, type and name with a call's first piece and not
again. Where the model's API gives no id, make up one and keep it.`,
	Source: "https://platform.openai.com/docs/api-reference/chat-streaming/streaming#delta-tool_calls; isloss, Table 10, V06",
	Tier:   T1,
	Since:  "1",
	Needs:  []string{NeedsReply},
	Rank:   1,
	Check:  checkS06,
}

func checkS06(p *Pass) {
	p.reportFaults()
	for _, c := range p.comparisons {
		p.identities(c)
		p.citations(c)
	}
	for _, l := range p.legs {
		p.wholeIdentities(l)
		p.danglingResults(l)
	}
}

// identities reports ids that no longer tell which call is which.
func (p *Pass) identities(c *Comparison) {
	for _, d := range c.Open() {
		if !d.Named() && d.Aspect == Name && d.Have.Str() == "" {
			p.finding(c.Leg, Finding{Name: "tool call name missing", Mechanism: "tool call without a name", Message: "a tool call has no name"},
				append([]*Difference{d}, p.sameCall(c, d)...)...)
			continue
		}
		if d.Named() || d.Aspect != Identity {
			continue
		}
		f := Finding{Name: "tool call id wrong", Mechanism: "ids of calls exchanged", Message: "a tool call has the id of another call"}
		switch {
		case !d.Have.Exists():
			f = Finding{Name: "tool call id missing", Mechanism: "tool call without an id", Message: "a tool call has no id"}
		case doubled(d):
			f = Finding{Name: "tool call id reused", Mechanism: "two calls share an id", Message: "a second tool call has an id that another call has"}
		case c.Leg.OfSDK():
			f.Name, f.Mechanism, f.Message = "tool call id garbled", "id repeated on the wire is joined", "the id of a tool call is handed over several times in one word"
		}
		p.finding(c.Leg, f, d)
	}
}

// citations reports citations that belong to another text than the model's.
func (p *Pass) citations(c *Comparison) {
	for _, d := range c.Open() {
		if d.Aspect == citedText {
			p.finding(c.Leg, Finding{Name: "citation of another text", Mechanism: "citation belongs to another text",
				Message: "a citation selects another text of the reply than the model's; offsets count in the dialect's own unit, within the part that they stand at"}, d)
		}
	}
}

// doubled reports whether another call of the leg has the same id.
func doubled(d *Difference) bool {
	for _, e := range eventsOf(d.GotChoice, convir.ToolCall) {
		if e != d.Got && e.ID == d.Got.ID {
			return true
		}
	}
	return false
}

// sameCall are the open differences in the id and arguments of the call whose name is missing.
func (p *Pass) sameCall(c *Comparison, d *Difference) []*Difference {
	var out []*Difference
	for _, x := range c.Open() {
		if x != d && x.Got == d.Got && d.Got != nil && x.Aspect == Identity {
			out = append(out, x)
		}
	}
	return out
}

// excuse marks a fault of the leg's grammar that belongs to a finding that was made already.
func (p *Pass) excuse(l *Leg, path, mechanism string, by *Finding) {
	for i := range p.judge.faults[l] {
		f := &p.judge.faults[l][i]
		if f.entry.Mechanism == mechanism && within(f.all[0].Path, path) {
			f.excused, f.named = true, by
		}
	}
}

// wholeIdentities looks at the ids of a whole reply that has no reference. One that is missing is a fault of the body's
// own grammar.
func (p *Pass) wholeIdentities(l *Leg) {
	if l.Streamed() || p.comparison(l) != nil {
		return
	}
	for i := range l.Reply.Choices {
		seen := map[string]bool{}
		for _, e := range eventsOf(&l.Reply.Choices[i], convir.ToolCall) {
			if e.ID != "" && seen[e.ID] {
				p.finding(l, Finding{Name: "tool call id reused", Mechanism: "two calls share an id", Construct: string(convir.CToolCall), Path: e.Path,
					Cause: ByGateway, Message: "a second tool call has an id that another call has"})
			}
			seen[e.ID] = true
		}
	}
}

// danglingResults reports results of the vendor's tools that name no call: neither one of the reply nor one of an
// earlier turn, which the request repeats. Where the request was not captured, only a reply of the model's API whose
// results all name calls tells that.
// Source: https://platform.claude.com/docs/en/agents-and-tools/tool-use/programmatic-tool-calling (a result may come a
// turn after its call).
func (p *Pass) danglingResults(l *Leg) {
	if l.OfSDK() || l.Dialect != wire.AnthropicMessages {
		return
	}
	c := p.comparison(l)
	if p.Case.Request == nil && (c == nil || len(dangling(c.Ref)) > 0) {
		return
	}
	for _, e := range dangling(l) {
		if p.Case.Request != nil && holdsText(p.Case.Request.Body, e.ID) {
			continue
		}
		p.finding(l, Finding{Name: "result of no call", Mechanism: "server tool result names no call", Construct: string(convir.CServerToolReply), Path: e.Path,
			At: l.Place(e.Path), Got: cutValue(wire.Of(e.ID)), Cause: ByGateway, Message: "the result of a server's tool names a call that is not there"})
	}
}

// dangling are the results of a reply that name none of its calls.
func dangling(l *Leg) []*convir.Event {
	var out []*convir.Event
	for i := range l.Reply.Choices {
		ch := &l.Reply.Choices[i]
		calls := map[string]bool{}
		for _, e := range eventsOf(ch, convir.ServerToolCall) {
			calls[e.ID] = true
		}
		for _, e := range eventsOf(ch, convir.ServerToolResult) {
			if e.ID != "" && !calls[e.ID] {
				out = append(out, e)
			}
		}
	}
	return out
}
