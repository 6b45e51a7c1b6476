package python

import "math"

// chatStream is ChatCompletionStreamState of openai 2.54.0, lib/streaming/chat/_completions.py: it puts the chunks of
// a chat completion together. Function names in comments here and beside it are those of that file.
type chatStream struct {
	shapes   *chatShapes
	depth    depths
	ways     ways
	work     *budget
	tools    []value // the request's tools
	rich     bool    // response_format is a class
	snapshot *model  // ParsedChatCompletion[object]; nil before the first chunk
	choices  []*choiceEvents
	checks   map[checkKey]*partialCheck
}

// chatShapes are the classes that the stream builds.
type chatShapes struct {
	chunk, completion, message, choice, logprobs, toolCall, finalChoice, finalCompletion *typ

	function     *class // of a tool call
	logprobEntry *typ   // of a list of logprobs
	moderation   *typ   // of a completion; nil where the version has none
}

// isChunk is _is_valid_chat_completion_chunk_weak: the stream passes over whatever is not.
func isChunk(v value) (bool, error) {
	object, err := attribute(v, "object")
	return object.isStr("chat.completion.chunk"), err
}

// handle takes a chunk and returns how many events it gives rise to: handle_chunk. An error hides all of them.
func (s *chatStream) handle(chunk *model) (events int, err error) {
	if s.snapshot == nil {
		s.snapshot, err = s.begin(ownedModel(chunk))
	} else {
		err = s.accumulate(chunk)
	}
	if err != nil {
		return 0, err
	}
	return s.events(chunk)
}

// begin is _convert_initial_chunk_into_snapshot.
func (s *chatStream) begin(chunk *model) (*model, error) {
	data, err := toDict(chunk)
	if err != nil {
		return nil, err
	}
	if s.ways.keepsModeration {
		data.remove("obfuscation")
	}
	choices, ok := data.get("choices")
	if !ok {
		return nil, raise("KeyError", "'choices'")
	}
	given, err := iterate(chunk.vals[chunk.class.at("choices")])
	if err != nil {
		return nil, err
	}
	for _, choice := range given {
		opened, err := s.opening(choice)
		if err != nil {
			return nil, err
		}
		index, err := attribute(choice, "index")
		if err != nil {
			return nil, err
		}
		if err := choices.list().assignItem(index, opened); err != nil {
			return nil, err
		}
	}
	if _, ok := data.get("system_fingerprint"); !ok {
		data.set("system_fingerprint", none)
	}
	data.set("object", ofStr("chat.completion"))
	snapshot, err := construct(s.shapes.completion, ofDict(data))
	return snapshot.model(), err
}

var exceptDelta = &exclusion{fields: map[string]*exclusion{"delta": excluded}}

// opening is the dict from which a snapshot's choice is built: the chunk's choice with its delta as the message.
func (s *chatStream) opening(choice value) (value, error) {
	if choice.kind != kindModel {
		return none, noAttribute(choice, "model_dump")
	}
	m := choice.model()
	d, err := dumping{}.model(m, exceptDelta)
	if err != nil {
		return none, err
	}
	message, err := deltaDict(m.vals[m.class.at("delta")])
	if err != nil {
		return none, err
	}
	if s.ways.mergesFirst {
		delta := message
		message = newDict(delta.size())
		if err := s.ways.accumulate(message, delta); err != nil {
			return none, err
		}
	}
	d.set("message", ofDict(message))
	return ofDict(d), nil
}

// deltaDict is delta.to_dict().
func deltaDict(delta value) (*dict, error) {
	if delta.kind != kindModel {
		return nil, noAttribute(delta, "to_dict")
	}
	return toDict(delta.model())
}

// accumulate is _accumulate_chunk for every chunk but the first.
func (s *chatStream) accumulate(chunk *model) error {
	given, err := iterate(chunk.vals[chunk.class.at("choices")])
	if err != nil {
		return err
	}
	for _, choice := range given {
		snapshot, err := s.mergeChoice(choice)
		if isRaised(err, "IndexError") {
			snapshot, err = s.openChoice(choice)
		}
		if err != nil {
			return err
		}
		for _, step := range []func(choice, snapshot value) error{s.finish, s.parseContent, s.parseTools, s.extendLogprobs} {
			if err := step(choice, snapshot); err != nil {
				return err
			}
		}
	}
	for _, name := range []string{"usage", "system_fingerprint"} {
		s.snapshot.assign(s.snapshot.class.at(name), owned(chunk.vals[chunk.class.at(name)]))
	}
	if s.ways.keepsModeration {
		return s.moderate(chunk.vals[chunk.class.at("moderation")])
	}
	return nil
}

// moderate takes a chunk's moderation over.
func (s *chatStream) moderate(told value) error {
	if told.isNone() {
		return nil
	}
	d, err := deltaDict(owned(told))
	if err != nil {
		return err
	}
	built, err := construct(s.shapes.moderation, ofDict(d))
	if err == nil {
		s.snapshot.assign(s.snapshot.class.at("moderation"), built)
	}
	return err
}

// openChoice appends a choice to the snapshot, whatever its index says.
func (s *chatStream) openChoice(choice value) (value, error) {
	opened, err := s.opening(owned(choice))
	if err != nil {
		return none, err
	}
	snapshot, err := construct(s.shapes.choice, opened)
	if err != nil {
		return none, err
	}
	choices := s.snapshot.vals[s.snapshot.class.at("choices")]
	if choices.kind != kindList {
		return none, noAttribute(choices, "append")
	}
	l := choices.list()
	l.elems = append(l.elems, snapshot)
	return snapshot, nil
}

