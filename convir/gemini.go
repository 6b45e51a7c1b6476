package convir

import (
	"sort"
	"strconv"

	"reassay/wire"
)

// generationReader reads a GenerateContentResponse.
//
// Sources, read on 2026-11-30: https://ai.google.dev/api/generate-content, GenerateContentResponse and Candidate;
// https://ai.google.dev/api/caching#Part; @google/genai 2.32.0, dist/genai.d.ts, for what only Vertex AI documents.
// partTable and knownFields cite the page of each part.
type generationReader struct {
	unread unreadCounter
	reply  Reply
}

func parseGemini(body wire.Value) Reply {
	r := &generationReader{unread: unreadCounter{dialect: wire.GeminiGenerate}}
	switch {
	case !body.Exists():
	case body.Kind() != wire.Object:
		r.fault(NotAnObject, "", body)
	default:
		r.response(body)
	}
	r.reply.Unread = r.unread.list()
	return r.reply
}

func (r *generationReader) fault(code FaultCode, path string, got wire.Value) {
	r.reply.Faults = append(r.reply.Faults, Fault{Code: code, Path: path, Got: got})
}

func (r *generationReader) response(body wire.Value) {
	r.unread.object("response", "", body)
	r.reply.ID, r.reply.Model = body.Get("responseId").Str(), body.Get("modelVersion").Str()
	if e := body.Get("error"); e.Present() {
		r.reply.Error = e
	}
	list := body.Get("candidates")
	if list.Present() && list.Kind() != wire.Array {
		r.fault(WrongType, "candidates", list)
	}
	for i, c := range list.Elems() {
		r.candidate(i, c)
	}
	sort.SliceStable(r.reply.Choices, func(i, j int) bool { return r.reply.Choices[i].Index < r.reply.Choices[j].Index })
	r.blocked(body.Get("promptFeedback"))
	r.usage(body.Get("usageMetadata"))
}

// blocked reads why a prompt got no candidates: the reply is then one answer without content that was filtered, as the
// other dialects say it.
func (r *generationReader) blocked(feedback wire.Value) {
	r.unread.object("promptFeedback", "promptFeedback", feedback)
	reason := feedback.Get("blockReason").Str()
	if reason == "" || len(r.reply.Choices) > 0 {
		return
	}
	s := Stop{Raw: reason, Given: true, Path: blockReasonField}
	s.Outcome, s.Known = blockOutcome(reason)
	r.reply.Choices = []Choice{{Stop: s}}
}

func (r *generationReader) candidate(i int, v wire.Value) {
	path := "candidates[" + strconv.Itoa(i) + "]"
	if v.Kind() != wire.Object {
		r.fault(NotAnObject, path, v)
		return
	}
	r.unread.object("candidate", "candidates[]", v)
	content := v.Get("content")
	r.unread.object("content", "candidates[].content", content)
	c := candidateReader{generationReader: r, choice: Choice{Path: path, Role: content.Get("role").Str()}}
	if index := v.Get("index"); index.Present() {
		n, ok := index.Int()
		if !ok {
			r.fault(WrongType, path+".index", index)
			n = i
		}
		c.choice.Index = n
	}
	parts := content.Get("parts")
	if parts.Present() && parts.Kind() != wire.Array {
		r.fault(WrongType, path+".content.parts", parts)
	}
	for j, p := range parts.Elems() {
		c.part(path+".content.parts["+strconv.Itoa(j)+"]", p)
	}
	c.citations(path+".citationMetadata", v.Get("citationMetadata"))
	c.grounding(path+".groundingMetadata", v.Get("groundingMetadata"))
	c.urls(path+".urlContextMetadata", v.Get("urlContextMetadata"))
	if l := v.Get("logprobsResult"); l.Present() {
		c.emit(Event{Kind: Logprobs, Data: l, Path: path + ".logprobsResult"})
	}
	c.stop(path+".finishReason", v.Get("finishReason"))
	r.reply.Choices = append(r.reply.Choices, c.choice)
}

// candidateReader reads one candidate.
type candidateReader struct {
	*generationReader
	choice Choice
	calls  bool // there is a function call
}

func (c *candidateReader) emit(e Event) { c.choice.Events = append(c.choice.Events, e) }

// stop reads why the candidate ended. STOP is also the end of a turn that calls functions: such a candidate is a
// complete answer that waits for their results.
func (c *candidateReader) stop(path string, v wire.Value) {
	s := Stop{Raw: v.Str(), Path: path}
	if v.Present() && v.Kind() != wire.String {
		c.fault(WrongType, path, v)
		s.Raw = string(v.JSON())
	}
	s.Given = s.Raw != ""
	s.Outcome, s.Known = StopOutcome(wire.GeminiGenerate, s.Raw)
	if s.Outcome == Complete && c.calls {
		s.Outcome = ToolCalls
	}
	c.choice.Stop = s
}

