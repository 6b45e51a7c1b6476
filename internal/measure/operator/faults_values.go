package operator

import (
	"slices"

	"reassay/internal/measure/ideal"
	"reassay/wire"
)

// values are the faults meant for S04 on what stands beside the text.
func values() []Operator {
	onPiece := func(name, doc string, meets func(ideal.Piece) bool, edit func(*ideal.Piece)) Operator {
		return Operator{Name: name, Rules: []string{"S04"}, Doc: doc, Model: func(s *Subject) bool { return s.change(meets, edit) }}
	}
	cited := func(p ideal.Piece) bool { return p.Cites != nil }
	return []Operator{
		onPiece("citation-of-another-page", "a citation names another page", cited, func(p *ideal.Piece) { p.Cites[0].URL += "/other" }),
		onPiece("citation-title-changed", "a citation has another title", cited, func(p *ideal.Piece) { p.Cites[0].Title += " (cached)" }),
		onPiece("image-changed", "the image is another", is(ideal.Media), func(p *ideal.Piece) { p.Data = "R0lGODlhAQABAAAAACw=" }),
		onPiece("image-type-changed", "the image's type is another", is(ideal.Media), func(p *ideal.Piece) { p.MIME = "image/jpeg" }),
		onPiece("code-output-changed", "the output of the vendor's code is another", is(ideal.Code), func(p *ideal.Piece) { p.Output = "8\n" }),
		onPiece("search-query-changed", "the vendor's search asked for something else", is(ideal.Search), func(p *ideal.Piece) { p.Text = []string{`{"query":"ebb"}`} }),
		mapped("custom-input-letter", "one letter of a custom call's input is another", oneLetter, ideal.Custom),
		onPiece("custom-as-function", "a custom call comes as a function call", is(ideal.Custom), func(p *ideal.Piece) {
			p.Kind, p.Text = ideal.Call, []string{string(ideal.Obj("input", p.Whole()).JSON())}
		}),
		to(everywhere(Operator{Name: "log-probability-changed", Rules: []string{"S04"}, Doc: "log probabilities are others"},
			func(_ *Subject, _ string, v wire.Value) wire.Value {
				for _, key := range []string{"logprob", "logProbability"} {
					if v.Get(key).Exists() {
						v = v.With(key, wire.OfNum("-9.5"))
					}
				}
				return v
			}), chat, responses, gemini),
		{Name: "signature-moved", Rules: []string{"S10", "S03"}, Doc: "a signature stands on another call or block than it came with",
			Model: func(s *Subject) bool {
				c := &s.Case.Down.Choices[0]
				i := slices.IndexFunc(c.Pieces, signed(ideal.Reasoning, ideal.Call))
				for k := len(c.Pieces) - 1; i >= 0 && k > i; k-- {
					if c.Pieces[k].Kind == c.Pieces[i].Kind {
						c.Pieces[i].Signature, c.Pieces[k].Signature = c.Pieces[k].Signature, c.Pieces[i].Signature
						return true
					}
				}
				return false
			}},
		{Name: "text-to-another-choice", Rules: []string{"S01", "S04", "S05"}, Doc: "a delta of one candidate comes in another",
			Model: func(s *Subject) bool {
				d := &s.Case.Down
				if len(d.Choices) < 2 || !has(d.Choices[0], ideal.Text) || !has(d.Choices[1], ideal.Text) || len(d.Choices[1].Pieces[0].Text) < 2 {
					return false
				}
				from, to := &d.Choices[1].Pieces[0], &d.Choices[0].Pieces[0]
				to.Text, from.Text = append(to.Text, from.Text[0]), from.Text[1:]
				return true
			}},
		{Name: "choices-swapped", Rules: []string{"S07", "S04"}, Doc: "two candidates have changed places",
			Model: func(s *Subject) bool {
				d := &s.Case.Down
				if len(d.Choices) < 2 {
					return false
				}
				d.Choices[0], d.Choices[1] = d.Choices[1], d.Choices[0]
				return true
			}},
	}
}

// copies are the faults meant for S05 and S01 that leave everything in its place and say some of it again elsewhere.
func copies() []Operator {
	said := func(name, doc string, rules []string, kind ideal.Kind, says func(ideal.Piece) string, front bool) Operator {
		return Operator{Name: name, Rules: rules, Doc: doc,
			Model: func(s *Subject) bool {
				c, k, found := s.any(is(kind))
				if !found {
					return false
				}
				again := text(says(c.Pieces[k]))
				if front {
					c.Pieces = slices.Insert(c.Pieces, k, again)
				} else {
					c.Pieces = slices.Insert(c.Pieces, k+1, again)
				}
				return true
			}}
	}
	whole := func(p ideal.Piece) string { return p.Whole() }
	return []Operator{
		said("reasoning-copied-into-text", "reasoning comes in its place, and in the answer text too", []string{"S01", "S05"}, ideal.Reasoning, whole, false),
		said("refusal-copied-into-text", "a refusal comes in its place, and as text too", []string{"S05", "S01", "S03"}, ideal.Refusal, whole, false),
		said("call-copied-into-text", "a call comes in its place, and is written into the text too", []string{"S05", "S04"}, ideal.Call, func(p ideal.Piece) string {
			return "<tool_call>" + p.Name + "(" + p.Whole() + ")</tool_call>"
		}, true),
		said("text-repeated", "the text comes a second time at its end", []string{"S05", "S04"}, ideal.Text, whole, false),
		{Name: "log-probabilities-doubled", Rules: []string{"S05", "S04"}, Doc: "every delta with a log probability comes twice, the second time without its text",
			Events: func(s *Subject, events []ideal.Event) []ideal.Event {
				if s.Case.To != chat {
					return nil
				}
				var out []ideal.Event
				for _, e := range events {
					out = append(out, e)
					if get(e.Data, "choices", 0, "logprobs").Present() {
						e.Data = set(e.Data, ideal.Obj(), "choices", 0, "delta")
						out = append(out, e)
					}
				}
				if len(out) == len(events) {
					return nil
				}
				return out
			}},
	}
}
