package python

import (
	"bytes"
	"strings"

	"reassay/sdkemu"
)

// serverSentEvent is what the SDK's decoder hands over: openai 2.54.0, _streaming.py, class ServerSentEvent.
type serverSentEvent struct{ event, data string }

// eventReader makes events of a body: class SSEDecoder. Its state outlives an event: the last id stays set.
type eventReader struct {
	lumps lumps
	lump  []byte
	lines lineScanner
	pos   int

	event    string
	data     []string
	id       string
	hasRetry bool
}

func newEventReader(in sdkemu.Input, byLine bool) *eventReader {
	lump, lfs := in.Body, bytes.IndexByte(in.Body, '\r') < 0
	switch {
	case byLine:
		// The whole body is one lump, save a line that was not whole when the transport broke off.
		if in.Break != nil {
			lump = lump[:1+bytes.LastIndexAny(lump, "\r\n")]
		}
	case lfs:
		// Wherever the body is cut, its lumps end in two LF: their lines are those of the body.
		if in.Break != nil {
			l := lumps{lines: newLineScanner(lump), broken: true}
			for ok := true; ok; {
				_, ok = l.next()
			}
			lump = lump[:l.begin]
		}
	default:
		return &eventReader{lumps: lumps{lines: newLineScanner(lump), cuts: in.Cuts, broken: in.Break != nil}}
	}
	return &eventReader{lump: lump, lines: lineScanner{text: lump, lf: -1, lfs: lfs}}
}

// next is the next event; ok is false when the body has ended. An event that no empty line ends is never handed over.
// The error is the UnicodeDecodeError of a line that is not UTF-8.
func (r *eventReader) next() (e serverSentEvent, ok bool, err error) {
	for {
		if r.pos == len(r.lump) {
			lump, ok := r.lumps.next()
			if !ok {
				return e, false, nil
			}
			r.lump, r.lines, r.pos = lump, newLineScanner(lump), 0
		}
		end, next := r.lines.line(r.pos, len(r.lump))
		line, err := decodeStrict(r.lump[r.pos:end])
		if err != nil {
			return e, false, err
		}
		r.pos = next
		if e, ok := r.decode(line); ok {
			return e, true, nil
		}
	}
}

// decode takes one line: SSEDecoder.decode. An empty line makes an event once anything is pending, and an id that was
// seen, however long ago, counts as pending.
func (r *eventReader) decode(line string) (e serverSentEvent, ok bool) {
	if line == "" {
		if r.event == "" && len(r.data) == 0 && r.id == "" && !r.hasRetry {
			return e, false
		}
		e = serverSentEvent{event: r.event, data: strings.Join(r.data, "\n")}
		r.event, r.data, r.hasRetry = "", r.data[:0], false
		return e, true
	}
	if line[0] == ':' {
		return e, false
	}
	name, val, _ := strings.Cut(line, ":")
	val = strings.TrimPrefix(val, " ")
	switch name {
	case "event":
		r.event = val
	case "data":
		r.data = append(r.data, val)
	case "id":
		if strings.IndexByte(val, 0) < 0 {
			r.id = val
		}
	case "retry":
		if parsesAsInt(val) {
			r.hasRetry = true
		}
	}
	return e, false
}

// isDone reports whether the event ends the stream, whatever follows "[DONE]" in it.
func (e serverSentEvent) isDone() bool { return strings.HasPrefix(e.data, "[DONE]") }

// value is the event's JSON built into a type of the API, or the APIError that it tells of.
func (e serverSentEvent) value(t *typ, p *jsonReader) (value, error) {
	v, err := p.loads(e.data)
	if err != nil {
		return none, err
	}
	if strings.HasPrefix(e.event, "thread.") {
		// Events of the Assistants API: wrapped for every API, and not looked at for errors.
		d := newDict(2)
		d.set("data", v)
		d.set("event", ofStr(e.event))
		v = ofDict(d)
	} else if v.kind == kindDict {
		if told, ok := v.dict().get("error"); ok && told.truth() {
			return none, raise("APIError", "%s", errorMessage(told))
		}
	}
	if v.isNone() {
		return none, nil
	}
	return p.arena.construct(t, v)
}

// errorMessage is the message of an error that came as an event.
func errorMessage(v value) string {
	if v.kind == kindDict {
		if m, ok := v.dict().get("message"); ok && m.kind == kindStr && m.text != "" {
			return m.text
		}
	}
	return "An error occurred during streaming"
}
