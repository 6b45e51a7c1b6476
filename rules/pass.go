package rules

import (
	"fmt"
	"strconv"

	"reassay/assemble"
	"reassay/convir"
	"reassay/wire"
)

// Pass is one rule's look at one exchange: at its two legs, or at what one SDK handed over.
type Pass struct {
	Rule *Rule
	Case *Case

	judge       *judge
	comparisons []*Comparison
	legs        []*Leg // whose own grammar is judged
}

// comparison is the comparison of this leg, nil where it has no reference.
func (p *Pass) comparison(l *Leg) *Comparison {
	for _, c := range p.comparisons {
		if c.Leg == l {
			return c
		}
	}
	return nil
}

// finding fills in what every finding of a leg says, from its construct and the differences that it names, and keeps it.
func (p *Pass) finding(l *Leg, f Finding, names ...*Difference) *Finding {
	f.Rule, f.Leg = p.Rule.ID, l.Name
	if f.Tier == "" {
		f.Tier = p.Rule.Tier
	}
	c := p.comparison(l)
	if len(names) > 0 {
		p.fromDifference(&f, l, c, names[0])
	}
	if f.Tier == T1 {
		p.answers(&f, l, c)
	}
	heard := l
	if l.OfSDK() {
		heard = p.Case.Stream
	}
	f.Silent, f.DeclaredBy = p.judge.silent(heard)
	if where := p.judge.declaredBy(heard, f.Construct); where != "" && f.Tier == T1 && !l.OfSDK() {
		f.Rule, f.Tier, f.DeclaredBy = D01.ID, D01.Tier, where
	}
	f.Fingerprint = p.judge.fingerprint(f)
	if f.At != nil {
		f.Message += fmt.Sprintf(" (frame %d, byte %d)", f.At.Frame, f.At.Byte)
	}
	kept := &f
	for i, d := range names {
		d.named = kept
		if i > 0 && (d.Aspect != SignatureOf || d.Kind != convir.RedactedReasoning) { // a redacted value is its own token
			kept.Consequences = append(kept.Consequences, describe(d))
		}
	}
	p.judge.findings = append(p.judge.findings, kept)
	return kept
}

func (p *Pass) fromDifference(f *Finding, l *Leg, c *Comparison, d *Difference) {
	if f.Path == "" {
		f.Path = d.Path
	}
	if f.Construct == "" {
		f.Construct = string(d.Construct)
	}
	if f.Expected == nil && d.Want.Exists() {
		f.Expected = cutValue(d.Want)
	}
	if f.Got == nil && d.Have.Exists() {
		f.Got = cutValue(d.Have)
	}
	if f.At == nil {
		f.At = placeOf(l, d)
	}
	if c != nil && len(f.Related) == 0 {
		if at := relatedOf(c.Ref, d); at != nil {
			f.Related = []At{*at}
		}
	}
}

// relatedOf is where in the reference a difference shows.
func relatedOf(ref *Leg, d *Difference) *At {
	if len(d.refs) > 0 {
		return ref.PlaceOf(d.refs, d.diverges)
	}
	return ref.Place(d.RefPath)
}

// placeOf is where in the leg a difference shows: where the event stands, of a changed text the piece in which it
// departs from the reference's, or, of one that is lost, the end of what
// stood before it, else where the reply ends.
func placeOf(l *Leg, d *Difference) *At {
	if !l.Streamed() {
		return nil
	}
	if len(d.gots) > 0 {
		return l.PlaceOf(d.gots, d.diverges)
	}
	if d.Got != nil || d.Have.Exists() {
		return l.Place(d.Path)
	}
	if d.After != "" {
		return l.PlaceEnd(d.After)
	}
	if d.GotChoice != nil {
		return l.Place(d.GotChoice.Stop.Path)
	}
	return nil
}

