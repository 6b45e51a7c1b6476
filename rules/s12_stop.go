package rules

import (
	"slices"

	"reassay/convir"
	"reassay/wire"
)

// S12 checks why a reply says that it ended.
var S12 = &Rule{
	ID:    "S12",
	Title: "stop reason",
	Doc: `The stop reason says what the model's said: a length, safety, refusal or error end is not a normal end, calls end
with the dialect's word for calls, and only words of the caller's dialect are used.

Agents decide by it: ` + "`stop`" + ` beside calls means the calls are not run, ` + "`stop`" + ` after a cut means half an answer is taken for a
whole one, and a foreign word is an unknown end.

Map every documented word of the model's API on purpose, and let none fall through to success. ` + "`stop`" + ` after a tool that
the request forced by name is right.`,
	Source: "https://platform.openai.com/docs/api-reference/chat/object#chat-object-choices-finish_reason; https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons",
	Tier:   T1,
	Since:  "1",
	Needs:  []string{NeedsReply},
	Rank:   2,
	Check:  checkS12,
}

func checkS12(p *Pass) {
	p.reportFaults()
	for _, c := range p.comparisons {
		for _, d := range c.Open() {
			switch {
			case d.Aspect == Ending && (callsGone(d) || callsCame(c, d)):
				// The stop reason fits the calls that are left or were added: those are the fault, and S05 names both.
			case d.Aspect == Ending:
				p.ending(c, d)
			}
		}
		for _, d := range c.Open() {
			if d.Aspect == StopSequence {
				p.finding(c.Leg, Finding{Name: "stop sequence lost", Mechanism: "matched stop sequence lost",
					Message: "the stop sequence that matched is not told"}, d)
			}
		}
	}
	for _, l := range p.legs {
		p.lostConnection(l)
		p.foreignEnding(l)
		p.ownEnding(l)
	}
}

// lostConnection reports a reply of the model's API that broke off and is told as one that ended at a limit or was
// filtered. The caller can tell that it is not whole, but not that another attempt would help.
func (p *Pass) lostConnection(l *Leg) {
	if !p.Case.Broken() || l != p.Case.Stream || p.Case.Cancelled || l.ErrorTold().Exists() {
		return
	}
	c := p.comparison(l)
	for i := range l.Reply.Choices {
		ch := &l.Reply.Choices[i]
		told := ch.Stop.Outcome
		if !ch.Stop.Given || told != convir.Truncated && (told != convir.Filtered && told != convir.Refused || p.Case.UpstreamState != Cut) || c != nil && endedItself(c, ch) {
			continue
		}
		f := Finding{Name: "stop reason wrong", Mechanism: "lost connection shown as a " + endWord[told] + " end", Construct: string(stopConstruct(told)), Path: ch.Stop.Path,
			At: l.Place(ch.Stop.Path), Got: cutValue(wire.Of(ch.Stop.Raw)), Cause: ByGateway, Message: "the model's API broke off without a stop reason and the reply's is " + ch.Stop.Raw + "; want an error"}
		f.Support, f.NativeField = support(convir.CError, l)
		p.finding(l, f)
	}
}

// foreignEnding reports a word that the dialect does not have on a reply whose end is not compared, because one of the
// two broke off: it is the gateway's own word for what happened.
func (p *Pass) foreignEnding(l *Leg) {
	c := p.comparison(l)
	if c == nil || !c.Partial || l.OfSDK() {
		return
	}
	for _, x := range c.Pairs {
		told := x.Got.Stop
		if !told.Given || told.Known || p.endNamed(l, x.Got) || c.Ref.Dialect == l.Dialect && x.Ref.Stop.Raw == told.Raw {
			continue
		}
		f := Finding{Name: "stop reason wrong", Mechanism: "foreign stop word", Construct: string(convir.CStop), Path: told.Path, At: l.Place(told.Path),
			Got: cutValue(wire.Of(told.Raw)), Cause: ByGateway, Message: "the stop reason is a word that the dialect does not have"}
		f.Support, f.NativeField = support(convir.CStop, l)
		p.finding(l, f)
	}
}

