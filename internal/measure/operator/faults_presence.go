package operator

import (
	"slices"

	"reassay/internal/measure/ideal"
	"reassay/wire"
)

// presence are the faults meant for S05: an event is lost, or one is there that the model did not give.
func presence() []Operator {
	loss := func(name string, kind ideal.Kind) Operator {
		return Operator{Name: name, Rules: []string{"S05"}, Doc: "the event is left out",
			Model: func(s *Subject) bool { return s.remove(is(kind)) }}
	}
	piece := func(name, doc string, of ideal.Kind, most int, edit func(*Subject, *ideal.Piece)) Operator {
		return Operator{Name: name, Rules: []string{"S05", "S04"}, Doc: doc,
			Model: func(s *Subject) bool {
				return s.change(func(p ideal.Piece) bool { return p.Kind == of && len(p.Text) > most }, func(p *ideal.Piece) { edit(s, p) })
			}}
	}
	all := []Operator{
		named("S05", loss("text-lost", ideal.Text), "S13"), // the last part lost is a stream cut short
		named("S05", loss("reasoning-lost", ideal.Reasoning), "S13"),
		loss("refusal-lost", ideal.Refusal),
		loss("image-lost", ideal.Media),
		loss("code-lost", ideal.Code),
		loss("search-lost", ideal.Search),
		loss("custom-call-lost", ideal.Custom),
		{Name: "call-lost", Rules: []string{"S05"}, Doc: "a call is left out; the stop reason still fits what is left",
			Model: func(s *Subject) bool {
				c, k, found := s.any(is(ideal.Call))
				if !found {
					return false
				}
				c.Pieces = slices.Delete(c.Pieces, k, k+1)
				if !has(*c, ideal.Call, ideal.Custom) && c.Stop == ideal.Calls {
					c.Stop, c.Word = ideal.End, ""
				}
				return true
			}},
		piece("text-first-delta-lost", "the text's first delta is gone", ideal.Text, 1, func(s *Subject, p *ideal.Piece) { p.Text = p.Text[1:] }),
		piece("text-middle-delta-lost", "a delta in the middle of the text is gone", ideal.Text, 2, func(s *Subject, p *ideal.Piece) {
			i := 1 + s.pick(len(p.Text)-2)
			p.Text = slices.Delete(p.Text, i, i+1)
		}),
		piece("reasoning-first-delta-lost", "the reasoning's first delta is gone", ideal.Reasoning, 1, func(s *Subject, p *ideal.Piece) { p.Text = p.Text[1:] }),
		piece("refusal-first-delta-lost", "the refusal's first delta is gone", ideal.Refusal, 1, func(s *Subject, p *ideal.Piece) { p.Text = p.Text[1:] }),
		{Name: "citation-lost", Rules: []string{"S05"}, Doc: "a citation is left out",
			Model: func(s *Subject) bool {
				return s.change(func(p ideal.Piece) bool { return p.Cites != nil }, func(p *ideal.Piece) {
					i := s.pick(len(p.Cites))
					if p.Cites = slices.Delete(p.Cites, i, i+1); len(p.Cites) == 0 {
						p.Cites = nil
					}
				})
			}},
		{Name: "choice-lost", Rules: []string{"S05"}, Doc: "the last candidate is left out",
			Model: func(s *Subject) bool {
				d := &s.Case.Down
				if len(d.Choices) < 2 {
					return false
				}
				d.Choices = d.Choices[:len(d.Choices)-1]
				return true
			}},
		{Name: "log-probabilities-lost", Rules: []string{"S05"}, Doc: "log probabilities are left out",
			Model: func(s *Subject) bool {
				return s.change(func(p ideal.Piece) bool { return p.Logprobs }, func(p *ideal.Piece) { p.Logprobs = false })
			}},
		{Name: "code-output-lost", Rules: []string{"S05"}, Doc: "the output of the vendor's code is empty",
			Model: func(s *Subject) bool { return s.change(is(ideal.Code), func(p *ideal.Piece) { p.Output = "" }) }},
	}
	return append(all, inventions()...)
}

