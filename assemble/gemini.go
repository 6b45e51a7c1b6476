package assemble

import (
	"sort"
	"strconv"

	"reassay/sse"
	"reassay/wire"
)

// Sources for this file, gemini_part.go, gemini_args.go and gemini_metadata.go, read on 2026-11-30:
//
//	https://ai.google.dev/api/generate-content: streamGenerateContent answers with a stream of
//	  GenerateContentResponse, framed as an event stream (alt=sse) or as one JSON array
//	https://ai.google.dev/api/caching#Content, #Part, #FunctionCall
//	https://docs.cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/GenerateContentResponse
//	@google/genai 2.32.0, dist/genai.d.ts: GenerateContentResponse, Candidate, Part, FunctionCall, PartialArg
//
// Every event is a response of the same shape that carries the parts since the last one. There is no terminal event:
// the stream is whole when each candidate has its finishReason, or when the prompt was blocked.

// geminiModel is the one role of a reply.
const geminiModel = "model"

// generation is a Gemini stream on its way to a whole response.
type generation struct {
	*record
	out        Assembled
	top        object // the response's fields but candidates
	listed     bool   // a chunk had a list of candidates
	candidates []*candidate
	byIndex    map[string]*candidate // by the index as it was spelt
	pending    []candidateFault
}

// candidateFault is a fault whose path is known when the candidates have their places.
type candidateFault struct {
	fault     int // in record.faults
	candidate *candidate
	suffix    string
}

// candidate is one answer on its way.
type candidate struct {
	index    int
	indexed  bool       // index is an integer of 0 or more
	spelt    wire.Value // the index, Missing when no chunk gave one
	first    At
	last     At
	fields   object // all but content and index
	pieces   pieces // the metadata that comes in pieces
	content  object // content but its parts
	hasParts bool   // a chunk had a list of parts
	parts    []*part
	stream   *part           // a call whose arguments are still coming
	ids      map[string]bool // of calls
	notes    []note
	path     string
}

// note is a field of the candidate and where it was said.
type note struct {
	suffix string
	at     At
}

func assembleGemini(s sse.Stream) Assembled {
	g := &generation{record: newRecord(s), byIndex: map[string]*candidate{}}
	g.framing()
	for _, e := range s.Events {
		if e.Type == sse.Done {
			g.fault(ForeignDone, At{e.Frame, e.Offset}, "", wire.Of(string(e.Raw)), wire.Value{})
		} else if g.payload(e) {
			g.chunk(e)
		}
	}
	return g.finish()
}

var (
	geminiChunkFields     = keysBelow(geminiEvents, "")
	geminiCandidateFields = keysBelow(geminiEvents, "candidates[]")
	geminiContentFields   = keysBelow(geminiEvents, "candidates[].content")
	geminiPartFields      = keysBelow(geminiEvents, "candidates[].content.parts[]")
)

func (g *generation) chunk(e sse.Event) {
	known := false
	for _, m := range e.Data.Members() {
		known = known || geminiChunkFields[m.Key]
		switch m.Key {
		case "candidates":
			g.list(e, m.Value)
			continue
		case "error":
			if m.Value.Present() {
				g.failed(e, m.Value)
			}
			continue
		case "responseId":
			if before := g.top.get(m.Key); before.Exists() && !wire.Equal(before, m.Value) {
				g.fault(IDChanged, g.at(e, m.Value), m.Key, m.Value, before)
				continue
			}
		}
		g.unknown("", m, geminiChunkFields)
		if m.Value.Present() || !g.top.get(m.Key).Exists() {
			g.top.set(m.Key, m.Value)
			g.wrote(m.Key, g.at(e, m.Value))
		}
	}
	if !known && len(e.Data.Members()) > 0 {
		g.fault(UnknownEvent, At{e.Frame, e.Offset}, e.Type, e.Data, wire.Value{})
	}
}

func (g *generation) failed(e sse.Event, payload wire.Value) {
	at := g.at(e, payload)
	g.fault(ErrorMidway, at, "", payload, wire.Value{})
	if !g.out.Error.Exists() {
		g.out.Error, g.out.ErrorAt = payload, at
	}
}

func (g *generation) list(e sse.Event, v wire.Value) {
	if v.Kind() != wire.Array {
		if v.Present() {
			g.fault(WrongType, g.at(e, v), "candidates", v, wire.Value{})
		}
		return
	}
	g.listed = true
	seen := map[*candidate]bool{}
	unnamed := 0 // candidates without an index so far
	for i, cv := range v.Elems() {
		if cv.Kind() != wire.Object {
			g.fault(WrongType, g.at(e, cv), "candidates", cv, wire.Value{})
			continue
		}
		c := g.candidate(e, cv, i, unnamed)
		if !cv.Get("index").Present() {
			unnamed++
		}
		if seen[c] {
			g.candidateFault(IndexReused, g.at(e, cv), c, "", cv.Get("index"), wire.Value{})
		}
		seen[c] = true
		c.last = g.at(e, cv)
		g.addCandidate(e, c, cv)
	}
}

