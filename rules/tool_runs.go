package rules

import (
	"reassay/convir"
	"reassay/wire"
)

// outcomes compares how the runs of the vendor's tools ended, where the leg's dialect has a word for it beside the
// result: the status of a Responses item, the outcome of Gemini's code execution. Across dialects calls of one tool are
// the same in their order: what they were given each dialect spells in its own way.
func (c *comparer) outcomes(ref, got *convir.Choice) {
	if c.same {
		c.codeOutcomes(ref, got)
		return
	}
	refs, gots := eventsOf(ref, convir.ServerToolCall), eventsOf(got, convir.ServerToolCall)
	taken := make([]bool, len(gots))
	for _, r := range refs {
		for j, g := range gots {
			if taken[j] || r.Name != g.Name {
				continue
			}
			taken[j] = true
			want, have := runFailed(ref, r), runFailed(got, g)
			if want != have && (have || tellsRun(c.Leg.Dialect, got, g)) {
				c.add(Difference{Aspect: ErrorFlag, Construct: convir.CServerToolCall, Kind: convir.ServerToolCall, Choice: got.Index, Path: g.Path, RefPath: r.Path,
					Ref: r, Got: g, RefChoice: ref, GotChoice: got, Want: runWord(want), Have: runWord(have)})
			}
			break
		}
	}
}

// codeOutcomes compares the outcomes of code that the vendor ran, within one dialect.
func (c *comparer) codeOutcomes(ref, got *convir.Choice) {
	refs, gots := eventsOf(ref, convir.CodeResult), eventsOf(got, convir.CodeResult)
	if len(refs) != len(gots) {
		return
	}
	for i, r := range refs {
		g := gots[i]
		want, have := r.Data.Get("outcome"), g.Data.Get("outcome")
		if r.IsError == g.IsError && want.Str() == have.Str() {
			continue
		}
		if !want.Exists() && !have.Exists() {
			want, have = runWord(r.IsError), runWord(g.IsError)
		}
		c.add(Difference{Aspect: ErrorFlag, Construct: convir.CCodeResult, Kind: convir.CodeResult, Choice: got.Index, Path: g.Path, RefPath: r.Path,
			Ref: r, Got: g, RefChoice: ref, GotChoice: got, Want: want, Have: have})
	}
}

// runFailed reports whether a call of a server's tool failed, as itself or its result says.
func runFailed(ch *convir.Choice, call *convir.Event) bool {
	if r := resultOf(ch, call); r != nil && r.IsError {
		return true
	}
	return call.IsError
}

// tellsRun reports whether a reply says how a call of a server's tool ended.
func tellsRun(d wire.Dialect, ch *convir.Choice, call *convir.Event) bool {
	return d == wire.OpenAIResponses || resultOf(ch, call) != nil
}

// resultOf is the result of a call of a server's tool, nil where the reply has none.
func resultOf(ch *convir.Choice, call *convir.Event) *convir.Event {
	for _, e := range eventsOf(ch, convir.ServerToolResult) {
		if e.ID != "" && e.ID == call.ID {
			return e
		}
	}
	return nil
}

func runWord(failed bool) wire.Value {
	if failed {
		return wire.Of("failed")
	}
	return wire.Of("completed")
}

// phases compares the phases that the messages of a Responses reply say, in one dialect. What an SDK's types do not
// know of them is no difference.
func (c *comparer) phases(ref, got *convir.Choice) {
	if !c.same || c.Leg.OfSDK() || c.Ref.OfSDK() || c.Partial || len(ref.Phases) == 0 {
		return
	}
	for i, r := range ref.Phases {
		if i < len(got.Phases) && got.Phases[i].Text == r.Text {
			continue
		}
		d := Difference{Aspect: phaseOf, Construct: convir.COpaque, Choice: got.Index, Path: r.Path, RefPath: r.Path, RefChoice: ref, GotChoice: got, Want: wire.Of(r.Text)}
		if i < len(got.Phases) {
			d.Path, d.Have = got.Phases[i].Path, wire.Of(got.Phases[i].Text)
		}
		c.add(d)
		return
	}
}
