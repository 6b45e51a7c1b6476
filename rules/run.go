package rules

import (
	"encoding/json"
	"fmt"

	"reassay/convir"
	"reassay/sdkemu"
	"reassay/wire"
)

// Run is what one SDK made of the stream leg.
type Run struct {
	Target sdkemu.Target
	Result sdkemu.Result
	// Leg is the message that the SDK handed over, read in the caller's dialect; nil where it raised, or in a mode
	// without a message.
	Leg *Leg
	// Comparison is Leg against the stream's reference, or against the stream's own reading where there is none.
	Comparison *Comparison
	// Findings are those that show in the run: the stream's own that the SDK passes on, and the SDK's.
	Findings []*Finding
	// Truthful: the exception tells the caller of the upstream's failure.
	Truthful bool
}

// run judges one SDK run. What the stream itself already shows is the stream's finding and only listed; what the
// stream's broken grammar explains is that finding's consequence; only the rest is said about the SDK.
func (j *judge) run(r *Run) {
	if r.Result.Outcome == sdkemu.Exception {
		j.exception(r)
		return
	}
	if r.Comparison == nil {
		return
	}
	j.hidden(r)
	j.unended(r)
	if f := j.wholeFinding(); f != nil {
		r.link(f)
	}
	j.heldToStream(r)
	for _, d := range r.Comparison.Differences {
		if d.Aspect == SignatureOf && r.Leg.Dialect == wire.OpenAIChat && j.inherited(d) == nil {
			// Chat has no field of its own for a token: what a gateway puts beside a call is another vendor's
			// extension, which a typed SDK may leave in the raw chunk.
			d.excused = true
			continue
		}
		if f := j.inherited(d); f != nil {
			d.named = f
			r.link(f)
		} else if f := j.provoked(d); f != nil {
			d.named = f
			r.link(f)
			f.Consequences = append(f.Consequences, r.Target.Name()+": "+describe(d))
		}
	}
	before := len(j.findings)
	j.look([]*Leg{r.Leg}, []*Comparison{r.Comparison})
	for _, f := range j.findings[before:] {
		r.link(f)
	}
}

// heldToStream compares the ids of the calls with the stream's: a gateway may rename them, an SDK may not.
func (j *judge) heldToStream(r *Run) {
	for i := range r.Leg.Reply.Choices {
		got := &r.Leg.Reply.Choices[i]
		for k := range j.c.Stream.Reply.Choices {
			sent := &j.c.Stream.Reply.Choices[k]
			if sent.Index != got.Index {
				continue
			}
			matches, _, _ := pairCalls(eventsOf(sent, convir.ToolCall), eventsOf(got, convir.ToolCall))
			for _, m := range matches {
				if m.ref.ID != "" && m.got.ID != m.ref.ID && !r.differs(Identity, m.got) {
					r.Comparison.Differences = append(r.Comparison.Differences, &Difference{Aspect: Identity, Construct: convir.CToolCall, Kind: m.got.Kind,
						Choice: got.Index, Path: m.got.Path, Ref: m.ref, Got: m.got, RefChoice: sent, GotChoice: got, Want: wire.Of(m.ref.ID), Have: wire.Of(m.got.ID)})
				}
			}
		}
	}
}

// differs reports whether the run's comparison already has a difference of this aspect on the event.
func (r *Run) differs(a Aspect, got *convir.Event) bool {
	for _, d := range r.Comparison.Differences {
		if d.Aspect == a && d.Got == got {
			return true
		}
	}
	return false
}

// hidden says that an SDK hands over a message that looks whole although the model's API failed.
func (j *judge) hidden(r *Run) {
	if !j.c.Broken() || TellsFailure(r.Leg) {
		return
	}
	for _, f := range j.findings {
		if f.Leg == StreamLeg && f.Name == failureMasked {
			r.link(f)
			return
		}
	}
	p := &Pass{Rule: S13, Case: j.c, judge: j}
	f := Finding{Name: failureMasked, Mechanism: "told failure not handed over", Construct: string(convir.CError), Scope: ScopeOurs, Cause: BySDK,
		Message: "the stream tells that the model's API failed and the SDK hands over a message as if whole"}
	r.link(p.finding(r.Leg, f))
}

