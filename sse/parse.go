package sse

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"reassay/wire"
)

// Parse reads a whole body of dialect d. The body itself decides its Form. FormObject and FormArray have no frames:
// FormObject is one event that holds the object, FormArray one event an element. FormOther has one event with Err set.
//
// In FormSSE each frame with a data field is one event, the last one too when no blank line ended it (its frame then
// has the fault [NoBlankLine]); a frame without data is seen in Frames only. An array that is cut off keeps the
// elements before the cut, and the cut is an event with Err. The payload [DONE], white space around it allowed, is the
// end sentinel in every dialect; Raw shows how it was spelt. So far no dialect needs a reading of its own: d changes
// nothing. The Stream refers to body, which must not be changed afterwards.
func Parse(d wire.Dialect, body []byte) Stream { return parse(body, MaxFrames) }

func parse(body []byte, most int) Stream {
	start := 0
	if bytes.HasPrefix(body, []byte(bomText)) {
		start = len(bomText)
	}
	for start < len(body) && jsonSpace(body[start]) {
		start++
	}
	if start == len(body) {
		return Stream{Form: FormEmpty}
	}
	var err error
	var read wire.Reader
	switch body[start] {
	case '{':
		var v wire.Value
		if v, err = read.Parse(body[start:]); err == nil {
			text := bytes.TrimRight(body[start:], " \t\r\n")
			return Stream{Form: FormObject, Events: []Event{{Offset: start, Type: typeOf(v, ""), Data: v, Raw: text}}}
		}
	case '[':
		if events, ok := elements(body, start, most, &read); ok {
			return Stream{Form: FormArray, Events: events, Err: limitOf(events)}
		}
	}
	if looksSSE(body) {
		return parseSSE(body, most)
	}
	if err == nil {
		err = notReply(body[start:])
	}
	events := []Event{{Offset: start, Raw: body[start:], Err: err}}
	return Stream{Form: FormOther, Events: events, Err: limitOf(events)}
}

// limitOf is the limit that the last of events met, nil when it met none.
func limitOf(events []Event) error {
	if len(events) == 0 {
		return nil
	}
	last := events[len(events)-1]
	var bad *wire.SyntaxError
	if errors.Is(last.Err, errElements) || errors.As(last.Err, &bad) && bad.Limit {
		return &Error{last.Offset, last.Err}
	}
	return nil
}

var errElements = errors.New("too many elements")

// notReply says why a text that is no event stream, object or array is no reply.
func notReply(text []byte) error {
	v, err := wire.Parse(text)
	if err == nil {
		return fmt.Errorf("the body is a JSON %s, want an object", v.Kind())
	}
	return err
}

func jsonSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// looksSSE reports whether a client would find something in body as an event stream: its first line that is not blank
// is a field or a comment, or some line is a data field.
func looksSSE(body []byte) bool {
	body = bytes.TrimPrefix(body, []byte(bomText))
	for first := true; len(body) > 0; {
		line := body
		if n := indexEnd(body); n >= 0 {
			line, body = body[:n], body[n+1:]
		} else {
			body = nil
		}
		if len(line) == 0 {
			continue
		}
		name, _, _ := bytes.Cut(line, []byte(":"))
		switch string(name) {
		case "data":
			return true
		case "event", "id", "retry", "":
			if first {
				return true
			}
		}
		first = false
	}
	return false
}

// MaxFrames is how many frames, or elements of an array, [Parse] reads, and a quarter of how many lines: some hundred
// times as many as the longest replies have. It bounds the memory that a body of a few bytes a frame takes.
const MaxFrames = 1 << 20