// candidate finds the candidate that v continues. Proto JSON leaves an index of 0 out, so one candidate of a chunk
// may have none; a second without an index is taken by its position.
func (g *generation) candidate(e sse.Event, v wire.Value, position, unnamed int) *candidate {
	index := v.Get("index")
	n, valid := index.Int()
	key, missing := string(index.JSON()), false
	if !index.Present() {
		n, valid, missing = 0, true, unnamed > 0
		if missing {
			n = position
		}
		key = strconv.Itoa(n)
	}
	valid = valid && n >= 0
	c := g.byIndex[key]
	if c == nil {
		c = &candidate{index: n, indexed: valid, first: g.at(e, v), ids: map[string]bool{}}
		g.byIndex[key] = c
		g.candidates = append(g.candidates, c)
	}
	switch {
	case missing:
		g.candidateFault(IndexMissing, g.at(e, v), c, ".index", index, wire.Value{})
	case !valid:
		g.candidateFault(IndexInvalid, g.at(e, index), c, ".index", index, wire.Value{})
	}
	if index.Present() {
		c.spelt = index
	}
	return c
}

func (g *generation) candidateFault(code FaultCode, at At, c *candidate, suffix string, got, want wire.Value) {
	g.pending = append(g.pending, candidateFault{len(g.faults), c, suffix})
	g.fault(code, at, "", got, want)
}

func (g *generation) addCandidate(e sse.Event, c *candidate, v wire.Value) {
	finished := c.finish().Exists()
	for _, m := range v.Members() {
		g.unknown("candidates[].", m, geminiCandidateFields)
		switch {
		case m.Key == "index":
		case m.Key == "content":
			g.addContent(e, c, m.Value, finished)
		case m.Key == "finishReason":
			g.finishReason(e, c, m.Value)
		case inPieces[m.Key]:
			c.pieces.add(m.Key, m.Value)
			c.notes = append(c.notes, note{"." + m.Key, g.at(e, m.Value)})
		case m.Value.Present() || !c.fields.get(m.Key).Exists():
			c.fields.set(m.Key, m.Value)
			c.notes = append(c.notes, note{"." + m.Key, g.at(e, m.Value)})
		}
	}
}

// finish is the candidate's finish reason so far, Missing while it has none. The unspecified one is the value that
// the field has before generation ends.
func (c *candidate) finish() wire.Value {
	v := c.fields.get("finishReason")
	if v.Str() == "" || v.Str() == "FINISH_REASON_UNSPECIFIED" {
		return wire.Value{}
	}
	return v
}

func (g *generation) finishReason(e sse.Event, c *candidate, v wire.Value) {
	before := c.finish()
	switch {
	case !v.Present():
		return
	case v.Kind() != wire.String:
		g.candidateFault(WrongType, g.at(e, v), c, ".finishReason", v, wire.Value{})
	case v.Str() == "":
		g.candidateFault(FinishEmpty, g.at(e, v), c, ".finishReason", v, wire.Value{})
	}
	if before.Exists() && !wire.Equal(before, v) {
		g.candidateFault(FinishChanged, g.at(e, v), c, ".finishReason", v, before)
		if v.Str() == "" {
			return
		}
	}
	c.fields.set("finishReason", v)
	c.notes = append(c.notes, note{".finishReason", g.at(e, v)})
}

func (g *generation) finish() Assembled {
	told := g.out.Error.Exists() // an error is a documented end: what is missing behind it is no fault of its own
	g.order()
	blocked := g.top.get("promptFeedback").Get("blockReason")
	g.out.Finish = len(g.candidates) > 0 || blocked.Str() != ""
	elems := make([]wire.Value, len(g.candidates))
	for i, c := range g.candidates {
		c.path = "candidates[" + strconv.Itoa(i) + "]"
		g.span(Place{c.path, c.first, c.last, nil})
		if !c.finish().Exists() {
			g.out.Finish = false
			if !told {
				g.candidateFault(NoFinish, g.end(), c, ".finishReason", c.fields.get("finishReason"), wire.Value{})
			}
		}
		elems[i] = g.whole(c)
		for _, n := range c.notes {
			g.wrote(c.path+n.suffix, n.at)
		}
	}
	if len(g.candidates) == 0 && blocked.Str() == "" && !told {
		g.fault(NoFinish, g.end(), "candidates", wire.Value{}, wire.Value{})
	}
	for _, p := range g.pending {
		g.faults[p.fault].Path = p.candidate.path + p.suffix
	}
	g.out.Terminal = g.out.Finish
	if g.listed || !g.top.empty() {
		var body object
		if g.listed {
			body.set("candidates", wire.Arr(elems...))
		}
		body.lay(g.top.value())
		g.out.Body = body.value()
	}
	g.into(&g.out)
	return g.out
}

// order puts the candidates in the order of their indices, or leaves them in the order of their coming where an index
// is wrong, and notes indices that do not count from 0 without a gap.
func (g *generation) order() {
	for _, c := range g.candidates {
		if !c.indexed {
			return
		}
	}
	sort.SliceStable(g.candidates, func(i, j int) bool { return g.candidates[i].index < g.candidates[j].index })
	next := 0
	for i, c := range g.candidates {
		switch {
		case i == 0 && c.index != 0:
			g.candidateFault(IndexStart, c.first, c, ".index", c.spelt, wire.OfInt(0))
		case c.index > next:
			g.candidateFault(IndexGap, c.first, c, ".index", c.spelt, wire.OfInt(next))
		}
		next = c.index + 1
	}
}
