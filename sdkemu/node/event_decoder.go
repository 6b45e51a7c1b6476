package node

import (
	"bytes"
	"strings"

	"github.com/dop251/goja"
)

// eventDecoder is what an SDK makes of bytes, up to the events that its stream takes, with all that it does otherwise
// than the standard. replacement.go names by digest the modules that each one stands for.
type eventDecoder interface {
	feed(chunk []byte) []serverEvent // the events that the next chunk completes
	finish() []serverEvent           // those that the end of the body completes
}

// serverEvent is one event. A nil name stands for null. The SDKs keep the event's lines besides, and only log them.
type serverEvent struct {
	event *string
	data  string
}

// eventDecoders are the decoders by the name under which a replacement asks for one.
var eventDecoders = map[string]func() eventDecoder{
	"openai 4":    func() eventDecoder { return &openaiDecoder{lines: pairedLines{text: decodeWithBOM}} },
	"openai 5":    func() eventDecoder { return &openaiDecoder{lines: pairedLines{text: decodeUTF8}} },
	"openai 7":    func() eventDecoder { return &openai7Decoder{} },
	"anthropic 1": func() eventDecoder { return &anthropicDecoder{decode: utf8Decoder{keepBOM: true}} },
}

// openaiDecoder is openai-node's before 7: iterSSEChunks, LineDecoder and SSEDecoder one after the other.
// Source: openai 5.23.2, core/streaming.mjs and internal/decoders/line.mjs.
type openaiDecoder struct {
	data    []byte // of iterSSEChunks: what no blank line has ended yet
	scanned int    // up to where data holds no blank line
	lines   pairedLines
	events  eventFields
}

func (d *openaiDecoder) feed(chunk []byte) []serverEvent {
	d.data = append(d.data, chunk...)
	for {
		end := pairedBlankLine(d.data, d.scanned)
		if end < 0 {
			d.scanned = max(0, len(d.data)-longestBlankLine+1)
			return d.events.taken()
		}
		d.lines.decode(d.data[:end], d.events.take)
		d.data = d.data[end:]
		d.scanned = 0
	}
}

func (d *openaiDecoder) finish() []serverEvent {
	d.lines.decode(d.data, d.events.take)
	d.lines.flush(d.events.take)
	return d.events.taken()
}

// longestBlankLine is the length of CR LF CR LF.
const longestBlankLine = 4

// pairedBlankLine is findDoubleNewlineIndex before openai 7: the index behind the first LF LF, CR CR or CR LF CR LF
// from index from on, or -1.
func pairedBlankLine(b []byte, from int) int {
	for i := from; ; i++ {
		n := lineEnd(b[i:])
		if n < 0 || i+n+1 >= len(b) {
			return -1
		}
		i += n
		switch {
		case b[i] == b[i+1]:
			return i + 2
		case bytes.HasPrefix(b[i:], []byte("\r\n\r\n")):
			return i + 4
		}
	}
}

// lineEnd is the index of b's first LF or CR, or -1.
func lineEnd(b []byte) int {
	lf := bytes.IndexByte(b, '\n')
	if lf >= 0 {
		b = b[:lf]
	}
	if cr := bytes.IndexByte(b, '\r'); cr >= 0 {
		return cr
	}
	return lf
}

// pairedLines is LineDecoder before openai 7, which holds a line that CR ended until it knows what follows.
type pairedLines struct {
	text   func([]byte) string
	buffer []byte
	behind int // the index behind a CR that ended no line yet, 0 for none
}

func (d *pairedLines) decode(chunk []byte, line func(string)) {
	d.buffer = append(d.buffer, chunk...)
	for {
		at := lineEnd(d.buffer[d.behind:])
		if at < 0 {
			return
		}
		at += d.behind
		carriage := d.buffer[at] == '\r'
		switch {
		case carriage && d.behind == 0:
			d.behind = at + 1
		case d.behind > 0 && (at != d.behind || carriage): // CR CR, or CR and a later line end
			line(d.text(d.buffer[:d.behind-1]))
			d.buffer = d.buffer[d.behind:]
			d.behind = 0
		default:
			end := at
			if d.behind > 0 {
				end--
			}
			line(d.text(d.buffer[:end]))
			d.buffer = d.buffer[at+1:]
			d.behind = 0
		}
	}
}

func (d *pairedLines) flush(line func(string)) {
	if len(d.buffer) > 0 {
		d.decode([]byte("\n"), line)
	}
}

// eventFields is SSEDecoder: it makes events of lines.
type eventFields struct {
	event *string
	data  []string // the values of data lines
	out   []serverEvent
}

func (f *eventFields) take(line string) {
	line = strings.TrimSuffix(line, "\r")
	if line == "" {
		f.end()
		return
	}
	name, value, _ := strings.Cut(line, ":")
	f.field(name, strings.TrimPrefix(value, " "))
}

// field takes a line's name and value; a comment's name is empty.
func (f *eventFields) field(name, value string) {
	switch name {
	case "event":
		f.event = &value
	case "data":
		f.data = append(f.data, value)
	}
}

// end gives the event out, unless nothing came for it. An empty name is none.
func (f *eventFields) end() {
	if (f.event == nil || *f.event == "") && len(f.data) == 0 {
		return
	}
	f.out = append(f.out, serverEvent{f.event, strings.Join(f.data, "\n")})
	f.event, f.data = nil, f.data[:0]
}

// taken hands over the events that were given out.
func (f *eventFields) taken() []serverEvent {
	out := f.out
	f.out = nil
	return out
}

// eventDecoder gives JavaScript a decoder by its name in eventDecoders: { feed(chunk), finish() }, both of which give
// an array of each event's name and data in turn.
func (rt *jsRuntime) eventDecoder(name string) goja.Value {
	d := eventDecoders[name]()
	o := rt.vm.NewObject()
	_ = o.Set("feed", func(c goja.FunctionCall) goja.Value { return rt.events(d.feed(bytesOf(c.Argument(0)))) }) // a new plain object
	_ = o.Set("finish", func(goja.FunctionCall) goja.Value { return rt.events(d.finish()) })
	return o
}

func (rt *jsRuntime) events(list []serverEvent) goja.Value {
	out := make([]any, 0, 2*len(list))
	for _, e := range list {
		name := goja.Null()
		if e.event != nil {
			rt.saw(*e.event)
			name = rt.vm.ToValue(*e.event)
		}
		out = append(out, name, rt.vm.ToValue(e.data))
	}
	return rt.vm.NewArray(out...)
}
