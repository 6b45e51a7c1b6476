package ideal

import "reassay/wire"

// Anthropic Messages, from https://platform.claude.com/docs/en/api/messages and
// https://platform.claude.com/docs/en/build-with-claude/streaming.

func messagesStop(c Choice) (word, sequence wire.Value) {
	if c.Word != "" {
		return wire.Of(c.Word), wire.OfNull()
	}
	switch c.Stop {
	case Unsaid:
		return wire.OfNull(), wire.OfNull()
	case StopSequence:
		if c.Sequence != "" {
			return wire.Of("stop_sequence"), wire.Of(c.Sequence)
		}
		return wire.Of("end_turn"), wire.OfNull()
	case Calls:
		return wire.Of("tool_use"), wire.OfNull()
	case Length:
		return wire.Of("max_tokens"), wire.OfNull()
	case Window:
		return wire.Of("model_context_window_exceeded"), wire.OfNull()
	case Filter, Refused:
		return wire.Of("refusal"), wire.OfNull()
	case Pause:
		return wire.Of("pause_turn"), wire.OfNull()
	default:
		return wire.Of("end_turn"), wire.OfNull()
	}
}

// messagesBlock is a content block: as it starts, its deltas, and whole.
type messagesBlock struct {
	start  wire.Value
	deltas []wire.Value
	whole  wire.Value
}

func messagesBlocks(c Choice) []messagesBlock {
	var blocks []messagesBlock
	add := func(b messagesBlock) { blocks = append(blocks, b) }
	for _, p := range c.Pieces {
		switch p.Kind {
		case Text, Refusal:
			if p.Whole() == "" {
				continue
			}
			b := messagesBlock{start: Obj("type", "text", "text", ""), whole: Obj("type", "text", "text", p.Whole())}
			if p.Cites != nil {
				var cites []wire.Value
				for _, x := range p.Cites {
					cites = append(cites, messagesCite(x))
					b.deltas = append(b.deltas, Obj("type", "citations_delta", "citation", messagesCite(x)))
				}
				b.start = b.start.With("citations", wire.Arr())
				b.whole = b.whole.With("citations", wire.Arr(cites...))
			}
			b.deltas = append(textDeltas("text_delta", "text", p.Text), b.deltas...)
			add(b)
		case Reasoning:
			b := messagesBlock{
				start:  Obj("type", "thinking", "thinking", "", "signature", ""),
				deltas: textDeltas("thinking_delta", "thinking", p.Text),
				whole:  Obj("type", "thinking", "thinking", p.Whole(), "signature", p.Signature),
			}
			if p.Signature != "" {
				b.deltas = append(b.deltas, Obj("type", "signature_delta", "signature", p.Signature))
			}
			add(b)
		case Redacted:
			block := Obj("type", "redacted_thinking", "data", p.Output)
			add(messagesBlock{start: block, whole: block})
		case Call:
			add(messagesBlock{
				start:  Obj("type", "tool_use", "id", p.ID, "name", p.Name, "input", Obj()),
				deltas: textDeltas("input_json_delta", "partial_json", append([]string{""}, p.Text...)),
				whole:  Obj("type", "tool_use", "id", p.ID, "name", p.Name, "input", argument(p)),
			})
		case Search:
			add(messagesBlock{
				start:  Obj("type", "server_tool_use", "id", p.ID, "name", p.Name, "input", Obj()),
				deltas: textDeltas("input_json_delta", "partial_json", append([]string{""}, p.Text...)),
				whole:  Obj("type", "server_tool_use", "id", p.ID, "name", p.Name, "input", argument(p)),
			})
			result := Obj("type", "web_search_tool_result", "tool_use_id", p.ID, "content", searchResult(p))
			add(messagesBlock{start: result, whole: result})
		}
	}
	return blocks
}

func searchResult(p Piece) wire.Value {
	if p.Output != "" {
		return Obj("type", "web_search_tool_result_error", "error_code", p.Output)
	}
	return wire.Arr(Obj("type", "web_search_result", "url", "https://example.org/tides", "title", "Tide tables",
		"encrypted_content", "EqgfCioIARgBIiQ3YTAwMjY1Mi1mZjM5LTQ1NGUtODgxNC1kNjNjNTk1ZWI3Y", "page_age", "April 30, 2026"))
}

func textDeltas(kind, key string, texts []string) []wire.Value {
	var out []wire.Value
	for _, t := range texts {
		out = append(out, Obj("type", kind, key, t))
	}
	return out
}

func messagesCite(x Cite) wire.Value {
	if x.Document {
		return Obj("type", "char_location", "cited_text", x.Quote, "document_index", 0, "document_title", x.Title,
			"start_char_index", x.Start, "end_char_index", x.End, "file_id", nil)
	}
	return Obj("type", "web_search_result_location", "cited_text", x.Quote, "url", x.URL, "title", x.Title, "encrypted_index", x.Token)
}

func messagesUsage(u Usage) wire.Value {
	return Obj("input_tokens", u.Input-u.Cached, "cache_creation_input_tokens", 0, "cache_read_input_tokens", u.Cached, "output_tokens", u.Output)
}

func messagesWhole(r Reply) wire.Value {
	c := r.Choices[0]
	content := []wire.Value{}
	for _, b := range messagesBlocks(c) {
		content = append(content, b.whole)
	}
	word, sequence := messagesStop(c)
	return Obj("id", r.ID, "type", "message", "role", role(c, "assistant"), "model", r.Model, "content", content,
		"stop_reason", word, "stop_sequence", sequence, "usage", messagesUsage(r.Usage).With("service_tier", wire.Of("standard")))
}

func messagesStream(r Reply) []Event {
	c := r.Choices[0]
	var events []Event
	add := func(data wire.Value) { events = append(events, Event{Name: data.Get("type").Str(), Data: data}) }
	start := messagesUsage(r.Usage).With("output_tokens", wire.OfInt(1)).With("service_tier", wire.Of("standard"))
	add(Obj("type", "message_start", "message", Obj("id", r.ID, "type", "message", "role", role(c, "assistant"), "model", r.Model,
		"content", []wire.Value{}, "stop_reason", nil, "stop_sequence", nil, "usage", start)))
	for i, b := range messagesBlocks(c) {
		add(Obj("type", "content_block_start", "index", i, "content_block", b.start))
		if i == 0 {
			add(Obj("type", "ping"))
		}
		for _, d := range b.deltas {
			add(Obj("type", "content_block_delta", "index", i, "delta", d))
		}
		add(Obj("type", "content_block_stop", "index", i))
	}
	word, sequence := messagesStop(c)
	add(Obj("type", "message_delta", "delta", Obj("stop_reason", word, "stop_sequence", sequence), "usage", messagesUsage(r.Usage)))
	add(Obj("type", "message_stop"))
	return events
}