// endedItself reports whether the model's own reply gave this choice a stop reason before it broke off.
func endedItself(c *Comparison, ch *convir.Choice) bool {
	for _, x := range c.Pairs {
		if x.Got == ch {
			return x.Ref.Stop.Given
		}
	}
	return false
}

// callsGone reports an end without calls where the reference's had some and the leg has none left.
func callsGone(d *Difference) bool {
	return d.RefChoice.Stop.Outcome == convir.ToolCalls && d.GotChoice.Stop.Known && d.GotChoice.Stop.Outcome == convir.Complete &&
		len(eventsOf(d.RefChoice, convir.ToolCall)) > 0 && len(eventsOf(d.GotChoice, convir.ToolCall)) == 0
}

// callsCame reports an end with calls where the leg has calls that the reference has not.
func callsCame(c *Comparison, d *Difference) bool {
	for _, x := range c.Open() {
		if x.Kind == convir.ToolCall && x.Aspect == Presence && x.Invented() && x.GotChoice == d.GotChoice {
			return d.GotChoice.Stop.Outcome == convir.ToolCalls && d.RefChoice.Stop.Outcome != convir.ToolCalls
		}
	}
	return false
}

// ending reports a stop reason that says something else than the reference's.
func (p *Pass) ending(c *Comparison, d *Difference) {
	ref, got := d.RefChoice.Stop, d.GotChoice.Stop
	f := Finding{Name: "stop reason wrong", Mechanism: "stop reason changed"}
	// An unknown or paused end has no word of its own elsewhere: what the model's API said stands as it is.
	if word := stopWord(c.Leg.Dialect, ref.Outcome); word != "" && ref.Outcome != convir.Unknown && ref.Outcome != convir.Paused {
		f.Expected = cutValue(wire.Of(word))
	}
	switch {
	case !got.Given:
		f.Name, f.Mechanism, f.Message = "stop reason missing", "stop reason missing", "the reply has no stop reason"
	case !got.Known:
		f.Mechanism = "foreign stop word"
		f.Message = "the stop reason is a word that the dialect does not have"
		f.Support, f.NativeField = support(convir.CStop, c.Leg)
	case ref.Outcome == convir.ToolCalls && got.Outcome == convir.Complete:
		f.Mechanism = "stop beside tool calls"
		f.Message = "the stop reason is " + got.Raw + " beside tool calls; want the dialect's word for calls"
	case isSuccess(got.Outcome) && !isSuccess(ref.Outcome):
		f.Mechanism = endWord[ref.Outcome] + " end shown as a normal end"
		f.Message = "the reply ended as " + endWord[ref.Outcome] + " and the stop reason is " + got.Raw
		if ref.Outcome == convir.Unknown || ref.Outcome == convir.Paused {
			// Nothing says this end exactly, yet every dialect has some word that is not success.
			f.Support, f.NativeField = support(convir.CStop, c.Leg)
		}
	case ref.Outcome == convir.Unknown || ref.Outcome == convir.Paused:
		f.Mechanism = "end without a twin told by an inexact word"
		f.Message = "the reply ended as " + endWord[ref.Outcome] + " and the stop reason is " + got.Raw
		f.Support = Borderline
	case got.Outcome == convir.ToolCalls && len(eventsOf(d.GotChoice, convir.ToolCall)) == 0:
		f.Mechanism = "calls announced and none there"
		f.Message = "the stop reason is " + got.Raw + " and there is no call"
	default:
		f.Message = "the reply ended as " + endWord[ref.Outcome] + " and the stop reason is " + got.Raw
	}
	p.finding(c.Leg, f, append([]*Difference{d}, sequenceOf(c, d)...)...)
}

// sequenceOf is the open loss of the matched stop sequence of a choice whose stop reason is wrong, where the dialect has
// a field for it: it went with the reason.
func sequenceOf(c *Comparison, d *Difference) []*Difference {
	for _, x := range c.Open() {
		if x.Aspect == StopSequence && x.GotChoice == d.GotChoice {
			if s, _ := supportFrom(c, x.Construct, c.Leg); s == Avoidable {
				return []*Difference{x}
			}
		}
	}
	return nil
}

