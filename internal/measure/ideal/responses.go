package ideal

import (
	"fmt"
	"slices"

	"reassay/wire"
)

// Responses, from https://platform.openai.com/docs/api-reference/responses/object and /responses-streaming.

// responsesEnd is the reply's status, the reason of an incomplete one, and the type of the event that ends a stream.
func responsesEnd(c Choice) (status, why, terminal string) {
	if c.Word != "" {
		return c.Word, "", "response.completed"
	}
	switch c.Stop {
	case Unsaid:
		return "", "", "response.completed"
	case Length, Window:
		return "incomplete", "max_output_tokens", "response.incomplete"
	case Filter, Refused:
		for _, p := range c.Pieces {
			if p.Kind == Refusal {
				return "completed", "", "response.completed"
			}
		}
		return "incomplete", "content_filter", "response.incomplete"
	default:
		return "completed", "", "response.completed"
	}
}

// itemStatus is the status of an item whose generation was done.
func itemStatus(c Choice, last bool) string {
	if _, why, _ := responsesEnd(c); why != "" && last {
		return "incomplete"
	}
	return "completed"
}

// responsesItem is an output item with the events that build it; output_index and sequence_number are set later.
type responsesItem struct {
	added, done wire.Value
	events      []wire.Value
}

func responsesItems(r Reply) []responsesItem {
	c := r.Choices[0]
	var items []responsesItem
	for i := 0; i < len(c.Pieces); i++ {
		p := c.Pieces[i]
		id := fmt.Sprintf("%s_%02d", r.ID, len(items))
		switch p.Kind {
		case Text, Refusal:
			to := i + 1
			for to < len(c.Pieces) && (c.Pieces[to].Kind == Text || c.Pieces[to].Kind == Refusal) {
				to++
			}
			items = append(items, responsesMessage("msg_"+id, c, c.Pieces[i:to], to == len(c.Pieces)))
			i = to - 1
		case Reasoning:
			items = append(items, responsesReasoning("rs_"+id, p))
		case Redacted:
			item := Obj("id", "rs_"+id, "type", "reasoning", "summary", []wire.Value{}, "encrypted_content", p.Output)
			items = append(items, responsesItem{added: item, done: item})
		case Call:
			item := func(args, status string) wire.Value {
				return Obj("id", "fc_"+id, "type", "function_call", "status", status, "arguments", args, "call_id", p.ID, "name", p.Name)
			}
			x := responsesItem{added: item("", "in_progress"), done: item(p.Whole(), "completed")}
			x.deltas("response.function_call_arguments", "arguments", p)
			items = append(items, x)
		case Custom:
			item := func(input, status string) wire.Value {
				return Obj("id", "ctc_"+id, "type", "custom_tool_call", "status", status, "call_id", p.ID, "name", p.Name, "input", input)
			}
			x := responsesItem{added: item("", "in_progress"), done: item(p.Whole(), "completed")}
			x.deltas("response.custom_tool_call_input", "input", p)
			items = append(items, x)
		case Code:
			item := func(code, status string, outputs wire.Value) wire.Value {
				return Obj("id", "ci_"+id, "type", "code_interpreter_call", "status", status, "code", code, "container_id", "cntr_68f2b7c1", "outputs", outputs)
			}
			x := responsesItem{added: item("", "in_progress", wire.OfNull()),
				done: item(p.Whole(), "completed", wire.Arr(Obj("type", "logs", "logs", p.Output)))}
			x.say("response.code_interpreter_call.in_progress")
			x.deltas("response.code_interpreter_call_code", "code", p)
			x.say("response.code_interpreter_call.interpreting")
			x.say("response.code_interpreter_call.completed")
			items = append(items, x)
		}
	}
	return items
}

// say adds an event of the item.
func (x *responsesItem) say(kind string, keysAndValues ...any) {
	e := Obj(append([]any{"type", kind, "item_id", x.added.Get("id"), "output_index", 0}, keysAndValues...)...)
	x.events = append(x.events, e)
}

// deltas adds the events that bring a piece's text, and the one that repeats it.
func (x *responsesItem) deltas(kind, key string, p Piece) {
	for _, t := range p.Text {
		x.say(kind+".delta", "delta", t)
	}
	x.say(kind+".done", key, p.Whole())
}

func responsesReasoning(id string, p Piece) responsesItem {
	item := func(summary ...wire.Value) wire.Value {
		return Obj("id", id, "type", "reasoning", "summary", summary, "encrypted_content", unless(p.Signature))
	}
	part := func(s string) wire.Value { return Obj("type", "summary_text", "text", s) }
	x := responsesItem{added: item([]wire.Value{}...), done: item(part(p.Whole()))}
	x.say("response.reasoning_summary_part.added", "summary_index", 0, "part", part(""))
	for _, t := range p.Text {
		x.say("response.reasoning_summary_text.delta", "summary_index", 0, "delta", t)
	}
	x.say("response.reasoning_summary_text.done", "summary_index", 0, "text", p.Whole())
	x.say("response.reasoning_summary_part.done", "summary_index", 0, "part", part(p.Whole()))
	return x
}

