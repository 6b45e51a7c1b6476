package ideal

import "reassay/wire"

// Chat Completions, from https://platform.openai.com/docs/api-reference/chat/object and /chat-streaming. Reasoning
// goes into reasoning_content, the extension of DeepSeek's and other Chat servers
// (https://api-docs.deepseek.com/guides/reasoning_model); Gemini's signature of a call into extra_content
// (https://ai.google.dev/gemini-api/docs/thought-signatures, OpenAI compatibility).

const created = 1796040000

func chatStop(c Choice) wire.Value {
	if c.Word != "" {
		return wire.Of(c.Word)
	}
	switch c.Stop {
	case Unsaid:
		return wire.OfNull()
	case Calls:
		return wire.Of("tool_calls")
	case Length, Window:
		return wire.Of("length")
	case Filter:
		return wire.Of("content_filter")
	case Refused:
		for _, p := range c.Pieces {
			if p.Kind == Refusal {
				return wire.Of("stop")
			}
		}
		return wire.Of("content_filter")
	default:
		return wire.Of("stop")
	}
}

func role(c Choice, own string) string {
	if c.Role != "" {
		return c.Role
	}
	return own
}

func chatWhole(r Reply) wire.Value {
	var choices []wire.Value
	for i, c := range r.Choices {
		content, refusal, reasoning := wire.OfNull(), wire.OfNull(), wire.Value{}
		add := func(to *wire.Value, s string) { *to = wire.Of(to.Str() + s) }
		var calls, annotations, tokens, refusalTokens []wire.Value
		at := 0
		for _, p := range c.Pieces {
			switch p.Kind {
			case Text:
				for _, x := range p.Cites {
					annotations = append(annotations, chatCite(x, at))
				}
				at += len([]rune(p.Whole()))
				add(&content, p.Whole())
				tokens = append(tokens, chatTokens(p)...)
			case Refusal:
				add(&refusal, p.Whole())
				refusalTokens = append(refusalTokens, chatTokens(p)...)
			case Reasoning:
				add(&reasoning, p.Whole())
			case Call:
				calls = append(calls, Obj("id", p.ID, "type", "function", "function", Obj("name", p.Name, "arguments", p.Whole()),
					"extra_content", chatSignature(p)))
			case Custom:
				calls = append(calls, Obj("id", p.ID, "type", "custom", "custom", Obj("name", p.Name, "input", p.Whole())))
			}
		}
		message := Obj("role", role(c, "assistant"), "content", content, "reasoning_content", reasoning, "refusal", refusal)
		if calls != nil {
			message = message.With("tool_calls", wire.Arr(calls...))
		}
		message = message.With("annotations", wire.Arr(annotations...))
		choices = append(choices, Obj("index", i, "message", message, "logprobs", chatLogprobs(tokens, refusalTokens), "finish_reason", chatStop(c)))
	}
	return Obj("id", r.ID, "object", "chat.completion", "created", created, "model", r.Model, "choices", choices,
		"usage", chatUsage(r.Usage), "service_tier", "default", "system_fingerprint", "fp_44709d6fcb")
}

func chatUsage(u Usage) wire.Value {
	return Obj("prompt_tokens", u.Input, "completion_tokens", u.Output, "total_tokens", u.Input+u.Output,
		"prompt_tokens_details", Obj("cached_tokens", u.Cached, "audio_tokens", 0),
		"completion_tokens_details", Obj("reasoning_tokens", u.Reasoning, "audio_tokens", 0, "accepted_prediction_tokens", 0, "rejected_prediction_tokens", 0))
}

func chatCite(x Cite, at int) wire.Value {
	return Obj("type", "url_citation", "url_citation", Obj("end_index", at+x.End, "start_index", at+x.Start, "title", x.Title, "url", x.URL))
}

func chatSignature(p Piece) wire.Value {
	if p.Signature == "" {
		return wire.Value{}
	}
	return Obj("google", Obj("thought_signature", p.Signature))
}

// tokens are the entries of Chat's and Responses' lists of log probabilities.
func chatTokens(p Piece) []wire.Value {
	if !p.Logprobs {
		return nil
	}
	var out []wire.Value
	for _, t := range p.Text {
		out = append(out, token(t))
	}
	return out
}

