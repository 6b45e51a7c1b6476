package ideal

import "reassay/wire"

// Gemini generateContent, from https://ai.google.dev/api/generate-content and https://ai.google.dev/api/caching#Part.

func geminiStop(c Choice) wire.Value {
	if c.Word != "" {
		return wire.Of(c.Word)
	}
	switch c.Stop {
	case Unsaid:
		return wire.Value{}
	case Length, Window:
		return wire.Of("MAX_TOKENS")
	case Filter, Refused:
		return wire.Of("SAFETY")
	case Malformed:
		return wire.Of("MALFORMED_FUNCTION_CALL")
	default:
		return wire.Of("STOP")
	}
}

// geminiParts are a piece's parts: one for each of its texts when it is streamed.
func geminiParts(p Piece, texts []string) []wire.Value {
	var parts []wire.Value
	switch p.Kind {
	case Text, Refusal:
		for _, t := range texts {
			parts = append(parts, Obj("text", t))
		}
	case Reasoning:
		for _, t := range texts {
			parts = append(parts, Obj("text", t, "thought", true))
		}
	case Call:
		parts = append(parts, Obj("functionCall", Obj("id", unless(p.ID), "name", p.Name, "args", argument(p))))
	case Code:
		parts = append(parts, Obj("executableCode", Obj("language", "PYTHON", "code", p.Whole())),
			Obj("codeExecutionResult", Obj("outcome", "OUTCOME_OK", "output", p.Output)))
	case Media:
		parts = append(parts, Obj("inlineData", Obj("mimeType", p.MIME, "data", p.Data)))
	}
	if n := len(parts); n > 0 && p.Signature != "" {
		parts[n-1] = parts[n-1].With("thoughtSignature", wire.Of(p.Signature))
	}
	return parts
}

// geminiGrounding ties texts to web sources; segments count bytes of the text.
func geminiGrounding(c Choice) wire.Value {
	var chunks, supports []wire.Value
	text := ""
	for _, p := range c.Pieces {
		if p.Kind != Text {
			continue
		}
		whole := []rune(p.Whole())
		for _, x := range p.Cites {
			at := len(chunks)
			chunks = append(chunks, Obj("web", Obj("uri", x.URL, "title", x.Title)))
			cited := string(whole[x.Start:x.End])
			from := len(text) + len(string(whole[:x.Start]))
			supports = append(supports, Obj("segment", Obj("startIndex", from, "endIndex", from+len(cited), "text", cited),
				"groundingChunkIndices", []wire.Value{wire.OfInt(at)}))
		}
		text += p.Whole()
	}
	if chunks == nil {
		return wire.Value{}
	}
	return Obj("webSearchQueries", []wire.Value{wire.Of("tides")}, "groundingChunks", chunks, "groundingSupports", supports)
}

func geminiLogprobs(p Piece) wire.Value {
	if !p.Logprobs {
		return wire.Value{}
	}
	var chosen, top []wire.Value
	for _, t := range p.Text {
		c := Obj("token", t, "tokenId", 1000+len(t), "logProbability", token(t).Get("logprob"))
		chosen = append(chosen, c)
		top = append(top, Obj("candidates", []wire.Value{c}))
	}
	return Obj("topCandidates", top, "chosenCandidates", chosen)
}

func geminiUsage(u Usage) wire.Value {
	cached, thoughts := wire.Value{}, wire.Value{}
	if u.Cached > 0 {
		cached = wire.OfInt(u.Cached)
	}
	if u.Reasoning > 0 {
		thoughts = wire.OfInt(u.Reasoning)
	}
	return Obj("promptTokenCount", u.Input, "candidatesTokenCount", u.Output-u.Reasoning, "totalTokenCount", u.Input+u.Output,
		"cachedContentTokenCount", cached, "thoughtsTokenCount", thoughts,
		"promptTokensDetails", []wire.Value{Obj("modality", "TEXT", "tokenCount", u.Input)})
}

func geminiWhole(r Reply) wire.Value {
	var candidates []wire.Value
	for i, c := range r.Choices {
		var parts []wire.Value
		logprobs := wire.Value{}
		for _, p := range c.Pieces {
			parts = append(parts, geminiParts(p, []string{p.Whole()})...)
			if p.Logprobs {
				logprobs = geminiLogprobs(p)
			}
		}
		content := Obj("role", role(c, "model"))
		if parts != nil {
			content = Obj("parts", parts, "role", role(c, "model"))
		}
		candidates = append(candidates, Obj("content", content, "finishReason", geminiStop(c), "index", i,
			"groundingMetadata", geminiGrounding(c), "logprobsResult", logprobs))
	}
	return Obj("candidates", candidates, "usageMetadata", geminiUsage(r.Usage), "modelVersion", r.Model, "responseId", r.ID)
}

func geminiStream(r Reply) []Event {
	perChoice := make([][]wire.Value, len(r.Choices))
	longest := 0
	for i, c := range r.Choices {
		perChoice[i] = geminiCandidates(i, c)
		longest = max(longest, len(perChoice[i]))
	}
	var events []Event
	for k := range longest {
		for _, candidates := range perChoice {
			if k < len(candidates) {
				events = append(events, Event{Data: Obj("candidates", []wire.Value{candidates[k]}, "modelVersion", r.Model, "responseId", r.ID)})
			}
		}
	}
	last := &events[len(events)-1]
	last.Data = Obj("candidates", last.Data.Get("candidates"), "usageMetadata", geminiUsage(r.Usage), "modelVersion", r.Model, "responseId", r.ID)
	return events
}

// geminiCandidates are what the chunks bring to one candidate; the last has the finish reason.
func geminiCandidates(index int, c Choice) []wire.Value {
	var out []wire.Value
	for _, p := range c.Pieces {
		for i, part := range geminiParts(p, p.Text) {
			logprobs := wire.Value{}
			if p.Logprobs {
				one := p
				one.Text = p.Text[i : i+1]
				logprobs = geminiLogprobs(one)
			}
			out = append(out, Obj("content", Obj("parts", []wire.Value{part}, "role", role(c, "model")), "index", index, "logprobsResult", logprobs))
		}
	}
	if out == nil {
		out = append(out, Obj("content", Obj("role", role(c, "model")), "index", index))
	}
	n := len(out) - 1
	out[n] = Obj("content", out[n].Get("content"), "finishReason", geminiStop(c), "index", index,
		"groundingMetadata", geminiGrounding(c), "logprobsResult", out[n].Get("logprobsResult"))
	return out
}
