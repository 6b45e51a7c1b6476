package rules

import (
	"strconv"
	"strings"

	"reassay/convir"
	"reassay/wire"
)

// Aspect says in what respect a reply differs from its reference.
type Aspect string

// The aspects.
const (
	Content      Aspect = "content"       // the joined text of one kind
	Presence     Aspect = "presence"      // a whole event is there on one side only
	Name         Aspect = "name"          // a call's name
	Arguments    Aspect = "arguments"     // a call's arguments by value
	Identity     Aspect = "identity"      // a call's id: missing, doubled, on another call
	CallType     Aspect = "call type"     // function against custom
	SignatureOf  Aspect = "signature"     // an integrity token
	ErrorFlag    Aspect = "error flag"    // how the run of a server's tool ended
	citedText    Aspect = "cited text"    // the text that a citation belongs to
	phaseOf      Aspect = "phase"         // the phases of a reply's messages (Responses)
	Payload      Aspect = "payload"       // JSON of a citation, medium, server tool, logprobs
	Order        Aspect = "order"         // the same events in another order
	Role         Aspect = "role"          // the author
	Ending       Aspect = "ending"        // why the choice ended
	StopSequence Aspect = "stop sequence" // which stop sequence matched
	Candidate    Aspect = "candidate"     // a whole choice is there on one side only
	WholeReply   Aspect = "whole reply"   // one side is an error or nothing at all
)

// Difference is one respect in which a leg departs from its reference, after the permitted changes. Which rule names
// it is for the rules to decide: each difference is named by at most one finding.
type Difference struct {
	Aspect    Aspect
	Construct convir.Construct
	Kind      convir.Kind
	Choice    int    // the choice's index
	Path      string // in the leg's body, or where the leg's dialect would have it
	RefPath   string // in the reference's body
	Ref, Got  *convir.Event
	RefChoice *convir.Choice
	GotChoice *convir.Choice
	Want      wire.Value // what the reference holds; Missing when it holds nothing
	Have      wire.Value // what the leg holds; Missing when it holds nothing
	After     string     // a lost event: the path of what stood before it, "" when nothing did

	// RefusalTold: the leg tells the reference's refusal in its text, and Want holds it too.
	RefusalTold bool

	// Of texts: the events that were joined on either side, and the first byte in which the joined texts differ.
	refs, gots []*convir.Event
	diverges   int

	named   *Finding
	excused bool // a rule looked and found it right
}

// NativePath is where the dialect holds what differs, whatever the leg did to it.
func (d *Difference) NativePath(dialect wire.Dialect) string {
	choice := convir.ChoicePath(dialect, d.Choice)
	if d.Aspect == Candidate || d.Kind == "" {
		return d.Path
	}
	return convir.EventPath(dialect, choice, d.Kind, 0)
}

// Lost reports whether the reference holds something and the leg nothing.
func (d *Difference) Lost() bool { return d.Want.Exists() && !d.Have.Exists() }

// Invented reports whether the leg holds something and the reference nothing.
func (d *Difference) Invented() bool { return !d.Want.Exists() && d.Have.Exists() }

// Named reports whether a rule has dealt with the difference: a finding names it, or it was found right.
func (d *Difference) Named() bool { return d.named != nil || d.excused }

// Right reports whether a rule looked at the difference and found it right.
func (d *Difference) Right() bool { return d.excused }

// Finding is the finding that names the difference, nil when none does.
func (d *Difference) Finding() *Finding { return d.named }

// key says what the difference is, apart from the leg that it was seen on: two legs with one key show one fault.
func (d *Difference) key() string {
	return string(d.Aspect) + "\x00" + string(d.Construct) + "\x00" + d.RefPath + "\x00" + d.Path + "\x00" +
		string(d.Want.JSON()) + "\x00" + string(d.Have.JSON())
}

// placeKey says what the leg holds in the place of something of the reference. Arguments that say nothing are one,
// however an SDK spells them.
func (d *Difference) placeKey() string {
	have := "absent"
	switch {
	case d.Aspect == Arguments && d.Got != nil && emptyArgs(d.Got):
		have = "nothing"
	case d.Have.Exists():
		have = "\x00" + string(d.Have.JSON())
	}
	return "place\x00" + string(d.Aspect) + "\x00" + string(d.Construct) + "\x00" + strconv.Itoa(d.Choice) + "\x00" + d.RefPath + "\x00" + have
}

// Comparison is a leg laid beside its reference.
type Comparison struct {
	Ref, Leg    *Leg
	Pairs       []Pair
	Differences []*Difference
	Permitted   []Permitted
	// Partial: one of the two broke off where it could not help it. Endings are not compared, and what the leg lacks
	// at its end is no difference.
	Partial bool
}

// Pair is one choice of the leg with the reference's.
type Pair struct {
	Ref, Got *convir.Choice
}

// Permitted is a change of representation that was seen and excused (T3).
type Permitted struct {
	Rule string // "R03"
	Path string
	Says string // what changed, in words
}

// Open are the differences that no finding names yet.
func (c *Comparison) Open() []*Difference {
	var open []*Difference
	for _, d := range c.Differences {
		if !d.Named() {
			open = append(open, d)
		}
	}
	return open
}

// Equal reports whether nothing differs.
func (c *Comparison) Equal() bool { return len(c.Differences) == 0 }

// tolerateEnd takes out of a partial comparison what the leg lacks only because it stops earlier.
func (c *Comparison) tolerateEnd() {
	kept := c.Differences[:0]
	for _, d := range c.Differences {
		switch {
		case d.Lost() && d.Aspect != Role:
		case d.Aspect == Content && strings.HasPrefix(d.Want.Str(), d.Have.Str()):
		case d.Aspect == Arguments && emptyArgs(d.Got) && unbegun(d):
		case d.Aspect == Payload && d.Ref.IsError == d.Got.IsError && (begins(d.Want, d.Have) || d.Kind == convir.Logprobs && beginsTokens(tokensIn(d.Want), tokensIn(d.Have))):
		case d.Aspect == Arguments && (strings.HasPrefix(d.Ref.Args.Raw, d.Got.Args.Raw) || !d.Ref.Args.Value.Exists() || !d.Got.Args.Value.Exists()):
		case d.Aspect == Order:
		default:
			kept = append(kept, d)
		}
	}
	c.Differences = kept
}

// unbegun reports whether a call without arguments may only have been begun: nothing comes behind it, or other calls
// in a dialect that weaves the pieces of several.
func unbegun(d *Difference) bool {
	for i := len(d.GotChoice.Events) - 1; i >= 0; i-- {
		e := &d.GotChoice.Events[i]
		if e == d.Got {
			return true
		}
		if e.Kind != d.Got.Kind || strings.HasPrefix(e.Path, "content[") || strings.HasPrefix(e.Path, "candidates[") {
			return false
		}
	}
	return false
}

// begins reports whether have is a beginning of want: lists and texts that stop earlier, objects with fewer members.
func begins(want, have wire.Value) bool {
	switch {
	case !have.Present():
		return true
	case want.Kind() != have.Kind():
		return false
	case have.Kind() == wire.String:
		return strings.HasPrefix(want.Str(), have.Str())
	case have.Kind() == wire.Array:
		if len(have.Elems()) > len(want.Elems()) {
			return false
		}
		for i, e := range have.Elems() {
			if !begins(want.At(i), e) {
				return false
			}
		}
		return true
	case have.Kind() == wire.Object:
		for _, m := range have.Members() {
			if !begins(want.Get(m.Key), m.Value) {
				return false
			}
		}
		return true
	}
	return wire.Equal(want, have)
}
