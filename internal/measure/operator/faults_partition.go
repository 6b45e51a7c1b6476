package operator

import (
	"slices"

	"reassay/internal/measure/ideal"
	"reassay/wire"
)

// partition are the faults meant for S01: what was said in one channel comes in another.
func partition() []Operator {
	return []Operator{
		{Name: "reasoning-folded-into-text", Rules: []string{"S01"}, Doc: "reasoning is handed over as answer text",
			Model: func(s *Subject) bool {
				return s.change(is(ideal.Reasoning), func(p *ideal.Piece) { p.Kind, p.Signature = ideal.Text, "" })
			}},
		{Name: "reasoning-in-think-tags", Rules: []string{"S01"}, Doc: "reasoning stands in <think> tags in the answer text",
			Model: func(s *Subject) bool {
				return s.change(is(ideal.Reasoning), func(p *ideal.Piece) {
					p.Kind, p.Signature = ideal.Text, ""
					p.Text = append(append([]string{"<think>"}, p.Text...), "</think>\n\n")
				})
			}},
		{Name: "text-moved-into-reasoning", Rules: []string{"S01"}, Doc: "answer text is handed over as reasoning",
			Model: func(s *Subject) bool {
				return s.change(is(ideal.Text), func(p *ideal.Piece) {
					p.Kind, p.Signature, p.Cites, p.Logprobs = ideal.Reasoning, "", nil, false
				})
			}},
		{Name: "choices-joined", Rules: []string{"S01"}, Doc: "the second candidate's text is put behind the first's",
			Model: func(s *Subject) bool {
				if len(s.Case.Up.Choices) < 2 || !has(s.Case.Up.Choices[1], ideal.Text) {
					return false
				}
				d := &s.Case.Down
				d.Choices = d.Choices[:1]
				for _, p := range s.Case.Up.Choices[1].Pieces {
					if p.Kind == ideal.Text {
						d.Choices[0].Pieces = append(d.Choices[0].Pieces, text(p.Text...))
					}
				}
				return true
			}},
		{Name: "code-output-into-text", Rules: []string{"S01"}, Doc: "what the vendor's code printed is put into the answer text",
			Model: func(s *Subject) bool {
				return intoText(s, ideal.Code, func(p ideal.Piece) string { return p.Output })
			}},
		{Name: "search-result-into-text", Rules: []string{"S01", "S05"}, Doc: "what the vendor's search brought is put into the answer text",
			Model: func(s *Subject) bool {
				return intoText(s, ideal.Search, func(p ideal.Piece) string { return "Tide tables: https://example.org/tides\n" })
			}},
	}
}

// intoText puts what a tool of the vendor's brought into the text, in place of the tool's own piece.
func intoText(s *Subject, kind ideal.Kind, brought func(ideal.Piece) string) bool {
	at := places(&s.Case.Up, is(kind))
	if len(at) == 0 {
		return false
	}
	says := text(brought(s.Case.Up.Choices[at[0].choice].Pieces[at[0].piece]))
	c := &s.Case.Down.Choices[at[0].choice]
	for k, p := range c.Pieces {
		if p.Kind == kind {
			c.Pieces[k] = says
			return true
		}
	}
	c.Pieces = slices.Insert(c.Pieces, min(at[0].piece, len(c.Pieces)), says)
	return true
}

// author are the faults meant for S02: the reply's role.
func author() []Operator {
	as := func(name, role string) Operator {
		return Operator{Name: name, Rules: []string{"S02"}, Doc: "the reply's author is given as " + role,
			Model: func(s *Subject) bool {
				for i := range s.Case.Down.Choices {
					s.Case.Down.Choices[i].Role = role
				}
				return true
			}}
	}
	own := func(name, doc string, to wire.Value) Operator {
		return everywhere(Operator{Name: name, Rules: []string{"S02"}, Doc: doc}, func(_ *Subject, in string, v wire.Value) wire.Value {
			if v.Kind() != wire.Object || !v.Get("role").Exists() {
				return v
			}
			return v.With("role", to)
		})
	}
	return []Operator{
		as("role-user", "user"),
		as("role-tool", "tool"),
		as("role-garbled", "assistantassistant"),
		to(as("role-model", "model"), chat, responses, messages),
		to(as("role-assistant", "assistant"), gemini),
		to(own("role-missing", "no role anywhere, though the dialect requires one", wire.Value{}), chat, responses, messages),
		to(own("role-empty", "an empty role, though the dialect requires one", wire.Of("")), chat, responses, messages),
		{Name: "role-changes-midway", Rules: []string{"S02"}, Doc: "a later chunk gives another author",
			Events: func(s *Subject, events []ideal.Event) []ideal.Event {
				switch s.Case.To {
				case chat:
					return s.editOne(events, func(e ideal.Event) bool { return get(e.Data, "choices", 0, "delta", "content").Str() != "" },
						func(e ideal.Event) ideal.Event {
							e.Data = set(e.Data, wire.Of("user"), "choices", 0, "delta", "role")
							return e
						})
				case gemini:
					if len(events) < 2 {
						return nil
					}
					events = slices.Clone(events)
					i := 1 + s.pick(len(events)-1)
					events[i].Data = set(events[i].Data, wire.Of("user"), "candidates", 0, "content", "role")
					return events
				}
				return nil
			}},
	}
}
