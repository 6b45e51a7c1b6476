package python

// responsesStream is ResponseStreamState of openai 2.54.0, lib/streaming/responses/_responses.py. Its final answer is
// the response inside response.completed; what it accumulates can only raise.
type responsesStream struct {
	shapes    *responsesShapes
	depth     int // nesting that json.loads allows for the arguments of strict tools
	ways      ways
	work      *budget
	tools     []value
	rich      bool   // text_format is a class
	snapshot  *model // ParsedResponse[object]; nil before the first event
	completed *model // ParsedResponse
	items     outputItems
}

// responsesShapes are the classes that the stream builds.
type responsesShapes struct {
	event, response, functionCall, outputMessage, content, finalText, finalOutputMessage, finalResponse *typ
}

// handle takes an event and returns how many it gives rise to, one as a rule: handle_event.
func (s *responsesStream) handle(event value) (events int, err error) {
	kind, err := attribute(event, "type")
	if err != nil {
		return 0, err
	}
	if s.ways.tracksItems && isOneOf(kind, "response.output_item.added", "response.output_item.done") {
		if err := s.rebuilt(event); err != nil {
			return 0, err
		}
	}
	if s.snapshot == nil {
		err = s.begin(owned(event), kind)
	} else {
		err = s.accumulate(event, kind)
	}
	if err != nil {
		return 0, err
	}
	if s.ways.tracksItems && kind.isStr("response.output_item.added") && attributeOrNone(event, "item").isNone() {
		return 0, nil
	}
	if err := s.event(event, kind); err != nil {
		return 0, err
	}
	return 1, nil
}

// begin is _create_initial_response.
func (s *responsesStream) begin(event, kind value) error {
	if !kind.isStr("response.created") {
		text, err := str(kind)
		if err != nil {
			return err
		}
		return raise("RuntimeError", "Expected to have received `response.created` before `%s`", text)
	}
	d, err := attributeDict(event, "response")
	if err != nil {
		return err
	}
	v, err := construct(s.shapes.response, d)
	if err != nil {
		return err
	}
	s.snapshot = v.model()
	if s.ways.tracksItems {
		return s.opened()
	}
	return nil
}

// attributeDict is v.name.to_dict().
func attributeDict(v value, name string) (value, error) {
	x, err := attribute(v, name)
	if err != nil {
		return none, err
	}
	d, err := deltaDict(x)
	return ofDict(d), err
}

// accumulate is accumulate_event for every event but the first.
func (s *responsesStream) accumulate(event, kind value) error {
	if s.ways.tracksItems && isLifecycle(kind) {
		response, err := attribute(event, "response")
		if err != nil {
			return err
		}
		if err := s.sameResponse(response); err != nil {
			return err
		}
	}
	switch kind.text {
	case "response.created", "response.queued", "response.in_progress":
		if !s.ways.tracksItems {
			return nil
		}
		response, err := attribute(event, "response")
		if err != nil {
			return err
		}
		return s.refresh(response)
	case "response.output_item.added":
		return s.addItem(owned(event))
	case "response.output_item.done":
		if !s.ways.tracksItems {
			return nil
		}
		return s.itemDone(owned(event))
	case "response.content_part.added":
		return s.addPart(owned(event))
	case "response.output_text.delta":
		return s.addText(event)
	case "response.function_call_arguments.delta":
		return s.addArguments(event)
	case "response.completed":
		response, err := attribute(event, "response")
		if err != nil {
			return err
		}
		response = owned(response)
		if s.ways.tracksItems {
			if response, err = s.completedResponse(response); err != nil {
				return err
			}
		}
		s.completed, err = s.parse(response)
		return err
	}
	return nil
}

// appendTo is v.append(x()): the list is looked at before x is made.
func appendTo(v value, x func() (value, error)) error {
	if v.kind != kindList {
		return noAttribute(v, "append")
	}
	made, err := x()
	if err != nil {
		return err
	}
	l := v.list()
	l.elems = append(l.elems, made)
	return nil
}

func (s *responsesStream) output() value { return s.snapshot.vals[s.snapshot.class.at("output")] }

