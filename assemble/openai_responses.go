package assemble

import (
	"sort"
	"strings"

	"reassay/sse"
	"reassay/wire"
)

// responsesReply is a Responses reply that is being put together.
type responsesReply struct {
	*spotRecord
	head    wire.Value // the response object of the newest response.created, queued or in_progress
	ends    []responsesEnd
	items   []*responsesItem
	first   int // position of the first item of the response in progress: a second response.created begins anew
	byIndex map[int]*responsesItem
	byID    map[string]*responsesItem
	message *responsesItem // the newest item of type message
	started bool
	ended   bool // whether the response in progress had its terminal event
	seq     int
	hasSeq  bool
	err     wire.Value
	errAt   At
}

// responsesEnd is a terminal event with the items that came before it.
type responsesEnd struct {
	event    sse.Event
	response wire.Value
	from, to int // items
}

// assembleOpenAIResponses puts a stream of response events together to a response object.
// Source: OpenAI API reference, "Responses: Streaming events" and "The response object"; the events are listed in
// event_table_openai_responses.go.
//
// A Responses stream says everything up to three times: in deltas, in the done events that close what the deltas
// built, and in the terminal event's whole object. Callers that show a stream show the deltas; SDKs hand over the
// terminal object. Body is what the deltas built; what came in no delta is taken from the done events, and what they
// lack too from the terminal object, which also gives the fields of the response itself (status, usage, ids, echoed
// settings). So Body holds everything that the stream said, in the reading of the caller who sees it first, and
// nothing that a later event contradicts goes unnoticed: each difference is a DoneMismatch or FinalMismatch with its
// path. The terminal object as it came stands in Final.
//
// Events after the terminal one still count (a caller that reads to the end of the stream sees them), and a second
// response.created begins a second set of items behind the first.
func assembleOpenAIResponses(s sse.Stream) Assembled {
	r := &responsesReply{
		spotRecord: newSpotRecord(s),
		byIndex:    map[int]*responsesItem{},
		byID:       map[string]*responsesItem{},
	}
	r.framing()
	if s.Form == sse.FormArray {
		r.fault(NotAnObject, At{}, "", wire.Value{}, wire.Value{})
	}
	for _, e := range s.Events {
		switch {
		case e.Type == sse.Done && e.Err == nil && !e.Data.Exists():
			r.fault(ForeignDone, At{e.Frame, e.Offset}, "", wire.Of(string(e.Raw)), wire.Value{})
		case r.cutOff(e):
		case r.payload(e):
			r.event(e)
		}
	}
	return r.assembled()
}

// event takes one event.
func (r *responsesReply) event(e sse.Event) {
	at := r.at(e, e.Data)
	typ := e.Data.Get("type")
	switch {
	case typ.Str() == "" && (e.Type != "" || !e.Data.Get("error").Present()):
		r.once(MissingField, r.at(e, orParent(typ, e.Data)), nil, "type", typ, wire.Of(e.Type))
	case e.Name != "" && e.Name != typ.Str() && typ.Str() != "":
		r.once(EventMismatch, at, nil, "type", typ, wire.Of(e.Name))
	}
	if typ.Str() == "" && e.Data.Get("error").Present() || e.Type == "error" {
		r.takeError(e)
		r.sequence(e)
		return
	}
	if !responsesEvents[e.Type] {
		r.fault(UnknownEvent, at, "", e.Data, wire.Value{})
		name := e.Type
		if name == "" {
			name = "(event)"
		}
		r.skip(name)
		if e.Data.Get("sequence_number").Present() {
			r.sequence(e)
		}
		return
	}
	r.sequence(e)
	if e.Type == "keepalive" {
		return
	}
	if !r.started && e.Type != "response.created" {
		r.once(NoStart, at, nil, "", wire.Of(e.Type), wire.Of("response.created"))
	}
	if r.ended && e.Type != "response.created" {
		r.once(AfterTerminal, at, nil, "", wire.Of(e.Type), wire.Value{})
	}
	r.unreadFields(e)
	r.dispatch(e)
}

// responsesEvents are the names of openAIResponsesEvents.
var responsesEvents = func() map[string]bool {
	m := map[string]bool{}
	for _, row := range openAIResponsesEvents {
		m[row.Name] = true
	}
	return m
}()

