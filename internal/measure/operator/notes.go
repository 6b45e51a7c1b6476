package operator

import (
	"fmt"
	"slices"

	"reassay/internal/measure/ideal"
	"reassay/wire"
)

// notes are the changes meant for D01 to D06: what is reported apart and never counted.
func notes() []Operator {
	all := append(declared(), usage()...)
	return append(all, grammar()...)
}

func declared() []Operator {
	loss := func(name, header, says string, drop func(*Subject) bool) Operator {
		return Operator{Name: name, Rules: []string{"D01"}, Doc: "a loss that a header of the reply names",
			Model: func(s *Subject) bool {
				s.Headers = map[string][]string{header: {says}}
				return drop(s)
			}}
	}
	model := func(name, doc, as string) Operator {
		return Operator{Name: name, Rules: []string{"D05"}, Doc: doc, Model: func(s *Subject) bool {
			s.Case.Down.Model = as
			return true
		}}
	}
	return []Operator{
		loss("declared-reasoning-lost", "x-gateway-degraded", "reasoning dropped", func(s *Subject) bool { return s.remove(is(ideal.Reasoning)) }),
		loss("declared-log-probabilities-lost", "x-gateway-warning", "unsupported: logprobs", func(s *Subject) bool {
			return s.change(func(p ideal.Piece) bool { return p.Logprobs }, func(p *ideal.Piece) { p.Logprobs = false })
		}),
		loss("declared-citations-lost", "x-gateway-dropped", "url_citation", func(s *Subject) bool {
			return s.change(func(p ideal.Piece) bool { return p.Cites != nil }, func(p *ideal.Piece) { p.Cites = nil })
		}),
		model("model-other", "the reply names a model that did not answer", "gpt-other-9"),
		model("model-deployment", "the reply names an internal route", "accounts/acme/deployments/7"),
		{Name: "fallback-silent", Rules: []string{"D05"}, Doc: "another provider answered after a failed attempt, and nothing says so",
			Model: func(s *Subject) bool {
				s.Upstream = true
				s.Failed = wire.Dialects[(slices.Index(wire.Dialects, s.Case.From)+1)%len(wire.Dialects)]
				return true
			}},
		{Name: "cached-tokens-lost", Rules: []string{"D03"}, Doc: "usage says that no token came from a cache",
			Model: func(s *Subject) bool {
				lost := s.Case.Down.Usage.Cached > 0
				s.Case.Down.Usage.Cached = 0
				return lost
			}},
		{Name: "cached-tokens-changed", Rules: []string{"D03"}, Doc: "usage has another number of cached tokens",
			Model: func(s *Subject) bool {
				had := s.Case.Down.Usage.Cached > 0
				s.Case.Down.Usage.Cached -= 64
				return had
			}},
		everywhere(Operator{Name: "cached-tokens-left-out", Rules: []string{"D03"}, Doc: "usage does not speak of cached tokens"},
			func(s *Subject, _ string, v wire.Value) wire.Value {
				if s.Case.Down.Usage.Cached == 0 {
					return v
				}
				for _, key := range []string{"prompt_tokens_details", "input_tokens_details", "cache_read_input_tokens", "cachedContentTokenCount"} {
					v = without(v, key)
				}
				return v
			}),
	}
}

func without(v wire.Value, key string) wire.Value {
	if !v.Get(key).Exists() {
		return v
	}
	return v.With(key, wire.Value{})
}

func usage() []Operator {
	counts := func(name, doc string, f func(*ideal.Usage)) Operator {
		return Operator{Name: name, Rules: []string{"D04"}, Doc: doc, Model: func(s *Subject) bool {
			f(&s.Case.Down.Usage)
			return true
		}}
	}
	return []Operator{
		counts("usage-output-doubled", "output tokens are counted twice", func(u *ideal.Usage) { u.Output *= 2 }),
		counts("usage-input-wrong", "input tokens are other ones", func(u *ideal.Usage) { u.Input += 100 }),
		counts("usage-zero", "usage is zero", func(u *ideal.Usage) { *u = ideal.Usage{} }),
		only(counts("usage-reasoning-over-output", "there are more reasoning tokens than output tokens", func(u *ideal.Usage) { u.Reasoning = u.Output + 9 }),
			func(s *Subject) bool { return s.Case.To == chat || s.Case.To == responses }),
		everywhere(Operator{Name: "usage-total-wrong", Rules: []string{"D04"}, Doc: "the total is not the sum of its parts"},
			func(_ *Subject, _ string, v wire.Value) wire.Value {
				for _, key := range []string{"total_tokens", "totalTokenCount"} {
					if n, is := v.Get(key).Int(); is {
						v = v.With(key, wire.OfInt(n+5))
					}
				}
				return v
			}),
		to(everywhere(Operator{Name: "usage-missing", Rules: []string{"D04"}, Doc: "usage that was asked for is missing"},
			func(_ *Subject, _ string, v wire.Value) wire.Value {
				if !v.Get("usage").Exists() {
					return v
				}
				return v.With("usage", wire.Value{})
			}), chat),
	}
}

