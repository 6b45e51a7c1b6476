package operator

import (
	"bytes"
	"slices"
	"strings"

	"reassay/internal/measure/ideal"
	"reassay/wire"
)

// onStream is a fault meant for S13.
func onStream(name, doc string, f func(s *Subject, e []ideal.Event) []ideal.Event, dialects ...wire.Dialect) Operator {
	o := Operator{Name: name, Rules: []string{"S13"}, Doc: doc, Events: f}
	if dialects == nil {
		return o
	}
	return to(o, dialects...)
}

// dropped is a fault that leaves an event out.
func dropped(name, doc string, meets func(ideal.Event) bool, dialects ...wire.Dialect) Operator {
	return onStream(name, doc, func(s *Subject, e []ideal.Event) []ideal.Event { return numbered(s.drop(e, meets)) }, dialects...)
}

// numbered gives the events of a Responses stream numbers that rise by one, as a gateway that counts what it sends
// would: an event that is gone leaves no gap.
func numbered(events []ideal.Event) []ideal.Event {
	for i := range events {
		if events[i].Data.Get("sequence_number").Exists() {
			events[i].Data = events[i].Data.With("sequence_number", wire.OfInt(i))
		}
	}
	return events
}

// named is an operator meant for other rules.
func named(rule string, o Operator, more ...string) Operator {
	o.Rules = append([]string{rule}, more...)
	return o
}

// edited is a fault that changes one event.
func edited(name, doc string, meets func(ideal.Event) bool, edit func(wire.Value) wire.Value, dialects ...wire.Dialect) Operator {
	return onStream(name, doc, func(s *Subject, e []ideal.Event) []ideal.Event {
		return s.editOne(e, meets, func(e ideal.Event) ideal.Event {
			e.Data = edit(e.Data)
			return e
		})
	}, dialects...)
}

// throughout is a fault that changes every event that has a field.
func throughout(name, doc string, edit func(wire.Value) wire.Value, dialects ...wire.Dialect) Operator {
	return onStream(name, doc, func(s *Subject, e []ideal.Event) []ideal.Event {
		return editAll(e, func(e ideal.Event) ideal.Event {
			e.Data = edit(e.Data)
			return e
		})
	}, dialects...)
}

func finishes(e ideal.Event) bool { return get(e.Data, "choices", 0, "finish_reason").Present() }

func hasChoice(e ideal.Event) bool { return get(e.Data, "choices", 0).Exists() }

func saysText(e ideal.Event) bool {
	return get(e.Data, "choices", 0, "delta", "content").Str() != "" || get(e.Data, "delta", "text").Str() != "" ||
		e.Data.Get("type").Str() == "response.output_text.delta" || get(e.Data, "candidates", 0, "content", "parts", 0, "text").Str() != ""
}