// answers gives the answers that every T1 finding owes: could the dialect have carried it, whose doing is it, what
// does it touch.
func (p *Pass) answers(f *Finding, l *Leg, c *Comparison) {
	if f.Support == "" {
		f.Support, f.NativeField = supportFrom(c, convir.Construct(f.Construct), l)
	}
	if f.Cause == "" {
		f.Cause = p.cause(l, c)
	}
	if f.Field == "" {
		f.Field = fieldOf(convir.Construct(f.Construct))
	}
	if f.Scope == "" {
		f.Scope = scopeOf(convir.Construct(f.Construct))
	}
	if p.Case.UpstreamState == OffSpec && f.Cause != BySDK {
		f.UpstreamOffSpec = true
	}
}

// support answers from the table: avoidable exactly where it names a field.
func support(c convir.Construct, l *Leg) (Support, string) {
	return answer(convir.Supports(c, l.Dialect).In(l.Streamed()))
}

// supportFrom is support for what the leg's reference holds. In one dialect on both sides the value is the dialect's own.
func supportFrom(c *Comparison, construct convir.Construct, l *Leg) (Support, string) {
	if c != nil && c.Ref.Dialect == l.Dialect {
		return answer(convir.SupportsOwn(construct, l.Dialect).In(l.Streamed()))
	}
	return support(construct, l)
}

func answer(standing convir.Standing, field string) (Support, string) {
	switch standing {
	case convir.Native:
		return Avoidable, field
	case convir.Lacking:
		return Unavoidable, ""
	}
	return Borderline, ""
}

// cause says whose doing a difference from the reference is. Only a sound upstream leg shows it to be the gateway's.
func (p *Pass) cause(l *Leg, c *Comparison) Cause {
	switch {
	case l.OfSDK():
		return BySDK
	case c == nil:
		return Undetermined
	case p.Case.UpstreamState == OffSpec && l == p.Case.Stream:
		return Undetermined
	case c.Ref.Name == UpstreamLeg || c.Ref.Name == UpstreamWholeLeg:
		return ByGateway
	}
	return Undetermined
}

// fieldOf says what part of a reply a construct is.
func fieldOf(c convir.Construct) FieldClass {
	switch c {
	case convir.CReasoning, convir.CSignature, convir.CPartSignature, convir.CCallSignature, convir.CRedacted, convir.COpaque:
		return Other
	case convir.CUsage, convir.CModel, convir.CLogprobs, convir.CStream:
		return Metadata
	}
	return Visible
}

// scopeOf says whether the paper's fault model holds the construct. Source: isloss, Appendix A.2: server-executed
// tools, masked upstream errors and transport timing are outside it.
func scopeOf(c convir.Construct) string {
	switch c {
	case convir.CServerToolCall, convir.CServerToolReply, convir.CCode, convir.CCodeResult, convir.CError:
		return ScopeOurs
	}
	return ScopePaper
}

// describe words a difference that is the consequence of another fault.
func describe(d *Difference) string { return d.Says("the reference") }

// Says words the difference for a person; reference is what the leg was laid beside.
func (d *Difference) Says(reference string) string {
	what, at := string(d.Construct), " at "+orReply(d.Path)
	differs := at + " differs from " + reference
	switch {
	case d.Aspect == Ending:
		return "the stop reason" + differs
	case d.Aspect == Role && !d.Lost():
		return "the role" + differs
	case d.Aspect == WholeReply:
		return "of this reply and " + reference + " only one is an answer"
	case d.Aspect == Candidate && d.Lost():
		return "the " + choiceWord(d.RefPath) + " of " + reference + " is lost"
	case d.Aspect == Candidate:
		return "the " + choiceWord(d.Path) + " is invented"
	case d.Lost():
		return what + at + " is lost"
	case d.Invented():
		return what + at + " is invented"
	case d.Aspect == Content:
		return what + differs
	case d.Aspect == Arguments:
		return "the arguments of " + what + at + " differ from " + reference
	}
	return "the " + string(d.Aspect) + " of " + what + differs
}

// choiceWord names a choice by its path, and by nothing more where the dialect has one reply and no path to it.
func choiceWord(path string) string {
	if path == "" {
		return "only choice"
	}
	return "choice " + path
}

