package rules

import (
	"bytes"
	"slices"

	"reassay/assemble"
	"reassay/convir"
	"reassay/sse"
	"reassay/wire"
)

// S13 checks the stream itself: its order, its end, and that it says what the whole reply says.
var S13 = &Rule{
	ID:    "S13",
	Title: "the stream",
	Doc: `A stream keeps its dialect's ledger (indices, item ids, sequence numbers, blocks that start and stop), ends with a
finish signal and the dialect's terminal event, tells a failure of the model's API as one, and put together says what the
non-stream reply says (MR-S). What names a difference more closely than that is another rule's.

A stream without an end leaves some clients waiting and others with half an answer. A failure closed as success is taken
for the whole answer.

Translate event by event and close what was opened, also on the way out of an error. When the model's API fails midway,
send the dialect's error event.`,
	Source: "https://html.spec.whatwg.org/multipage/server-sent-events.html; https://platform.claude.com/docs/en/build-with-claude/streaming; https://platform.openai.com/docs/api-reference/responses-streaming; isloss, section 3.2 (stream equivalence)",
	Tier:   T1,
	Since:  "1",
	Needs:  []string{NeedsReply},
	Rank:   0,
	Check:  checkS13,
	Last:   lastS13,
}

func checkS13(p *Pass) {
	for _, l := range p.legs {
		switch {
		case l.OfSDK():
		case l != p.Case.Stream:
			p.noReply(l)
		case p.Case.Cancelled || l.ErrorTold().Exists() || p.Case.Broken() && TellsFailure(l):
			p.excuseEndings(l)
		case !p.Case.Broken() || !p.masked(l):
			p.noReply(l)
		}
		p.wholeGrammar(l)
		p.brokenCharacters(l)
	}
	p.reportFaults()
	for _, c := range p.comparisons {
		if c.Leg != p.Case.Stream {
			continue
		}
		for _, d := range c.Open() {
			switch {
			case d.Named():
			case d.Aspect == WholeReply && d.Invented():
				p.madeUpError(c, d)
			case d.Aspect == Content && d.Have.Exists() && d.Want.Exists() && changeOf(d.Want.Str(), d.Have.Str(), nil) == tailLost:
				f := Finding{Name: "stream cut short", Mechanism: "end of the " + kindWords[d.Kind] + " not streamed", At: c.Leg.PlaceEnd(d.Path),
					Message: "the streamed " + kindWords[d.Kind] + " ends before the reference's does"}
				p.finding(c.Leg, f, append([]*Difference{d}, p.tokensOf(c, d)...)...)
			}
		}
	}
	if whole := p.Case.NonStream; whole != nil {
		p.maskedWhole(whole)
	}
}

// endCodes are the faults of a stream that stops early.
var endCodes = map[assemble.FaultCode]bool{
	assemble.NoFinish: true, assemble.NoTerminal: true, assemble.CutFrame: true, assemble.BlockLeftOpen: true, assemble.DoneMissing: true,
	assemble.ArgsCut: true, assemble.ArgsNotJSON: true, assemble.ArgsEmpty: true, assemble.BadJSON: true, assemble.FinalMismatch: true,
}

// excuseEndings: where the caller itself broke the stream off nothing is said of its end, and an error that the stream
// tells is an end.
func (p *Pass) excuseEndings(l *Leg) {
	for i := range p.judge.faults[l] {
		if f := &p.judge.faults[l][i]; endCodes[f.all[0].Code] {
			f.excused = true
		}
	}
}