func (c *candidateReader) part(path string, p wire.Value) {
	if p.Kind() != wire.Object {
		c.fault(NotAnObject, path, p)
		c.emit(Event{Kind: Opaque, Data: p, Path: path})
		c.unread.add("candidates[].content.parts[]")
		return
	}
	c.unread.object("part", "candidates[].content.parts[]", p)
	before := len(c.choice.Events)
	signed := c.str(path, "thoughtSignature", p)
	unknown := false
	for _, m := range p.Members() {
		if !m.Value.Present() {
			continue
		}
		if read, ok := partReaders[m.Key]; ok {
			e := read(c, path, m.Value, p)
			e.Path = path
			if e.Text != "" || signed != "" || !joins(e.Kind) {
				c.emit(e)
			}
		}
		unknown = unknown || !fieldIndex[wire.GeminiGenerate]["part"][m.Key]
	}
	after := len(c.choice.Events)
	switch {
	case after > before:
		c.choice.Events[after-1].Signature = signed
		if last := c.choice.Events[after-1]; last.Text == "" && joins(last.Kind) && !c.takesSignature(after-2) {
			c.choice.Events[after-1] = redacted(path, signed)
		}
	case unknown:
		c.emit(Event{Kind: Opaque, Data: p, Path: path, Signature: signed})
	case signed != "":
		c.emit(Event{Kind: Text, Path: path, Signature: signed})
		if !c.takesSignature(after - 1) {
			c.choice.Events[after] = redacted(path, signed)
		}
	}
}

// takesSignature reports whether event i may be the owner of a signature that came on an empty part behind it.
func (c *candidateReader) takesSignature(i int) bool {
	return i >= 0 && carriesSignature(c.choice.Events[i].Kind) && c.choice.Events[i].Signature == ""
}

// redacted is a signature that belongs to no piece of the reply: reasoning that only the vendor can read.
func redacted(path, signature string) Event {
	return Event{Kind: RedactedReasoning, Type: "thoughtSignature", Signature: signature, Path: path}
}

func (c *candidateReader) str(path, key string, v wire.Value) string {
	s := v.Get(key)
	if s.Present() && s.Kind() != wire.String {
		c.fault(WrongType, path+"."+key, s)
	}
	return s.Str()
}

// partReaders read what a part holds, by the name of the field that holds it. The third argument is that field's
// value, the fourth the part.
var partReaders = map[string]func(c *candidateReader, path string, v, part wire.Value) Event{
	"text": func(c *candidateReader, path string, v, part wire.Value) Event {
		e := Event{Kind: Text, Text: c.str(path, "text", part)}
		if part.Get("thought").True() {
			e.Kind = Reasoning
		}
		return e
	},
	"inlineData": readMedia, "fileData": readMedia,
	"functionCall": func(c *candidateReader, path string, v, _ wire.Value) Event {
		c.calls = true
		return c.call(ToolCall, "functionCall", "name", path, v)
	},
	"toolCall": func(c *candidateReader, path string, v, _ wire.Value) Event {
		return c.call(ServerToolCall, "toolCall", "toolType", path, v)
	},
	"functionResponse": func(c *candidateReader, path string, v, _ wire.Value) Event {
		return c.result("functionResponse", "name", path, v)
	},
	"toolResponse": func(c *candidateReader, path string, v, _ wire.Value) Event {
		return c.result("toolResponse", "toolType", path, v)
	},
	"executableCode": func(c *candidateReader, path string, v, _ wire.Value) Event {
		c.unread.object("executableCode", "candidates[].content.parts[].executableCode", v)
		return Event{Kind: Code, Type: "executableCode", ID: v.Get("id").Str(), Text: c.str(path+".executableCode", "code", v), Data: v}
	},
	"codeExecutionResult": func(c *candidateReader, path string, v, _ wire.Value) Event {
		c.unread.object("codeExecutionResult", "candidates[].content.parts[].codeExecutionResult", v)
		outcome := v.Get("outcome").Str()
		return Event{
			Kind: CodeResult, Type: "codeExecutionResult", ID: v.Get("id").Str(), Text: c.str(path+".codeExecutionResult", "output", v), Data: v,
			IsError: outcome == "OUTCOME_FAILED" || outcome == "OUTCOME_DEADLINE_EXCEEDED",
		}
	},
	"audioTranscription": func(_ *candidateReader, _ string, v, _ wire.Value) Event {
		return Event{Kind: Opaque, Type: "audioTranscription", Data: v}
	},
}

// readMedia reads bytes or a file. An image of the model's thinking is told from one of its answer.
func readMedia(c *candidateReader, path string, v, part wire.Value) Event {
	e := Event{Kind: Media, Type: "inlineData", Data: v}
	if part.Get("fileData").Present() {
		e.Type = "fileData"
	}
	c.unread.object(e.Type, "candidates[].content.parts[]."+e.Type, v)
	if part.Get("thought").True() {
		e.Type = "thought " + e.Type
	}
	return e
}