func token(t string) wire.Value {
	var bytes []wire.Value
	for _, b := range []byte(t) {
		bytes = append(bytes, wire.OfInt(int(b)))
	}
	return Obj("token", t, "logprob", wire.OfNum("-0."+string(rune('1'+len(t)%9))+"25"), "bytes", bytes, "top_logprobs", []wire.Value{})
}

func chatLogprobs(content, refusal []wire.Value) wire.Value {
	if content == nil && refusal == nil {
		return wire.OfNull()
	}
	list := func(l []wire.Value) wire.Value {
		if l == nil {
			return wire.OfNull()
		}
		return wire.Arr(l...)
	}
	return Obj("content", list(content), "refusal", list(refusal))
}

// chatDelta is what one chunk brings to a choice.
type chatDelta struct{ delta, logprobs, finish wire.Value }

func chatStream(r Reply) []Event {
	perChoice := make([][]chatDelta, len(r.Choices))
	longest := 0
	for i, c := range r.Choices {
		perChoice[i] = chatDeltas(c)
		longest = max(longest, len(perChoice[i]))
	}
	chunk := func(choices []wire.Value, usage wire.Value) Event {
		return Event{Data: Obj("id", r.ID, "object", "chat.completion.chunk", "created", created, "model", r.Model,
			"service_tier", "default", "system_fingerprint", "fp_44709d6fcb", "choices", choices, "usage", usage)}
	}
	var events []Event
	for k := range longest {
		for i, deltas := range perChoice {
			if k >= len(deltas) {
				continue
			}
			d := deltas[k]
			events = append(events, chunk([]wire.Value{Obj("index", i, "delta", d.delta, "logprobs", d.logprobs, "finish_reason", d.finish)}, wire.OfNull()))
		}
	}
	events = append(events, chunk([]wire.Value{}, chatUsage(r.Usage)))
	return append(events, Event{Raw: "[DONE]"})
}

func chatDeltas(c Choice) []chatDelta {
	null := wire.OfNull()
	var deltas []chatDelta
	add := func(delta wire.Value) { deltas = append(deltas, chatDelta{delta, null, null}) }
	content := null
	for _, p := range c.Pieces {
		if p.Kind == Text {
			content = wire.Of("")
		}
	}
	add(Obj("role", role(c, "assistant"), "content", content, "refusal", null))
	calls, at := 0, 0
	for _, p := range c.Pieces {
		switch p.Kind {
		case Text, Reasoning, Refusal:
			key := map[Kind]string{Text: "content", Reasoning: "reasoning_content", Refusal: "refusal"}[p.Kind]
			for _, t := range p.Text {
				add(Obj(key, t))
				if p.Logprobs && p.Kind == Text {
					deltas[len(deltas)-1].logprobs = chatLogprobs([]wire.Value{token(t)}, nil)
				} else if p.Logprobs {
					deltas[len(deltas)-1].logprobs = chatLogprobs(nil, []wire.Value{token(t)})
				}
			}
			if p.Kind == Text && p.Cites != nil {
				var cites []wire.Value
				for _, x := range p.Cites {
					cites = append(cites, chatCite(x, at))
				}
				add(Obj("annotations", cites))
			}
			if p.Kind == Text {
				at += len([]rune(p.Whole()))
			}
		case Call:
			add(Obj("tool_calls", []wire.Value{Obj("index", calls, "id", p.ID, "type", "function",
				"function", Obj("name", p.Name, "arguments", ""), "extra_content", chatSignature(p))}))
			for _, t := range p.Text {
				add(Obj("tool_calls", []wire.Value{Obj("index", calls, "function", Obj("arguments", t))}))
			}
			calls++
		case Custom:
			add(Obj("tool_calls", []wire.Value{Obj("index", calls, "id", p.ID, "type", "custom", "custom", Obj("name", p.Name, "input", ""))}))
			for _, t := range p.Text {
				add(Obj("tool_calls", []wire.Value{Obj("index", calls, "custom", Obj("input", t))}))
			}
			calls++
		}
	}
	return append(deltas, chatDelta{Obj(), null, chatStop(c)})
}