// noReply reports a leg with status 2xx that is no reply at all, or no stream of events where one was asked for, or
// whose connection broke.
func (p *Pass) noReply(l *Leg) {
	if !l.OK() || l.ErrorTold().Exists() {
		return
	}
	streaming := l == p.Case.Stream
	f := Finding{Construct: string(convir.CStream), Cause: ByGateway, At: &At{Leg: l.Name}}
	switch {
	case l.Form == sse.FormEmpty && streaming:
		f.Name, f.Mechanism, f.Message = "empty stream", "stream without a single event", "the stream holds nothing; want at least the reply's end"
	case l.Form == sse.FormEmpty:
		f.Name, f.Mechanism, f.Message = "empty reply", "reply without a body", "the reply has no body"
	case l.Form == sse.FormObject && streaming:
		f.Name, f.Mechanism, f.Message = "no stream", "whole reply where a stream was asked for", "the reply to a streaming request is one JSON object; want events"
	case l.Form == sse.FormOther:
		f.Name, f.Mechanism, f.Message = "no reply", "body that is no reply of the dialect", "the body is neither a stream of events nor JSON"
	case l.Broken != nil && !(l.Assembled.Finish && l.Assembled.Terminal):
		p.broken(l)
		return
	default:
		p.strayLine(l)
		return
	}
	if l.Broken != nil {
		f.Cause = breaker(l)
	}
	p.claimRest(l, f, convir.CStop)
}

// broken reports a connection that broke before the stream's end: what is missing behind the break is its consequence.
func (p *Pass) broken(l *Leg) {
	f := Finding{Name: "connection broke", Mechanism: "connection broke before the end", Construct: string(convir.CStream), Cause: breaker(l), Scope: ScopeOurs,
		Path: finishPath(l), Field: Visible, Message: "the connection to the caller broke before the stream's end", whole: true}
	f.Support, f.NativeField = support(convir.CStop, l)
	if n := len(l.Frames); n > 0 {
		f.At = &At{Leg: l.Name, Frame: n - 1, Byte: l.Frames[n-1].End}
	}
	kept := p.finding(l, f)
	for i := range p.judge.faults[l] {
		if x := &p.judge.faults[l][i]; endCodes[x.all[0].Code] {
			x.excused, x.named = true, kept
		}
	}
	if c := p.comparison(l); c != nil {
		for _, d := range c.Open() {
			if d.Aspect == Ending || d.Aspect == StopSequence || (d.Aspect == Content || d.Aspect == Arguments || d.Aspect == Presence) && atEnd(d) || d.Aspect == Candidate && d.Lost() {
				d.named = kept
				kept.Consequences = append(kept.Consequences, describe(d))
			}
		}
	}
}

// breaker is whose doing a broken connection is, as the capture says.
func breaker(l *Leg) Cause {
	switch l.Broken.By {
	case "gateway":
		return ByGateway
	case "upstream":
		return ByUpstream
	}
	return Undetermined
}

// wholeGrammar reports what is wrong with a reply that came whole: fields that its dialect requires and that are
// missing or of another type.
func (p *Pass) wholeGrammar(l *Leg) {
	if l.Streamed() || l.OfSDK() || !l.OK() || l.ErrorTold().Exists() || l.Form != sse.FormObject {
		return
	}
	for _, x := range l.Reply.Faults {
		f := Finding{Construct: string(convir.COpaque), Path: x.Path, Support: Avoidable, NativeField: anyIndex(x.Path), Cause: ByGateway, Field: Visible}
		switch x.Code {
		case convir.MissingField:
			f.Name, f.Mechanism, f.Message = "field missing", "required field missing: "+anyIndex(x.Path), x.Path+" is absent where the dialect requires it"
		case convir.WrongType, convir.NotAnObject:
			f.Name, f.Mechanism, f.Message = "field of a wrong type", "field of another JSON type: "+anyIndex(x.Path), orReply(x.Path)+" has another JSON type than the dialect's"
		default:
			continue
		}
		if f.NativeField == "" {
			f.NativeField = "body"
		}
		if x.Got.Exists() {
			f.Got = cutValue(x.Got)
		}
		if up := p.Case.UpstreamWhole; up != nil && up.Dialect == l.Dialect && sameFault(up, x) {
			f.Cause = ByUpstream
		}
		p.finding(l, f)
	}
}

