package operator

import (
	"slices"

	"reassay/internal/measure/ideal"
	"reassay/wire"
)

const (
	chat      = wire.OpenAIChat
	responses = wire.OpenAIResponses
	messages  = wire.AnthropicMessages
	gemini    = wire.GeminiGenerate
)

// get follows keys (strings) and positions (ints) into a value.
func get(v wire.Value, path ...any) wire.Value {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			v = v.Get(step)
		case int:
			v = v.At(step)
		}
	}
	return v
}

// set is v with the value at path replaced; a Missing value takes the key or element out. What path does not reach
// stays as it is.
func set(v, to wire.Value, path ...any) wire.Value {
	if len(path) == 0 {
		return to
	}
	switch step := path[0].(type) {
	case string:
		if len(path) > 1 && !v.Get(step).Exists() || v.Kind() != wire.Object {
			return v
		}
		return v.With(step, set(v.Get(step), to, path[1:]...))
	case int:
		if !v.At(step).Exists() {
			return v
		}
		elems := slices.Clone(v.Elems())
		elems[step] = set(elems[step], to, path[1:]...)
		if !elems[step].Exists() {
			elems = slices.Delete(elems, step, step+1)
		}
		return wire.Arr(elems...)
	}
	return v
}

// rewrite applies change to every value below v, inner ones first. in is the key under which the value, or the array
// that holds it, stands.
func rewrite(v wire.Value, in string, change func(in string, v wire.Value) wire.Value) wire.Value {
	switch v.Kind() {
	case wire.Array:
		elems := make([]wire.Value, 0, len(v.Elems()))
		for _, e := range v.Elems() {
			if e = rewrite(e, in, change); e.Exists() {
				elems = append(elems, e)
			}
		}
		v = wire.Arr(elems...)
	case wire.Object:
		members := make([]wire.Member, 0, len(v.Members()))
		for _, m := range v.Members() {
			members = append(members, wire.Member{Key: m.Key, Value: rewrite(m.Value, m.Key, change)})
		}
		v = wire.Obj(members...)
	}
	return change(in, v)
}

// everywhere makes an operator's Events and Whole out of one rewriting.
func everywhere(o Operator, change func(s *Subject, in string, v wire.Value) wire.Value) Operator {
	o.Events = func(s *Subject, events []ideal.Event) []ideal.Event {
		return editAll(events, func(e ideal.Event) ideal.Event {
			e.Data = rewrite(e.Data, "", func(in string, v wire.Value) wire.Value { return change(s, in, v) })
			return e
		})
	}
	o.Whole = func(s *Subject, v wire.Value) wire.Value {
		return rewrite(v, "", func(in string, v wire.Value) wire.Value { return change(s, in, v) })
	}
	return o
}

// editAll is events with edit applied to those that have data.
func editAll(events []ideal.Event, edit func(ideal.Event) ideal.Event) []ideal.Event {
	events = slices.Clone(events)
	for i, e := range events {
		if e.Data.Exists() {
			events[i] = edit(e)
		}
	}
	return events
}

// where lists the positions of the events that meet a condition.
func where(events []ideal.Event, meets func(ideal.Event) bool) []int {
	var at []int
	for i, e := range events {
		if meets(e) {
			at = append(at, i)
		}
	}
	return at
}

// editOne changes one of the events that meet a condition; nil when none does.
func (s *Subject) editOne(events []ideal.Event, meets func(ideal.Event) bool, edit func(ideal.Event) ideal.Event) []ideal.Event {
	at := where(events, meets)
	if len(at) == 0 {
		return nil
	}
	events = slices.Clone(events)
	i := at[s.pick(len(at))]
	events[i] = edit(events[i])
	return events
}

// drop takes one of the events that meet a condition out; nil when none does.
func (s *Subject) drop(events []ideal.Event, meets func(ideal.Event) bool) []ideal.Event {
	at := where(events, meets)
	if len(at) == 0 {
		return nil
	}
	i := at[s.pick(len(at))]
	return slices.Delete(slices.Clone(events), i, i+1)
}

