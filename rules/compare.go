package rules

import (
	"fmt"
	"slices"
	"strings"

	"reassay/convir"
	"reassay/wire"
)

// Compare lays leg beside ref and lists in what they differ once the permitted changes of representation are made
// (see RULES.md). partial says that one of them broke off where it could not help it.
func Compare(ref, leg *Leg, partial bool) *Comparison {
	c := &comparer{Comparison: &Comparison{Ref: ref, Leg: leg, Partial: partial}, payload: map[*convir.Event]barePayload{}, texts: map[*convir.Event]string{}}
	c.chat = ref.Dialect == wire.OpenAIChat || leg.Dialect == wire.OpenAIChat
	c.same = ref.Dialect == leg.Dialect
	if !c.wholeReply() {
		c.choices()
	}
	if partial {
		c.tolerateEnd()
	}
	return c.Comparison
}

type comparer struct {
	*Comparison
	chat bool // either side has Chat's one text field and one tool list
	same bool // both sides speak one dialect

	// What was computed of events, each of which is compared with many others.
	payload map[*convir.Event]barePayload
	texts   map[*convir.Event]string
}

func (c *comparer) add(d Difference) { c.Differences = append(c.Differences, &d) }

func (c *comparer) permit(rule, path, says string) {
	c.Permitted = append(c.Permitted, Permitted{rule, path, says})
}

// wholeReply compares what a reply is at all: a message, an error, or nothing. It reports whether there is no more
// to compare.
func (c *comparer) wholeReply() bool {
	refErr, gotErr := c.Ref.ErrorTold(), c.Leg.ErrorTold()
	switch {
	case c.Partial:
		return false
	case refErr.Exists() && gotErr.Exists():
		return len(c.Ref.Reply.Choices) == 0 || len(c.Leg.Reply.Choices) == 0
	case refErr.Exists() != gotErr.Exists():
		c.add(Difference{Aspect: WholeReply, Construct: convir.CError, Path: "", Want: refErr, Have: gotErr})
		return len(c.Ref.Reply.Choices) == 0 || len(c.Leg.Reply.Choices) == 0
	}
	return false
}

func (c *comparer) choices() {
	refs, gots := c.Ref.Reply.Choices, c.Leg.Reply.Choices
	used := make([]bool, len(gots))
	for i := range refs {
		ref := &refs[i]
		got := partner(refs, gots, used, i)
		if got < 0 {
			c.add(Difference{Aspect: Candidate, Construct: convir.CChoice, Choice: ref.Index,
				Path: convir.ChoicePath(c.Leg.Dialect, ref.Index), RefPath: ref.Path, RefChoice: ref, Want: choiceValue(ref)})
			continue
		}
		used[got] = true
		c.Pairs = append(c.Pairs, Pair{ref, &gots[got]})
	}
	for i := range gots {
		if !used[i] && !(c.Partial && len(gots[i].Events) == 0) {
			got := &gots[i]
			c.add(Difference{Aspect: Candidate, Construct: convir.CChoice, Choice: got.Index, Path: got.Path, GotChoice: got, Have: choiceValue(got)})
		}
	}
	for _, p := range c.Pairs {
		c.pair(p.Ref, p.Got)
	}
}

// partner finds the leg's choice for the reference's i-th: of the same index, else, where each side has one, that.
func partner(refs, gots []convir.Choice, used []bool, i int) int {
	for j := range gots {
		if !used[j] && gots[j].Index == refs[i].Index {
			return j
		}
	}
	if len(refs) == 1 && len(gots) == 1 {
		return 0
	}
	return -1
}

func (c *comparer) pair(ref, got *convir.Choice) {
	from := len(c.Differences)
	c.role(ref, got)
	same := true
	for _, kind := range textKinds {
		same = c.text(ref, got, kind) && same
	}
	calls := c.calls(ref, got)
	for _, kind := range payloadKinds {
		same = c.payloads(ref, got, kind) && same
	}
	c.outcomes(ref, got)
	c.phases(ref, got)
	c.citedTexts(ref, got)
	c.signatures(ref, got, calls)
	c.carried(ref, got, from)
	c.order(ref, got, calls, same)
	if !c.Partial {
		c.ending(ref, got)
	}
}

// textKinds are compared as one joined text a choice.
var textKinds = []convir.Kind{convir.Text, convir.Reasoning, convir.Refusal, convir.Code, convir.CodeResult}

// payloadKinds are compared event by event.
var payloadKinds = []convir.Kind{convir.RedactedReasoning, convir.ServerToolCall, convir.ServerToolResult, convir.Citation,
	convir.Media, convir.Logprobs, convir.Opaque}

func (c *comparer) role(ref, got *convir.Choice) {
	if roleIsRight(c.Leg.Dialect, got.Role) || c.same && ref.Role == got.Role {
		if ref.Role != got.Role && ref.Role != "" && got.Role != "" {
			c.permit("R01", got.Path, "the role "+ref.Role+" is called "+got.Role)
		}
		return
	}
	d := Difference{Aspect: Role, Construct: convir.CRole, Choice: got.Index, Path: convir.RolePath(c.Leg.Dialect, *got),
		RefPath: convir.RolePath(c.Ref.Dialect, *ref), RefChoice: ref, GotChoice: got, Want: wire.Of(rightRole(c.Leg.Dialect))}
	if got.Role != "" {
		d.Have = wire.Of(got.Role)
	}
	c.add(d)
}