// unended says of a message that an SDK hands over without a stop reason, where nothing but the stream itself tells how
// it should end, that the stream never told: nobody can know whether the message is whole.
func (j *judge) unended(r *Run) {
	if j.c.StreamComparison != nil || ended(r.Leg) {
		return
	}
	for _, f := range j.findings {
		if f.Leg == StreamLeg && f.Construct == string(convir.CStop) {
			r.link(f)
		}
	}
}

func ended(l *Leg) bool {
	for i := range l.Reply.Choices {
		if !l.Reply.Choices[i].Stop.Given {
			return false
		}
	}
	return len(l.Reply.Choices) > 0
}

func (r *Run) link(f *Finding) {
	for _, g := range r.Findings {
		if g == f {
			return
		}
	}
	r.Findings = append(r.Findings, f)
}

// inherited is the stream's own finding for a difference that the stream shows too.
func (j *judge) inherited(d *Difference) *Finding {
	if j.c.StreamComparison == nil {
		return nil
	}
	if j.shown == nil {
		j.shown = map[string][]*Difference{}
		for _, s := range j.c.StreamComparison.Differences {
			j.shown[s.key()] = append(j.shown[s.key()], s)
			j.shown[s.placeKey()] = append(j.shown[s.placeKey()], s)
		}
	}
	for _, key := range []string{d.key(), d.placeKey()} {
		for _, s := range j.shown[key] {
			if s.named != nil {
				return s.named
			}
		}
	}
	if d.Aspect == Payload { // an SDK renders what the stream says with fields of its own
		for _, s := range j.c.StreamComparison.Differences {
			if s.Aspect == Payload && s.Kind == d.Kind && s.RefPath == d.RefPath && s.named != nil && s.Got.IsError == d.Got.IsError && agree(s.Got, d.Got) {
				return s.named
			}
		}
	}
	return nil
}

// provoked is the finding on the stream's broken grammar that explains what only the SDK shows.
func (j *judge) provoked(d *Difference) *Finding {
	for i := range j.faults[j.c.Stream] {
		f := &j.faults[j.c.Stream][i]
		if named := f.finding(); named != nil && named.Tier == T1 && f.explains(d) {
			return named
		}
	}
	return nil
}

// exception finds what provoked an exception: a fault of the stream's grammar at the event where the SDK raised, one
// that this exception is known to answer, or an error that the stream tells; else the SDK raised of its own accord.
func (j *judge) exception(r *Run) {
	if l := j.c.Stream; !l.OK() || l.ErrorTold().Exists() && j.c.Broken() {
		// The SDK tells its caller of the status or the error that came: that is what it is for.
		return
	}
	if f := j.provoker(r); f != nil {
		r.link(f)
		f.Consequences = append(f.Consequences, fmt.Sprintf("%s raises %s%s", r.Target.Name(), r.Result.Exception.Class, atEvent(r.Result.Exception)))
		return
	}
	if !j.c.Broken() {
		j.ownException(r)
	}
}

// wholeFinding is the finding that the stream is none at all, nil when it is one.
func (j *judge) wholeFinding() *Finding {
	for _, f := range j.findings {
		if f.Leg == StreamLeg && f.whole {
			return f
		}
	}
	return nil
}

func atEvent(e *sdkemu.ExceptionDetail) string {
	if n, ok := eventNumber(e); ok {
		return fmt.Sprintf(" at event %d", n)
	}
	if string(e.AtEvent) == `"final"` {
		return " in its final call"
	}
	return ""
}

// eventNumber is how many events of the stream the SDK had taken in when it raised; ok is false before the first byte
// and in the final call.
func eventNumber(e *sdkemu.ExceptionDetail) (int, bool) {
	if e.Taken != nil {
		return *e.Taken, true
	}
	var n int
	if len(e.AtEvent) == 0 || string(e.AtEvent) == "null" || json.Unmarshal(e.AtEvent, &n) != nil {
		return 0, false
	}
	return n, true
}
