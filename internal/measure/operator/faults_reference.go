package operator

import (
	"slices"
	"strings"

	"reassay/internal/measure/ideal"
	"reassay/wire"
)

// isCall tells the object in which a dialect holds a call of the caller's to run.
func isCall(in string, v wire.Value) bool {
	return in == "tool_calls" && v.Kind() == wire.Object || v.Get("type").Str() == "function_call" || v.Get("type").Str() == "tool_use" ||
		in == "functionCall" && v.Kind() == wire.Object
}

// chatPieces edits every piece of a streamed Chat call: n counts the call's pieces from 0.
func chatPieces(events []ideal.Event, edit func(call, n int, v wire.Value) wire.Value) []ideal.Event {
	seen := map[[2]string]int{}
	found := false
	events = editAll(events, func(e ideal.Event) ideal.Event {
		calls := get(e.Data, "choices", 0, "delta", "tool_calls")
		for i, v := range calls.Elems() {
			call, _ := v.Get("index").Int()
			key := [2]string{get(e.Data, "choices", 0, "index").Num(), v.Get("index").Num()}
			e.Data = set(e.Data, edit(call, seen[key], v), "choices", 0, "delta", "tool_calls", i)
			seen[key]++
			found = true
		}
		return e
	})
	if !found {
		return nil
	}
	return events
}

// chatCall is a fault on the pieces of a streamed Chat call.
func chatCall(name, doc string, edit func(call, n int, v wire.Value) wire.Value) Operator {
	return to(Operator{Name: name, Rules: []string{"S06"}, Doc: doc,
		Events: func(s *Subject, events []ideal.Event) []ideal.Event { return chatPieces(events, edit) }}, chat)
}

func severalCalls(s *Subject) bool {
	return count(s.Case.Down.Choices[0], ideal.Call, ideal.Custom) > 1
}

// references are the faults meant for S06: ids, names and indices of calls.
func references() []Operator {
	idKey := map[wire.Dialect]string{chat: "id", messages: "id", responses: "call_id", gemini: "id"}
	onCalls := func(name, doc string, edit func(s *Subject, v wire.Value) wire.Value) Operator {
		return everywhere(Operator{Name: name, Rules: []string{"S06"}, Doc: doc}, func(s *Subject, in string, v wire.Value) wire.Value {
			if !isCall(in, v) {
				return v
			}
			return edit(s, v)
		})
	}
	ids := []Operator{
		to(onCalls("call-id-missing", "calls have no id", func(s *Subject, v wire.Value) wire.Value {
			return v.With(idKey[s.Case.To], wire.Value{})
		}), chat, responses, messages),
		to(onCalls("call-id-null", "calls have a null id", func(s *Subject, v wire.Value) wire.Value {
			if !v.Get(idKey[s.Case.To]).Exists() {
				return v
			}
			return v.With(idKey[s.Case.To], wire.OfNull())
		}), chat, responses, messages),
		to(Operator{Name: "call-id-empty", Rules: []string{"S06"}, Doc: "a call's id is empty",
			Model: func(s *Subject) bool {
				return s.change(is(ideal.Call, ideal.Custom), func(p *ideal.Piece) { p.ID = "" })
			}}, chat, responses, messages),
		{Name: "call-ids-equal", Rules: []string{"S06"}, Doc: "two calls have one id",
			Model: func(s *Subject) bool {
				at := places(&s.Case.Down, func(p ideal.Piece) bool { return is(ideal.Call, ideal.Custom)(p) && p.ID != "" })
				if len(at) < 2 || at[0].choice != at[1].choice {
					return false
				}
				pieces := s.Case.Down.Choices[at[0].choice].Pieces
				pieces[at[1].piece].ID = pieces[at[0].piece].ID
				return true
			}},
		to(everywhere(Operator{Name: "result-of-no-call", Rules: []string{"S06"}, Doc: "a search's result names a call that is not there"},
			func(_ *Subject, _ string, v wire.Value) wire.Value {
				if !v.Get("tool_use_id").Exists() {
					return v
				}
				return v.With("tool_use_id", wire.Of("srvtoolu_elsewhere"))
			}), messages),
		to(onCalls("call-name-missing", "calls have no name", func(s *Subject, v wire.Value) wire.Value {
			if s.Case.To == chat {
				return set(v, wire.Value{}, "function", "name")
			}
			return v.With("name", wire.Value{})
		}), chat, responses, messages, gemini),
		{Name: "call-name-empty", Rules: []string{"S06", "S09"}, Doc: "a call's name is empty",
			Model: func(s *Subject) bool { return s.change(is(ideal.Call), func(p *ideal.Piece) { p.Name = "" }) }},
		to(everywhere(Operator{Name: "call-type-missing", Rules: []string{"S06"}, Doc: "calls have no type"},
			func(_ *Subject, in string, v wire.Value) wire.Value {
				if in != "tool_calls" || v.Kind() != wire.Object {
					return v
				}
				return v.With("type", wire.Value{})
			}), chat),
		to(Operator{Name: "call-id-differs", Rules: []string{"S06", "S13"}, Doc: "an item is done with another call id than it was added with",
			Events: func(s *Subject, events []ideal.Event) []ideal.Event {
				return s.editOne(events, func(e ideal.Event) bool {
					return e.Data.Get("type").Str() == "response.output_item.done" && get(e.Data, "item", "call_id").Exists()
				}, func(e ideal.Event) ideal.Event {
					e.Data = set(e.Data, wire.Of("call_other"), "item", "call_id")
					return e
				})
			}}, responses),
	}
	return append(ids, indices()...)
}