// finish takes the chunk's finish reason over, and raises for one that makes parsing hopeless.
func (s *chatStream) finish(choice, snapshot value) error {
	reason, err := attribute(choice, "finish_reason")
	if err != nil || !reason.truth() {
		return err
	}
	if err := assignAttribute(snapshot, "finish_reason", owned(reason)); err != nil {
		return err
	}
	parseable, err := s.hasParseableInput()
	if err != nil || !parseable {
		return err
	}
	return raiseForFinish(reason, s.snapshot)
}

// raiseForFinish raises for a reply that ended before it was whole.
func raiseForFinish(reason value, completion *model) error {
	if reason.isStr("length") {
		message := "Could not parse response content as the length limit was reached"
		if usage := completion.vals[completion.class.at("usage")]; usage.truth() {
			return told("LengthFinishReasonError", message+" - ", usage)
		}
		return raise("LengthFinishReasonError", "%s", message)
	}
	if reason.isStr("content_filter") {
		return raise("ContentFilterFinishReasonError", "Could not parse response content as the request was rejected by the content filter")
	}
	return nil
}

// checkKey names a text that grows: the content of a choice of the snapshot, or the arguments of one of its tool calls.
type checkKey struct {
	choice *model
	call   int64
}

const contentCheck = math.MinInt64

func (s *chatStream) checkFor(snapshot value, call int64) *partialCheck {
	key := checkKey{snapshot.model(), call}
	c := s.checks[key]
	if c == nil {
		c = &partialCheck{}
		if s.checks == nil {
			s.checks = map[checkKey]*partialCheck{}
		}
		s.checks[key] = c
	}
	return c
}

// parseContent raises where the content cannot become JSON any more, when the response format is a class. What the SDK
// keeps in message.parsed meanwhile is replaced at the end.
func (s *chatStream) parseContent(_, snapshot value) error {
	message, err := attribute(snapshot, "message")
	if err != nil {
		return err
	}
	content, err := attribute(message, "content")
	if err != nil || !content.truth() {
		return err
	}
	refusal, err := attribute(message, "refusal")
	if err != nil || refusal.truth() || !s.rich {
		return err
	}
	if content.kind != kindStr {
		return noAttribute(content, "lstrip")
	}
	if allSpace(content.text) {
		return nil
	}
	return s.checkFor(snapshot, contentCheck).feed(content, s.work)
}

// parseTools raises where the arguments of a call of a strict tool cannot become JSON any more.
func (s *chatStream) parseTools(choice, snapshot value) error {
	calls, err := follow(choice, "delta", "tool_calls")
	if err != nil {
		return err
	}
	given, err := iterateOr(calls)
	if err != nil {
		return err
	}
	for _, call := range given {
		there, err := toolCallAt(snapshot, call)
		if err != nil {
			return err
		}
		kind, err := attribute(there, "type")
		if err != nil {
			return err
		}
		if !kind.isStr("function") {
			continue
		}
		if err := s.parseTool(snapshot, call, there); err != nil {
			return err
		}
	}
	return nil
}

// toolCallAt is (snapshot.message.tool_calls or [])[call.index].
func toolCallAt(snapshot, call value) (value, error) {
	calls, err := follow(snapshot, "message", "tool_calls")
	if err != nil {
		return none, err
	}
	if !calls.truth() {
		calls = ofList(&list{})
	}
	index, err := attribute(call, "index")
	if err != nil {
		return none, err
	}
	return item(calls, index)
}

func (s *chatStream) parseTool(snapshot, delta, call value) error {
	function, err := attribute(call, "function")
	if err != nil {
		return err
	}
	name, err := attribute(function, "name")
	if err != nil {
		return err
	}
	tool, err := s.toolNamed(name)
	if err != nil || !tool.truth() {
		return err
	}
	strict, err := toolFunctionMember(tool, "strict")
	if err != nil || !strict.truth() {
		return err
	}
	arguments, err := attribute(function, "arguments")
	if err != nil || !arguments.truth() {
		return err
	}
	if arguments.kind != kindStr {
		return raise("TypeError", "encoding without a string argument")
	}
	index, err := attribute(delta, "index")
	if err != nil {
		return err
	}
	return s.checkFor(snapshot, int64(index.bits)).feed(arguments, s.work)
}

// extendLogprobs appends the chunk's logprobs to the choice's. A choice that this chunk opened gets them twice.
func (s *chatStream) extendLogprobs(choice, snapshot value) error {
	given, err := attribute(choice, "logprobs")
	if err != nil || given.isNone() {
		return err
	}
	there, err := attribute(snapshot, "logprobs")
	if err != nil {
		return err
	}
	if there.isNone() {
		return s.openLogprobs(given, snapshot)
	}
	for _, name := range []string{"content", "refusal"} {
		entries, err := attribute(given, name)
		if err != nil {
			return err
		}
		if !entries.truth() {
			continue
		}
		old, err := attribute(there, name)
		if err != nil {
			return err
		}
		if old.isNone() {
			old = ofList(&list{})
			if err := assignAttribute(there, name, old); err != nil {
				return err
			}
		}
		if old.kind != kindList {
			return noAttribute(old, "extend")
		}
		more, err := iterate(entries)
		if err != nil {
			return err
		}
		for _, entry := range more {
			old.list().elems = append(old.list().elems, owned(entry))
		}
	}
	return nil
}

func (s *chatStream) openLogprobs(given, snapshot value) error {
	d := newDict(2)
	for _, name := range []string{"content", "refusal"} {
		entries, err := attribute(given, name)
		if err != nil {
			return err
		}
		d.set(name, owned(entries))
	}
	built, err := construct(s.shapes.logprobs, ofDict(d))
	if err != nil {
		return err
	}
	return assignAttribute(snapshot, "logprobs", built)
}