// grammar are the changes meant for D06: what the documents do not have and every reader gets over.
func grammar() []Operator {
	note := func(o Operator) Operator {
		o.Rules = []string{"D06"}
		return o
	}
	return []Operator{
		note(onStream("done-missing", "[DONE] is missing behind a finish reason", func(s *Subject, e []ideal.Event) []ideal.Event {
			return e[:len(e)-1]
		}, chat)),
		note(onStream("role-on-every-chunk", "the role comes with every delta", func(s *Subject, e []ideal.Event) []ideal.Event {
			if len(e) < 5 {
				return nil
			}
			return editAll(e, func(e ideal.Event) ideal.Event {
				e.Data = set(e.Data, wire.Of("assistant"), "choices", 0, "delta", "role")
				return e
			})
		}, chat)),
		note(onStream("call-id-on-every-delta", "a call's id comes with every piece", func(s *Subject, e []ideal.Event) []ideal.Event {
			if len(s.Case.Down.Choices) > 1 {
				return nil
			}
			ids := map[int]wire.Value{}
			return chatPieces(e, func(call, n int, v wire.Value) wire.Value {
				if n == 0 {
					ids[call] = v.Get("id")
				}
				return v.With("id", ids[call])
			})
		}, chat)),
		note(onStream("reasoning-under-two-names", "reasoning comes as reasoning_content and as reasoning", func(s *Subject, e []ideal.Event) []ideal.Event {
			return editAll(e, func(e ideal.Event) ideal.Event {
				if r := get(e.Data, "choices", 0, "delta", "reasoning_content"); r.Exists() {
					e.Data = set(e.Data, r, "choices", 0, "delta", "reasoning")
				}
				return e
			})
		}, chat)),
		note(throughout("created-missing", "chunks have no created", func(v wire.Value) wire.Value { return v.With("created", wire.Value{}) }, chat)),
		note(onStream("usage-on-every-chunk", "usage comes with every chunk", func(s *Subject, e []ideal.Event) []ideal.Event {
			last := e[len(e)-2].Data.Get("usage")
			return editAll(e, func(e ideal.Event) ideal.Event {
				e.Data = e.Data.With("usage", last)
				return e
			})
		}, chat)),
		note(onStream("finish-key-left-out", "finish_reason is left out where it is null", func(s *Subject, e []ideal.Event) []ideal.Event {
			return editAll(e, func(e ideal.Event) ideal.Event {
				if get(e.Data, "choices", 0, "finish_reason").Kind() == wire.Null {
					e.Data = set(e.Data, wire.Value{}, "choices", 0, "finish_reason")
				}
				return e
			})
		}, chat)),
		note(throughout("type-left-out", "the data has no type; the event line has it", func(v wire.Value) wire.Value { return v.With("type", wire.Value{}) }, messages)),
		note(onStream("unknown-event", "an event comes that nobody documents", func(s *Subject, e []ideal.Event) []ideal.Event {
			unknown := ideal.Event{Name: "gateway_note", Data: ideal.Obj("type", "gateway_note", "note", "hello")}
			return insert(e, 1+s.pick(len(e)-1), unknown)
		}, messages)),
		note(onStream("id-changes", "chunks have ids of their own", func(s *Subject, e []ideal.Event) []ideal.Event {
			if len(e) < 2 {
				return nil
			}
			e = slices.Clone(e)
			for i := range e {
				for _, key := range []string{"id", "responseId"} {
					if e[i].Data.Get(key).Exists() {
						e[i].Data = e[i].Data.With(key, wire.Of(fmt.Sprintf("chunk-%d", i)))
					}
				}
			}
			return e
		}, chat, gemini)),
	}
}
