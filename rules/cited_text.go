package rules

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"reassay/convir"
	"reassay/wire"
)

// span is a stretch of a reply's text that a citation belongs to.
//
// Its offsets are read in every way that the dialect's documents leave open, and the texts that they select are
// compared, never the numbers: Gemini counts bytes of UTF-8, OpenAI characters, which may be code points or UTF-16
// units and whose end may be the last character or the one behind it, and Messages sends the citation with its block.
//
// Sources: https://ai.google.dev/api/generate-content#Segment (startIndex, endIndex: measured in bytes, exclusive);
// https://platform.openai.com/docs/api-reference/chat/object and
// https://platform.openai.com/docs/api-reference/responses/object (start_index, end_index: the index of the first and
// last character of the citation in the message); https://platform.claude.com/docs/en/build-with-claude/citations.
type span struct {
	readings []string // what the offsets select
	said     string   // what the reply itself says they select (Gemini)
	wrong    []string // what they would select in the unit of another dialect
	outside  bool     // they end behind the text's end
}

// maxCited bounds, in bytes of text, how much of two replies' citations is compared.
const maxCited = 8 << 20

// citedTexts compares the texts that citations of one source belong to. Where the replies' texts differ so do the offsets.
func (c *comparer) citedTexts(ref, got *convir.Choice) {
	want, _ := joined(ref, convir.Text)
	have, _ := joined(got, convir.Text)
	if c.Partial || c.Leg.OfSDK() || c.Ref.OfSDK() || want != have || wire.LoneHalves(want) {
		return
	}
	gots := eventsOf(got, convir.Citation)
	if len(gots) == 0 {
		return
	}
	type source struct {
		event *convir.Event
		spans []span
	}
	sources, texts := map[string][]source{}, textsOf{}
	for _, e := range eventsOf(ref, convir.Citation) {
		if key := address(e.Data); key != "" {
			if spans := texts.spans(c.Ref, e); len(spans) > 0 {
				sources[key] = append(sources[key], source{e, spans})
			}
		}
	}
	known := map[*convir.Event]bool{} // what a difference already speaks of
	for _, d := range c.Differences {
		known[d.Got] = true
	}
	left := maxCited
	for _, g := range gots {
		from := sources[address(g.Data)]
		if len(from) == 0 || known[g] {
			continue
		}
		for _, s := range texts.spans(c.Leg, g) {
			found := false
			for _, r := range from {
				for _, x := range r.spans {
					if left -= s.size() + x.size(); left < 0 {
						return
					}
					found = found || s.belongs(x)
				}
			}
			if found {
				continue
			}
			d := Difference{Aspect: citedText, Construct: constructOf(convir.Citation, g), Kind: convir.Citation, Choice: got.Index, Path: g.Path, RefPath: from[0].event.Path,
				Ref: from[0].event, Got: g, RefChoice: ref, GotChoice: got, Want: wire.Of(from[0].spans[0].shown()), Have: wire.Of(s.shown())}
			c.add(d)
			break
		}
	}
}

func (s span) size() int {
	n := 64 + len(s.said)
	for _, r := range s.readings {
		n += len(r)
	}
	return n
}

func (s span) shown() string {
	if len(s.readings) > 0 {
		return s.readings[0]
	}
	return s.said
}

// belongs reports whether a citation may stand for the reference's: some reading of it selects the same text, or a part
// of it or more around it, as where a dialect cites whole blocks. Offsets behind the end, and offsets that select the
// same text only in another dialect's unit, are wrong.
func (s span) belongs(ref span) bool {
	readings := s.readings
	if len(readings) == 0 && !s.outside && s.said != "" {
		readings = []string{s.said}
	}
	refs := ref.readings
	if ref.said != "" {
		refs = append(refs[:len(refs):len(refs)], ref.said)
	}
	around := false
	for _, a := range readings {
		for _, b := range refs {
			a, b := strings.TrimSpace(a), strings.TrimSpace(b)
			if a == b {
				return true
			}
			around = around || a != "" && b != "" && (strings.Contains(a, b) || strings.Contains(b, a))
		}
	}
	for _, a := range s.wrong {
		for _, b := range refs {
			if strings.TrimSpace(a) == strings.TrimSpace(b) {
				return false
			}
		}
	}
	return around
}

// textsOf keeps the texts that citations count in, by where they stand.
type textsOf map[textPlace][]countedText

type textPlace struct {
	leg  *Leg
	path string
}

// countedText is a text with its characters told apart.
type countedText struct {
	text string
	characters
}

// at are the texts at a path of the leg's body, read once.
func (t textsOf) at(l *Leg, path string, read func(wire.Value) []string) []countedText {
	key := textPlace{l, path}
	texts, ok := t[key]
	if !ok {
		for _, text := range read(valueAt(l.Assembled.Body, path)) {
			texts = append(texts, countedText{text, charactersOf(text)})
		}
		t[key] = texts
	}
	return texts
}

// member reads a text from one member of a part, block or message.
func member(key string) func(wire.Value) []string {
	return func(v wire.Value) []string { return []string{v.Get(key).Str()} }
}

