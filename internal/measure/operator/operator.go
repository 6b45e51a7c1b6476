// Package operator plants faults into ideal translations, and makes the changes that a translation may make. Each
// operator was written from the vendors' documents and the text of the rules.
package operator

import (
	"hash/fnv"
	"strings"

	"reassay/internal/measure/ideal"
	"reassay/wire"
)

// Operator is one way to change a translation.
type Operator struct {
	Name    string
	Rules   []string // the rule that it is meant for; further ones where the rules' text leaves more than one open
	Allowed bool     // a change that a translation may make: nothing may be found at T1
	Doc     string   // what is done, and why it is a fault or allowed

	StreamOnly bool // tried on the stream alone, though it has a Model
	Intrinsic  bool // told by the stream itself: tried on a stream that was captured alone, too
	BothOnly   bool // tried on both legs together alone: the model itself says something else

	// What it does; each may be nil. Model changes what the caller is told before it is rendered, Events a rendered
	// stream, Whole a rendered whole reply, Bytes and WholeBytes what was written of them. False, nil and Missing say
	// that there is nothing to change.
	Model      func(*Subject) bool
	Events     func(*Subject, []ideal.Event) []ideal.Event
	Whole      func(*Subject, wire.Value) wire.Value
	Bytes      func(*Subject, []byte) []byte
	WholeBytes func(*Subject, []byte) []byte
}

// Subject is the translation under an operator's hands.
type Subject struct {
	Case    ideal.Case // the operator's own copy
	Headers map[string][]string
	Chunks  []int // the transport's cuts of the stream, in bytes
	Stopped bool  // the caller broke the stream off

	// Upstream says that the model's side of Case was changed, too. Break then breaks its stream off, Asked is what the
	// gateway asked the model's API.
	Upstream bool
	Break    func([]ideal.Event) []ideal.Event
	Asked    *ideal.Ask
	Failed   wire.Dialect // of an attempt that failed before, which had status 529; "" for none

	seed  uint64
	drawn uint64
}

// NewSubject is a copy of c for one operator.
func NewSubject(c ideal.Case, o Operator) *Subject {
	s := &Subject{Case: c.Clone()}
	s.seed = hash(o.Name, c.Shape, string(c.From), string(c.To))
	return s
}

// Reset begins the operator's choices anew, so that it chooses alike on every leg.
func (s *Subject) Reset() { s.drawn = 0 }

func hash(words ...string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(strings.Join(words, "\x00")))
	return h.Sum64()
}

// pick chooses one of n places. The choice hangs on the operator and the case alone, never on chance.
func (s *Subject) pick(n int) int {
	s.drawn++
	x := s.seed + s.drawn*0x9e3779b97f4a7c15
	x ^= x >> 31
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 29
	return int(x % uint64(n))
}

// Legs are the legs that an operator is tried on.
type Legs int

// The choices of legs.
const (
	StreamLeg Legs = iota
	WholeLeg
	BothLegs
	StreamAlone // nothing but the stream and the request was captured
	PairAlone   // nothing of the model's API was captured; planted on the stream
)

func (l Legs) String() string { return [...]string{"stream", "whole", "both", "alone", "pair"}[l] }

// Legs lists the legs that o is tried on.
func (o Operator) Legs() []Legs {
	if o.BothOnly {
		return []Legs{BothLegs}
	}
	stream := o.Model != nil || o.Events != nil || o.Bytes != nil
	whole := !o.StreamOnly && (o.Model != nil || o.Whole != nil || o.WholeBytes != nil)
	var legs []Legs
	if stream {
		legs = append(legs, StreamLeg)
	}
	if whole {
		legs = append(legs, WholeLeg)
	}
	if stream && whole {
		legs = append(legs, BothLegs)
	}
	if stream && (o.Intrinsic || o.Allowed && !whole) {
		legs = append(legs, StreamAlone)
	}
	if o.Model != nil && stream && whole && !strings.HasPrefix(o.Rules[0], "D") {
		legs = append(legs, PairAlone)
	}
	return legs
}

// All lists every operator: faults, then notes, then allowed changes.
func All() []Operator {
	var all []Operator
	for _, family := range []func() []Operator{partition, continuity, content, values, arguments, presence, copies, order, echoes, names, tokens, ends,
		failures, notes} {
		all = append(all, family()...)
	}
	for _, family := range []func() []Operator{author, references, ledger, chatLedger, blockLedger, itemLedger} {
		for _, o := range family() {
			o.Intrinsic = !o.StreamOnly && len(o.Legs()) > 0 && (o.Events != nil || o.Bytes != nil)
			all = append(all, o)
		}
	}
	for _, family := range []func() []Operator{pieces, spelling, framing, extras, placement, honest} {
		for _, o := range family() {
			o.Allowed = true
			all = append(all, o)
		}
	}
	return all
}
