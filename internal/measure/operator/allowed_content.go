package operator

import (
	"fmt"
	"slices"
	"strings"

	"reassay/internal/measure/ideal"
	"reassay/wire"
)

// pieces are the allowed changes to what a reply is cut into (R01 to R04, R07).
func pieces() []Operator {
	every := func(name, rule, doc string, meets func(ideal.Piece) bool, edit func(*ideal.Piece)) Operator {
		return Operator{Name: name, Rules: []string{rule}, Doc: doc,
			Model: func(s *Subject) bool {
				at := places(&s.Case.Down, meets)
				for _, p := range at {
					edit(&s.Case.Down.Choices[p.choice].Pieces[p.piece])
				}
				return len(at) > 0
			}}
	}
	plain := func(p ideal.Piece) bool { return p.Kind != ideal.Media && !p.Logprobs && p.Whole() != "" }
	renamed := func(name, doc string, id func(n int, old string) string) Operator {
		return Operator{Name: name, Rules: []string{"R03"}, Doc: doc,
			Model: func(s *Subject) bool {
				at := places(&s.Case.Down, func(p ideal.Piece) bool { return is(ideal.Call, ideal.Custom)(p) && p.ID != "" })
				for n, p := range at {
					x := &s.Case.Down.Choices[p.choice].Pieces[p.piece]
					x.ID = id(n, x.ID)
				}
				return len(at) > 0
			}}
	}
	return []Operator{
		every("pieces-joined", "R02", "every text comes in one delta", plain, func(p *ideal.Piece) { p.Text = []string{p.Whole()} }),
		every("pieces-by-character", "R04", "every text comes one character a delta", func(p ideal.Piece) bool { return plain(p) && len(p.Whole()) < 400 },
			func(p *ideal.Piece) { p.Text = cut(p.Whole(), 1) }),
		every("pieces-of-five", "R04", "every text comes five characters a delta", plain, func(p *ideal.Piece) { p.Text = cut(p.Whole(), 5) }),
		every("pieces-with-empty-ones", "R04", "empty deltas come between", func(p ideal.Piece) bool { return plain(p) && p.Kind != ideal.Code }, func(p *ideal.Piece) {
			p.Text = slices.Insert(p.Text, len(p.Text)/2, "")
		}),
		{Name: "text-parts-joined", Rules: []string{"R02"}, Doc: "adjacent parts of the text come as one",
			Model: func(s *Subject) bool { return joinText(&s.Case.Down) }},
		{Name: "text-split-in-parts", Rules: []string{"R04"}, Doc: "a text comes as two parts",
			Model: func(s *Subject) bool {
				c, k, found := s.any(func(p ideal.Piece) bool {
					return is(ideal.Text)(p) && len(p.Text) > 1 && p.Cites == nil && !p.Logprobs && p.Signature == ""
				})
				if !found {
					return false
				}
				p := c.Pieces[k]
				c.Pieces[k] = text(p.Text[:1]...)
				c.Pieces = slices.Insert(c.Pieces, k+1, text(p.Text[1:]...))
				return true
			}},
		renamed("call-ids-renamed", "call ids are others, one to one", func(n int, _ string) string { return fmt.Sprintf("toolu_%024d", 7*n+3) }),
		renamed("call-ids-prefixed", "call ids have a prefix", func(_ int, old string) string { return "gw_" + old }),
		renamed("call-ids-numbered", "call ids are numbers, one to one", func(n int, _ string) string { return fmt.Sprintf("%d", n+1) }),
		every("arguments-spaced", "R04", "arguments have white space between their values", is(ideal.Call), respelt(func(v wire.Value) string {
			return "{ " + strings.TrimSuffix(strings.TrimPrefix(spaced(v), "{"), "}") + " }"
		})),
		every("arguments-keys-turned", "R04", "the keys of arguments are in another order", is(ideal.Call), respelt(func(v wire.Value) string {
			return string(turned(v).JSON())
		})),
		every("arguments-escaped", "R04", "characters outside ASCII are escaped in arguments", is(ideal.Call), func(p *ideal.Piece) {
			p.Text = []string{escaped(p.Whole())}
		}),
		every("arguments-numbers-spelt", "R04", "numbers of equal value are spelt otherwise in arguments", is(ideal.Call), func(p *ideal.Piece) {
			p.Text = []string{strings.NewReplacer("12.50", "12.5", "1e-7", "0.0000001", `"count":12`, `"count":12.0`, `"days":2`, `"days":2.0`).Replace(p.Whole())}
		}),
		to(Operator{Name: "calls-before-text", Rules: []string{"R07"}, Doc: "calls are streamed before the text that preceded them; Chat has one list and one text",
			Model: func(s *Subject) bool {
				c := &s.Case.Down.Choices[0]
				if !has(*c, ideal.Call) || !has(*c, ideal.Text) {
					return false
				}
				slices.SortStableFunc(c.Pieces, func(a, b ideal.Piece) int { return textLast(a) - textLast(b) })
				return true
			}}, chat),
		to(Operator{Name: "reasoning-after-text", Rules: []string{"R07"}, Doc: "reasoning is streamed behind the text; Chat has a field for each",
			Model: func(s *Subject) bool {
				c := &s.Case.Down.Choices[0]
				if !has(*c, ideal.Reasoning) || !has(*c, ideal.Text) {
					return false
				}
				i := slices.IndexFunc(c.Pieces, is(ideal.Reasoning))
				p := c.Pieces[i]
				if count(*c, ideal.Reasoning) > 1 {
					return false
				}
				c.Pieces = append(slices.Delete(c.Pieces, i, i+1), p)
				return true
			}}, chat),
		to(Operator{Name: "reasoning-after-calls", Rules: []string{"R07"}, Doc: "reasoning is streamed behind the calls; Chat has a field for each",
			Model: func(s *Subject) bool {
				c := &s.Case.Down.Choices[0]
				if count(*c, ideal.Reasoning) != 1 || !has(*c, ideal.Call) || has(*c, ideal.Text) {
					return false
				}
				i := slices.IndexFunc(c.Pieces, is(ideal.Reasoning))
				p := c.Pieces[i]
				c.Pieces = append(slices.Delete(c.Pieces, i, i+1), p)
				return true
			}}, chat),
		{Name: "forced-call-told-as-call", Rules: []string{"R01"}, Doc: "a call that was forced by name ends with the word for calls; Chat itself says stop",
			BothOnly: true,
			Model: func(s *Subject) bool {
				c := &s.Case.Down.Choices[0]
				forced := s.Case.Ask.Forced != "" && c.Word != "" && s.Case.From != chat
				c.Word = ""
				return forced
			}},
		to(everywhere(Operator{Name: "role-left-out", Rules: []string{"R01"}, Doc: "the role is left out, which is optional in Gemini"},
			func(_ *Subject, in string, v wire.Value) wire.Value {
				if in != "content" || v.Get("role").Str() != "model" {
					return v
				}
				return v.With("role", wire.Value{})
			}), gemini),
		to(everywhere(Operator{Name: "reasoning-field-renamed", Rules: []string{"R01"}, Doc: "reasoning stands in reasoning, the other name of the extension"},
			func(_ *Subject, _ string, v wire.Value) wire.Value {
				r := v.Get("reasoning_content")
				if !r.Exists() {
					return v
				}
				return v.With("reasoning_content", wire.Value{}).With("reasoning", r)
			}), chat),
	}
}

