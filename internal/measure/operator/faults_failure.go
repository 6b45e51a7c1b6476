package operator

import (
	"slices"

	"reassay/internal/measure/ideal"
	"reassay/wire"
)

// failures are the faults meant for S13 that only a reference tells: a failure or a cut of the model's API that the
// caller is not told of, and errors that were none.
func failures() []Operator {
	return []Operator{
		onStream("stream-is-an-error", "the stream is an error, though the model's API answered", func(s *Subject, e []ideal.Event) []ideal.Event {
			return []ideal.Event{failure(s.Case.To, 1)}
		}),
		{Name: "whole-is-an-error", Rules: []string{"S13"}, Doc: "the whole reply is an error, though the model's API answered",
			WholeBytes: func(s *Subject, b []byte) []byte { return failure(s.Case.To, 0).Data.JSON() }},
		{Name: "text-cut-short", Rules: []string{"S13", "S05", "S04"}, Doc: "the end of the text is gone, and the reply ends as if it were whole",
			Model: func(s *Subject) bool {
				return s.change(func(p ideal.Piece) bool { return is(ideal.Text)(p) && len(p.Text) > 1 && p.Text[len(p.Text)-1] != "" },
					func(p *ideal.Piece) { p.Text = p.Text[:len(p.Text)-1] })
			}},
		brokenOff("error-closed-as-success", "the model's API failed midway, and the stream ends as if it had not", true),
		brokenOff("cut-closed-as-success", "the model's stream was cut midway, and the caller's ends as if it had not been", false),
		{Name: "error-told-as-text", Rules: []string{"S13", "S05"}, Doc: "the model's API failed midway, and the error is told as text of the model's",
			Model: func(s *Subject) bool {
				o := brokenOff("", "", true)
				if !o.Model(s) {
					return false
				}
				p := &s.Case.Down.Choices[0].Pieces[0]
				p.Text = append(p.Text, "\n[error: Overloaded]")
				return true
			},
			StreamOnly: true},
	}
}

// honest are allowed: a failure that is told, and a stream that the caller broke off.
func honest() []Operator {
	told := brokenOff("error-told", "the model's API failed midway, and the stream says so by the dialect's error", true)
	told.Rules = []string{"R04"}
	told.Events = func(s *Subject, e []ideal.Event) []ideal.Event {
		at := where(e, saysText)[0] + 1
		return append(slices.Clone(e[:at]), failure(s.Case.To, at))
	}
	return []Operator{
		told,
		{Name: "caller-stopped", Rules: []string{"R04"}, Doc: "the caller broke the stream off: what came is judged as a beginning", StreamOnly: true,
			Events: func(s *Subject, e []ideal.Event) []ideal.Event {
				s.Stopped = true
				return e[:(len(e)+1)/2]
			}},
	}
}

// Failure is the body of a dialect's error.
func Failure(d wire.Dialect) []byte { return failure(d, 0).Data.JSON() }

// failure is a dialect's error as an event, or with n 0 as a body.
func failure(d wire.Dialect, n int) ideal.Event {
	switch d {
	case messages:
		return ideal.Event{Name: "error", Data: ideal.Obj("type", "error", "error", ideal.Obj("type", "overloaded_error", "message", "Overloaded"))}
	case responses:
		if n > 0 {
			return ideal.Event{Name: "error", Data: ideal.Obj("type", "error", "code", "server_error", "message", "Overloaded", "param", nil, "sequence_number", n)}
		}
		return ideal.Event{Data: ideal.Obj("error", ideal.Obj("message", "Overloaded", "type", "server_error", "param", nil, "code", nil))}
	case gemini:
		return ideal.Event{Data: ideal.Obj("error", ideal.Obj("code", 503, "message", "Overloaded", "status", "UNAVAILABLE"))}
	default:
		return ideal.Event{Data: ideal.Obj("error", ideal.Obj("message", "Overloaded", "type", "server_error", "param", nil, "code", nil))}
	}
}

// brokenOff breaks the model's stream off behind the first piece of its text, and ends the caller's as if it were
// whole. Only one text and nothing else: then both sides have the same beginning.
func brokenOff(name, doc string, told bool) Operator {
	return Operator{Name: name, Rules: []string{"S13"}, Doc: doc,
		Model: func(s *Subject) bool {
			c := &s.Case.Down.Choices[0]
			if len(s.Case.Down.Choices) != 1 || len(s.Case.Up.Choices[0].Pieces) != 1 || len(c.Pieces) != 1 || !is(ideal.Text)(c.Pieces[0]) ||
				len(c.Pieces[0].Text) < 2 || c.Stop != ideal.End || c.Pieces[0].Cites != nil || c.Pieces[0].Signature != "" {
				return false
			}
			c.Pieces[0].Text = c.Pieces[0].Text[:1]
			s.Upstream = true
			s.Break = func(e []ideal.Event) []ideal.Event {
				at := where(e, saysText)[0] + 1
				e = slices.Clone(e[:at])
				if told {
					e = append(e, failure(s.Case.From, at))
				}
				return e
			}
			return true
		},
		StreamOnly: true}
}