// responsesFields is responsesEventFields for look-up.
var responsesFields = func() map[string]map[string]bool {
	m := map[string]map[string]bool{}
	for name := range responsesEvents {
		fields, ok := responsesEventFields[name]
		if !ok {
			fields = []string{"output_index", "item_id"}
		}
		m[name] = map[string]bool{"type": true, "sequence_number": true}
		for _, f := range fields {
			m[name][f] = true
		}
	}
	return m
}()

func (r *responsesReply) unreadFields(e sse.Event) {
	known := responsesFields[e.Type]
	for _, m := range e.Data.Members() {
		if !known[m.Key] && m.Value.Present() {
			r.skip(e.Type + "." + m.Key)
		}
	}
}

// sequence holds sequence_number to its documentation: on every event, and rising by one. A stream that was taken up
// again (starting_after) begins with another number than 0.
func (r *responsesReply) sequence(e sse.Event) {
	v, want := e.Data.Get("sequence_number"), 0
	if r.hasSeq {
		want = r.seq + 1
	}
	n, ok := v.Int()
	if !ok || r.hasSeq && n != want {
		r.once(SequenceInvalid, r.at(e, orParent(v, e.Data)), nil, "sequence_number", v, wire.OfInt(want))
	}
	if ok {
		r.seq, r.hasSeq = n, true
	}
}

// dispatch hands an event of the table to what reads it.
func (r *responsesReply) dispatch(e sse.Event) {
	if base, last := splitEvent(e.Type); last == "delta" || last == "done" {
		if spec, ok := responsesTexts[base]; ok {
			if last == "delta" {
				r.textDelta(e, spec)
			} else {
				r.textDone(e, spec)
			}
			return
		}
	} else if itemType, ok := responsesProgress[base]; ok {
		r.progress(e, itemType, last)
		return
	}
	switch e.Type {
	case "response.created", "response.queued", "response.in_progress":
		r.takeHead(e)
	case "response.completed", "response.incomplete", "response.failed":
		r.takeEnd(e)
	case "response.output_item.added":
		r.itemAdded(e)
	case "response.output_item.done":
		r.itemDone(e)
	case "response.content_part.added", "response.reasoning_summary_part.added":
		r.partAdded(e)
	case "response.content_part.done", "response.reasoning_summary_part.done":
		r.partDone(e)
	case "response.output_text.annotation.added":
		r.annotationAdded(e)
	case "response.audio.delta", "response.audio.done", "response.audio.transcript.delta", "response.audio.transcript.done":
		r.audio(e)
	case "response.shell_call_command.added", "response.shell_call_command.delta", "response.shell_call_command.done":
		r.shellCommand(e)
	case "response.shell_call_output_content.delta", "response.shell_call_output_content.done":
		r.shellOutput(e)
	case "response.image_generation_call.partial_image", "response.compaction.compacting":
		r.itemOf(e, "")
	}
}

// splitEvent cuts the last word off an event's name.
func splitEvent(name string) (base, last string) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", name
	}
	return name[:i], name[i+1:]
}

// takeError reads an error event: flat as documented, or around an error object as other endpoints send it.
func (r *responsesReply) takeError(e sse.Event) {
	payload := e.Data
	if x := e.Data.Get("error"); x.Present() {
		payload = x
	}
	r.tell(e, payload)
}

// tell notes that the stream told an error.
func (r *responsesReply) tell(e sse.Event, payload wire.Value) {
	if !r.err.Exists() {
		r.err, r.errAt = payload, r.at(e, payload)
	}
	r.fault(ErrorMidway, r.at(e, payload), "error", payload, wire.Value{})
}

// response is an event's response object.
func (r *responsesReply) response(e sse.Event) wire.Value {
	v := e.Data.Get("response")
	if v.Kind() != wire.Object {
		code := WrongType
		if !v.Present() {
			code = MissingField
		}
		r.once(code, r.at(e, orParent(v, e.Data)), nil, "response", v, wire.Value{})
		return wire.Value{}
	}
	return v
}

func (r *responsesReply) takeHead(e sse.Event) {
	v := r.response(e)
	if e.Type == "response.created" {
		if r.started {
			r.fault(StartTwice, r.at(e, e.Data), "", v.Get("id"), r.head.Get("id"))
			r.first = len(r.items)
			r.byIndex, r.byID = map[int]*responsesItem{}, map[string]*responsesItem{}
			r.head, r.message, r.ended = wire.Value{}, nil, false
		}
		r.started = true
	}
	if !v.Exists() {
		return
	}
	r.checkID(e, v)
	r.head = v
	r.wrote("id", r.at(e, v))
	r.wroteHead(e, v)
}

