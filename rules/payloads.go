package rules

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"reassay/convir"
	"reassay/wire"
)

// payloads compares the events of one kind that carry JSON, and reports whether each has its partner.
func (c *comparer) payloads(ref, got *convir.Choice, kind convir.Kind) bool {
	refs, gots := eventsOf(ref, kind), eventsOf(got, kind)
	if kind == convir.Logprobs && len(refs) > 0 && len(gots) > 0 && !c.same && sameTokens(tokensOfAll(refs), tokensOfAll(gots)) {
		return true // a dialect has them for each piece of text or for the whole of it
	}
	taken := make([]bool, len(gots))
	whole := true
	var rest []int
	for i, r := range refs {
		found := false
		for j, g := range gots {
			if !taken[j] && c.samePayload(r, g) {
				taken[j], found = true, true
				break
			}
		}
		if !found {
			rest = append(rest, i)
		}
	}
	for _, i := range rest {
		whole = false
		r := refs[i]
		d := Difference{Aspect: Presence, Construct: constructOf(kind, r), Kind: kind, Choice: got.Index, RefPath: r.Path, Ref: r,
			RefChoice: ref, GotChoice: got, Want: payloadValue(r)}
		j := 0
		for j < len(gots) && taken[j] {
			j++
		}
		if j < len(gots) {
			taken[j] = true
			d.Aspect, d.Got, d.Path, d.Have = Payload, gots[j], gots[j].Path, payloadValue(gots[j])
		} else {
			d.Path = convir.EventPath(c.Leg.Dialect, got.Path, kind, i)
			d.After = before(ref, r, got, c.chat)
		}
		c.add(d)
	}
	for j, g := range gots {
		if !taken[j] {
			whole = false
			c.add(Difference{Aspect: Presence, Construct: constructOf(kind, g), Kind: kind, Choice: got.Index, Path: g.Path, Got: g,
				RefChoice: ref, GotChoice: got, Have: payloadValue(g)})
		}
	}
	return whole
}

// samePayload compares what two events of one kind say. Within a dialect that is their JSON, in which a null member is
// an absent one; across dialects it is what both must hold: the address and title of a citation, the bytes of a medium,
// the name and arguments of a server's tool, tokens with their probabilities.
func (c *comparer) samePayload(r, g *convir.Event) bool {
	if c.same && c.Leg.OfSDK() == c.Ref.OfSDK() || r.Kind == convir.Opaque {
		x, y := c.bare(r), c.bare(g)
		return x.sum == y.sum && wire.Equal(x.data, y.data) && r.Text == g.Text && r.Name == g.Name && sameArgs(r, g) && r.IsError == g.IsError &&
			(r.Kind != convir.RedactedReasoning || r.Type == g.Type)
	}
	if r.Kind == convir.Media {
		key := salient(r.Data)
		return key == "" || strings.Contains(c.spelt(g), key)
	}
	return agree(r, g)
}

// agree compares what every rendering of an event's payload must hold.
func agree(r, g *convir.Event) bool {
	switch r.Kind {
	case convir.Citation:
		return sameCitation(r.Data, g.Data)
	case convir.ServerToolCall:
		return r.Name == g.Name && sameArgs(r, g)
	case convir.ServerToolResult:
		return r.IsError == g.IsError
	case convir.Logprobs:
		return sameTokens(tokensIn(r.Data), tokensIn(g.Data))
	}
	return r.Data.Exists() == g.Data.Exists()
}

// barePayload is an event's payload without its null members, with a number that payloads of the same value share.
type barePayload struct {
	data wire.Value
	sum  uint64
}

func (c *comparer) bare(e *convir.Event) barePayload {
	b, ok := c.payload[e]
	if !ok {
		b.data = withoutNulls(e.Data)
		b.sum = wire.Hash(b.data)
		c.payload[e] = b
	}
	return b
}

// withoutNulls leaves null members out. A payload says no more by a null member than by none.
func withoutNulls(v wire.Value) wire.Value {
	switch v.Kind() {
	case wire.Array:
		elems := make([]wire.Value, len(v.Elems()))
		for i, e := range v.Elems() {
			elems[i] = withoutNulls(e)
		}
		return wire.Arr(elems...)
	case wire.Object:
		members := make([]wire.Member, 0, len(v.Members()))
		for _, m := range v.Members() {
			if m.Value.Present() {
				members = append(members, wire.Member{Key: m.Key, Value: withoutNulls(m.Value)})
			}
		}
		return wire.Obj(members...)
	}
	return v
}

