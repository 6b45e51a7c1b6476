package node

import (
	"strings"
)

// anthropicDecoder is anthropic-node's _iterSSEMessages, which decodes before it looks for lines. A CR at the end of
// what has come waits for what follows.
// Source: @anthropic-ai/sdk 1.14.0, core/streaming.mjs.
type anthropicDecoder struct {
	decode     utf8Decoder
	text       strings.Builder // what no line end has ended yet
	endsWithCR bool
	events     eventFields
}

func (d *anthropicDecoder) feed(chunk []byte) []serverEvent {
	decoded := d.decode.decode(chunk, true)
	d.text.WriteString(decoded)
	if !d.endsWithCR && !strings.ContainsAny(decoded, "\n\r") {
		return d.events.taken()
	}
	text := d.text.String()
	for {
		at := strings.IndexAny(text, "\n\r")
		if at < 0 || text[at] == '\r' && at+1 == len(text) {
			break
		}
		d.line(text[:at])
		if strings.HasPrefix(text[at:], "\r\n") {
			at++
		}
		text = text[at+1:]
	}
	d.endsWithCR = strings.HasSuffix(text, "\r")
	d.text.Reset()
	d.text.WriteString(text)
	return d.events.taken()
}

func (d *anthropicDecoder) finish() []serverEvent {
	d.text.WriteString(d.decode.decode(nil, false))
	text := d.text.String()
	if text == "" {
		return d.events.taken()
	}
	for text = strings.TrimSuffix(text, "\r"); ; {
		at := strings.IndexAny(text, "\n\r")
		if at < 0 {
			d.line(text)
			return d.events.taken()
		}
		d.line(text[:at])
		if strings.HasPrefix(text[at:], "\r\n") {
			at++
		}
		text = text[at+1:]
	}
}

// line is takeLine.
func (d *anthropicDecoder) line(line string) {
	line = strings.TrimPrefix(line, "\uFEFF")
	if line == "" {
		d.events.end()
		return
	}
	name, value, _ := strings.Cut(line, ":")
	d.events.field(name, strings.TrimPrefix(value, " "))
}