func textLast(p ideal.Piece) int {
	if p.Kind == ideal.Text {
		return 1
	}
	return 0
}

// cut cuts a text every n code points.
func cut(t string, n int) []string {
	var out []string
	runes := []rune(t)
	for len(runes) > 0 {
		k := min(n, len(runes))
		out = append(out, string(runes[:k]))
		runes = runes[k:]
	}
	return out
}

func joinText(r *ideal.Reply) bool {
	joined := false
	for i := range r.Choices {
		c := &r.Choices[i]
		for k := 1; k < len(c.Pieces); {
			a, b := &c.Pieces[k-1], c.Pieces[k]
			if a.Kind == ideal.Text && b.Kind == ideal.Text && a.Cites == nil && b.Cites == nil {
				a.Text = append(a.Text, b.Text...)
				c.Pieces = slices.Delete(c.Pieces, k, k+1)
				joined = true
				continue
			}
			k++
		}
	}
	return joined
}

// respelt writes a call's arguments in another way, of the same value.
func respelt(spell func(wire.Value) string) func(*ideal.Piece) {
	return func(p *ideal.Piece) {
		if v, err := wire.Parse([]byte(p.Whole())); err == nil {
			p.Text = []string{spell(v)}
		}
	}
}

// turned is v with the keys of every object in reverse order.
func turned(v wire.Value) wire.Value {
	return rewrite(v, "", func(_ string, x wire.Value) wire.Value {
		if x.Kind() != wire.Object {
			return x
		}
		m := slices.Clone(x.Members())
		slices.Reverse(m)
		return wire.Obj(m...)
	})
}

// spaced is v as JSON text with white space around every value.
func spaced(v wire.Value) string {
	switch v.Kind() {
	case wire.Array:
		var parts []string
		for _, e := range v.Elems() {
			parts = append(parts, spaced(e))
		}
		return "[" + strings.Join(parts, " , ") + "]"
	case wire.Object:
		var parts []string
		for _, m := range v.Members() {
			parts = append(parts, string(wire.Of(m.Key).JSON())+": "+spaced(m.Value))
		}
		return "{" + strings.Join(parts, ",\t") + "}"
	}
	return string(v.JSON())
}

// escaped is JSON text with every character outside ASCII written as an escape.
func escaped(t string) string {
	var b strings.Builder
	for _, r := range t {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