// sameCitation compares where two citations point to: to one address, under one title where both have one. A citation
// of a document has no address, and no dialect's address stands for it.
func sameCitation(r, g wire.Value) bool {
	if a, b := titleOf(r), titleOf(g); a != "" && b != "" && a != b {
		return false
	}
	if citesURL(r) != citesURL(g) {
		return false
	}
	key := address(r)
	return key == "" || holdsText(g, key)
}

// address is the web address that a citation names.
func address(v wire.Value) string {
	return firstText(v, func(key, s string) bool { return key == "url" || key == "uri" || key == "" && citesURL(wire.Of(s)) })
}

// titleOf is the title that a citation gives, under the names that the dialects have for it.
func titleOf(v wire.Value) string {
	return firstText(v, func(key, _ string) bool { return key == "title" || key == "document_title" })
}

// firstText is the first non-empty string in v that is wanted; key is the member that it is the value of, "" where it
// is none's.
func firstText(v wire.Value, wanted func(key, s string) bool) string {
	var in func(key string, v wire.Value) string
	in = func(key string, v wire.Value) string {
		switch v.Kind() {
		case wire.String:
			if v.Str() != "" && wanted(key, v.Str()) {
				return v.Str()
			}
		case wire.Array:
			for _, e := range v.Elems() {
				if s := in("", e); s != "" {
					return s
				}
			}
		case wire.Object:
			for _, m := range v.Members() {
				if s := in(m.Key, m.Value); s != "" {
					return s
				}
			}
		}
		return ""
	}
	return in("", v)
}

// holdsText reports whether a string of v is text.
func holdsText(v wire.Value, text string) bool {
	return firstText(v, func(_, s string) bool { return s == text }) != ""
}

// spelt is an event's payload as JSON.
func (c *comparer) spelt(e *convir.Event) string {
	s, ok := c.texts[e]
	if !ok {
		s = string(e.Data.JSON())
		c.texts[e] = s
	}
	return s
}

// spokenToken is one token with its log probability, NaN where none is given.
type spokenToken struct {
	text string
	prob float64
	top  []spokenToken // the alternatives at its position
}

// tokensIn are the tokens of log probabilities, each dialect's way: Chat has lists for content and refusal, Responses
// one for each part, and either has alternatives with their token; Gemini has the chosen candidates, and the
// alternatives of each step in a second list.
func tokensIn(v wire.Value) []spokenToken {
	lists := []wire.Value{v, v.Get("content"), v.Get("refusal"), v.Get("chosenCandidates")}
	var out []spokenToken
	for _, list := range lists {
		for _, e := range list.Elems() {
			t := spokenTokenOf(e)
			for _, a := range e.Get("top_logprobs").Elems() {
				t.top = append(t.top, spokenTokenOf(a))
			}
			out = append(out, t)
		}
	}
	for i, step := range v.Get("topCandidates").Elems() {
		for _, a := range step.Get("candidates").Elems() {
			if i < len(out) {
				out[i].top = append(out[i].top, spokenTokenOf(a))
			}
		}
	}
	return out
}

func spokenTokenOf(v wire.Value) spokenToken {
	t := spokenToken{text: v.Get("token").Str(), prob: math.NaN()}
	for _, key := range []string{"logprob", "logProbability"} {
		if p, err := strconv.ParseFloat(v.Get(key).Num(), 64); err == nil {
			t.prob = p
		}
	}
	return t
}

func tokensOfAll(events []*convir.Event) []spokenToken {
	var out []spokenToken
	for _, e := range events {
		out = append(out, tokensIn(e.Data)...)
	}
	return out
}

// sameTokens compares tokens with their probabilities and alternatives.
func sameTokens(a, b []spokenToken) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].same(b[i]) || !sameTop(a[i].top, b[i].top) {
			return false
		}
	}
	return true
}

