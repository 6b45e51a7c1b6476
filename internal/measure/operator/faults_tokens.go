package operator

import (
	"encoding/base64"
	"slices"

	"reassay/internal/measure/ideal"
	"reassay/wire"
)

func signed(kinds ...ideal.Kind) func(ideal.Piece) bool {
	return func(p ideal.Piece) bool { return slices.Contains(kinds, p.Kind) && p.Signature != "" }
}

// continuity are the faults meant for S03: flags, and values that the vendor asks for back.
func continuity() []Operator {
	lost := func(name string, kind ideal.Kind) Operator {
		return Operator{Name: name, Rules: []string{"S03"}, Doc: "a signature that the caller's dialect has a place for is left out",
			Model: func(s *Subject) bool { return s.change(signed(kind), func(p *ideal.Piece) { p.Signature = "" }) }}
	}
	return []Operator{
		lost("reasoning-signature-lost", ideal.Reasoning),
		lost("text-signature-lost", ideal.Text),
		lost("call-signature-lost", ideal.Call),
		{Name: "redacted-reasoning-lost", Rules: []string{"S03"}, Doc: "redacted reasoning is left out",
			Model: func(s *Subject) bool { return s.remove(is(ideal.Redacted)) }},
		to(Operator{Name: "refusal-as-text", Rules: []string{"S03"}, Doc: "a refusal comes as ordinary answer text",
			Model: func(s *Subject) bool {
				return s.change(is(ideal.Refusal), func(p *ideal.Piece) { p.Kind = ideal.Text })
			}}, chat, responses),
		everywhere(Operator{Name: "search-error-lost", Rules: []string{"S03"}, Doc: "a failed search is handed over as one without results"},
			func(_ *Subject, in string, v wire.Value) wire.Value {
				if v.Get("type").Str() == "web_search_tool_result_error" {
					return wire.Arr()
				}
				return v
			}),
	}
}

// tokens are the faults meant for S10: integrity tokens that the model's API did not give.
func tokens() []Operator {
	held := signed(ideal.Reasoning, ideal.Text, ideal.Call)
	becomes := func(name, doc string, to func(string) string) Operator {
		return Operator{Name: name, Rules: []string{"S10"}, Doc: doc,
			Model: func(s *Subject) bool { return s.change(held, func(p *ideal.Piece) { p.Signature = to(p.Signature) }) }}
	}
	return []Operator{
		becomes("signature-placeholder", "a constant stands in the signature's place",
			func(string) string { return "skip_thought_signature_validator" }),
		becomes("signature-encoded-again", "the signature is encoded in base64 once more",
			func(t string) string { return base64.StdEncoding.EncodeToString([]byte(t)) }),
		becomes("signature-cut", "the signature's second half is missing", func(t string) string { return t[:len(t)/2] }),
		to(Operator{Name: "signature-made-up", Rules: []string{"S10"}, Doc: "reasoning that came without a signature has one",
			Model: func(s *Subject) bool {
				return s.change(func(p ideal.Piece) bool { return p.Kind == ideal.Reasoning && p.Signature == "" },
					func(p *ideal.Piece) { p.Signature = "c2lnbmF0dXJlLW1hZGUtdXA=" })
			}}, messages, gemini, responses),
		to(Operator{Name: "call-signature-made-up", Rules: []string{"S10"}, Doc: "a call that came without a signature has one",
			Model: func(s *Subject) bool {
				return s.change(func(p ideal.Piece) bool { return p.Kind == ideal.Call && p.Signature == "" },
					func(p *ideal.Piece) { p.Signature = "Y29udGV4dF9lbmdpbmVlcmluZ19pcw==" })
			}}, gemini, chat),
		{Name: "redacted-reasoning-cut", Rules: []string{"S10"}, Doc: "the data of redacted reasoning is cut",
			Model: func(s *Subject) bool {
				return s.change(is(ideal.Redacted), func(p *ideal.Piece) { p.Output = p.Output[:len(p.Output)/2] })
			}},
		to(Operator{Name: "signature-split", Rules: []string{"S10"}, Doc: "a signature comes in two deltas, of which SDKs keep the last",
			Events: func(s *Subject, events []ideal.Event) []ideal.Event {
				at := where(events, func(e ideal.Event) bool { return get(e.Data, "delta", "type").Str() == "signature_delta" })
				if len(at) == 0 {
					return nil
				}
				i := at[0]
				t := get(events[i].Data, "delta", "signature").Str()
				second := events[i]
				second.Data = set(second.Data, wire.Of(t[len(t)/2:]), "delta", "signature")
				events = insert(events, i+1, second)
				events[i].Data = set(events[i].Data, wire.Of(t[:len(t)/2]), "delta", "signature")
				return events
			}}, messages),
	}
}