// stopWord is the word by which a dialect tells an outcome. A refusal that a dialect has no word for is told by the
// word for filtered replies, which is what the comparison takes as equal too.
func stopWord(d wire.Dialect, o convir.Outcome) string {
	if word := convir.StopWord(d, o); word != "" || o != convir.Refused {
		return word
	}
	return convir.StopWord(d, convir.Filtered)
}

// endWord is what a person calls a canonical outcome.
var endWord = map[convir.Outcome]string{
	convir.Complete: "complete", convir.ToolCalls: "waiting for calls", convir.Truncated: "truncated", convir.Filtered: "filtered",
	convir.Refused: "refused", convir.Paused: "paused", convir.Failed: "failed", convir.Empty: "empty", convir.Unknown: "unknown", convir.None: "unsaid",
}

// ReadForced reads Chat's stop behind the one tool that the request forced by name as what it means there: the turn
// waits for calls. The other dialects have no such exception: Messages ends with tool_use whenever a tool is called.
// Source: https://platform.openai.com/docs/guides/function-calling, forced functions (a case of the fixtures records
// it); https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons, tool_use.
func (c *Case) ReadForced(l *Leg) {
	name := c.ForcedTool()
	if l == nil || name == "" || l.Dialect != wire.OpenAIChat {
		return
	}
	for i := range l.Reply.Choices {
		ch := &l.Reply.Choices[i]
		calls := eventsOf(ch, convir.ToolCall)
		if ch.Stop.Outcome == convir.Complete && len(calls) > 0 && !slices.ContainsFunc(calls, func(e *convir.Event) bool { return e.Name != name }) {
			ch.Stop.Outcome = convir.ToolCalls
		}
	}
}

// ownEnding looks at what a reply's stop reason says beside its own content, where no reference tells more.
func (p *Pass) ownEnding(l *Leg) {
	c := p.comparison(l)
	if l.OfSDK() || c != nil && (c.Partial || c.Ref.Name == UpstreamLeg || c.Ref.Name == UpstreamWholeLeg) {
		return
	}
	for i := range l.Reply.Choices {
		ch := &l.Reply.Choices[i]
		if c != nil && hasEnding(c, ch) || p.endNamed(l, ch) {
			continue
		}
		f := Finding{Construct: string(convir.CStop), Path: ch.Stop.Path, At: l.Place(ch.Stop.Path), Name: "stop reason wrong", Cause: Undetermined}
		calls := len(eventsOf(ch, convir.ToolCall))
		switch {
		case ch.Stop.Given && !ch.Stop.Known:
			f.Mechanism, f.Message, f.Cause = "foreign stop word", "the stop reason is a word that the dialect does not have", ByGateway
		case ch.Stop.Given && ch.Stop.Outcome == convir.Complete && calls > 0 && l.Dialect != wire.OpenAIResponses:
			f.Mechanism = "stop beside tool calls"
			f.Message = "the stop reason is " + ch.Stop.Raw + " beside tool calls; want the dialect's word for calls"
		case ch.Stop.Given && ch.Stop.Outcome == convir.ToolCalls && calls == 0 && ch.Stop.Raw != "":
			f.Mechanism, f.Message = "calls announced and none there", "the stop reason is "+ch.Stop.Raw+" and there is no call"
		case !ch.Stop.Given && !l.Streamed():
			f.Name, f.Mechanism, f.Message, f.Cause = "stop reason missing", "stop reason missing", "the reply has no stop reason", ByGateway
		default:
			continue
		}
		f.Got = cutValue(wire.Of(ch.Stop.Raw))
		p.finding(l, f)
	}
}

// hasEnding reports whether the comparison already found the choice's end to differ.
func hasEnding(c *Comparison, ch *convir.Choice) bool {
	for _, d := range c.Differences {
		if d.Aspect == Ending && d.GotChoice == ch {
			return true
		}
	}
	return false
}

// endNamed reports whether a fault of the leg's grammar already names the choice's end.
func (p *Pass) endNamed(l *Leg, ch *convir.Choice) bool {
	for _, f := range p.judge.faults[l] {
		if f.named != nil && f.entry.Construct == convir.CStop && choiceOf(f.all[0].Path) == choiceOf(ch.Stop.Path) {
			return true
		}
	}
	return false
}