// call reads a function call, or a call of a tool that runs at the vendor's. Its id is optional. So are its arguments:
// a call that gives none has the value {} (proto JSON leaves out an empty object) although nothing was given.
func (c *candidateReader) call(kind Kind, field, name, path string, v wire.Value) Event {
	path += "." + field
	if v.Kind() != wire.Object {
		c.fault(WrongType, path, v)
	}
	c.unread.object(field, "candidates[].content.parts[]."+field, v)
	e := Event{Kind: kind, Type: field, ID: c.str(path, "id", v), Name: c.str(path, name, v)}
	args := v.Get("args")
	if !args.Present() {
		e.Args.Value = wire.Obj()
		return e
	}
	if args.Kind() != wire.Object {
		c.fault(ArgsNotObject, path+".args", args)
	}
	e.Args = Args{Raw: string(args.JSON()), Value: args, Given: true}
	return e
}

func (c *candidateReader) result(field, name, path string, v wire.Value) Event {
	c.unread.object(field, "candidates[].content.parts[]."+field, v)
	return Event{Kind: ServerToolResult, Type: field, ID: c.str(path+"."+field, "id", v), Name: c.str(path+"."+field, name, v), Data: v.Get("response")}
}

// citations reads the sources of recited text: citationSources in the Gemini API, citations on Vertex AI.
func (c *candidateReader) citations(path string, v wire.Value) {
	c.unread.object("citationMetadata", "candidates[].citationMetadata", v)
	for _, key := range []string{"citationSources", "citations"} {
		for i, s := range v.Get(key).Elems() {
			c.unread.object("citationSource", "candidates[].citationMetadata."+key+"[]", s)
			c.emit(Event{Kind: Citation, Type: key, Data: s, Path: path + "." + key + "[" + strconv.Itoa(i) + "]"})
		}
	}
}

// maxSupports bounds, in bytes of JSON, what grounding copies to the sources. One support may name every source, so
// that the copies could otherwise outgrow the reply by its own length.
const maxSupports = 1 << 20

// grounding reads the sources of a grounded answer: one citation a chunk, with the supports that rest on it beside it,
// since only they say which text it is a source of. Where that would copy more than maxSupports, the supports are one
// event of their own. The search queries and the entry point for a search page are hints for display and no events.
func (c *candidateReader) grounding(path string, v wire.Value) {
	c.unread.object("groundingMetadata", "candidates[].groundingMetadata", v)
	chunks := v.Get("groundingChunks").Elems()
	supports, size := supportsByChunk(v.Get("groundingSupports").Elems(), len(chunks))
	for i, chunk := range chunks {
		c.unread.object("groundingChunk", "candidates[].groundingMetadata.groundingChunks[]", chunk)
		data := chunk
		if len(supports[i]) > 0 && size <= maxSupports {
			data = chunk.With("groundingSupports", wire.Arr(supports[i]...))
		}
		c.emit(Event{Kind: Citation, Type: "groundingChunk", Data: data, Path: path + ".groundingChunks[" + strconv.Itoa(i) + "]"})
	}
	if size > maxSupports {
		c.emit(Event{Kind: Citation, Type: "groundingSupports", Data: v.Get("groundingSupports"), Path: path + ".groundingSupports"})
	}
}

// supportsByChunk are the supports that name each of n chunks, and the size of them all as JSON.
func supportsByChunk(supports []wire.Value, n int) (byChunk map[int][]wire.Value, size int) {
	byChunk = map[int][]wire.Value{}
	for _, s := range supports {
		bytes := len(s.JSON())
		named := map[int]bool{}
		for _, index := range s.Get("groundingChunkIndices").Elems() {
			if i, ok := index.Int(); ok && i >= 0 && i < n && !named[i] {
				named[i] = true
				byChunk[i] = append(byChunk[i], s)
				size += bytes
			}
		}
	}
	return byChunk, size
}

// urls reads what became of the addresses that the URL context tool fetched.
func (c *candidateReader) urls(path string, v wire.Value) {
	c.unread.object("urlContextMetadata", "candidates[].urlContextMetadata", v)
	for i, u := range v.Get("urlMetadata").Elems() {
		c.unread.object("urlMetadata", "candidates[].urlContextMetadata.urlMetadata[]", u)
		status := u.Get("urlRetrievalStatus").Str()
		c.emit(Event{
			Kind: ServerToolResult, Type: "urlContext", Data: u, Path: path + ".urlMetadata[" + strconv.Itoa(i) + "]",
			IsError: status == "URL_RETRIEVAL_STATUS_ERROR" || status == "URL_RETRIEVAL_STATUS_PAYWALL" || status == "URL_RETRIEVAL_STATUS_UNSAFE",
		})
	}
}

// usage reads the counts in the API's own terms: promptTokenCount holds the cached tokens, candidatesTokenCount does
// not hold the thoughts.
func (r *generationReader) usage(u wire.Value) {
	if u.Present() && u.Kind() != wire.Object {
		r.fault(WrongType, "usageMetadata", u)
	}
	r.unread.object("usageMetadata", "usageMetadata", u)
	r.reply.Usage = Usage{
		Raw:       u,
		Input:     countOf(u.Get("promptTokenCount")),
		Output:    countOf(u.Get("candidatesTokenCount")),
		Total:     countOf(u.Get("totalTokenCount")),
		CacheRead: countOf(u.Get("cachedContentTokenCount")),
		Reasoning: countOf(u.Get("thoughtsTokenCount")),
	}
}
