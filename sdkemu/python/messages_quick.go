package python

import (
	"strconv"
	"strings"
)

// Nearly every event of a message adds text to a block, and is spelled in one way. Such an event is taken as it stands,
// without being read as JSON and built into a class: what handle makes of it, in a fraction of the time. What is not
// provably such an event goes the long way.

const (
	quickStart = `{"type":"content_block_delta","index":`
	quickDelta = `,"delta":{"type":"`
	quickEnd   = "}}"
)

// quickForm is a kind of delta that is taken so.
type quickForm struct {
	kind, name string // its type, and what its text is called
	spelled    string // how the data goes on to the text
}

var quickForms = []quickForm{
	{"text_delta", "text", `text_delta","text":"`},
	{"input_json_delta", "partial_json", `input_json_delta","partial_json":"`},
	{"thinking_delta", "thinking", `thinking_delta","thinking":"`},
}

// piece is a text that is added to the block at an index.
type piece struct {
	form  *quickForm
	index uint64
	text  value // a str
}

// pieceOf is the piece that an event holds and nothing else; ok is false for what is to go the long way.
func pieceOf(e serverSentEvent, p *jsonReader) (_ piece, ok bool) {
	if e.event != "content_block_delta" {
		return piece{}, false
	}
	rest, found := strings.CutPrefix(e.data, quickStart)
	digits, rest, cut := strings.Cut(rest, quickDelta)
	if !found || !cut || len(digits) > 1 && (digits[0] == '0' || len(digits) > 9) {
		return piece{}, false
	}
	index, err := strconv.ParseUint(digits, 10, 32)
	if err != nil {
		return piece{}, false
	}
	for i := range quickForms {
		f := &quickForms[i]
		after, found := strings.CutPrefix(rest, f.spelled)
		if !found {
			continue
		}
		p.text = e.data
		text, end, err := p.str(len(e.data) - len(after))
		return piece{f, index, ofStr(text)}, err == nil && strings.ReplaceAll(e.data[end:], " ", "") == quickEnd
	}
	return piece{}, false
}

// quick takes the event if it can and tells how many events of the helper it gives rise to.
func (s *messageStream) quick(e serverSentEvent, p *jsonReader) (fired int, taken bool, err error) {
	if s.snapshot == nil {
		return 0, false, nil
	}
	piece, ok := pieceOf(e, p)
	if !ok {
		return 0, false, nil
	}
	fired, err = s.add(ofInt(int64(piece.index)), piece.form.kind, piece.form.name, piece.text)
	return fired, true, err
}

// add adds a text to the block at an index.
func (s *messageStream) add(index value, kind, name string, text value) (fired int, err error) {
	block, err := item(s.content(), index)
	if err != nil {
		return 0, err
	}
	fits := s.tracksInput(block)
	switch {
	case kind != "input_json_delta":
		if fits, err = isType(block, name); err != nil || !fits {
			break
		}
		var old, sum value
		if old, err = attribute(block, name); err != nil {
			break
		}
		if sum, err = addAssign(old, text); err == nil {
			err = assignAttribute(block, name, sum)
		}
	case fits:
		if err = s.addInput(block, index, func() (value, error) { return text, encodable(text.text) }); err == nil && s.ways.tellsToolUse {
			fits, err = isType(block, "tool_use")
		}
	}
	switch {
	case err != nil:
		return 0, err
	case fits:
		return 2, nil
	}
	return 1, nil
}