func parseSSE(body []byte, most int) Stream {
	guess := min(bytes.Count(body, []byte("\n\n"))+1, 1<<14)
	s := Stream{Form: FormSSE, Frames: make([]Frame, 0, guess), Events: make([]Event, 0, guess)}
	lines := 0
	var read wire.Reader
	r := &Reader{buf: body[:len(body):len(body)], srcErr: io.EOF}
	for {
		f, err := r.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				s.Err = err
			}
			return s
		}
		if lines += len(f.Fields) + len(f.Comments); len(s.Frames) == most || lines > 4*most {
			s.Err = &Error{f.Start, fmt.Errorf("more than %d frames or %d lines", most, 4*most)}
			return s
		}
		s.Frames = append(s.Frames, f)
		if f.HasData {
			s.Events = append(s.Events, eventOf(f, len(s.Events), &read))
			if s.Err = limitOf(s.Events); s.Err != nil {
				return s
			}
		}
	}
}

func eventOf(f Frame, index int, read *wire.Reader) Event {
	e := Event{Index: index, Frame: f.Index, Name: f.Event, Raw: f.Data}
	for _, x := range f.Fields {
		if x.Name == "data" {
			e.Offset = x.ValueOffset
			break
		}
	}
	if string(bytes.TrimSpace(f.Data)) == Done {
		e.Type = Done
		return e
	}
	e.Data, e.Err = read.Parse(f.Data)
	e.Type = typeOf(e.Data, f.Event)
	return e
}

// typeOf is the payload's own type, else the name that its frame gave it. [Done] is neither: only a payload that is
// the sentinel has that type.
func typeOf(v wire.Value, name string) string {
	if t := v.Get("type").Str(); t != "" && t != Done {
		return t
	}
	if name == Done {
		return ""
	}
	return name
}

// ErrCut is in the Err of the event that stands for the place where a JSON array breaks off.
var ErrCut = errors.New("the array of chunks is cut off")

// Byte tells where in the body the byte at of an event's payload stood, at being an offset in Raw such as a
// [wire.Value.Offset]. It differs from e.Offset+at only for a payload that several data lines were joined into. In a
// line with bytes that are not UTF-8, which Raw shows as U+FFFD, it may be off by as much as those differ in length.
func (s Stream) Byte(e Event, at int) int {
	if s.Form != FormSSE || e.Frame >= len(s.Frames) {
		return e.Offset + at
	}
	end := e.Offset
	for _, x := range s.Frames[e.Frame].Fields {
		if x.Name != "data" {
			continue
		}
		if at <= len(x.Value) {
			return x.ValueOffset + at
		}
		at -= len(x.Value) + 1
		end = x.ValueOffset + len(x.Value)
	}
	return end
}

// elements walks the array that begins at body[start]. ok is false when it is no array of chunks at all: when what
// follows the bracket is neither a value nor the end of the body. It reads most elements at most.
func elements(body []byte, start, most int, read *wire.Reader) (events []Event, ok bool) {
	pos := start + 1
	add := func(e Event) {
		e.Index, e.Frame = len(events), len(events)
		events = append(events, e)
	}
	broken := func(err error) ([]Event, bool) {
		add(Event{Offset: pos, Raw: body[pos:], Err: err})
		return events, true
	}
	space := func() {
		for pos < len(body) && jsonSpace(body[pos]) {
			pos++
		}
	}
	if space(); pos < len(body) && body[pos] == ']' {
		return nil, len(bytes.TrimSpace(body[pos+1:])) == 0
	}
	for {
		space()
		if pos == len(body) {
			return broken(ErrCut)
		}
		v, n, err := read.ParsePrefix(body[pos:])
		if len(events) == most {
			return broken(fmt.Errorf("%w: more than %d", errElements, most))
		}
		if err != nil {
			if len(events) == 0 && body[pos] != '{' {
				return nil, false
			}
			if bad := err.(*wire.SyntaxError); bad.Ended {
				err = fmt.Errorf("%w: %w", ErrCut, err)
			}
			return broken(err)
		}
		add(Event{Offset: pos, Type: typeOf(v, ""), Data: v, Raw: body[pos : pos+n]})
		pos += n
		space()
		switch {
		case pos == len(body):
			return broken(ErrCut)
		case body[pos] == ',':
			pos++
		case body[pos] == ']':
			pos++
			if space(); pos < len(body) {
				return broken(errors.New("text after the array"))
			}
			return events, true
		default:
			return broken(errors.New("want ',' or ']' after an element"))
		}
	}
}