// indices are the faults meant for S06 on the pieces of a streamed Chat call.
func indices() []Operator {
	index := func(f func(call int) wire.Value) func(call, n int, v wire.Value) wire.Value {
		return func(call, _ int, v wire.Value) wire.Value { return v.With("index", f(call)) }
	}
	return []Operator{
		only(chatCall("calls-share-index", "parallel calls share index 0", index(func(int) wire.Value { return wire.OfInt(0) })), severalCalls),
		chatCall("call-index-missing", "pieces of calls have no index", index(func(int) wire.Value { return wire.Value{} })),
		chatCall("call-index-from-one", "calls count from 1", index(func(c int) wire.Value { return wire.OfInt(c + 1) })),
		only(chatCall("call-index-skips", "the second call has index 2", index(func(c int) wire.Value { return wire.OfInt(2 * c) })), severalCalls),
		chatCall("call-index-as-text", "a call's index is a string", index(func(c int) wire.Value { return wire.Of(string(rune('0' + c))) })),
		only(chatCall("call-index-of-pieces", "the index counts the pieces", func(call, n int, v wire.Value) wire.Value { return v.With("index", wire.OfInt(call+n)) }),
			func(s *Subject) bool { return has(s.Case.Down.Choices[0], ideal.Call) }),
		chatCall("call-type-null-later", "later pieces of a call say type null", func(_, n int, v wire.Value) wire.Value {
			if n == 0 {
				return v
			}
			return v.With("type", wire.OfNull())
		}),
		chatCall("call-id-changes", "later pieces of a call have an id of their own", func(_, n int, v wire.Value) wire.Value {
			if n == 0 {
				return v
			}
			return v.With("id", wire.Of("call_piece"+string(rune('0'+n))))
		}),
		to(Operator{Name: "call-name-on-every-delta", Rules: []string{"S06"}, Doc: "a call's name comes with every piece",
			Events: func(s *Subject, events []ideal.Event) []ideal.Event {
				if len(s.Case.Down.Choices) > 1 {
					return nil
				}
				names := map[int]wire.Value{}
				return chatPieces(events, func(call, n int, v wire.Value) wire.Value {
					if n == 0 {
						names[call] = get(v, "function", "name")
						return v
					}
					if !names[call].Exists() {
						return v
					}
					return v.With("function", v.Get("function").With("name", names[call]))
				})
			}}, chat),
		only(named("S06", chatCall("arguments-on-first-index", "the second call's arguments come on the first's index", func(_, n int, v wire.Value) wire.Value {
			if n == 0 {
				return v
			}
			return v.With("index", wire.OfInt(0))
		}), "S04"), severalCalls),
	}
}