// same compares two tokens and, where both sides give them, their probabilities, as float32 has them: that is the
// precision that the vendors compute in.
func (t spokenToken) same(u spokenToken) bool {
	return t.text == u.text && !(math.Abs(t.prob-u.prob) > 1e-5*math.Max(1, math.Abs(t.prob)))
}

// maxTop bounds the alternatives of one token that are compared. No vendor gives more than 20.
const maxTop = 64

// sameTop compares the alternatives at one position: a side may give fewer of them, or none.
func sameTop(a, b []spokenToken) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b) > maxTop {
		return true
	}
	for _, t := range a {
		if !slices.ContainsFunc(b, t.same) {
			return false
		}
	}
	return true
}

// beginsTokens reports whether the tokens of have are the first of want.
func beginsTokens(want, have []spokenToken) bool {
	return len(have) > 0 && len(have) <= len(want) && sameTokens(want[:len(have)], have)
}

// salient is the text of a payload that any translation of it must hold: a web address, or the data of a medium.
func salient(v wire.Value) string {
	switch v.Kind() {
	case wire.Object:
		for _, key := range []string{"url", "uri", "data"} {
			if s := v.Get(key).Str(); s != "" {
				return strings.Trim(string(wire.AppendString(nil, s)), `"`)
			}
		}
		for _, m := range v.Members() {
			if s := salient(m.Value); s != "" {
				return s
			}
		}
	case wire.Array:
		for _, e := range v.Elems() {
			if s := salient(e); s != "" {
				return s
			}
		}
	}
	return ""
}

func payloadValue(e *convir.Event) wire.Value {
	switch {
	case e.Kind == convir.ServerToolCall:
		return callValue(e)
	case e.Data.Exists():
		return e.Data
	case e.Signature != "":
		return wire.Of(e.Signature)
	}
	return wire.Of(e.Text)
}

// signatures compares the integrity tokens of two choices: each must come byte for byte, on the event that it belongs to.
func (c *comparer) signatures(ref, got *convir.Choice, calls []match) {
	type owner struct{ ref, got *convir.Event }
	var owners []owner
	for _, m := range calls {
		owners = append(owners, owner{m.ref, m.got})
	}
	for _, kind := range []convir.Kind{convir.Text, convir.Reasoning, convir.RedactedReasoning, convir.ServerToolCall, convir.Code, convir.CodeResult} {
		for _, pair := range owned(eventsOf(ref, kind), eventsOf(got, kind)) {
			owners = append(owners, owner{pair[0], pair[1]})
		}
	}
	for _, o := range owners {
		d := Difference{Aspect: SignatureOf, Choice: got.Index, Ref: o.ref, Got: o.got, RefChoice: ref, GotChoice: got}
		if o.ref != nil {
			d.Kind, d.RefPath = o.ref.Kind, o.ref.Path
			if o.ref.Signature != "" {
				d.Want = wire.Of(o.ref.Signature)
			}
		}
		if o.got != nil {
			d.Kind, d.Path = o.got.Kind, o.got.Path
			if o.got.Signature != "" {
				d.Have = wire.Of(o.got.Signature)
			}
		}
		if d.Path == "" {
			d.Path = convir.EventPath(c.Leg.Dialect, got.Path, d.Kind, 0)
		}
		if d.Want.Str() == d.Have.Str() {
			continue
		}
		d.Construct = signatureConstruct(d.Kind)
		c.add(d)
	}
}

// owned pairs the events of one kind that may carry tokens: by position, and where one side has more of them, those of
// one token first. Either of a pair may be nil.
func owned(refs, gots []*convir.Event) [][2]*convir.Event {
	to, taken := make([]int, len(refs)), make([]bool, len(gots))
	for i, r := range refs {
		to[i] = -1
		for j, g := range gots {
			if len(refs) != len(gots) && !taken[j] && r.Signature != "" && r.Signature == g.Signature {
				to[i], taken[j] = j, true
				break
			}
		}
	}
	next := func() int {
		for j := range gots {
			if !taken[j] {
				taken[j] = true
				return j
			}
		}
		return -1
	}
	var pairs [][2]*convir.Event
	for i, r := range refs {
		if to[i] < 0 {
			to[i] = next()
		}
		pair := [2]*convir.Event{r, nil}
		if to[i] >= 0 {
			pair[1] = gots[to[i]]
		}
		pairs = append(pairs, pair)
	}
	for j := next(); j >= 0; j = next() {
		pairs = append(pairs, [2]*convir.Event{nil, gots[j]})
	}
	return pairs
}

