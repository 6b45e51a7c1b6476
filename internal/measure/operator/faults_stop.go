package operator

import (
	"slices"

	"reassay/internal/measure/ideal"
	"reassay/wire"
)

// ends are the faults meant for S12: why the reply ended.
func ends() []Operator {
	told := func(name, doc string, as ideal.Stop, meets func(ideal.Choice) bool) Operator {
		return Operator{Name: name, Rules: []string{"S12"}, Doc: doc,
			Model: func(s *Subject) bool {
				var at []int
				for i, c := range s.Case.Down.Choices {
					if c.Word == "" && meets(c) {
						at = append(at, i)
					}
				}
				if len(at) == 0 {
					return false
				}
				c := &s.Case.Down.Choices[at[s.pick(len(at))]]
				c.Stop, c.Sequence = as, ""
				return true
			}}
	}
	was := func(stops ...ideal.Stop) func(ideal.Choice) bool {
		return func(c ideal.Choice) bool { return slices.Contains(stops, c.Stop) && !has(c, ideal.Refusal) }
	}
	word := func(name, doc string, words map[wire.Dialect]string) Operator {
		return Operator{Name: name, Rules: []string{"S12"}, Doc: doc,
			Model: func(s *Subject) bool {
				s.Case.Down.Choices[0].Word = words[s.Case.To]
				return words[s.Case.To] != ""
			}}
	}
	done := was(ideal.End, ideal.StopSequence)
	return []Operator{
		to(told("stop-beside-calls", "a normal end is told beside calls", ideal.End, was(ideal.Calls)), chat, messages),
		told("length-as-end", "a cut answer is told as a whole one", ideal.End, was(ideal.Length, ideal.Window)),
		told("filter-as-end", "a filtered answer is told as a whole one", ideal.End, was(ideal.Filter, ideal.Refused)),
		told("end-as-length", "a whole answer is told as a cut one", ideal.Length, done),
		told("end-as-filter", "a whole answer is told as a filtered one", ideal.Filter, done),
		told("calls-as-length", "calls are told as a cut answer", ideal.Length, was(ideal.Calls)),
		told("length-as-filter", "a cut answer is told as a filtered one", ideal.Filter, was(ideal.Length, ideal.Window)),
		told("filter-as-length", "a filtered answer is told as a cut one", ideal.Length, was(ideal.Filter, ideal.Refused)),
		told("malformed-as-end", "a malformed call is told as a normal end", ideal.End, was(ideal.Malformed)),
		told("pause-as-end", "a paused turn is told as a normal end", ideal.End, was(ideal.Pause)),
		named("S12", told("stop-missing", "no stop reason is told", ideal.Unsaid, func(ideal.Choice) bool { return true }), "S13"),
		to(told("calls-word-without-calls", "the word for calls is told and there is none", ideal.Calls, func(c ideal.Choice) bool {
			return done(c) && !has(c, ideal.Call, ideal.Custom)
		}), chat, messages),
		to(Operator{Name: "stop-sequence-lost", Rules: []string{"S12", "S05"}, Doc: "the stop sequence that matched is not told",
			Model: func(s *Subject) bool {
				lost := s.Case.Down.Choices[0].Sequence != ""
				s.Case.Down.Choices[0].Sequence = ""
				return lost
			}}, messages),
		word("stop-foreign-word", "the word of another dialect is told", map[wire.Dialect]string{chat: "end_turn", messages: "stop", responses: "stop", gemini: "stop"}),
		word("stop-unknown-word", "a word is told that no vendor documents", map[wire.Dialect]string{chat: "eos", messages: "eos", responses: "eos", gemini: "EOS"}),
		word("stop-gemini-word", "Gemini's own word is told", map[wire.Dialect]string{chat: "STOP", messages: "STOP", responses: "STOP"}),
		to(everywhere(Operator{Name: "stop-empty", Rules: []string{"S12", "S13"}, Doc: "the stop reason is empty"}, func(_ *Subject, _ string, v wire.Value) wire.Value {
			for _, key := range []string{"finish_reason", "stop_reason"} {
				if v.Get(key).Kind() == wire.String {
					v = v.With(key, wire.Of(""))
				}
			}
			return v
		}), chat, messages),
		to(Operator{Name: "stop-twice", Rules: []string{"S12"}, Doc: "two stop reasons are told, and they differ",
			Events: func(s *Subject, events []ideal.Event) []ideal.Event {
				return s.double(events, func(e ideal.Event) bool { return get(e.Data, "choices", 0, "finish_reason").Present() }, func(e ideal.Event) ideal.Event {
					other := "length"
					if get(e.Data, "choices", 0, "finish_reason").Str() == other {
						other = "stop"
					}
					e.Data = set(e.Data, wire.Of(other), "choices", 0, "finish_reason")
					return e
				})
			}}, chat),
		to(Operator{Name: "terminal-event-differs", Rules: []string{"S12", "S13"}, Doc: "the terminal event is another than the status has",
			Events: func(s *Subject, events []ideal.Event) []ideal.Event {
				events = slices.Clone(events)
				e := &events[len(events)-1]
				kind := "response.incomplete"
				if e.Name == kind {
					kind = "response.completed"
				}
				e.Name, e.Data = kind, e.Data.With("type", wire.Of(kind))
				return events
			}}, responses),
	}
}

// double puts an edited copy of one of the events that meet a condition before it.
func (s *Subject) double(events []ideal.Event, meets func(ideal.Event) bool, edit func(ideal.Event) ideal.Event) []ideal.Event {
	at := where(events, meets)
	if len(at) == 0 {
		return nil
	}
	i := at[s.pick(len(at))]
	return insert(events, i, edit(events[i]))
}
