package operator

import (
	"bytes"
	"compress/gzip"
	"slices"
	"strings"

	"reassay/internal/measure/ideal"
	"reassay/wire"
)

// onText is an allowed change to how JSON is spelt, on both legs.
func onText(name, rule, doc string, spell func(text string) string) Operator {
	return Operator{Name: name, Rules: []string{rule}, Doc: doc,
		Events: func(_ *Subject, e []ideal.Event) []ideal.Event {
			return editAll(e, func(e ideal.Event) ideal.Event {
				e.Raw, e.Data = spell(string(e.Data.JSON())), wire.Value{}
				return e
			})
		},
		WholeBytes: func(_ *Subject, b []byte) []byte { return []byte(spell(string(b))) },
	}
}

// spelling are the allowed changes to the JSON of a reply.
func spelling() []Operator {
	return []Operator{
		everywhere(Operator{Name: "keys-turned", Rules: []string{"R04"}, Doc: "the keys of every object are in another order"},
			func(_ *Subject, _ string, v wire.Value) wire.Value {
				if v.Kind() != wire.Object {
					return v
				}
				m := slices.Clone(v.Members())
				slices.Reverse(m)
				return wire.Obj(m...)
			}),
		onText("json-spaced", "R04", "JSON has white space between its values", func(t string) string { return spaced(ideal.JSON(t)) }),
		onText("unicode-escaped", "R04", "characters outside ASCII are escaped in JSON", escaped),
		onText("slashes-escaped", "R04", "slashes are escaped in JSON", func(t string) string { return strings.ReplaceAll(t, "/", `\/`) }),
		onText("angles-escaped", "R04", "&, < and > are escaped in JSON, as Go's encoder does",
			strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`).Replace),
		{Name: "whole-indented", Rules: []string{"R04"}, Doc: "the whole reply is indented",
			WholeBytes: func(_ *Subject, b []byte) []byte {
				return []byte("\n" + strings.ReplaceAll(spaced(ideal.JSON(string(b))), ",\t", ",\n  ") + "\n")
			}},
		everywhere(Operator{Name: "numbers-spelt", Rules: []string{"R04"}, Doc: "log probabilities and temperatures are spelt with an exponent"},
			func(_ *Subject, in string, v wire.Value) wire.Value {
				for _, key := range []string{"logprob", "logProbability", "temperature", "top_p"} {
					if t := v.Get(key).Num(); strings.Contains(t, ".") {
						v = v.With(key, wire.OfNum(t+"e0"))
					}
				}
				return v
			}),
	}
}

// framing are the allowed changes to the frames of a stream and to the transport.
func framing() []Operator {
	onBytes := func(name, doc string, f func(b []byte) []byte) Operator {
		return Operator{Name: name, Rules: []string{"R04"}, Doc: doc, Bytes: func(_ *Subject, b []byte) []byte { return f(b) }}
	}
	replaced := func(name, doc, old, with string) Operator {
		return onBytes(name, doc, func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(old), []byte(with)) })
	}
	lines := func(name, doc, old, with string) Operator {
		return onBytes(name, doc, func(b []byte) []byte {
			b = bytes.ReplaceAll(append([]byte("\n"), b...), []byte("\n"+old), []byte("\n"+with))
			return b[1:]
		})
	}
	onEvents := func(name, doc string, f func(s *Subject, e []ideal.Event) []ideal.Event, dialects ...wire.Dialect) Operator {
		o := Operator{Name: name, Rules: []string{"R04"}, Doc: doc, Events: f}
		if dialects == nil {
			return o
		}
		return to(o, dialects...)
	}
	return []Operator{
		replaced("crlf", "lines end with CR LF", "\n", "\r\n"),
		replaced("lone-cr", "lines end with CR", "\n", "\r"),
		replaced("keep-alive-comments", "a comment stands between all frames", "\n\n", "\n\n: keep-alive\n\n"),
		lines("comment-in-frames", "a comment stands in every frame", "data: ", ": x\ndata: "),
		replaced("blank-lines", "blank lines stand between frames", "\n\n", "\n\n\n\n"),
		lines("no-space", "no space stands behind the colon", "data: ", "data:"),
		lines("frame-ids", "frames have ids", "data: ", "id: 7\ndata: "),
		onBytes("comment-first", "the stream begins with a comment", func(b []byte) []byte { return append([]byte(": OPENROUTER PROCESSING\n\n"), b...) }),
		onBytes("comment-last", "the stream ends with a comment", func(b []byte) []byte { return append(slices.Clone(b), ": bye\n\n"...) }),
		onBytes("retry-line", "the stream begins with a retry time", func(b []byte) []byte { return append([]byte("retry: 3000\n\n"), b...) }),
		{Name: "transport-cuts", Rules: []string{"R04"}, Doc: "the transport cuts the stream anywhere",
			Bytes: func(s *Subject, b []byte) []byte {
				for at := 0; at < len(b); at += 37 {
					s.Chunks = append(s.Chunks, min(37, len(b)-at))
				}
				return b
			}},
		onEvents("data-on-two-lines", "the JSON of a frame stands on two data lines", func(_ *Subject, e []ideal.Event) []ideal.Event {
			return editAll(e, func(e ideal.Event) ideal.Event {
				t := string(e.Data.JSON())
				e.Data, e.Raw = wire.Value{}, "{\ndata: "+t[1:]
				return e
			})
		}),
		onEvents("pings", "pings come between all events", func(_ *Subject, e []ideal.Event) []ideal.Event {
			var out []ideal.Event
			for i, x := range e {
				out = append(out, x)
				if i > 0 && i < len(e)-1 {
					out = append(out, ideal.Event{Name: "ping", Data: ideal.Obj("type", "ping")})
				}
			}
			return out
		}, messages),
		onEvents("event-lines", "chunks have an event line", func(_ *Subject, e []ideal.Event) []ideal.Event {
			return editAll(e, func(e ideal.Event) ideal.Event {
				e.Name = "message"
				return e
			})
		}, chat),
		onEvents("no-event-lines", "events have no event line; the data has the type", func(_ *Subject, e []ideal.Event) []ideal.Event {
			return editAll(e, func(e ideal.Event) ideal.Event {
				e.Name = ""
				return e
			})
		}, responses),
		onEvents("done-behind-responses", "[DONE] ends a Responses stream, as some servers have it", func(_ *Subject, e []ideal.Event) []ideal.Event {
			return append(slices.Clone(e), ideal.Event{Raw: "[DONE]"})
		}, responses),
		{Name: "gzip", Rules: []string{"R04"}, Doc: "the bodies are compressed, and a header says so",
			Bytes: zipped, WholeBytes: zipped},
		to(lines("done-spaced", "white space stands around [DONE]", "data: [DONE]", "data:  [DONE] "), chat),
		to(onBytes("as-array", "chunks come as a JSON array, as Gemini sends them without alt=sse", func(b []byte) []byte {
			b = bytes.TrimSuffix(bytes.ReplaceAll(b, []byte("\n\ndata: "), []byte(",\n")), []byte("\n\n"))
			return append(append([]byte("["), bytes.TrimPrefix(b, []byte("data: "))...), ']')
		}), gemini),
	}
}

// zipped compresses a body, and says so in the replies' headers.
func zipped(s *Subject, b []byte) []byte {
	s.Headers = map[string][]string{"content-encoding": {"gzip"}}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(b); err != nil {
		return nil
	}
	if err := z.Close(); err != nil {
		return nil
	}
	return out.Bytes()
}

// extras are the allowed additions and changes beside the conversation.
func extras() []Operator {
	header := func(name string, headers map[string][]string) Operator {
		return Operator{Name: name, Rules: []string{"R04"}, Doc: "replies have headers of the gateway's", Model: func(s *Subject) bool {
			s.Headers = headers
			return true
		}}
	}
	top := func(name, doc string, edit func(v wire.Value) wire.Value, dialects ...wire.Dialect) Operator {
		o := Operator{Name: name, Rules: []string{"R04"}, Doc: doc,
			Events: func(_ *Subject, e []ideal.Event) []ideal.Event {
				return editAll(e, func(e ideal.Event) ideal.Event {
					e.Data = edit(e.Data)
					return e
				})
			},
			Whole: func(_ *Subject, v wire.Value) wire.Value { return edit(v) }}
		return to(o, dialects...)
	}
	present := func(key string, to wire.Value) func(wire.Value) wire.Value {
		return func(v wire.Value) wire.Value {
			if !v.Get(key).Exists() {
				return v
			}
			return v.With(key, to)
		}
	}
	all := []wire.Dialect{chat, responses, messages, gemini}
	return []Operator{
		header("request-id-header", map[string][]string{"x-request-id": {"req_1"}, "x-ratelimit-remaining": {"7"}}),
		header("charset-header", map[string][]string{"content-type": {"text/event-stream; charset=utf-8"}}),
		top("extra-field", "replies have a field of the gateway's", func(v wire.Value) wire.Value {
			return v.With("x_gateway", ideal.Obj("route", "eu-1", "ms", 12))
		}, all...),
		top("created-other", "replies were made at another time", func(v wire.Value) wire.Value {
			return present("created", wire.OfInt(1796049999))(v)
		}, chat),
		top("fingerprint-other", "replies have another fingerprint", present("system_fingerprint", wire.Of("fp_other")), chat),
		top("fingerprint-none", "replies have no fingerprint", present("system_fingerprint", wire.Value{}), chat),
		top("tier-none", "replies have no service tier", present("service_tier", wire.Value{}), chat),
		top("reply-id-other", "the reply has an id of the gateway's", present("id", wire.Of("chatcmpl-gateway-1")), chat),
		top("response-id-other", "the reply has an id of the gateway's", present("responseId", wire.Of("gw1")), gemini),
		top("obfuscation", "deltas have an obfuscation field", func(v wire.Value) wire.Value {
			if !strings.HasSuffix(v.Get("type").Str(), ".delta") && v.Get("object").Str() != "chat.completion.chunk" {
				return v
			}
			return v.With("obfuscation", wire.Of("aX3b9Qpz"))
		}, chat, responses),
		everywhere(Operator{Name: "message-id-other", Rules: []string{"R04"}, Doc: "the message or response has an id of the gateway's"},
			func(_ *Subject, _ string, v wire.Value) wire.Value {
				if v.Get("type").Str() == "message" && v.Get("usage").Exists() {
					return v.With("id", wire.Of("msg_gateway_1"))
				}
				if v.Get("object").Str() == "response" {
					return v.With("id", wire.Of("resp_gateway_1"))
				}
				return v
			}),
		everywhere(Operator{Name: "nulls-left-out", Rules: []string{"R04"}, Doc: "optional fields that are null or empty are left out"},
			func(_ *Subject, _ string, v wire.Value) wire.Value {
				for _, key := range []string{"refusal", "logprobs", "annotations", "user", "service_tier", "file_id"} {
					if x := v.Get(key); x.Kind() == wire.Null || x.Kind() == wire.Array && len(x.Elems()) == 0 {
						lists := key == "annotations" || key == "logprobs"
						if key == "refusal" && !v.Get("role").Exists() {
							continue // the lists of log probabilities must name it
						}
						if !lists || v.Get("role").Exists() || v.Get("delta").Exists() {
							v = without(v, key)
						}
					}
				}
				return v
			}),
		top("nulls-added", "deltas name the fields that they do not have", func(v wire.Value) wire.Value {
			d := get(v, "choices", 0, "delta")
			if !d.Exists() {
				return v
			}
			for _, key := range []string{"content", "refusal"} {
				if !d.Get(key).Exists() {
					d = d.With(key, wire.OfNull())
				}
			}
			return set(v, d, "choices", 0, "delta")
		}, chat),
		top("safety-ratings", "candidates have safety ratings", func(v wire.Value) wire.Value {
			c := get(v, "candidates", 0)
			if !c.Exists() {
				return v
			}
			return set(v, c.With("safetyRatings", wire.Arr(ideal.Obj("category", "HARM_CATEGORY_HARASSMENT", "probability", "NEGLIGIBLE"))), "candidates", 0)
		}, gemini),
	}
}

// placement are the allowed changes to where things stand in a stream.
func placement() []Operator {
	on := func(name, doc string, f func(s *Subject, e []ideal.Event) []ideal.Event, dialects ...wire.Dialect) Operator {
		return to(Operator{Name: name, Rules: []string{"R04"}, Doc: doc, Events: f}, dialects...)
	}
	single := func(s *Subject) bool { return len(s.Case.Down.Choices) == 1 }
	return []Operator{
		on("usage-on-the-last-chunk", "usage comes with the finish reason", func(s *Subject, e []ideal.Event) []ideal.Event {
			n := len(e)
			e = slices.Clone(e)
			e[n-3].Data = e[n-3].Data.With("usage", e[n-2].Data.Get("usage"))
			return slices.Delete(e, n-2, n-1)
		}, chat),
		on("usage-key-left-out", "chunks before the last do not name usage", func(s *Subject, e []ideal.Event) []ideal.Event {
			return editAll(e, func(e ideal.Event) ideal.Event {
				if e.Data.Get("usage").Kind() == wire.Null {
					e.Data = e.Data.With("usage", wire.Value{})
				}
				return e
			})
		}, chat),
		on("usage-on-every-gemini-chunk", "usage comes with every chunk, the last counts", func(s *Subject, e []ideal.Event) []ideal.Event {
			last := e[len(e)-1].Data.Get("usageMetadata")
			return editAll(e, func(e ideal.Event) ideal.Event {
				e.Data = e.Data.With("usageMetadata", last)
				return e
			})
		}, gemini),
		on("usage-of-output-only", "message_delta counts the output only", func(s *Subject, e []ideal.Event) []ideal.Event {
			return s.editOne(e, isType("message_delta"), func(e ideal.Event) ideal.Event {
				e.Data = e.Data.With("usage", ideal.Obj("output_tokens", get(e.Data, "usage", "output_tokens")))
				return e
			})
		}, messages),
		only(on("finish-with-the-last-delta", "the finish reason comes with the last delta", func(s *Subject, e []ideal.Event) []ideal.Event {
			at := where(e, finishes)
			if len(at) == 0 || at[0] == 0 || !hasChoice(e[at[0]-1]) {
				return nil
			}
			e = slices.Clone(e)
			e[at[0]-1].Data = set(e[at[0]-1].Data, get(e[at[0]].Data, "choices", 0, "finish_reason"), "choices", 0, "finish_reason")
			return slices.Delete(e, at[0], at[0]+1)
		}, chat), single),
		only(on("role-with-the-first-delta", "the role comes with the first delta", func(s *Subject, e []ideal.Event) []ideal.Event {
			d := get(e[1].Data, "choices", 0, "delta")
			if len(d.Members()) == 0 {
				return nil
			}
			e = slices.Clone(e[1:])
			e[0].Data = set(e[0].Data, d.With("role", wire.Of("assistant")), "choices", 0, "delta")
			return e
		}, chat), single),
		only(named("R02", on("call-in-one-chunk", "a call comes whole in one chunk", func(s *Subject, e []ideal.Event) []ideal.Event {
			var out []ideal.Event
			for _, x := range e {
				d := get(x.Data, "choices", 0, "delta", "tool_calls", 0)
				if n := len(out); d.Exists() && !d.Get("id").Exists() && d.Get("function").Exists() && n > 0 {
					before := get(out[n-1].Data, "choices", 0, "delta", "tool_calls", 0, "function", "arguments")
					out[n-1].Data = set(out[n-1].Data, wire.Of(before.Str()+get(d, "function", "arguments").Str()),
						"choices", 0, "delta", "tool_calls", 0, "function", "arguments")
					continue
				}
				out = append(out, x)
			}
			return out
		}, chat)), single),
		only(on("calls-interleaved", "the pieces of parallel calls come in turns", func(s *Subject, e []ideal.Event) []ideal.Event {
			at := where(e, func(x ideal.Event) bool { return get(x.Data, "choices", 0, "delta", "tool_calls", 0).Exists() })
			if len(at) == 0 || at[len(at)-1]-at[0] != len(at)-1 {
				return nil
			}
			e = slices.Clone(e)
			part := e[at[0] : at[len(at)-1]+1]
			slices.SortStableFunc(part, func(a, b ideal.Event) int { return headFirst(a) - headFirst(b) })
			return e
		}, chat), func(s *Subject) bool { return single(s) && severalCalls(s) }),
		only(named("R02", on("calls-in-one-chunk", "all calls come whole in one chunk", func(s *Subject, e []ideal.Event) []ideal.Event {
			var calls []wire.Value
			first := -1
			var out []ideal.Event
			for _, x := range e {
				d := get(x.Data, "choices", 0, "delta", "tool_calls", 0)
				if !d.Get("function").Exists() {
					out = append(out, x)
					continue
				}
				if first < 0 {
					first = len(out)
					out = append(out, x)
				}
				if d.Get("id").Exists() {
					calls = append(calls, d)
					continue
				}
				last := &calls[len(calls)-1]
				*last = set(*last, wire.Of(get(*last, "function", "arguments").Str()+get(d, "function", "arguments").Str()), "function", "arguments")
			}
			if first < 0 {
				return nil
			}
			out[first].Data = set(out[first].Data, wire.Arr(calls...), "choices", 0, "delta", "tool_calls")
			return out
		}, chat)), func(s *Subject) bool { return single(s) && !s.Case.Down.Has(ideal.Custom) }),
		only(named("R02", on("text-and-call-in-one-chunk", "the last delta of the text comes with the first call", func(s *Subject, e []ideal.Event) []ideal.Event {
			for i := 1; i < len(e); i++ {
				before, call := get(e[i-1].Data, "choices", 0, "delta"), get(e[i].Data, "choices", 0, "delta", "tool_calls")
				if before.Get("content").Str() != "" && call.Exists() {
					e = slices.Clone(e)
					e[i-1].Data = set(e[i-1].Data, before.With("tool_calls", call), "choices", 0, "delta")
					return slices.Delete(e, i, i+1)
				}
			}
			return nil
		}, chat)), single),
		chatHead("call-head-without-arguments", "a call's first piece does not name its arguments", func(v wire.Value) wire.Value {
			return set(v, wire.Value{}, "function", "arguments")
		}),
		only(named("R02", on("parts-in-one-chunk", "all parts come in one chunk", func(s *Subject, e []ideal.Event) []ideal.Event {
			if len(e) < 2 {
				return nil
			}
			var parts []wire.Value
			for _, x := range e {
				parts = append(parts, get(x.Data, "candidates", 0, "content", "parts").Elems()...)
				if get(x.Data, "candidates", 0, "logprobsResult").Exists() {
					return nil
				}
			}
			last := e[len(e)-1]
			last.Data = set(last.Data, wire.Arr(parts...), "candidates", 0, "content", "parts")
			return []ideal.Event{last}
		}, gemini)), single),
		to(everywhere(Operator{Name: "empty-arguments-left-out", Rules: []string{"R04"}, Doc: "args that are empty are left out"},
			func(_ *Subject, in string, v wire.Value) wire.Value {
				if in == "functionCall" && v.Get("args").Kind() == wire.Object && len(v.Get("args").Members()) == 0 {
					return v.With("args", wire.Value{})
				}
				return v
			}), gemini),
		on("signature-on-an-empty-part", "the signature of a text comes on an empty part behind it", func(s *Subject, e []ideal.Event) []ideal.Event {
			last := e[len(e)-1]
			part := get(last.Data, "candidates", 0, "content", "parts", 0)
			if !part.Get("text").Exists() || !part.Get("thoughtSignature").Exists() {
				return nil
			}
			e = slices.Clone(e)
			before := last.Data.With("usageMetadata", wire.Value{})
			before = set(before, wire.Value{}, "candidates", 0, "finishReason")
			e[len(e)-1].Data = set(before, part.With("thoughtSignature", wire.Value{}), "candidates", 0, "content", "parts", 0)
			last.Data = set(last.Data, part.With("text", wire.Of("")), "candidates", 0, "content", "parts", 0)
			return append(e, last)
		}, gemini),
		only(on("finish-on-its-own-chunk", "the finish reason comes on a chunk of its own", func(s *Subject, e []ideal.Event) []ideal.Event {
			last := e[len(e)-1]
			finish := get(last.Data, "candidates", 0, "finishReason")
			if !finish.Exists() || !get(last.Data, "candidates", 0, "content", "parts").Exists() || get(last.Data, "candidates", 0, "groundingMetadata").Exists() {
				return nil
			}
			e = slices.Clone(e)
			e[len(e)-1].Data = set(last.Data.With("usageMetadata", wire.Value{}), wire.Value{}, "candidates", 0, "finishReason")
			last.Data = last.Data.With("candidates", wire.Arr(ideal.Obj("content", ideal.Obj("parts", []wire.Value{ideal.Obj("text", "")}, "role", "model"),
				"finishReason", finish, "index", get(last.Data, "candidates", 0, "index"))))
			return append(e, last)
		}, gemini), single),
		on("index-left-out", "the candidate's index 0 is left out", func(s *Subject, e []ideal.Event) []ideal.Event {
			return editAll(e, func(e ideal.Event) ideal.Event {
				if get(e.Data, "candidates", 0, "index").Num() == "0" {
					e.Data = set(e.Data, wire.Value{}, "candidates", 0, "index")
				}
				return e
			})
		}, gemini),
		on("no-empty-argument-delta", "a call's arguments do not begin with an empty delta", func(s *Subject, e []ideal.Event) []ideal.Event {
			return slices.DeleteFunc(slices.Clone(e), func(x ideal.Event) bool {
				return get(x.Data, "delta", "type").Str() == "input_json_delta" && get(x.Data, "delta", "partial_json").Str() == ""
			})
		}, messages),
		on("in-progress-left-out", "response.in_progress does not come", func(s *Subject, e []ideal.Event) []ideal.Event {
			e = slices.DeleteFunc(slices.Clone(e), isType("response.in_progress"))
			for i := range e {
				e[i].Data = e[i].Data.With("sequence_number", wire.OfInt(i))
			}
			return e
		}, responses),
	}
}

// chatHead changes the first piece of every streamed Chat call.
func chatHead(name, doc string, edit func(wire.Value) wire.Value) Operator {
	o := chatCall(name, doc, func(_, n int, v wire.Value) wire.Value {
		if n > 0 || !v.Get("function").Exists() {
			return v
		}
		return edit(v)
	})
	return named("R04", o)
}

// headFirst sorts the pieces of streamed calls: heads, then the pieces of each call in turns.
func headFirst(e ideal.Event) int {
	if get(e.Data, "choices", 0, "delta", "tool_calls", 0, "id").Exists() {
		return 0
	}
	return 1
}
