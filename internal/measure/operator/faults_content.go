package operator

import (
	"slices"
	"strings"

	"reassay/internal/measure/ideal"
	"reassay/wire"
)

// mapped is a fault that changes the characters of a text. Where characters are only lost or put in, the rules leave open
// whether that is text altered (S04) or text lost or invented (S05).
func mapped(name, doc string, f func(string) string, kinds ...ideal.Kind) Operator {
	return Operator{Name: name, Rules: []string{"S04"}, Doc: doc,
		Model: func(s *Subject) bool { return s.change(changes(f, kinds...), each(f)) }}
}

// reshaped is a fault that maps a text as a whole; where that is cut into pieces is lost.
func reshaped(name, doc string, f func(string) string, kinds ...ideal.Kind) Operator {
	return Operator{Name: name, Rules: []string{"S04"}, Doc: doc,
		Model: func(s *Subject) bool {
			return s.change(func(p ideal.Piece) bool { return is(kinds...)(p) && f(p.Whole()) != p.Whole() },
				func(p *ideal.Piece) { p.Text = []string{f(p.Whole())} })
		}}
}

func broken(s string) string {
	return strings.Map(func(r rune) rune {
		if r > 0x7f {
			return '\ufffd'
		}
		return r
	}, s)
}

func latin1(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// oneLetter changes the last ASCII letter of a text.
func oneLetter(s string) string {
	for i := len(s) - 1; i >= 0; i-- {
		if c := s[i]; c >= 'a' && c < 'z' {
			return s[:i] + string(c+1) + s[i+1:]
		}
	}
	return s
}

// content are the faults meant for S04 on text: what is said changes its value or its kind.
func content() []Operator {
	all := []Operator{
		mapped("text-bytes-broken", "characters outside ASCII became U+FFFD", broken, ideal.Text, ideal.Refusal),
		mapped("text-read-as-latin-1", "UTF-8 was read as Latin-1", latin1, ideal.Text),
		mapped("text-composed", "a letter and its combining accent became one code point",
			func(t string) string { return strings.ReplaceAll(t, "e\u0301", "\u00e9") }, ideal.Text),
		named("S04", mapped("text-joiner-lost", "zero-width joiners are gone", func(t string) string { return strings.ReplaceAll(t, "\u200d", "") }, ideal.Text), "S05"),
		mapped("text-entities", "&, < and > became HTML entities",
			func(t string) string { return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(t) }, ideal.Text),
		named("S04", mapped("text-line-ends", "CR LF became LF", func(t string) string { return strings.ReplaceAll(t, "\r\n", "\n") }, ideal.Text), "S05"),
		mapped("text-escaped-twice", "line ends became a backslash and an n", func(t string) string { return strings.ReplaceAll(t, "\n", `\n`) }, ideal.Text),
		mapped("text-letter", "one letter is another", oneLetter, ideal.Text),
		mapped("reasoning-letter", "one letter of the reasoning is another", oneLetter, ideal.Reasoning),
		named("S04", mapped("refusal-letter", "one letter of the refusal is another", oneLetter, ideal.Refusal), "S05"),
		mapped("code-letter", "one letter of the code is another", oneLetter, ideal.Code),
		named("S04", reshaped("text-trimmed", "white space around the text is gone", strings.TrimSpace, ideal.Text), "S05", "S13"),
		named("S04", reshaped("text-number-spelt", "a text that looks like a number was read as one", func(t string) string {
			if t == "007.50" {
				return "7.5"
			}
			return t
		}, ideal.Text), "S05"),
		named("S04", reshaped("text-json-written-anew", "a text that is JSON was parsed and written again", func(t string) string {
			if v, err := wire.Parse([]byte(t)); err == nil && v.Kind() == wire.Object {
				return strings.ReplaceAll(string(v.JSON()), `":`, `": `)
			}
			return t
		}, ideal.Text), "S05"),
		named("S04", reshaped("text-tags-taken-for-reasoning", "tags that the model wrote as text were cut out", func(t string) string {
			before, rest, found := strings.Cut(t, "<think>")
			_, after, _ := strings.Cut(rest, "</think>")
			if !found {
				return t
			}
			return before + after
		}, ideal.Text), "S05"),
		named("S04", reshaped("text-cumulative", "each delta repeats all that came before", cumulative, ideal.Text), "S05"),
		{Name: "text-delta-doubled", Rules: []string{"S04", "S05"}, Doc: "one delta comes twice",
			Model: func(s *Subject) bool {
				return s.change(is(ideal.Text), func(p *ideal.Piece) {
					i := s.pick(len(p.Text))
					p.Text = slices.Insert(p.Text, i, p.Text[i])
					p.Logprobs = false
				})
			}},
		{Name: "text-deltas-swapped", Rules: []string{"S04", "S07"}, Doc: "two deltas come in the wrong order",
			Model: func(s *Subject) bool {
				differ := func(p ideal.Piece) bool {
					return is(ideal.Text)(p) && len(p.Text) > 1 && p.Text[0]+p.Text[1] != p.Text[1]+p.Text[0]
				}
				return s.change(differ, func(p *ideal.Piece) { p.Text[0], p.Text[1] = p.Text[1], p.Text[0] })
			}},
	}
	return append(all, kinds()...)
}

func cumulative(t string) string {
	if n := len(t) / 2; n > 0 {
		return strings.ToValidUTF8(t[:n], "") + t
	}
	return t
}

// kinds are the faults meant for S04 that make another kind of event of one.
func kinds() []Operator {
	return []Operator{
		{Name: "call-as-text", Rules: []string{"S04", "S05"}, Doc: "a call comes as text that describes it",
			Model: func(s *Subject) bool {
				c, k, found := s.any(is(ideal.Call))
				if !found {
					return false
				}
				p := c.Pieces[k]
				c.Pieces[k] = text(`{"name":"` + p.Name + `","arguments":` + p.Whole() + `}`)
				if !has(*c, ideal.Call, ideal.Custom) && c.Stop == ideal.Calls {
					c.Stop = ideal.End
				}
				return true
			}},
		{Name: "text-as-call", Rules: []string{"S04", "S05"}, Doc: "answer text comes as a call",
			Model: func(s *Subject) bool {
				c, k, found := s.any(is(ideal.Text))
				if !found {
					return false
				}
				c.Pieces[k] = ideal.Piece{Kind: ideal.Call, ID: "call_promoted", Name: "respond",
					Text: []string{string(ideal.Obj("message", c.Pieces[k].Whole()).JSON())}}
				if c.Stop == ideal.End {
					c.Stop = ideal.Calls
				}
				return true
			}},
		{Name: "search-as-client-call", Rules: []string{"S04"}, Doc: "a search that the vendor ran comes as a call for the caller to run",
			Model: func(s *Subject) bool {
				at := places(&s.Case.Up, is(ideal.Search))
				if len(at) == 0 {
					return false
				}
				call := s.Case.Up.Choices[0].Pieces[at[0].piece]
				call.Kind, call.Output, call.Text = ideal.Call, "", slices.Clone(call.Text)
				c := &s.Case.Down.Choices[0]
				c.Pieces = slices.DeleteFunc(c.Pieces, is(ideal.Search))
				c.Pieces = slices.Insert(c.Pieces, min(1, len(c.Pieces)), call)
				return true
			}},
		{Name: "citation-into-text", Rules: []string{"S04"}, Doc: "citations are written into the text",
			Model: func(s *Subject) bool {
				at := places(&s.Case.Up, func(p ideal.Piece) bool { return p.Cites != nil })
				if len(at) == 0 {
					return false
				}
				return s.change(is(ideal.Text), func(p *ideal.Piece) {
					x := s.Case.Up.Choices[at[0].choice].Pieces[at[0].piece].Cites[0]
					p.Text, p.Cites = append(p.Text, " ["+x.Title+"]("+x.URL+")"), nil
				})
			}},
		{Name: "image-into-text", Rules: []string{"S04"}, Doc: "an image is written into the text",
			Model: func(s *Subject) bool {
				return intoText(s, ideal.Media, func(p ideal.Piece) string { return "![image](data:" + p.MIME + ";base64," + p.Data + ")" })
			}},
		reshaped("custom-input-as-json", "the free text of a custom call became JSON", func(t string) string {
			return string(ideal.Obj("input", t).JSON())
		}, ideal.Custom),
	}
}
