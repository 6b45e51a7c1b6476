package operator

import (
	"slices"
	"strings"

	"reassay/internal/measure/ideal"
	"reassay/wire"
)

// altered is a fault that changes the value of a call's arguments.
func altered(name, doc string, f func(wire.Value) wire.Value) Operator {
	return reshaped(name, doc, func(t string) string {
		v, err := wire.Parse([]byte(t))
		if err != nil {
			return t
		}
		if w := f(v); w.Exists() && !wire.Equal(v, w) {
			return string(w.JSON())
		}
		return t
	}, ideal.Call)
}

// firstOf changes the first value below v that is of a kind.
func firstOf(kind wire.Kind, f func(wire.Value) wire.Value) func(wire.Value) wire.Value {
	return func(v wire.Value) wire.Value {
		done := false
		return rewrite(v, "", func(_ string, x wire.Value) wire.Value {
			if done || x.Kind() != kind {
				return x
			}
			done = true
			return f(x)
		})
	}
}

// arguments are the faults meant for S04 on a call's arguments.
func arguments() []Operator {
	return []Operator{
		reshaped("arguments-encoded-twice", "the arguments are a JSON text in a JSON string", func(t string) string {
			return string(wire.Of(t).JSON())
		}, ideal.Call),
		altered("arguments-word-changed", "one word of the arguments is another",
			firstOf(wire.String, func(v wire.Value) wire.Value { return wire.Of(v.Str() + "x") })),
		altered("arguments-number-as-text", "a number became a string",
			firstOf(wire.Number, func(v wire.Value) wire.Value { return wire.Of(v.Num()) })),
		altered("arguments-text-as-null", "a string became null",
			firstOf(wire.String, func(wire.Value) wire.Value { return wire.OfNull() })),
		altered("arguments-flag-flipped", "a boolean is the other one",
			firstOf(wire.Bool, func(v wire.Value) wire.Value { return wire.OfBool(!v.True()) })),
		altered("arguments-member-lost", "the last member is gone", func(v wire.Value) wire.Value {
			if n := len(v.Members()); n > 0 {
				return wire.Obj(v.Members()[:n-1]...)
			}
			return v
		}),
		altered("arguments-key-renamed", "a key is spelt otherwise", func(v wire.Value) wire.Value {
			if len(v.Members()) == 0 {
				return v
			}
			m := slices.Clone(v.Members())
			m[0].Key = strings.ToUpper(m[0].Key)
			return wire.Obj(m...)
		}),
		altered("arguments-nulls-dropped", "members that are null are gone", func(v wire.Value) wire.Value {
			return rewrite(v, "", func(_ string, x wire.Value) wire.Value {
				for _, m := range x.Members() {
					if m.Value.Kind() == wire.Null {
						x = x.With(m.Key, wire.Value{})
					}
				}
				return x
			})
		}),
		altered("arguments-array-turned", "an array is in another order", firstOf(wire.Array, func(v wire.Value) wire.Value {
			e := slices.Clone(v.Elems())
			slices.Reverse(e)
			return wire.Arr(e...)
		})),
		altered("arguments-wrapped", "the arguments stand in a member of an object", func(v wire.Value) wire.Value { return ideal.Obj("arguments", v) }),
		altered("arguments-emptied", "the arguments are an empty object", func(v wire.Value) wire.Value { return ideal.Obj() }),
		reshaped("arguments-number-rounded", "a whole number went through a double", func(t string) string {
			return strings.ReplaceAll(t, "9007199254740993", "9007199254740992")
		}, ideal.Call),
		reshaped("arguments-fraction-lost", "a number lost its fraction", func(t string) string {
			return strings.ReplaceAll(t, "12.50", "12")
		}, ideal.Call),
		mapped("arguments-bytes-broken", "characters outside ASCII became U+FFFD", broken, ideal.Call, ideal.Custom),
		to(Operator{Name: "arguments-cut", Rules: []string{"S04"}, Doc: "the last piece of the arguments is gone",
			Model: func(s *Subject) bool {
				return s.change(func(p ideal.Piece) bool { return p.Kind == ideal.Call && len(p.Text) > 1 },
					func(p *ideal.Piece) { p.Text = p.Text[:len(p.Text)-1] })
			}}, chat, responses, messages),
		to(Operator{Name: "arguments-first-piece-lost", Rules: []string{"S04"}, Doc: "the first piece of the arguments is gone",
			Model: func(s *Subject) bool {
				return s.change(func(p ideal.Piece) bool { return p.Kind == ideal.Call && len(p.Text) > 1 },
					func(p *ideal.Piece) { p.Text = p.Text[1:] })
			}}, chat, responses, messages),
		to(Operator{Name: "arguments-empty-string", Rules: []string{"S04"}, Doc: "a call without arguments has an empty string where {} belongs",
			Model: func(s *Subject) bool {
				return s.change(func(p ideal.Piece) bool { return p.Kind == ideal.Call && p.Whole() == "{}" },
					func(p *ideal.Piece) { p.Text = []string{""} })
			}}, chat, responses),
		to(Operator{Name: "arguments-cumulative", Rules: []string{"S04"}, Doc: "each piece of the arguments repeats all that came before",
			Model: func(s *Subject) bool {
				return s.change(func(p ideal.Piece) bool { return p.Kind == ideal.Call && len(p.Text) > 1 }, func(p *ideal.Piece) {
					for i := len(p.Text) - 1; i > 0; i-- {
						p.Text[i] = strings.Join(p.Text[:i+1], "")
					}
				})
			}}, chat, responses, messages),
		to(everywhere(Operator{Name: "arguments-as-object", Rules: []string{"S04", "S13"}, Doc: "arguments are a JSON object where the dialect has a string"},
			func(_ *Subject, in string, v wire.Value) wire.Value {
				args := v.Get("arguments")
				if v.Kind() != wire.Object || in == "tool_choice" || args.Kind() != wire.String || args.Str() == "" {
					return v
				}
				if parsed, err := wire.Parse([]byte(args.Str())); err == nil {
					return v.With("arguments", parsed)
				}
				return v
			}), chat, responses),
	}
}