// wroteHead notes where a response object repeats the controls of its request.
func (r *responsesReply) wroteHead(e sse.Event, response wire.Value) {
	for _, key := range repeatedControls {
		if x := response.Get(key); x.Present() {
			r.wrote(key, r.at(e, x))
		}
	}
}

// repeatedControls are the settings of the request that a response object repeats.
// Source: https://platform.openai.com/docs/api-reference/responses/object.
var repeatedControls = []string{
	"max_output_tokens", "max_tool_calls", "temperature", "top_p", "top_logprobs", "tool_choice", "parallel_tool_calls",
	"truncation", "previous_response_id",
}

// checkID notes a response without an id, and one whose id is not that of the response in progress.
func (r *responsesReply) checkID(e sse.Event, response wire.Value) {
	id, old := response.Get("id"), r.head.Get("id")
	if blank(id) {
		r.once(MissingField, r.at(e, orParent(id, response)), nil, "id", id, wire.Value{})
		return
	}
	if !blank(old) && !wire.Equal(id, old) {
		r.once(IDChanged, r.at(e, orParent(id, response)), nil, "id", id, old)
	}
}

// takeEnd reads the terminal event. Its name and the response's status say the same thing.
func (r *responsesReply) takeEnd(e sse.Event) {
	v := r.response(e)
	r.ends = append(r.ends, responsesEnd{event: e, response: v, from: r.first, to: len(r.items)})
	r.ended = true
	if !v.Exists() {
		return
	}
	r.checkID(e, v)
	_, want := splitEvent(e.Type)
	status := v.Get("status")
	if status.Str() != want {
		r.once(StatusMismatch, r.at(e, orParent(status, v)), nil, "status", status, wire.Of(want))
	}
	r.wrote("status", r.at(e, orParent(status, v)))
	r.wroteHead(e, v)
	if why := v.Path("incomplete_details", "reason"); why.Present() {
		r.wrote("incomplete_details.reason", r.at(e, why))
	}
	if u := v.Get("usage"); u.Present() {
		r.wrote("usage", r.at(e, u))
	}
	if x := v.Get("error"); x.Present() {
		r.tell(e, x)
	}
}

// assembled closes every item and hands the reply over.
func (r *responsesReply) assembled() Assembled {
	a := Assembled{Error: r.err, ErrorAt: r.errAt, Terminal: len(r.ends) > 0}
	r.sortItems()
	spots := make([]*spot, 0, len(r.items))
	for i, it := range r.items {
		it.spot.path = "output" + number(i)
		spots = append(spots, it.spot)
		it.noteOpen(r)
	}
	values := make([]wire.Value, len(r.items))
	for i, it := range r.items {
		values[i] = it.whole()
	}
	var extra []wire.Value
	for i, end := range r.ends {
		more := r.compareEnd(end, len(extra), values)
		if i+1 < len(r.ends) && r.ends[i+1].from == end.from { // a second terminal event of one response says it again
			more = nil
		}
		extra = append(extra, more...)
	}
	output := append(values, extra...)
	r.checkItems(values)
	if n := len(r.ends); n > 0 {
		a.Final = r.ends[n-1].response
	} else {
		r.fault(NoTerminal, r.end(), "status", r.head.Get("status"), wire.Value{})
	}
	switch a.Final.Get("status").Str() {
	case "completed", "incomplete", "failed":
		a.Finish = true
	}
	r.settle(spots...)
	body := a.Final
	if !body.Exists() {
		body = r.head
	}
	if body.Exists() || len(output) > 0 {
		a.Body = body.With("output", wire.Arr(output...))
	}
	r.into(&a)
	return a
}

// sortItems puts the items of each response in the order of their output_index, a position in output, as long as
// every one has it.
func (r *responsesReply) sortItems() {
	from := 0
	for from < len(r.items) {
		to, indexed := from, true
		for to < len(r.items) && r.items[to].cycle == r.items[from].cycle {
			indexed = indexed && r.items[to].indexed
			to++
		}
		if part := r.items[from:to]; indexed {
			sort.SliceStable(part, func(i, j int) bool { return part[i].index < part[j].index })
		}
		from = to
	}
}
