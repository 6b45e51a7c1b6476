package python

import (
	"math/rand/v2"
	"slices"
	"strings"

	"reassay/wire"
)

// node is JSON that can be changed, and that can hold what JSON does not allow: a scalar is kept as its raw text.
type node struct {
	raw   string
	keys  []string // raw too, with their quotes
	kids  []*node
	array bool
}

func nodeOf(v wire.Value) *node {
	switch v.Kind() {
	case wire.Array:
		n := &node{array: true}
		for _, e := range v.Elems() {
			n.kids = append(n.kids, nodeOf(e))
		}
		return n
	case wire.Object:
		n := &node{keys: []string{}}
		for _, m := range v.Members() {
			n.keys = append(n.keys, string(wire.AppendString(nil, m.Key)))
			n.kids = append(n.kids, nodeOf(m.Value))
		}
		return n
	}
	return &node{raw: string(v.JSON())}
}

func (n *node) String() string {
	if n.raw != "" {
		return n.raw
	}
	parts := make([]string, len(n.kids))
	for i, k := range n.kids {
		if parts[i] = k.String(); !n.array {
			parts[i] = n.keys[i] + ":" + parts[i]
		}
	}
	if n.array {
		return "[" + strings.Join(parts, ",") + "]"
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// walk calls f for n and everything in it.
func (n *node) walk(f func(*node)) {
	f(n)
	for _, k := range n.kids {
		k.walk(f)
	}
}

func (n *node) copied() *node {
	c := &node{raw: n.raw, array: n.array, keys: slices.Clone(n.keys)}
	for _, k := range n.kids {
		c.kids = append(c.kids, k.copied())
	}
	return c
}

func (n *node) remove(i int) {
	n.kids = slices.Delete(n.kids, i, i+1)
	if !n.array {
		n.keys = slices.Delete(n.keys, i, i+1)
	}
}

// frame is one event of a stream: a JSON value in a data line, perhaps after an event line, or lines as they are.
type frame struct {
	event string
	data  *node
	text  string // without its final empty line
}

func (f frame) String() string {
	switch {
	case f.data == nil:
		return f.text
	case f.event != "":
		return "event: " + f.event + "\ndata: " + f.data.String()
	}
	return "data: " + f.data.String()
}

// split makes frames of a body; what is not a data line with JSON, alone or after an event line, stays text.
func split(body []byte) []frame {
	var out []frame
	for _, text := range strings.Split(strings.TrimSuffix(string(body), "\n\n"), "\n\n") {
		f := frame{text: text}
		event, rest := "", text
		if name, ok := strings.CutPrefix(text, "event: "); ok {
			event, rest, _ = strings.Cut(name, "\n")
		}
		if data, ok := strings.CutPrefix(rest, "data: "); ok && !strings.Contains(data, "\n") {
			if v, err := wire.Parse([]byte(data)); err == nil {
				f = frame{event: event, data: nodeOf(v)}
			}
		}
		out = append(out, f)
	}
	return out
}

func joined(frames []frame) []byte {
	var out strings.Builder
	for _, f := range frames {
		out.WriteString(f.String() + "\n\n")
	}
	return []byte(out.String())
}

// mutator changes streams at random, reproducibly by its seed.
type mutator struct {
	r *rand.Rand
	words
}

// words are what an API's streams are made of.
type words struct {
	keys    []string // of objects
	values  []string // raw JSON, and what is not quite
	strings []string // contents for text
	frames  []string // frames without JSON that counts
	events  []string // names of events
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// commonValues serve every API.
var commonValues = []string{
	`null`, `true`, `false`, `0`, `1`, `2`, `-1`, `3`, `1.0`, `0.0`, `1.5`, `-0.0`, `1e400`, `1e16`, `1e-7`, `12345678901234567890`, `9223372036854775807`, `9223372036854775808`,
	`NaN`, `-Infinity`, `""`, `"x"`, `"0"`, `"1"`, `"-1"`, `"1.0"`, `" 1 "`, `"1_0"`, `"true"`, `"nan"`, `"\ud83d"`, `"\ude00"`, `"\ud83d\ude00"`, `"é\u0000"`, `"'\""`, `" "`,
	`[]`, `{}`, `[1]`, `["a"]`, `[null]`, `[[]]`, `[{}]`, `{"a":1}`, `{"index":0}`, `[{"index":0}]`, `[{"index":1}]`, `[{"index":"0"}]`, `[{"index":0,"text":"a"}]`, `{"message":"m","code":1}`,
}

var commonFrames = []string{
	": comment", "", "id: 7", "id:", "retry: 3000", "retry: x", "event: error", "event: thread.run", "data", "data:", "data: ", "data: [DONE]", "data: [DONE] x", "data:[DONE]", "data: null",
	"data: 1", "data: []", "data: {}", "data: \"x\"", "data: {\"type\":\"ping\"}", "data: {", "data: {\"error\":{\"message\":\"boom\",\"code\":429}}", "data: {\"error\":\"x\"}", "data: {\"error\":{}}",
	"DATA: {}", " data: {}", "\ufeffdata: {}", "x: y", "data: {}\ndata: {}", "event: a\nevent: b\ndata: {}",
}

// mutated applies one change to the frames or a few, then perhaps one to the bytes.
func (m mutator) mutated(frames []frame) []byte {
	out := make([]frame, len(frames))
	for i, f := range frames {
		if out[i] = f; f.data != nil {
			out[i].data = f.data.copied()
		}
	}
	for more := true; more; more = m.r.IntN(2) == 0 {
		out = m.change(out)
	}
	body := joined(out)
	if m.r.IntN(10) == 0 {
		body = m.bytes(body)
	}
	return body
}

func (m mutator) change(frames []frame) []frame {
	if len(frames) == 0 {
		return append(frames, frame{text: pick(m.r, m.frames)})
	}
	i := m.r.IntN(len(frames))
	switch n := m.r.IntN(20); {
	case n == 0:
		return slices.Delete(frames, i, i+1)
	case n == 1:
		j := m.r.IntN(len(frames))
		frames[i], frames[j] = frames[j], frames[i]
	case n == 2:
		return slices.Insert(frames, m.r.IntN(len(frames)+1), frame{text: pick(m.r, m.frames)})
	case n == 3:
		again := frames[i]
		if again.data != nil {
			again.data = again.data.copied()
		}
		return slices.Insert(frames, m.r.IntN(len(frames)+1), again)
	case n == 6 || n == 7:
		return m.alike(frames, i)
	case n == 5 && frames[i].event != "" && m.r.IntN(2) == 0:
		frames[i].event = pick(m.r, append(m.events, "", frames[m.r.IntN(len(frames))].event))
	case n == 4 && m.r.IntN(2) == 0:
		frames[i] = frame{text: m.reframed(frames[i].String())}
	default:
		for range 4 {
			if f := pick(m.r, frames); f.data != nil {
				m.node(f.data)
				break
			}
		}
	}
	return frames
}

// alike repeats a frame that holds JSON, each time with other texts and numbers in some places.
func (m mutator) alike(frames []frame, i int) []frame {
	if frames[i].data == nil {
		return frames
	}
	for range 1 + m.r.IntN(4) {
		again := frame{event: frames[i].event, data: frames[i].data.copied()}
		again.data.walk(func(n *node) {
			switch {
			case n.raw == "" || m.r.IntN(3) > 0:
			case n.raw[0] == '"':
				n.raw = pick(m.r, []string{n.raw, `"a"`, `"b\n\"c"`, `"\u00e9\ud83d\ude00"`, `"\ud83d"`, `""`, `"é"`, `"/\/"`, "\"\x7f\"", "\"\t\"", "1", "null"})
			case isDigit(n.raw[0]):
				n.raw = pick(m.r, []string{n.raw, "0", "1", "2", "10", "01", "1.0", "-1", "1e2", "9223372036854775807", "9223372036854775808", `"1"`, "null"})
			}
		})
		i++
		frames = slices.Insert(frames, i, again)
	}
	return frames
}

// reframed spells a frame's lines in another way.
func (m mutator) reframed(text string) string {
	switch m.r.IntN(6) {
	case 0:
		return strings.Replace(text, "data: ", "data:", 1)
	case 1:
		return strings.Replace(text, "data: ", "data:  ", 1)
	case 2:
		return "id: 1\n" + text
	case 3:
		return pick(m.r, []string{"event: message\n", "event: thread.x\n", "event: error\n", ": c\n", "retry: 1\n"}) + text
	case 4:
		return strings.Replace(text, ",", ",\ndata: ", 1)
	}
	return strings.ReplaceAll(text, ":", ": ")
}

// node changes one value of a chunk.
func (m mutator) node(root *node) {
	var inner []*node
	root.walk(func(n *node) {
		if len(n.kids) > 0 {
			inner = append(inner, n)
		}
	})
	if len(inner) == 0 {
		*root = *m.value()
		return
	}
	n := pick(m.r, inner)
	i := m.r.IntN(len(n.kids))
	switch m.r.IntN(9) {
	case 0:
		n.remove(i)
	case 1:
		n.kids[i] = &node{raw: "null"}
	case 2, 3:
		n.kids[i] = m.value()
	case 4:
		if n.array {
			n.kids = append(n.kids, m.value())
		} else {
			n.keys, n.kids = append(n.keys, string(wire.AppendString(nil, pick(m.r, m.keys)))), append(n.kids, m.value())
		}
	case 5:
		if n.array {
			n.kids = append(n.kids, n.kids[i].copied())
		} else {
			n.keys[i] = string(wire.AppendString(nil, pick(m.r, m.keys)))
		}
	case 6:
		n.kids[i] = pick(m.r, inner).copied()
	case 7:
		for at, k := range n.keys {
			if k == `"index"` || k == `"output_index"` || k == `"content_index"` {
				n.kids[at] = &node{raw: pick(m.r, []string{"0", "1", "2", "-1", "3", "null", `"0"`, "0.0", "true", "99999999999999999999"})}
			}
		}
	case 8:
		n.kids[i] = &node{raw: string(wire.AppendString(nil, pick(m.r, m.strings)))}
	}
}

func (m mutator) value() *node {
	raw := pick(m.r, m.values)
	if v, err := wire.Parse([]byte(raw)); err == nil {
		return nodeOf(v)
	}
	return &node{raw: raw}
}

// bytes changes a body below the frames.
func (m mutator) bytes(body []byte) []byte {
	if len(body) == 0 {
		return body
	}
	i := m.r.IntN(len(body))
	switch m.r.IntN(9) {
	case 0:
		return body[:i]
	case 1:
		return slices.Delete(body, i, min(len(body), i+1+m.r.IntN(4)))
	case 2:
		return slices.Insert(body, i, []byte(pick(m.r, []string{"\xff", "\xc3", "\xe2\x82", "\x00", "\n", "\r", "\r\n", "\u2028", "\u0085", "\ufeff", "\xed\xa0\x80", "\t", "\\", "\"", ",", "}", "{"}))...)
	case 3:
		return []byte(strings.ReplaceAll(string(body), "\n", "\r\n"))
	case 4:
		return []byte(strings.ReplaceAll(string(body), "\n", "\r"))
	case 5:
		return []byte(strings.Replace(string(body), "\n\n", "\n\r\n", 1+m.r.IntN(4)))
	case 6:
		return []byte(strings.Replace(string(body), "\n\n", "\n", 1+m.r.IntN(2)))
	case 7:
		body[i] = byte(m.r.IntN(256))
	case 8:
		return []byte(strings.TrimRight(string(body), "\n"))
	}
	return body
}