func rightRole(d wire.Dialect) string {
	if d == wire.GeminiGenerate {
		return "model"
	}
	return "assistant"
}

// roleIsRight: Gemini's role may be left out, and a Responses reply of calls alone holds no message to carry one.
func roleIsRight(d wire.Dialect, role string) bool {
	return role == rightRole(d) || role == "" && (d == wire.GeminiGenerate || d == wire.OpenAIResponses)
}

// carries reports whether text is, for the most part, the answer with the refusal behind it; carried is the two as they
// stand in the reference, and answer the length of the one.
func carries(text, carried string, answer int) bool {
	head := diverges(text, carried)
	tail := 0
	for tail < min(len(text), len(carried))-head && text[len(text)-1-tail] == carried[len(carried)-1-tail] {
		tail++
	}
	return head > answer && head == len(text) || 2*(head+tail-answer) > len(carried)-answer || strings.Contains(text, carried)
}

// piecesOf are the texts that events were joined from.
func piecesOf(events []*convir.Event) []string {
	var pieces []string
	for _, e := range events {
		if e.Pieces != nil {
			pieces = append(pieces, e.Pieces...)
		} else {
			pieces = append(pieces, e.Text)
		}
	}
	return pieces
}

// joined is the text of some kinds in a choice, with the events that it is made of.
func joined(ch *convir.Choice, kinds ...convir.Kind) (string, []*convir.Event) {
	var parts []string
	var events []*convir.Event
	for i := range ch.Events {
		if e := &ch.Events[i]; slices.Contains(kinds, e.Kind) && e.Text != "" {
			parts, events = append(parts, e.Text), append(events, e)
		}
	}
	return wire.Join(parts...), events
}

// text compares the joined text of one kind and reports whether it is equal.
func (c *comparer) text(ref, got *convir.Choice, kind convir.Kind) bool {
	want, refs := joined(ref, kind)
	have, gots := joined(got, kind)
	if want == have {
		if rule, n, m := "R02", len(piecesOf(refs)), len(piecesOf(gots)); n != m {
			if n < m {
				rule = "R04"
			}
			c.permit(rule, gots[0].Path, fmt.Sprintf("%d pieces of %s came as %d, the same when joined", n, kind, m))
		}
		return true
	}
	told := false
	if kind == convir.Text {
		if carried, events := joined(ref, convir.Text, convir.Refusal); len(events) > len(refs) && len(eventsOf(got, convir.Refusal)) == 0 &&
			(have != carried || c.Partial) && carries(have, carried, len(want)) {
			want, refs, told = carried, events, true
		}
	}
	d := Difference{RefusalTold: told, Aspect: Content, Construct: constructOf(kind, nil), Kind: kind, Choice: got.Index, RefChoice: ref, GotChoice: got,
		refs: refs, gots: gots, diverges: diverges(want, have)}
	if want != "" {
		d.Want = wire.Of(want)
		d.Ref = pieceAt(refs, d.diverges)
		d.RefPath = d.Ref.Path
	}
	if have != "" {
		d.Have = wire.Of(have)
		d.Got = pieceAt(gots, d.diverges)
		d.Path = d.Got.Path
	} else {
		d.Path = convir.EventPath(c.Leg.Dialect, got.Path, kind, 0)
		d.After = before(ref, d.Ref, got, c.chat)
	}
	c.add(d)
	return false
}

// pieceAt is the event that holds the byte at offset of the events' joined text.
func pieceAt(events []*convir.Event, offset int) *convir.Event {
	end := 0
	for _, e := range events {
		end += len(e.Text)
		if offset < end {
			return e
		}
	}
	return events[len(events)-1]
}