func signatureConstruct(kind convir.Kind) convir.Construct {
	switch kind {
	case convir.ToolCall:
		return convir.CCallSignature
	case convir.Reasoning, convir.RedactedReasoning:
		return convir.CSignature
	}
	return convir.CPartSignature
}

// run is a stretch of one kind of text, or one other event.
type run struct {
	kind convir.Kind
	size int           // of text: bytes
	of   *convir.Event // of the reference, for what is matched event by event
}

// order compares the order of events. Where either side is Chat only the order among calls can be told; the order
// among text pieces shows in their joined text.
func (c *comparer) order(ref, got *convir.Choice, calls []match, same bool) {
	for i := 1; i < len(calls); i++ {
		if calls[i].gotPos < calls[i-1].gotPos {
			c.add(Difference{Aspect: Order, Construct: convir.CToolCall, Kind: convir.ToolCall, Choice: got.Index, Path: calls[i].got.Path,
				RefPath: calls[i].ref.Path, Ref: calls[i].ref, Got: calls[i].got, RefChoice: ref, GotChoice: got,
				Want: wire.OfInt(calls[i].refPos), Have: wire.OfInt(calls[i].gotPos)})
			return
		}
	}
	refs, gots := eventsOf(ref, convir.ToolCall), eventsOf(got, convir.ToolCall)
	if !same || len(calls) != len(refs) || len(calls) != len(gots) {
		return
	}
	partner := map[*convir.Event]*convir.Event{}
	for _, m := range calls {
		partner[m.got] = m.ref
	}
	own := c.same && c.Leg.OfSDK() == c.Ref.OfSDK()
	a, b := runsOf(ref, nil, own), runsOf(got, partner, own)
	if equalRuns(a, b) {
		return
	}
	if c.chat {
		c.permit("R07", got.Path, "text, reasoning and calls stand in another order, which Chat cannot tell")
		return
	}
	at := firstUnlike(a, b)
	d := Difference{Aspect: Order, Construct: convir.CText, Choice: got.Index, Path: got.Path, RefPath: ref.Path, RefChoice: ref, GotChoice: got,
		Want: kindsOf(a), Have: kindsOf(b)}
	if at < len(got.Events) {
		d.Path, d.Got, d.Kind = got.Events[at].Path, &got.Events[at], got.Events[at].Kind
		d.Construct = constructOf(d.Kind, d.Got)
	}
	c.add(d)
}

// runsOf is the sequence of a choice's text, reasoning, refusals, code and calls, adjacent text of one kind joined, and
// within one dialect, which is own, also of media and of what the vendor's tools did: each dialect has a place of its own for them.
func runsOf(ch *convir.Choice, partner map[*convir.Event]*convir.Event, own bool) []run {
	var runs []run
	for i := range ch.Events {
		e := &ch.Events[i]
		switch e.Kind {
		case convir.Text, convir.Reasoning, convir.Refusal, convir.Code, convir.CodeResult:
			if n := len(runs); n > 0 && runs[n-1].kind == e.Kind {
				runs[n-1].size += len(e.Text)
			} else if e.Text != "" {
				runs = append(runs, run{kind: e.Kind, size: len(e.Text)})
			}
		case convir.ToolCall:
			of := e
			if partner != nil {
				of = partner[e]
			}
			runs = append(runs, run{kind: e.Kind, of: of})
		case convir.Media, convir.ServerToolCall, convir.ServerToolResult:
			if own {
				runs = append(runs, run{kind: e.Kind})
			}
		}
	}
	return runs
}

func equalRuns(a, b []run) bool { return len(a) == len(b) && firstUnlike(a, b) == len(a) }

func firstUnlike(a, b []run) int {
	n := min(len(a), len(b))
	for i := 0; i < n; i++ {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

func kindsOf(runs []run) wire.Value {
	kinds := make([]wire.Value, len(runs))
	for i, r := range runs {
		kinds[i] = wire.Of(string(r.kind))
	}
	return wire.Arr(kinds...)
}
