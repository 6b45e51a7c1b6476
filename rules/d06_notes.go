package rules

import (
	"strings"

	"reassay/convir"
)

// D06 notes what is tolerated.
var D06 = &Rule{
	ID:    "D06",
	Title: "notes on tolerated grammar",
	Doc: `Notes what a stream does that the documents do not have and every reader gets over without guessing: [DONE]
missing after a finish reason, the role or a call's id on every delta, a key left out where null belongs, usage on every
chunk. A client that stumbles over it is itself at fault. Never counted.`,
	Source: "https://platform.openai.com/docs/api-reference/chat-streaming and the chunk grammar",
	Tier:   T2,
	Since:  "1",
	Needs:  []string{NeedsReply},
	Rank:   8,
	Check:  checkD06,
}

func checkD06(p *Pass) {
	for _, l := range p.legs {
		for i := range p.judge.faults[l] {
			f := &p.judge.faults[l][i]
			if f.excused || f.named != nil || f.ruling != convir.Tolerated && f.entry.Rule != "D06" {
				continue
			}
			first := f.all[0]
			note := Finding{Name: f.entry.Name, Mechanism: f.mechanism(), Construct: string(f.entry.Construct), Path: first.Path,
				At: l.atFault(first), Message: f.message()}
			if first.Got.Exists() {
				note.Got = cutValue(first.Got)
			}
			if first.Want.Exists() {
				note.Expected = cutValue(first.Want)
			}
			f.named = p.finding(l, note)
		}
		p.emptyHead(l)
		p.unwantedReasoning(l)
	}
}

// unwantedReasoning notes reasoning that the request switched off.
func (p *Pass) unwantedReasoning(l *Leg) {
	if !p.Case.reasoningOff() || l.OfSDK() {
		return
	}
	for i := range l.Reply.Choices {
		if _, events := joined(&l.Reply.Choices[i], convir.Reasoning); len(events) > 0 {
			p.finding(l, Finding{Name: "reasoning although switched off", Mechanism: "reasoning although the request switched it off",
				Construct: string(convir.CReasoning), Path: events[0].Path, At: l.Place(events[0].Path), Message: "the reply holds reasoning that the request switched off"})
			return
		}
	}
}

// emptyHead notes the first chunk that leaves the fields of its head empty.
func (p *Pass) emptyHead(l *Leg) {
	if !l.Streamed() {
		return
	}
	for _, e := range l.Events {
		if fields := convir.EmptyHead(l.Dialect, e.Data); len(fields) > 0 {
			p.finding(l, Finding{Name: "chunk head empty", Mechanism: "chunk with an empty head", Construct: string(convir.CStream), Path: fields[0],
				At: &At{Leg: l.Name, Frame: e.Frame, Byte: e.Offset}, Message: "a chunk leaves " + strings.Join(fields, ", ") + " empty"})
			return
		}
	}
}