// diverges is the first byte in which two texts differ.
func diverges(a, b string) int {
	n := min(len(a), len(b))
	for i := 0; i < n; i++ {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// before is the path, in got, of the event that stands before where the lost event would: the last event of got that
// is equal in kind to one before ref's.
func before(ref *convir.Choice, lost *convir.Event, got *convir.Choice, chat bool) string {
	if chat || lost == nil {
		if n := len(got.Events); n > 0 {
			return got.Events[n-1].Path
		}
		return ""
	}
	count := 0
	for i := range ref.Events {
		if &ref.Events[i] == lost {
			break
		}
		count++
	}
	if count > 0 && count <= len(got.Events) {
		return got.Events[count-1].Path
	}
	return ""
}

// ending compares why the two choices ended.
func (c *comparer) ending(ref, got *convir.Choice) {
	r, g := ref.Stop, got.Stop
	if r.Sequence != g.Sequence && r.Sequence != "" {
		d := Difference{Aspect: StopSequence, Construct: convir.CStopSequence, Choice: got.Index, Path: g.Path, RefPath: r.Path,
			RefChoice: ref, GotChoice: got, Want: wire.Of(r.Sequence)}
		if g.Sequence != "" {
			d.Have = wire.Of(g.Sequence)
		}
		c.add(d)
	}
	if c.same && r.Raw == g.Raw && r.Given == g.Given {
		return
	}
	if g.Given && g.Known && SameEnd(r.Outcome, g.Outcome) {
		if r.Raw != g.Raw {
			c.permit("R01", g.Path, "the stop reason "+r.Raw+" is called "+g.Raw)
		}
		return
	}
	if !r.Given && !g.Given {
		return
	}
	d := Difference{Aspect: Ending, Construct: stopConstruct(r.Outcome), Choice: got.Index, Path: g.Path, RefPath: r.Path, RefChoice: ref, GotChoice: got}
	if r.Given {
		d.Want = wire.Of(r.Raw)
	}
	if g.Given {
		d.Have = wire.Of(g.Raw)
	}
	c.add(d)
}

// SameEnd reports whether two canonical outcomes tell a caller the same. Chat and Gemini have one word for a filtered
// and a refused answer, and Messages has only refusal: neither is translated into the other wrongly.
func SameEnd(a, b convir.Outcome) bool {
	return a == b || blocked(a) && blocked(b) || whole(a) && whole(b)
}

func blocked(o convir.Outcome) bool { return o == convir.Filtered || o == convir.Refused }

// whole: an answer without content that ended properly is told by the same word as one with content.
func whole(o convir.Outcome) bool { return o == convir.Complete || o == convir.Empty }

func stopConstruct(o convir.Outcome) convir.Construct {
	switch o {
	case convir.Truncated:
		return convir.CStopTruncated
	case convir.Filtered:
		return convir.CStopFiltered
	case convir.Refused:
		return convir.CStopRefused
	case convir.Paused:
		return convir.CStopPaused
	}
	return convir.CStop
}

// constructOf is the support table's name for an event. e may be nil where the kind tells enough.
func constructOf(kind convir.Kind, e *convir.Event) convir.Construct {
	switch kind {
	case convir.Text:
		return convir.CText
	case convir.Reasoning:
		return convir.CReasoning
	case convir.RedactedReasoning:
		return convir.CRedacted
	case convir.Refusal:
		return convir.CRefusal
	case convir.ToolCall:
		if e != nil && strings.HasPrefix(e.Type, "custom") {
			return convir.CCustomCall
		}
		return convir.CToolCall
	case convir.ServerToolCall:
		return convir.CServerToolCall
	case convir.ServerToolResult:
		return convir.CServerToolReply
	case convir.Citation:
		if e != nil && !citesURL(e.Data) {
			return convir.CDocCitation
		}
		return convir.CURLCitation
	case convir.Media:
		return convir.CMedia
	case convir.Code:
		return convir.CCode
	case convir.CodeResult:
		return convir.CCodeResult
	case convir.Logprobs:
		return convir.CLogprobs
	case convir.ErrorEvent:
		return convir.CError
	}
	return convir.COpaque
}

// citesURL reports whether a citation names a web address.
func citesURL(v wire.Value) bool {
	switch v.Kind() {
	case wire.String:
		return strings.HasPrefix(v.Str(), "http://") || strings.HasPrefix(v.Str(), "https://")
	case wire.Array:
		for _, e := range v.Elems() {
			if citesURL(e) {
				return true
			}
		}
	case wire.Object:
		for _, m := range v.Members() {
			if citesURL(m.Value) {
				return true
			}
		}
	}
	return false
}

// choiceValue is a choice in a form that a person reads: what was said and what was called.
func choiceValue(ch *convir.Choice) wire.Value {
	var members []wire.Member
	for _, kind := range textKinds {
		if t, _ := joined(ch, kind); t != "" {
			members = append(members, wire.Member{Key: string(kind), Value: wire.Of(t)})
		}
	}
	var calls []wire.Value
	for i := range ch.Events {
		if ch.Events[i].Kind == convir.ToolCall {
			calls = append(calls, callValue(&ch.Events[i]))
		}
	}
	if calls != nil {
		members = append(members, wire.Member{Key: "tool_calls", Value: wire.Arr(calls...)})
	}
	if ch.Stop.Given {
		members = append(members, wire.Member{Key: "stop", Value: wire.Of(ch.Stop.Raw)})
	}
	return wire.Obj(members...)
}

func callValue(e *convir.Event) wire.Value {
	m := []wire.Member{{Key: "id", Value: wire.Of(e.ID)}, {Key: "name", Value: wire.Of(e.Name)}}
	return wire.Obj(append(m, wire.Member{Key: "arguments", Value: argsValue(e)})...)
}

// argsValue is a call's arguments as a person reads them: parsed where they parse, else as they were spelt.
func argsValue(e *convir.Event) wire.Value {
	switch {
	case e.Args.Value.Exists():
		return e.Args.Value
	case e.Args.Given:
		return wire.Of(e.Args.Raw)
	}
	return wire.OfNull()
}