// ledger are the faults meant for S13 that every kind of stream can have.
func ledger() []Operator {
	return []Operator{
		named("S13", onStream("cut-between-frames", "the second half of the stream is missing", func(s *Subject, e []ideal.Event) []ideal.Event {
			if len(e) < 2 || len(s.Case.Down.Choices) > 1 {
				return nil
			}
			half := len(e) / 2
			if at := where(e, finishes); len(at) > 0 {
				half = min(half, at[0])
			}
			return e[:half]
		}), "S05"),
		{Name: "cut-in-a-frame", Rules: []string{"S13"}, Doc: "the stream ends inside a frame",
			Bytes: func(s *Subject, b []byte) []byte { return b[:len(b)*2/3] }},
		{Name: "stream-empty", Rules: []string{"S13"}, Doc: "the stream has no bytes",
			Bytes: func(s *Subject, b []byte) []byte { return []byte{} }},
		{Name: "stream-html", Rules: []string{"S13"}, Doc: "a page of HTML comes with status 200",
			Bytes: func(s *Subject, b []byte) []byte {
				return []byte("<html><body><h1>502 Bad Gateway</h1></body></html>\n")
			}},
		{Name: "last-blank-line-missing", Rules: []string{"S13"}, Doc: "the last frame is not dispatched: its blank line is missing",
			Bytes: func(s *Subject, b []byte) []byte { return bytes.TrimSuffix(b, []byte("\n")) }},
		onStream("data-not-json", "one data line is cut", func(s *Subject, e []ideal.Event) []ideal.Event {
			return s.editOne(e, func(e ideal.Event) bool { return e.Data.Exists() }, func(e ideal.Event) ideal.Event {
				text := string(e.Data.JSON())
				e.Data, e.Raw = wire.Value{}, text[:len(text)/2]
				return e
			})
		}),
		onStream("frames-glued", "the blank line between two frames is missing", func(s *Subject, e []ideal.Event) []ideal.Event {
			if len(e) < 2 {
				return nil
			}
			e = slices.Clone(e)
			e[s.pick(len(e)-1)].Bare = true
			return e
		}),
		onStream("two-replies", "the reply comes twice in one stream", func(s *Subject, e []ideal.Event) []ideal.Event {
			return append(slices.Clone(e), e...)
		}, chat, responses, messages),
		edited("text-is-an-object", "a piece of text is an object", saysText, func(v wire.Value) wire.Value {
			o := ideal.Obj("text", "?")
			v = set(v, o, "choices", 0, "delta", "content")
			v = set(v, o, "candidates", 0, "content", "parts", 0, "text")
			if v.Get("delta").Kind() == wire.String {
				return v.With("delta", o)
			}
			if get(v, "delta", "text").Exists() {
				return set(v, o, "delta", "text")
			}
			return v
		}),
		onStream("done-sentinel", "[DONE] ends a stream whose dialect has no sentinel", func(s *Subject, e []ideal.Event) []ideal.Event {
			return append(slices.Clone(e), ideal.Event{Raw: "[DONE]"})
		}, messages, gemini),
		onStream("event-line-differs", "the event line has another type than the data", func(s *Subject, e []ideal.Event) []ideal.Event {
			return s.editOne(e, func(e ideal.Event) bool { return e.Name != "" && e.Name != "ping" }, func(e ideal.Event) ideal.Event {
				if e.Name = "message"; s.Case.To == responses {
					e.Name = "response.in_progress"
				}
				return e
			})
		}, messages),
	}
}