func sameFault(l *Leg, x convir.Fault) bool {
	for _, f := range l.Reply.Faults {
		if f.Code == x.Code && f.Path == x.Path {
			return true
		}
	}
	return false
}

// strayLine reports JSON that stands in the stream without being an event of it.
func (p *Pass) strayLine(l *Leg) {
	if at := l.strayJSON(); at != nil {
		p.finding(l, Finding{Name: "line that is no event", Mechanism: "JSON line without a field name", Construct: string(convir.CStream), Cause: ByGateway, At: at,
			Support: Avoidable, NativeField: "data", Message: "a line of the stream is JSON without the field name data, so no client reads it"})
	}
}

// brokenCharacters reports an event of the stream that holds half of a surrogate pair: by itself it is no Unicode text,
// and what decodes event by event makes U+FFFD of either half. A model's own reply that is cut so is passed on as it is.
// Source: RFC 8259, section 8.2, and RFC 7493, section 2.1.
func (p *Pass) brokenCharacters(l *Leg) {
	if l.OfSDK() || !l.Streamed() {
		return
	}
	for _, up := range []*Leg{p.Case.Upstream, p.Case.UpstreamWhole} {
		if up != nil && (halfCharacter(up) >= 0 || loneHalf(up.Assembled.Body)) {
			return
		}
	}
	i := halfCharacter(l)
	if i < 0 || loneHalf(l.Assembled.Body) {
		return // a half that stays alone is another text, which the comparison tells
	}
	e, cause := l.Events[i], ByGateway
	if p.Case.UpstreamState == NotCaptured {
		cause = Undetermined
	}
	p.finding(l, Finding{Name: "character split over events", Mechanism: "surrogate pair split over two events", Construct: string(convir.CText),
		At: &At{Leg: l.Name, Frame: e.Frame, Byte: e.Offset}, Cause: cause, Message: "an event ends within a character: half of a surrogate pair is no text"})
}

// halfCharacter is the first event that holds half of a surrogate pair, -1 when none does.
func halfCharacter(l *Leg) int {
	if !l.Streamed() {
		return -1
	}
	return slices.IndexFunc(l.Events, func(e sse.Event) bool { return mayHalve(e.Raw) && loneHalf(e.Data) })
}

// mayHalve reports whether JSON text holds the escape of a surrogate, without which no string of it holds half a pair.
func mayHalve(raw []byte) bool {
	return bytes.Contains(raw, []byte(`\ud`)) || bytes.Contains(raw, []byte(`\uD`))
}

// loneHalf reports whether a string of v holds half of a surrogate pair.
func loneHalf(v wire.Value) bool {
	switch v.Kind() {
	case wire.String:
		return wire.LoneHalves(v.Str())
	case wire.Array:
		return slices.ContainsFunc(v.Elems(), loneHalf)
	case wire.Object:
		return slices.ContainsFunc(v.Members(), func(m wire.Member) bool { return loneHalf(m.Value) })
	}
	return false
}

// claimRest reports a fault that takes the whole reply with it.
func (p *Pass) claimRest(l *Leg, f Finding, field convir.Construct) *Finding {
	f.Support, f.NativeField = support(field, l)
	f.Field, f.whole = Visible, true
	kept := p.finding(l, f)
	for i := range p.judge.faults[l] {
		p.judge.faults[l][i].excused = true
	}
	if c := p.comparison(l); c != nil {
		for _, d := range c.Open() {
			d.named = kept
			kept.Consequences = append(kept.Consequences, describe(d))
		}
	}
	return kept
}

// failureMasked is the name of the finding that a failure is hidden.
const failureMasked = "failure masked"

