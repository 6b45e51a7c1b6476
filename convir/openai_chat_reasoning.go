package convir

import (
	"strconv"

	"reassay/wire"
)

// Chat has no field of its own for reasoning, and its vendors have several, of which a message may carry more than
// one with one and the same text. Each text is read once: from the field that also has its signature, where one does.

// reasoning reads every field that carries reasoning. thoughts is what stood among the parts of the content.
func (c *completionChoice) reasoning(path string, m wire.Value, thoughts []Event) {
	fields := [][]Event{
		c.details(path+".reasoning_details", m.Get("reasoning_details")),
		c.thinkingBlocks(path+".thinking_blocks", m.Get("thinking_blocks")),
		c.blockThoughts(path+".content_blocks", m.Get("content_blocks")),
		thoughts,
		c.plain(path, "reasoning_content", m),
		c.plain(path, "reasoning", m),
	}
	read := map[string]bool{"": true}
	signed := map[string]bool{}
	for _, events := range fields {
		text := joinedText(events)
		known := read[text]
		read[text] = true
		for _, e := range events {
			if known && (e.Kind == Reasoning || signed[e.Signature]) {
				continue
			}
			signed[e.Signature] = true
			c.emit(e)
		}
	}
}

func joinedText(events []Event) string {
	var parts []string
	for _, e := range events {
		parts = append(parts, e.Text)
	}
	return wire.Join(parts...)
}

// plain reads a field that is the text itself.
func (c *completionChoice) plain(path, key string, m wire.Value) []Event {
	v := m.Get(key)
	switch {
	case !v.Present():
		return nil
	case v.Kind() != wire.String:
		c.fault(WrongType, path+"."+key, v)
		c.unread.add("choices[].message." + key)
		c.emit(Event{Kind: Opaque, Type: key, Data: v, Path: path + "." + key})
		return nil
	}
	return []Event{{Kind: Reasoning, Text: v.Str(), Extension: key, Path: path + "." + key}}
}

// details reads OpenRouter's reasoning_details.
func (c *completionChoice) details(path string, v wire.Value) []Event {
	var events []Event
	for i, d := range v.Elems() {
		at := path + "[" + strconv.Itoa(i) + "]"
		e := Event{Kind: Reasoning, Signature: d.Get("signature").Str(), Extension: "reasoning_details", Path: at}
		switch d.Get("type").Str() {
		case "reasoning.text":
			e.Text = c.str(at, "text", d)
		case "reasoning.summary":
			e.Text = c.str(at, "summary", d)
		case "reasoning.encrypted":
			e.Kind, e.Signature = RedactedReasoning, c.str(at, "data", d)
		default:
			c.unread.add("choices[].message.reasoning_details[]." + d.Get("type").Str())
			e = Event{Kind: Opaque, Type: "reasoning_details", Data: d, Path: at}
		}
		events = append(events, redactedIfBare(e))
	}
	return events
}

// redactedIfBare makes redacted reasoning of a signature without text: only its vendor can read it.
func redactedIfBare(e Event) Event {
	if e.Kind == Reasoning && e.Text == "" && e.Signature != "" {
		e.Kind = RedactedReasoning
	}
	return e
}

// thinkingBlocks reads LiteLLM's thinking_blocks, which are Anthropic's blocks.
func (c *completionChoice) thinkingBlocks(path string, v wire.Value) []Event {
	var events []Event
	for i, b := range v.Elems() {
		at := path + "[" + strconv.Itoa(i) + "]"
		if e, ok := thinkingBlock(b, "thinking_blocks", at); ok {
			events = append(events, e)
			continue
		}
		c.unread.add("choices[].message.thinking_blocks[]." + b.Get("type").Str())
		events = append(events, Event{Kind: Opaque, Type: "thinking_blocks", Data: b, Path: at})
	}
	return events
}

// thinkingBlock reads a thinking or redacted thinking block by its members: streamed blocks lack their type.
func thinkingBlock(b wire.Value, extension, path string) (Event, bool) {
	e := Event{Kind: Reasoning, Extension: extension, Path: path}
	switch {
	case b.Get("thinking").Kind() == wire.String, b.Get("signature").Kind() == wire.String:
		e.Text, e.Signature = b.Get("thinking").Str(), b.Get("signature").Str()
		return redactedIfBare(e), true
	case b.Get("data").Kind() == wire.String:
		e.Kind, e.Signature = RedactedReasoning, b.Get("data").Str()
		return e, true
	}
	return e, false
}

// block is one of Portkey's content_blocks: the block itself in a whole reply, under delta in what a stream built.
func block(v wire.Value) wire.Value {
	if d := v.Get("delta"); d.Kind() == wire.Object {
		return d
	}
	return v
}

func (c *completionChoice) blockThoughts(path string, v wire.Value) []Event {
	var events []Event
	for i, b := range v.Elems() {
		if e, ok := thinkingBlock(block(b), "content_blocks", path+"["+strconv.Itoa(i)+"]"); ok {
			events = append(events, e)
		}
	}
	return events
}

// blocks reads what Portkey's content_blocks hold beside reasoning. Their text repeats the message's content, where
// that holds any.
func (c *completionChoice) blocks(path string, v wire.Value, answer []Event) {
	if v.Present() && v.Kind() != wire.Array {
		c.fault(WrongType, path, v)
	}
	for i, elem := range v.Elems() {
		b, at := block(elem), path+"["+strconv.Itoa(i)+"]"
		if _, ok := thinkingBlock(b, "", at); ok || len(b.Members()) == 0 {
			continue
		}
		if text := b.Get("text"); text.Kind() == wire.String {
			if joinedText(answer) == "" {
				c.emit(Event{Kind: Text, Text: text.Str(), Extension: "content_blocks", Path: at})
			}
			continue
		}
		kind := b.Get("type").Str()
		switch {
		case b.Get("image_url").Present():
			c.emit(Event{Kind: Media, Type: "image_url", Data: b, Extension: "content_blocks", Path: at})
		case kind == "tool_use":
		default:
			c.unread.add("choices[].message.content_blocks[]." + kind)
			c.emit(Event{Kind: Opaque, Type: kind, Data: b, Path: at})
		}
	}
}