// chatLedger are the faults meant for S13 in Chat and Gemini chunks.
func chatLedger() []Operator {
	return []Operator{
		dropped("finish-chunk-lost", "the chunk with the finish reason is missing", finishes, chat),
		onStream("chunk-without-choices", "a chunk has no choices", func(s *Subject, e []ideal.Event) []ideal.Event {
			return s.double(e, hasChoice, func(e ideal.Event) ideal.Event {
				e.Data = e.Data.With("choices", wire.Value{})
				return e
			})
		}, chat),
		edited("choice-without-delta", "a choice has no delta", finishes, func(v wire.Value) wire.Value {
			return set(v, wire.Value{}, "choices", 0, "delta")
		}, chat),
		throughout("choice-index-missing", "choices have no index", func(v wire.Value) wire.Value {
			return set(v, wire.Value{}, "choices", 0, "index")
		}, chat),
		only(throughout("choice-index-from-one", "choices count from 1", func(v wire.Value) wire.Value {
			v = set(v, wire.OfInt(1), "choices", 0, "index")
			return set(v, wire.OfInt(1), "candidates", 0, "index")
		}, chat, gemini), func(s *Subject) bool { return len(s.Case.Down.Choices) == 1 }),
		only(named("S13", throughout("choices-share-index", "all choices have index 0", func(v wire.Value) wire.Value {
			v = set(v, wire.OfInt(0), "choices", 0, "index")
			return set(v, wire.OfInt(0), "candidates", 0, "index")
		}, chat, gemini), "S01", "S06"), func(s *Subject) bool { return len(s.Case.Down.Choices) > 1 }),
		throughout("object-word", "chunks call themselves a whole reply", func(v wire.Value) wire.Value {
			return v.With("object", wire.Of("chat.completion"))
		}, chat),
		throughout("object-word-missing", "chunks do not say what they are", func(v wire.Value) wire.Value {
			return v.With("object", wire.Value{})
		}, chat),
		onStream("content-after-finish", "content comes behind the finish reason", func(s *Subject, e []ideal.Event) []ideal.Event {
			said, ended := where(e, saysText), where(e, finishes)
			if len(s.Case.Down.Choices) > 1 || len(said) == 0 || len(ended) == 0 {
				return nil
			}
			e = slices.Clone(e)
			from, at := said[len(said)-1], ended[0]
			moved := e[from]
			e = slices.Delete(e, from, from+1)
			return slices.Insert(e, at, moved)
		}, chat),
		onStream("content-after-done", "content comes behind [DONE]", func(s *Subject, e []ideal.Event) []ideal.Event {
			said := where(e, saysText)
			if len(said) == 0 {
				return nil
			}
			return append(slices.Clone(e), e[said[len(said)-1]])
		}, chat),
		onStream("finish-too-early", "the finish reason comes on the first chunk and content follows", func(s *Subject, e []ideal.Event) []ideal.Event {
			last := len(e) - 1
			if len(s.Case.Down.Choices) > 1 || last < 1 || !get(e[last].Data, "candidates", 0, "content", "parts", 0).Exists() {
				return nil
			}
			e = slices.Clone(e)
			e[0].Data = set(e[0].Data, get(e[last].Data, "candidates", 0, "finishReason"), "candidates", 0, "finishReason")
			e[last].Data = set(e[last].Data, wire.Value{}, "candidates", 0, "finishReason")
			return e
		}, gemini),
		edited("candidates-not-a-list", "candidates is an object", func(e ideal.Event) bool { return e.Data.Get("candidates").Exists() }, func(v wire.Value) wire.Value {
			return v.With("candidates", get(v, "candidates", 0))
		}, gemini),
		named("S06", edited("call-without-name", "a functionCall has no name", func(e ideal.Event) bool {
			return get(e.Data, "candidates", 0, "content", "parts", 0, "functionCall").Exists()
		}, func(v wire.Value) wire.Value {
			return set(v, wire.Value{}, "candidates", 0, "content", "parts", 0, "functionCall", "name")
		}, gemini)),
		edited("tool-calls-not-a-list", "tool_calls is an object", func(e ideal.Event) bool {
			return get(e.Data, "choices", 0, "delta", "tool_calls", 0).Exists()
		}, func(v wire.Value) wire.Value {
			return set(v, get(v, "choices", 0, "delta", "tool_calls", 0), "choices", 0, "delta", "tool_calls")
		}, chat),
	}
}