// masked looks at a stream whose upstream failed or was cut. It reports a failure that the caller cannot see on the
// wire, and tells whether it did.
func (p *Pass) masked(l *Leg) bool {
	if TellsFailure(l) {
		return false
	}
	f := Finding{Name: failureMasked, Construct: string(convir.CError), Scope: ScopeOurs, Field: Visible, Cause: ByGateway}
	f.Support, f.NativeField = support(convir.CError, l)
	ended := l.Assembled.Finish && l.Form != sse.FormEmpty
	switch {
	case ended:
		f.Mechanism = "upstream failure closed as success"
		f.Message = "the model's API failed midway and the stream ends as a whole answer does; want an error"
		for _, ch := range l.Reply.Choices {
			f.Path, f.At, f.Got = ch.Stop.Path, l.Place(ch.Stop.Path), cutValue(wire.Of(ch.Stop.Raw))
			break
		}
	case l.strayJSON() != nil:
		f.Mechanism = "upstream failure written outside the event stream"
		f.Message = "the model's API failed midway and the stream tells it in a line that is no field of an event stream; want an error event"
		f.At = l.strayJSON()
		f.Path = finishPath(l)
	case l.Form == sse.FormEmpty:
		f.Mechanism, f.Message = "upstream failure told as an empty stream", "the model's API failed and the stream holds nothing; want an error"
		f.At = &At{Leg: l.Name}
	default:
		f.Mechanism = "upstream failure passed on as a stream without an end"
		f.Message = "the model's API failed midway and the stream just stops, without an error or a finish reason; want an error"
		if !l.Assembled.Terminal {
			f.Cause = ByUpstream
		}
		f.Path = finishPath(l)
		for _, x := range l.Assembled.Faults {
			if x.Code == assemble.NoFinish {
				f.At = l.at(x.At)
				break
			}
		}
	}
	kept := p.finding(l, f)
	for i := range p.judge.faults[l] {
		if x := &p.judge.faults[l][i]; endCodes[x.all[0].Code] {
			x.excused, x.named = true, kept
		}
	}
	if c := p.comparison(l); c != nil {
		for _, d := range c.Open() {
			if d.Invented() || d.Aspect == Content || d.Aspect == WholeReply {
				d.named = kept
				kept.Consequences = append(kept.Consequences, describe(d))
			}
		}
	}
	return true
}

// finishPath is where the first choice that never ended would say why.
func finishPath(l *Leg) string {
	for _, x := range l.Assembled.Faults {
		if x.Code == assemble.NoFinish {
			return x.Path
		}
	}
	return ""
}

// TellsFailure reports whether a caller can see on the wire that a reply did not end well: an error, a connection
// that broke, or a finish reason that is none of success.
func TellsFailure(l *Leg) bool {
	if l.ErrorTold().Exists() || l.Broken != nil || !l.OK() {
		return true
	}
	for _, ch := range l.Reply.Choices {
		if ch.Stop.Given && !isSuccess(ch.Stop.Outcome) {
			return true
		}
	}
	return false
}

// maskedWhole reports a non-stream reply that looks like an answer although the model's API answered with an error.
func (p *Pass) maskedWhole(l *Leg) {
	up := p.Case.UpstreamWhole
	if up == nil || !(up.ErrorTold().Exists() || !up.OK()) || TellsFailure(l) || p.comparison(l) == nil {
		return
	}
	f := Finding{Name: failureMasked, Mechanism: "upstream failure closed as success", Construct: string(convir.CError), Scope: ScopeOurs,
		Cause: ByGateway, Message: "the model's API answered with an error and the reply looks like an answer; want an error"}
	p.claimRest(l, f, convir.CError)
}

// madeUpError reports an error in the stream that the model's API did not send.
func (p *Pass) madeUpError(c *Comparison, d *Difference) {
	if !c.Leg.OK() {
		return
	}
	f := Finding{Name: "error in a sound reply", Mechanism: "error sent although the model answered", At: c.Leg.at(c.Leg.Assembled.ErrorAt),
		Message: "the stream tells an error that the model's reply does not have"}
	p.finding(c.Leg, f, append([]*Difference{d}, others(c.Open(), d)...)...)
	p.excuseEndings(c.Leg)
}

