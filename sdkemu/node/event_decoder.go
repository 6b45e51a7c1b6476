package node

import (
	"bytes"
	"strings"

	"github.com/dop251/goja"
)

// eventDecoder is what openai-node 5.23.2 makes of bytes, up to the events that its stream takes: iterSSEChunks,
// LineDecoder and SSEDecoder one after the other, with all that they do otherwise than the standard.
// Source: openai 5.23.2, core/streaming.mjs and internal/decoders/line.mjs, which replacement.go names by digest.
type eventDecoder struct {
	data  []byte // of iterSSEChunks: what no blank line has ended yet
	lines lineDecoder
	event *string
	field []string // the values of data lines
	raw   []string // the lines of the event
}

// serverEvent is one event. A nil name stands for null.
type serverEvent struct {
	event *string
	data  string
	raw   []string
}

// feed takes the next chunk and gives the events that it completes.
func (d *eventDecoder) feed(chunk []byte) []serverEvent {
	d.data = append(d.data, chunk...)
	var out []serverEvent
	for {
		end := blankLine(d.data)
		if end < 0 {
			return out
		}
		out = d.take(out, d.lines.decode(d.data[:end]))
		d.data = d.data[end:]
	}
}

// finish gives the events that the end of the body completes.
func (d *eventDecoder) finish() []serverEvent {
	var out []serverEvent
	if len(d.data) > 0 {
		out = d.take(out, d.lines.decode(d.data))
	}
	return d.take(out, d.lines.flush())
}

// take is SSEDecoder.decode over lines.
func (d *eventDecoder) take(out []serverEvent, lines []string) []serverEvent {
	for _, line := range lines {
		line = strings.TrimSuffix(line, "\r")
		if line == "" {
			if (d.event == nil || *d.event == "") && len(d.field) == 0 {
				continue
			}
			out = append(out, serverEvent{d.event, strings.Join(d.field, "\n"), d.raw})
			d.event, d.field, d.raw = nil, nil, nil
			continue
		}
		d.raw = append(d.raw, line)
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case strings.HasPrefix(line, ":"):
		case name == "event":
			d.event = &value
		case name == "data":
			d.field = append(d.field, value)
		}
	}
	return out
}

// lineDecoder is the SDK's LineDecoder.
type lineDecoder struct {
	buffer []byte
	behind int // the index behind a CR that ended no line yet, 0 for none
}

func (d *lineDecoder) decode(chunk []byte) []string {
	d.buffer = append(d.buffer, chunk...)
	var lines []string
	for {
		at := bytes.IndexAny(d.buffer[d.behind:], "\n\r")
		if at < 0 {
			return lines
		}
		at += d.behind
		carriage := d.buffer[at] == '\r'
		switch {
		case carriage && d.behind == 0:
			d.behind = at + 1
		case d.behind > 0 && (at != d.behind || carriage): // CR CR, or CR and a later line end
			lines = append(lines, decodeUTF8(d.buffer[:d.behind-1]))
			d.buffer = d.buffer[d.behind:]
			d.behind = 0
		default:
			end := at
			if d.behind > 0 {
				end--
			}
			lines = append(lines, decodeUTF8(d.buffer[:end]))
			d.buffer = d.buffer[at+1:]
			d.behind = 0
		}
	}
}

func (d *lineDecoder) flush() []string {
	if len(d.buffer) == 0 {
		return nil
	}
	return d.decode([]byte("\n"))
}

// blankLine is the SDK's findDoubleNewlineIndex: the index behind the first LF LF, CR CR or CR LF CR LF, or -1.
func blankLine(b []byte) int {
	for i := 0; ; i++ {
		n := bytes.IndexAny(b[i:], "\n\r")
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

// eventDecoder gives JavaScript a decoder: { feed(chunk), finish() }, both of which give arrays of { event, data, raw }.
func (rt *jsRuntime) eventDecoder() goja.Value {
	d := &eventDecoder{}
	o := rt.vm.NewObject()
	for name, f := range map[string]func(goja.FunctionCall) goja.Value{
		"feed":   func(c goja.FunctionCall) goja.Value { return rt.events(d.feed(bytesOf(c.Argument(0)))) },
		"finish": func(goja.FunctionCall) goja.Value { return rt.events(d.finish()) },
	} {
		_ = o.Set(name, f) // a new plain object
	}
	return o
}

func (rt *jsRuntime) events(list []serverEvent) goja.Value {
	out := make([]any, len(list))
	for i, e := range list {
		o := rt.vm.NewObject()
		event := goja.Null()
		if e.event != nil {
			event = rt.vm.ToValue(*e.event)
		}
		raw := make([]any, len(e.raw))
		for i, line := range e.raw {
			raw[i] = line
		}
		_ = o.Set("event", event) // a new plain object
		_ = o.Set("data", e.data)
		_ = o.Set("raw", rt.vm.NewArray(raw...))
		out[i] = o
	}
	return rt.vm.NewArray(out...)
}