// inventions are the faults meant for S05 that put something in.
func inventions() []Operator {
	add := func(name, doc string, at func(c ideal.Choice) int, p ideal.Piece) Operator {
		return Operator{Name: name, Rules: []string{"S05"}, Doc: doc,
			Model: func(s *Subject) bool {
				c := &s.Case.Down.Choices[0]
				i := at(*c)
				if i < 0 {
					return false
				}
				if p.Kind == ideal.Call && c.Stop == ideal.End {
					c.Stop = ideal.Calls
				}
				c.Pieces = slices.Insert(c.Pieces, i, p)
				return true
			}}
	}
	silent := func(c ideal.Choice) int {
		if has(c, ideal.Text, ideal.Refusal) {
			return -1
		}
		return len(c.Pieces)
	}
	unreasoned := func(c ideal.Choice) int {
		if has(c, ideal.Reasoning, ideal.Redacted) {
			return -1
		}
		return 0
	}
	end := func(c ideal.Choice) int { return len(c.Pieces) }
	front := func(ideal.Choice) int { return 0 }
	return []Operator{
		add("placeholder-space", "a lone space stands where there is no text", silent, text(" ")),
		add("placeholder-dots", "dots stand where there is no text", silent, text("...")),
		add("notice-invented", "a notice of the gateway's is put behind the answer", end, text("\n\n[translated by gateway]")),
		add("greeting-invented", "words of the gateway's are put before the answer", front, text("Sure! ")),
		add("reasoning-invented", "reasoning is made up", unreasoned, ideal.Piece{Kind: ideal.Reasoning, Text: []string{"Thinking..."}}),
		add("call-invented", "a call is made up", end, ideal.Piece{Kind: ideal.Call, ID: "call_invented", Name: "noop", Text: []string{`{"why":"none"}`}}),
		{Name: "call-doubled", Rules: []string{"S05"}, Doc: "a call comes twice, under two ids",
			Model: func(s *Subject) bool {
				c, k, found := s.any(is(ideal.Call))
				if !found {
					return false
				}
				twin := c.Pieces[k]
				twin.ID += "_again"
				c.Pieces = slices.Insert(c.Pieces, k+1, twin)
				return true
			}},
		{Name: "newline-between-parts", Rules: []string{"S05"}, Doc: "a line end is put between two parts of the text",
			Model: func(s *Subject) bool {
				for i := range s.Case.Down.Choices {
					c := &s.Case.Down.Choices[i]
					for k := 1; k < len(c.Pieces); k++ {
						if is(ideal.Text)(c.Pieces[k]) && is(ideal.Text)(c.Pieces[k-1]) {
							c.Pieces[k].Text[0] = "\n" + c.Pieces[k].Text[0]
							return true
						}
					}
				}
				return false
			}},
		{Name: "citation-invented", Rules: []string{"S05"}, Doc: "a citation is made up",
			Model: func(s *Subject) bool {
				return s.change(is(ideal.Text), func(p *ideal.Piece) {
					p.Cites = append(p.Cites, ideal.Cite{URL: "https://example.net/made-up", Title: "Made up", Start: 0, End: 1, Quote: "?"})
				})
			}},
		to(Operator{Name: "choice-invented", Rules: []string{"S05"}, Doc: "a second candidate is made up",
			Model: func(s *Subject) bool {
				d := &s.Case.Down
				d.Choices = append(d.Choices, ideal.Choice{Pieces: []ideal.Piece{text("Another answer.")}})
				return true
			}}, chat, gemini),
		to(Operator{Name: "text-in-two-candidates", Rules: []string{"S05", "S01"}, Doc: "the second part of a text comes as a candidate of its own",
			Model: func(s *Subject) bool {
				d := &s.Case.Down
				if len(d.Choices) != 1 || count(d.Choices[0], ideal.Text) < 2 {
					return false
				}
				c := &d.Choices[0]
				k := len(c.Pieces) - 1
				if c.Pieces[k].Kind != ideal.Text {
					return false
				}
				d.Choices = append(d.Choices, ideal.Choice{Pieces: []ideal.Piece{c.Pieces[k]}})
				d.Choices[0].Pieces = d.Choices[0].Pieces[:k]
				return true
			}}, chat, gemini),
	}
}

// echoes are the faults meant for S08: controls that a Responses reply repeats, and the format that was asked for.
func echoes() []Operator {
	echo := func(name, key string, value wire.Value) Operator {
		return to(everywhere(Operator{Name: name, Rules: []string{"S08"}, Doc: "the reply repeats " + key + " with another value than the request's"},
			func(_ *Subject, _ string, v wire.Value) wire.Value {
				if v.Get("object").Str() != "response" {
					return v
				}
				return v.With(key, value)
			}), responses)
	}
	format := func(name, doc string, meets func(ideal.Ask) bool, asked ideal.Ask, says string) Operator {
		return Operator{Name: name, Rules: []string{"S08-F"}, Doc: doc, BothOnly: true,
			Model: func(s *Subject) bool {
				if !meets(s.Case.Ask) {
					return false
				}
				s.Upstream, s.Asked = true, &asked
				s.Case.Up.Choices[0].Pieces[0].Text = []string{says}
				s.Case.Down.Choices[0].Pieces[0].Text = []string{says}
				return true
			}}
	}
	anyFormat := func(a ideal.Ask) bool { return a.Format != "" }
	schema := func(a ideal.Ask) bool { return a.Format == "json_schema" }
	return []Operator{
		echo("echo-temperature", "temperature", wire.OfInt(0)),
		echo("echo-token-limit", "max_output_tokens", wire.OfInt(16)),
		only(echo("echo-tool-choice", "tool_choice", wire.Of("none")), func(s *Subject) bool { return len(s.Case.Ask.Tools) > 0 }),
		echo("echo-parallel-calls", "parallel_tool_calls", wire.OfBool(false)),
		echo("echo-top-p", "top_p", wire.OfInt(0)),
		format("format-dropped-prose", "the format was not passed on, and the answer is prose", anyFormat, ideal.Ask{}, "It is three below zero in Oslo."),
		format("format-dropped-fence", "the format was not passed on, and the answer stands in a code fence", anyFormat, ideal.Ask{},
			"```json\n{\"city\":\"Oslo\",\"temp\":-3}\n```"),
		only(format("format-weakened", "the schema was not passed on, and the answer breaks it", schema, ideal.Ask{Format: "json_object"},
			`{"town":"Oslo"}`), func(s *Subject) bool { return s.Case.From != messages }),
		format("format-schema-dropped", "the format was not passed on, and the answer lacks what the schema requires", schema, ideal.Ask{}, `{"city":"Oslo"}`),
	}
}