// others are all differences but d.
func others(all []*Difference, d *Difference) []*Difference {
	var out []*Difference
	for _, x := range all {
		if x != d {
			out = append(out, x)
		}
	}
	return out
}

// lastS13 reports that stream and non-stream reply differ where no other finding says how.
func lastS13(p *Pass) {
	p.declaredOnOneLeg()
	eq := p.Case.Equivalence
	if eq == nil || len(p.legs) == 0 || p.legs[0] != p.Case.Stream {
		return
	}
	for _, d := range eq.Differences {
		if d.Named() || p.errorDeparts(d) || p.explained(d) {
			continue
		}
		f := Finding{Name: "stream differs from the whole reply", Mechanism: "stream and whole reply differ in " + string(d.Construct), Path: d.Path,
			Construct: string(d.Construct), Cause: Undetermined, At: placeOf(eq.Leg, d), Message: "the " + string(d.Construct) + " of the stream differs from the non-stream reply's"}
		if d.Want.Exists() {
			f.Expected = cutValue(d.Want)
		}
		if d.Have.Exists() {
			f.Got = cutValue(d.Have)
		}
		d.named = p.finding(eq.Leg, f)
	}
}

// errorDeparts reports that the non-stream reply is an error where the model answered and the stream has the answer: of
// the two it is the one that departs.
func (p *Pass) errorDeparts(d *Difference) bool {
	whole := p.Case.WholeComparison
	if d.Aspect != WholeReply || whole == nil {
		return false
	}
	for _, x := range whole.Open() {
		if x.Aspect == WholeReply && x.Invented() && answered(whole.Ref) {
			d.named = p.finding(whole.Leg, Finding{Name: "error in a sound reply", Mechanism: "error sent although the model answered",
				Message: "the reply is an error although the model answered, and the stream has the answer"}, x)
			return true
		}
	}
	return false
}

// answered reports whether a reply holds an answer that ended well.
func answered(l *Leg) bool {
	for _, ch := range l.Reply.Choices {
		if isSuccess(ch.Stop.Outcome) {
			return true
		}
	}
	return false
}

// explained reports whether a finding on either leg says why the two differ here.
func (p *Pass) explained(d *Difference) bool {
	if c := p.Case.StreamComparison; c != nil {
		for _, x := range c.Differences {
			if x.Named() && x.Aspect == d.Aspect && x.Construct == d.Construct && within(x.Path, d.Path) {
				return true
			}
		}
	}
	if c := p.Case.WholeComparison; c != nil {
		// With the model's own reply at hand the leg that departs from it is at fault, and its findings are on it.
		for _, x := range c.Differences {
			if x.named != nil && x.Choice == d.Choice && x.Aspect == d.Aspect && (x.Construct == d.Construct || stopLike(x.Construct) && stopLike(d.Construct)) {
				return true
			}
		}
	}
	for _, f := range p.judge.findings {
		if f.Tier != T1 || f.Leg != StreamLeg && f.Leg != NonStreamLeg {
			continue
		}
		about := convir.Construct(f.Construct)
		if d.Aspect == Order && f.Rule == "S07" || d.Aspect == WholeReply && stopLike(about) ||
			about == d.Construct || about == convir.CStream || about == convir.CError || related(about, d.Construct) {
			return true
		}
	}
	return false
}

// related: stop reasons of all classes are one field, and what was moved between channels shows in both.
func related(a, b convir.Construct) bool {
	return stopLike(a) && stopLike(b) || a == convir.CText && b != convir.CToolCall && !stopLike(b)
}

func stopLike(c convir.Construct) bool {
	switch c {
	case convir.CStop, convir.CStopFiltered, convir.CStopPaused, convir.CStopRefused, convir.CStopTruncated:
		return true
	}
	return false
}