// blockLedger are the faults meant for S13 in Messages events.
func blockLedger() []Operator {
	isDelta := func(kind string) func(ideal.Event) bool {
		return func(e ideal.Event) bool { return get(e.Data, "delta", "type").Str() == kind }
	}
	index := func(name, doc string, f func(i int) wire.Value) Operator {
		return throughout(name, doc, func(v wire.Value) wire.Value {
			i, is := v.Get("index").Int()
			if !is {
				return v
			}
			return v.With("index", f(i))
		}, messages)
	}
	return []Operator{
		dropped("message-start-lost", "message_start is missing", isType("message_start"), messages),
		dropped("message-delta-lost", "message_delta is missing, and with it the stop reason", isType("message_delta"), messages),
		dropped("message-stop-lost", "message_stop is missing", isType("message_stop"), messages),
		dropped("block-start-lost", "a block does not start", isType("content_block_start"), messages),
		dropped("block-stop-lost", "a block does not stop", isType("content_block_stop"), messages),
		index("block-index-shared", "all blocks have index 0", func(int) wire.Value { return wire.OfInt(0) }),
		index("block-index-from-one", "blocks count from 1", func(i int) wire.Value { return wire.OfInt(i + 1) }),
		index("block-index-skips", "the second block has index 2", func(i int) wire.Value { return wire.OfInt(2 * i) }),
		index("block-index-missing", "events have no block index", func(int) wire.Value { return wire.Value{} }),
		onStream("message-start-twice", "message_start comes again", func(s *Subject, e []ideal.Event) []ideal.Event { return insert(e, 1, e[0]) }, messages),
		onStream("block-start-twice", "a block starts twice", func(s *Subject, e []ideal.Event) []ideal.Event {
			return s.double(e, isType("content_block_start"), func(e ideal.Event) ideal.Event { return e })
		}, messages),
		onStream("blocks-overlap", "a block opens before the one before it stops", func(s *Subject, e []ideal.Event) []ideal.Event {
			stops := where(e, isType("content_block_stop"))
			if len(stops) < 2 {
				return nil
			}
			i := stops[s.pick(len(stops)-1)]
			e = slices.Clone(e)
			e[i], e[i+1] = e[i+1], e[i]
			return e
		}, messages),
		onStream("delta-after-block-stop", "a delta comes behind its block's stop", func(s *Subject, e []ideal.Event) []ideal.Event {
			at := where(e, isType("content_block_stop"))
			if len(at) == 0 || e[at[0]-1].Data.Get("type").Str() != "content_block_delta" {
				return nil
			}
			e = slices.Clone(e)
			e[at[0]], e[at[0]-1] = e[at[0]-1], e[at[0]]
			return e
		}, messages),
		onStream("event-after-message-stop", "a delta comes behind message_stop", func(s *Subject, e []ideal.Event) []ideal.Event {
			at := where(e, isType("content_block_delta"))
			if len(at) == 0 {
				return nil
			}
			return append(slices.Clone(e), e[at[len(at)-1]])
		}, messages),
		edited("text-delta-in-call", "a call's arguments come as text deltas", isDelta("input_json_delta"), func(v wire.Value) wire.Value {
			return v.With("delta", ideal.Obj("type", "text_delta", "text", get(v, "delta", "partial_json")))
		}, messages),
		edited("thinking-delta-in-text", "a text's delta comes as thinking", isDelta("text_delta"), func(v wire.Value) wire.Value {
			return v.With("delta", ideal.Obj("type", "thinking_delta", "thinking", get(v, "delta", "text")))
		}, messages),
		everywhere(Operator{Name: "message-id-missing", Rules: []string{"S13"}, Doc: "the message has no id"}, func(s *Subject, _ string, v wire.Value) wire.Value {
			if s.Case.To == messages && v.Get("type").Str() == "message" {
				return v.With("id", wire.Value{})
			}
			return v
		}),
	}
}