// insert puts an event in front of position i.
func insert(events []ideal.Event, i int, e ...ideal.Event) []ideal.Event {
	return slices.Insert(slices.Clone(events), i, e...)
}

func isType(kinds ...string) func(ideal.Event) bool {
	return func(e ideal.Event) bool { return slices.Contains(kinds, e.Data.Get("type").Str()) }
}

// to makes an operator apply only to callers of the given dialects.
func to(o Operator, dialects ...wire.Dialect) Operator {
	meets := func(s *Subject) bool { return slices.Contains(dialects, s.Case.To) }
	return only(o, meets)
}

// only makes an operator apply only to cases that meet a condition.
func only(o Operator, meets func(s *Subject) bool) Operator {
	if f := o.Model; f != nil {
		o.Model = func(s *Subject) bool { return meets(s) && f(s) }
	}
	if f := o.Events; f != nil {
		o.Events = func(s *Subject, e []ideal.Event) []ideal.Event {
			if !meets(s) {
				return nil
			}
			return f(s, e)
		}
	}
	if f := o.Whole; f != nil {
		o.Whole = func(s *Subject, v wire.Value) wire.Value {
			if !meets(s) {
				return wire.Value{}
			}
			return f(s, v)
		}
	}
	if f := o.Bytes; f != nil {
		o.Bytes = func(s *Subject, b []byte) []byte {
			if !meets(s) {
				return nil
			}
			return f(s, b)
		}
	}
	if f := o.WholeBytes; f != nil {
		o.WholeBytes = func(s *Subject, b []byte) []byte {
			if !meets(s) {
				return nil
			}
			return f(s, b)
		}
	}
	return o
}

// place is where a piece stands in a reply.
type place struct{ choice, piece int }

func places(r *ideal.Reply, meets func(ideal.Piece) bool) []place {
	var at []place
	for i, c := range r.Choices {
		for k, p := range c.Pieces {
			if meets(p) {
				at = append(at, place{i, k})
			}
		}
	}
	return at
}

// any chooses a piece of what the caller is told that meets a condition.
func (s *Subject) any(meets func(ideal.Piece) bool) (c *ideal.Choice, piece int, found bool) {
	at := places(&s.Case.Down, meets)
	if len(at) == 0 {
		return nil, 0, false
	}
	p := at[s.pick(len(at))]
	return &s.Case.Down.Choices[p.choice], p.piece, true
}

// change applies edit to a piece that meets a condition.
func (s *Subject) change(meets func(ideal.Piece) bool, edit func(*ideal.Piece)) bool {
	c, k, found := s.any(meets)
	if found {
		edit(&c.Pieces[k])
	}
	return found
}

// remove takes a piece that meets a condition out.
func (s *Subject) remove(meets func(ideal.Piece) bool) bool {
	c, k, found := s.any(meets)
	if found {
		c.Pieces = slices.Delete(c.Pieces, k, k+1)
	}
	return found
}

// is tells pieces of some kinds that say something.
func is(kinds ...ideal.Kind) func(ideal.Piece) bool {
	return func(p ideal.Piece) bool {
		return slices.Contains(kinds, p.Kind) && (p.Kind != ideal.Text && p.Kind != ideal.Reasoning || p.Whole() != "")
	}
}

func has(c ideal.Choice, kinds ...ideal.Kind) bool { return count(c, kinds...) > 0 }

func count(c ideal.Choice, kinds ...ideal.Kind) int {
	n := 0
	for _, p := range c.Pieces {
		if is(kinds...)(p) {
			n++
		}
	}
	return n
}

func text(deltas ...string) ideal.Piece { return ideal.Piece{Kind: ideal.Text, Text: deltas} }

// each maps a piece's texts one by one.
func each(f func(string) string) func(*ideal.Piece) {
	return func(p *ideal.Piece) {
		for i, t := range p.Text {
			p.Text[i] = f(t)
		}
	}
}

// changes tells pieces of some kinds that a mapping of their text changes.
func changes(f func(string) string, kinds ...ideal.Kind) func(ideal.Piece) bool {
	return func(p ideal.Piece) bool {
		return is(kinds...)(p) && slices.ContainsFunc(p.Text, func(t string) bool { return f(t) != t })
	}
}