func (s *responsesStream) addItem(event value) error {
	item, err := attribute(event, "item")
	if err != nil {
		return err
	}
	if s.ways.tracksItems {
		if item.isNone() {
			return nil
		}
		if err := s.unannounced(event); err != nil {
			return err
		}
	}
	kind, err := attribute(item, "type")
	if err != nil {
		return err
	}
	err = appendTo(s.output(), func() (value, error) {
		var t *typ
		switch {
		case kind.isStr("function_call"):
			t = s.shapes.functionCall
		case kind.isStr("message"):
			t = s.shapes.outputMessage
		default:
			return item, nil
		}
		d, err := attributeDict(event, "item")
		if err != nil {
			return none, err
		}
		return construct(t, d)
	})
	if err == nil && s.ways.tracksItems {
		err = s.announce(event)
	}
	return err
}

// item is snapshot.output[event.output_index], and its type.
func (s *responsesStream) item(event value) (there, kind value, err error) {
	if s.ways.tracksItems {
		there, err = s.itemAt(event)
	} else {
		var index value
		if index, err = attribute(event, "output_index"); err == nil {
			there, err = item(s.output(), index)
		}
	}
	if err != nil {
		return none, none, err
	}
	kind, err = attribute(there, "type")
	return there, kind, err
}

func (s *responsesStream) addPart(event value) error {
	there, kind, err := s.item(event)
	if err != nil || !kind.isStr("message") {
		return err
	}
	content, err := attribute(there, "content")
	if err != nil {
		return err
	}
	return appendTo(content, func() (value, error) {
		d, err := attributeDict(event, "part")
		if err != nil {
			return none, err
		}
		return construct(s.shapes.content, d)
	})
}

// textPart is output.content[event.content_index], which must be text.
func textPart(output, event value) (value, error) {
	content, err := attribute(output, "content")
	if err != nil {
		return none, err
	}
	index, err := attribute(event, "content_index")
	if err != nil {
		return none, err
	}
	part, err := item(content, index)
	if err != nil {
		return none, err
	}
	kind, err := attribute(part, "type")
	if err == nil && !kind.isStr("output_text") {
		err = assertion()
	}
	return part, err
}

func (s *responsesStream) addText(event value) error {
	there, kind, err := s.item(event)
	if err != nil || !kind.isStr("message") {
		return err
	}
	part, err := textPart(there, event)
	if err != nil {
		return err
	}
	return extendAttribute(part, "text", event)
}

func (s *responsesStream) addArguments(event value) error {
	there, kind, err := s.item(event)
	if err != nil || !kind.isStr("function_call") {
		return err
	}
	return extendAttribute(there, "arguments", event)
}

// extendAttribute is v.name += event.delta.
func extendAttribute(v value, name string, event value) error {
	old, err := attribute(v, name)
	if err != nil {
		return err
	}
	delta, err := attribute(event, "delta")
	if err != nil {
		return err
	}
	sum, err := addAssign(old, owned(delta))
	if err != nil {
		return err
	}
	return assignAttribute(v, name, sum)
}

// event raises what making the event for the caller raises: the second half of handle_event.
func (s *responsesStream) event(event, kind value) error {
	var reads []string
	switch kind.text {
	case "response.output_text.delta", "response.output_text.done":
		there, itemKind, err := s.item(event)
		if err != nil {
			return err
		}
		if !itemKind.isStr("message") {
			return assertion()
		}
		part, err := textPart(there, event)
		if err != nil {
			return err
		}
		if kind.text == "response.output_text.delta" {
			if _, err := attribute(part, "text"); err != nil {
				return err
			}
			reads = []string{"delta", "item_id", "sequence_number", "logprobs"}
			break
		}
		text, err := attribute(event, "text")
		if err != nil {
			return err
		}
		if _, err := s.parseText(text, there); err != nil {
			return err
		}
		reads = []string{"item_id", "sequence_number", "logprobs"}
	case "response.function_call_arguments.delta":
		there, itemKind, err := s.item(event)
		if err != nil {
			return err
		}
		if !itemKind.isStr("function_call") {
			return assertion()
		}
		if _, err := attribute(there, "arguments"); err != nil {
			return err
		}
		reads = []string{"delta", "item_id", "sequence_number"}
	case "response.completed":
		if s.completed == nil {
			return assertion()
		}
		reads = []string{"sequence_number"}
	case "response.created", "response.queued", "response.in_progress", "response.failed", "response.incomplete":
		if s.ways.tracksItems {
			return s.tellLifecycle(event, kind)
		}
	}
	for _, name := range reads {
		if _, err := attribute(event, name); err != nil {
			return err
		}
	}
	return nil
}

// final is get_final_response.
func (s *responsesStream) final() (*model, error) {
	if s.completed == nil {
		return nil, raise("RuntimeError", "Didn't receive a `response.completed` event.")
	}
	return s.completed, nil
}