func responsesMessage(id string, c Choice, pieces []Piece, last bool) responsesItem {
	item := func(status string, content []wire.Value) wire.Value {
		return Obj("id", id, "type", "message", "status", status, "role", role(c, "assistant"), "content", content)
	}
	x := responsesItem{added: item("in_progress", []wire.Value{})}
	var content []wire.Value
	for i, p := range pieces {
		var annotations []wire.Value
		for _, cite := range p.Cites {
			annotations = append(annotations, Obj("type", "url_citation", "start_index", cite.Start, "end_index", cite.End, "url", cite.URL, "title", cite.Title))
		}
		tokens := chatTokens(p)
		part := func(s string, annotations, logprobs []wire.Value) wire.Value {
			if p.Kind == Refusal {
				return Obj("type", "refusal", "refusal", s)
			}
			return Obj("type", "output_text", "text", s, "annotations", annotations, "logprobs", logprobs)
		}
		x.say("response.content_part.added", "content_index", i, "part", part("", nil, nil))
		for k, t := range p.Text {
			if p.Kind == Refusal {
				x.say("response.refusal.delta", "content_index", i, "delta", t)
				continue
			}
			var own []wire.Value
			if tokens != nil {
				own = tokens[k : k+1]
			}
			x.say("response.output_text.delta", "content_index", i, "delta", t, "logprobs", own)
		}
		for k, a := range annotations {
			x.say("response.output_text.annotation.added", "content_index", i, "annotation_index", k, "annotation", a)
		}
		if p.Kind == Refusal {
			x.say("response.refusal.done", "content_index", i, "refusal", p.Whole())
		} else {
			x.say("response.output_text.done", "content_index", i, "text", p.Whole(), "logprobs", tokens)
		}
		x.say("response.content_part.done", "content_index", i, "part", part(p.Whole(), annotations, tokens))
		content = append(content, part(p.Whole(), annotations, tokens))
	}
	x.done = item(itemStatus(c, last), content)
	return x
}

func responsesUsage(u Usage) wire.Value {
	return Obj("input_tokens", u.Input, "input_tokens_details", Obj("cached_tokens", u.Cached), "output_tokens", u.Output,
		"output_tokens_details", Obj("reasoning_tokens", u.Reasoning), "total_tokens", u.Input+u.Output)
}

// responsesObject is the response around its output; what it repeats of the request is what [Ask.Request] asks for.
func responsesObject(r Reply, a Ask, status wire.Value, why string, output []wire.Value, usage wire.Value) wire.Value {
	incomplete := wire.OfNull()
	if why != "" {
		incomplete = Obj("reason", why)
	}
	asked := a.responses()
	return Obj("id", r.ID, "object", "response", "created_at", created, "status", status, "background", false, "error", nil,
		"incomplete_details", incomplete, "instructions", nil, "max_output_tokens", asked.Get("max_output_tokens"), "max_tool_calls", nil,
		"model", r.Model, "output", output, "parallel_tool_calls", asked.Get("parallel_tool_calls"), "previous_response_id", nil,
		"reasoning", Obj("effort", nil, "summary", nil), "store", false, "temperature", asked.Get("temperature"),
		"text", Obj("format", responsesFormat(a)), "tool_choice", echoedChoice(asked), "tools", wire.Arr(asked.Get("tools").Elems()...),
		"top_logprobs", 0, "top_p", wire.OfNum("0.9"), "truncation", "disabled", "usage", usage, "user", nil, "metadata", Obj())
}

func echoedChoice(asked wire.Value) wire.Value {
	if c := asked.Get("tool_choice"); c.Exists() {
		return c
	}
	return wire.Of("auto")
}

func responsesWhole(r Reply, a Ask) wire.Value {
	status, why, _ := responsesEnd(r.Choices[0])
	output := []wire.Value{}
	for _, x := range responsesItems(r) {
		output = append(output, x.done)
	}
	return responsesObject(r, a, orNull(status), why, output, responsesUsage(r.Usage))
}

func responsesStream(r Reply, a Ask) []Event {
	var events []Event
	add := func(data wire.Value) {
		data = data.With("sequence_number", wire.OfInt(len(events)))
		events = append(events, Event{Name: data.Get("type").Str(), Data: data})
	}
	begun := responsesObject(r, a, wire.Of("in_progress"), "", []wire.Value{}, wire.OfNull())
	add(Obj("type", "response.created", "response", begun))
	add(Obj("type", "response.in_progress", "response", begun))
	items := responsesItems(r)
	for i, x := range items {
		add(Obj("type", "response.output_item.added", "output_index", i, "item", x.added))
		for _, e := range x.events {
			add(e.With("output_index", wire.OfInt(i)))
		}
		add(Obj("type", "response.output_item.done", "output_index", i, "item", x.done))
	}
	_, _, terminal := responsesEnd(r.Choices[0])
	add(Obj("type", terminal, "response", responsesWhole(r, a)))
	return slices.Clip(events)
}