// names are the faults meant for S09, a tool's name is not the one that was declared, and one of S06, its id is gone.
func names() []Operator {
	as := func(name, doc string, f func(string) string) Operator {
		return Operator{Name: name, Rules: []string{"S09"}, Doc: doc,
			Model: func(s *Subject) bool {
				return s.change(func(p ideal.Piece) bool { return is(ideal.Call, ideal.Custom)(p) && f(p.Name) != p.Name },
					func(p *ideal.Piece) { p.Name = f(p.Name) })
			}}
	}
	return []Operator{
		to(everywhere(Operator{Name: "native-id-dropped", Rules: []string{"S06"}, Doc: "a call's own id is left out, though the dialect has a place for it"},
			func(_ *Subject, in string, v wire.Value) wire.Value {
				if in != "functionCall" || v.Kind() != wire.Object {
					return v
				}
				return v.With("id", wire.Value{})
			}), gemini),
		as("name-shortened", "a name is cut", func(n string) string { return n[:len(n)-2] }),
		as("name-cut-at-64", "a name over 64 characters is cut and marked", func(n string) string {
			if len(n) > 64 {
				return n[:55] + "_1f3a9c0d"
			}
			return n
		}),
		as("name-prefixed", "a name has a prefix", func(n string) string { return "functions." + n }),
		as("name-cleaned", "other characters stand for those that the model's API does not take", func(n string) string {
			return strings.NewReplacer("_", "-", "-", "_").Replace(n)
		}),
		as("name-lower-case", "a name is in lower case", strings.ToLower),
		as("name-doubled", "a name comes twice in one", func(n string) string { return n + n }),
	}
}

// order are the faults meant for S07.
func order() []Operator {
	// Where either side is Chat, order between text, reasoning and calls cannot be told.
	told := func(s *Subject) bool { return s.Case.From != chat && s.Case.To != chat }
	return []Operator{
		{Name: "calls-swapped", Rules: []string{"S07"}, Doc: "two calls come in the wrong order",
			Model: func(s *Subject) bool {
				at := places(&s.Case.Down, is(ideal.Call, ideal.Custom))
				for i := 1; i < len(at); i++ {
					if a, b := at[i-1], at[i]; a.choice == b.choice {
						pieces := s.Case.Down.Choices[a.choice].Pieces
						pieces[a.piece], pieces[b.piece] = pieces[b.piece], pieces[a.piece]
						if pieces[a.piece].Name != pieces[b.piece].Name || pieces[a.piece].Whole() != pieces[b.piece].Whole() {
							return true
						}
					}
				}
				return false
			}},
		{Name: "text-parts-swapped", Rules: []string{"S07", "S04"}, Doc: "two parts of the text come in the wrong order",
			Model: func(s *Subject) bool {
				at := places(&s.Case.Down, is(ideal.Text))
				for i := 1; i < len(at); i++ {
					if a, b := at[i-1], at[i]; a.choice == b.choice {
						pieces := s.Case.Down.Choices[a.choice].Pieces
						pieces[a.piece], pieces[b.piece] = pieces[b.piece], pieces[a.piece]
						return true
					}
				}
				return false
			}},
		only(moved("text-behind-calls", "text comes behind the calls that followed it", []ideal.Kind{ideal.Text}, []ideal.Kind{ideal.Call}), told),
		only(moved("calls-behind-text", "calls come behind the text that followed them", []ideal.Kind{ideal.Call}, []ideal.Kind{ideal.Text}), told),
		only(moved("reasoning-last", "reasoning comes behind what followed it", []ideal.Kind{ideal.Reasoning}, []ideal.Kind{ideal.Text, ideal.Call}), told),
		only(moved("code-last", "code that was run comes behind the text that followed it", []ideal.Kind{ideal.Code}, []ideal.Kind{ideal.Text}), told),
	}
}

// moved is a fault that moves a piece to the end, past a piece of another kind.
func moved(name, doc string, what, past []ideal.Kind) Operator {
	return Operator{Name: name, Rules: []string{"S07"}, Doc: doc,
		Model: func(s *Subject) bool {
			for i := range s.Case.Down.Choices {
				c := &s.Case.Down.Choices[i]
				for k, p := range c.Pieces {
					if is(what...)(p) && slices.ContainsFunc(c.Pieces[k+1:], is(past...)) {
						c.Pieces = append(slices.Delete(c.Pieces, k, k+1), p)
						return true
					}
				}
			}
			return false
		}}
}