// reportFaults reports each off-spec fault that the table gives to this rule, with the differences that it explains.
func (p *Pass) reportFaults() {
	for _, l := range p.legs {
		for i := range p.judge.faults[l] {
			f := &p.judge.faults[l][i]
			if f.ruling == convir.OffSpec && f.entry.Rule == p.Rule.ID && !f.excused {
				p.reportFault(l, f)
			}
		}
	}
}

func (p *Pass) reportFault(l *Leg, f *fault) *Finding {
	first := f.all[0]
	out := Finding{Name: f.entry.Name, Mechanism: f.mechanism(), Construct: string(f.entry.Construct), Path: first.Path,
		At: l.atFault(first), Message: f.message(), Cause: p.grammarCause(l, f), Support: Avoidable, NativeField: f.nativeField()}
	p.refine(l, &out, first)
	if first.Got.Exists() {
		out.Got = cutValue(first.Got)
	}
	if first.Want.Exists() {
		out.Expected = cutValue(first.Want)
	}
	for i, more := range f.all[1:] {
		if left := len(f.all) - 1 - i; i == maxRepeats {
			out.Consequences = append(out.Consequences, fmt.Sprintf("and %d times more", left))
			break
		}
		again := "again at " + orReply(more.Path)
		if at := l.atFault(more); at != nil {
			again += fmt.Sprintf(" in frame %d (byte %d)", at.Frame, at.Byte)
		}
		out.Consequences = append(out.Consequences, again)
	}
	kept := p.finding(l, out)
	f.named = kept
	if c := p.comparison(l); c != nil && !f.entry.Readable {
		for _, d := range c.Open() {
			if f.explains(d) {
				d.named = kept
				kept.Consequences = append(kept.Consequences, describe(d))
				if kept.Tier == T1 && fieldOf(d.Construct) == Visible {
					kept.Field = Visible // the stream's order is metadata, the call or text that it costs is not
				}
			}
		}
	}
	return kept
}

// refine says more exactly where a fault stands, and names some kinds by what stood there.
func (p *Pass) refine(l *Leg, f *Finding, x assemble.Fault) {
	switch x.Code {
	case assemble.AfterFinish:
		for _, ch := range l.Reply.Choices {
			if choiceOf(ch.Stop.Path) == choiceOf(x.Path) {
				f.Path = ch.Stop.Path
			}
		}
	case assemble.FinalMismatch:
		got, want := x.Got.Elems(), x.Want.Elems()
		for i := 0; i < max(len(got), len(want)); i++ {
			if i >= len(got) || i >= len(want) || !wire.Equal(got[i], want[i]) {
				f.Path += "[" + strconv.Itoa(i) + "]"
				break
			}
		}
	case assemble.SequenceInvalid:
		if !x.Got.Exists() {
			f.Name, f.Mechanism = "sequence number missing", "no sequence numbers"
		}
	case assemble.IndexReused:
		if n, ok := x.Got.Int(); ok && n != 0 && f.Construct == string(convir.CToolCall) {
			f.Mechanism = "parallel calls share an index"
		}
	}
}

// maxRepeats is how many further places of one fault a finding lists.
const maxRepeats = 3

func orReply(path string) string {
	if path == "" {
		return "the reply"
	}
	return path
}

// grammarCause: a stream that breaks its own dialect's grammar is the gateway's doing, unless the model's own reply,
// in the same dialect, breaks it in the same way.
func (p *Pass) grammarCause(l *Leg, f *fault) Cause {
	if up := p.Case.UpstreamWhole; f.field != nil && up != nil && up.Dialect == l.Dialect && lacksToo(up, f) {
		return ByUpstream
	}
	if up := p.Case.Upstream; up != nil && up.Dialect == l.Dialect {
		for _, u := range up.Assembled.Faults {
			if u.Code == f.all[0].Code {
				return ByUpstream
			}
		}
	}
	return ByGateway
}