// spans are the stretches of text that a citation of a leg belongs to, none where it does not say.
func (t textsOf) spans(l *Leg, e *convir.Event) []span {
	owner := parentPath(parentPath(e.Path)) // of its list
	switch l.Dialect {
	case wire.AnthropicMessages:
		if text := t.at(l, owner, member("text"))[0].text; text != "" {
			return []span{{readings: []string{text}}}
		}
	case wire.OpenAIChat:
		return inCharacters(t.at(l, owner, member("content"))[0], e.Data.Get("url_citation"))
	case wire.OpenAIResponses:
		return inCharacters(t.at(l, owner, member("text"))[0], e.Data)
	case wire.GeminiGenerate:
		return t.inBytes(l, e)
	}
	return nil
}

// inCharacters reads start_index and end_index. Equal ones select nothing, and say nothing.
func inCharacters(in countedText, v wire.Value) []span {
	start, ok := v.Get("start_index").Int()
	end, given := v.Get("end_index").Int()
	if !ok || !given || in.text == "" || start == end {
		return nil
	}
	var s span
	if s.outside = in.unit(end) < 0; !s.outside {
		for _, unit := range []func(int) int{in.point, in.unit} {
			s.read(in.text, unit, start, end)
			s.read(in.text, unit, start, end+1)
		}
	}
	s.elsewise(in.text, func(i int) int { return i }, start, end)
	return []span{s}
}

// inBytes reads the segments of the supports that rest on a grounding chunk, or the offsets of a citation source.
func (t textsOf) inBytes(l *Leg, e *convir.Event) []span {
	candidate, _, _ := strings.Cut(e.Path, ".")
	whole := t.at(l, candidate, answerTexts)
	segments := []wire.Value{e.Data}
	if supports := e.Data.Get("groundingSupports"); supports.Exists() {
		segments = nil
		for _, x := range supports.Elems() {
			segments = append(segments, x.Get("segment"))
		}
	}
	var spans []span
	for _, at := range segments {
		end, ok := at.Get("endIndex").Int()
		start, _ := at.Get("startIndex").Int()
		part, _ := at.Get("partIndex").Int()
		if !ok || start == end {
			continue
		}
		s := span{said: at.Get("text").Str()}
		texts := append(whole[:len(whole):len(whole)], t.at(l, candidate+".content.parts["+strconv.Itoa(part)+"]", member("text"))...)
		for _, in := range texts {
			s.read(in.text, func(i int) int { return i }, start, end)
		}
		s.outside = len(s.readings) == 0
		for _, in := range texts {
			s.elsewise(in.text, in.point, start, end)
		}
		spans = append(spans, s)
	}
	return spans
}

// answerTexts is the text of a candidate's answer, and of all its parts: a stream's offsets may count in either.
func answerTexts(candidate wire.Value) []string {
	var answer, all []string
	for _, p := range candidate.Path("content", "parts").Elems() {
		all = append(all, p.Get("text").Str())
		if !p.Get("thought").True() {
			answer = append(answer, p.Get("text").Str())
		}
	}
	texts := []string{wire.Join(answer...)}
	if len(all) > len(answer) {
		texts = append(texts, wire.Join(all...))
	}
	return texts
}

// read adds what the offsets select in the text, where they lie in it; unit gives the byte of an offset.
func (s *span) read(text string, unit func(int) int, start, end int) {
	if r := cut(text, unit, start, end); r != "" {
		s.readings = append(s.readings, r)
	}
}

// elsewise adds what the offsets would select in another unit, where that is another text.
func (s *span) elsewise(text string, unit func(int) int, start, end int) {
	r := cut(text, unit, start, end)
	for _, x := range s.readings {
		if x == r {
			return
		}
	}
	if r != "" {
		s.wrong = append(s.wrong, r)
	}
}

func cut(text string, unit func(int) int, start, end int) string {
	from, to := unit(start), unit(end)
	if from < 0 || to > len(text) || from >= to || !boundary(text, from) || !boundary(text, to) {
		return ""
	}
	return text[from:to]
}

// boundary reports whether a byte begins a character, or is the text's end.
func boundary(text string, i int) bool { return i == len(text) || utf8.RuneStart(text[i]) }

// characters tell the bytes of a text's characters.
type characters struct {
	size  int
	wide  []int // of each character of more than one byte: the byte behind it
	after []int // of each of them: how many code points end there
	units []int // of each of them: how many UTF-16 units end there
}

func charactersOf(text string) characters {
	c := characters{size: len(text)}
	points, units := 0, 0
	for i, r := range text {
		points, units = points+1, units+1
		if r >= 0x10000 {
			units++
		}
		if r >= utf8.RuneSelf {
			c.wide, c.after, c.units = append(c.wide, i+utf8.RuneLen(r)), append(c.after, points), append(c.units, units)
		}
	}
	return c
}

// point is the byte at which the n-th code point begins, -1 where there is none; the text's end is one.
func (c characters) point(n int) int { return c.byteAt(n, c.after) }

// unit is the byte at which the n-th UTF-16 unit begins.
func (c characters) unit(n int) int { return c.byteAt(n, c.units) }

func (c characters) byteAt(n int, counts []int) int {
	i := sort.SearchInts(counts, n+1) // the wide characters that end at or before n
	at := n
	if i > 0 {
		at = c.wide[i-1] + n - counts[i-1]
	}
	if n < 0 || at > c.size {
		return -1
	}
	return at
}

// valueAt is the part of a body at a path: "output[0].content[1]".
func valueAt(v wire.Value, path string) wire.Value {
	for _, step := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		if i, err := strconv.Atoi(step); err == nil && v.Kind() == wire.Array {
			v = v.At(i)
		} else {
			v = v.Get(step)
		}
	}
	return v
}