// itemLedger are the faults meant for S13 in Responses events.
func itemLedger() []Operator {
	index := func(name, doc, key string, f func(i int) wire.Value) Operator {
		return throughout(name, doc, func(v wire.Value) wire.Value {
			i, is := v.Get(key).Int()
			if !is {
				return v
			}
			return v.With(key, f(i))
		}, responses)
	}
	suffix := func(what string) func(ideal.Event) bool {
		return func(e ideal.Event) bool { return strings.HasSuffix(e.Data.Get("type").Str(), what) }
	}
	final := func(e ideal.Event) bool {
		return isType("response.completed", "response.incomplete")(e)
	}
	withOutput := func(e ideal.Event) bool { return final(e) && len(get(e.Data, "response", "output").Elems()) > 0 }
	return []Operator{
		dropped("created-lost", "response.created is missing", isType("response.created"), responses),
		dropped("terminal-lost", "the terminal event is missing", final, responses),
		dropped("item-added-lost", "an item is not added", isType("response.output_item.added"), responses),
		dropped("item-done-lost", "an item is never done", isType("response.output_item.done"), responses),
		dropped("part-added-lost", "a part is not added", isType("response.content_part.added"), responses),
		dropped("part-done-lost", "a part is never done", isType("response.content_part.done"), responses),
		dropped("one-delta-lost", "a delta is missing, and the done event has its text", func(e ideal.Event) bool {
			return suffix(".delta")(e) && e.Data.Get("delta").Str() != ""
		}, responses),
		index("sequence-stands", "every sequence number is 0", "sequence_number", func(int) wire.Value { return wire.OfInt(0) }),
		index("sequence-skips", "sequence numbers rise by two", "sequence_number", func(i int) wire.Value { return wire.OfInt(2 * i) }),
		index("sequence-missing", "events have no sequence number", "sequence_number", func(int) wire.Value { return wire.Value{} }),
		index("item-index-shared", "all items have output_index 0", "output_index", func(int) wire.Value { return wire.OfInt(0) }),
		index("item-index-from-one", "items count from 1", "output_index", func(i int) wire.Value { return wire.OfInt(i + 1) }),
		index("item-index-missing", "events have no output_index", "output_index", func(int) wire.Value { return wire.Value{} }),
		index("part-index-missing", "events have no content_index", "content_index", func(int) wire.Value { return wire.Value{} }),
		edited("item-id-differs", "a delta names another item", suffix(".delta"), func(v wire.Value) wire.Value {
			return v.With("item_id", wire.Of("item_elsewhere"))
		}, responses),
		edited("done-text-differs", "the done event has another text than the deltas", isType("response.output_text.done"), func(v wire.Value) wire.Value {
			return v.With("text", wire.Of(v.Get("text").Str()+"!"))
		}, responses),
		edited("done-arguments-differ", "the done event has other arguments than the deltas", isType("response.function_call_arguments.done"), func(v wire.Value) wire.Value {
			return v.With("arguments", wire.Of(`{"other":1}`))
		}, responses),
		edited("done-text-missing", "the done event has no text", isType("response.output_text.done"), func(v wire.Value) wire.Value {
			return v.With("text", wire.Value{})
		}, responses),
		edited("final-output-empty", "the terminal event's response has no output", withOutput, func(v wire.Value) wire.Value {
			return set(v, wire.Arr(), "response", "output")
		}, responses),
		edited("final-item-missing", "the terminal event's response lacks the last item", withOutput, func(v wire.Value) wire.Value {
			n := len(get(v, "response", "output").Elems())
			return set(v, wire.Value{}, "response", "output", n-1)
		}, responses),
		edited("final-response-missing", "the terminal event has no response", final, func(v wire.Value) wire.Value { return v.With("response", wire.Value{}) }, responses),
		onStream("item-added-twice", "an item is added twice", func(s *Subject, e []ideal.Event) []ideal.Event {
			return numbered(s.double(e, isType("response.output_item.added"), func(e ideal.Event) ideal.Event { return e }))
		}, responses),
		onStream("delta-before-part", "a delta comes before its part is added", func(s *Subject, e []ideal.Event) []ideal.Event {
			at := where(e, isType("response.content_part.added"))
			if len(at) == 0 || !strings.HasSuffix(e[at[0]+1].Data.Get("type").Str(), ".delta") {
				return nil
			}
			e = slices.Clone(e)
			i := at[0]
			a, b := e[i].Data.Get("sequence_number"), e[i+1].Data.Get("sequence_number")
			e[i], e[i+1] = e[i+1], e[i]
			e[i].Data, e[i+1].Data = e[i].Data.With("sequence_number", a), e[i+1].Data.With("sequence_number", b)
			return e
		}, responses),
		onStream("event-after-terminal", "a delta comes behind the terminal event", func(s *Subject, e []ideal.Event) []ideal.Event {
			at := where(e, suffix(".delta"))
			if len(at) == 0 {
				return nil
			}
			late := e[at[len(at)-1]]
			late.Data = late.Data.With("sequence_number", wire.OfInt(len(e)))
			return append(slices.Clone(e), late)
		}, responses),
		everywhere(Operator{Name: "response-id-missing", Rules: []string{"S13"}, Doc: "the response has no id"}, func(s *Subject, _ string, v wire.Value) wire.Value {
			if s.Case.To == responses && v.Get("object").Str() == "response" {
				return v.With("id", wire.Value{})
			}
			return v
		}),
	}
}
