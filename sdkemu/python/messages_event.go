package python

import (
	"fmt"
	"slices"
)

// namedEvents are the events that 0.121.0 reads: _streaming.py, Stream.__stream__.
var namedEvents = []string{
	"message_start", "message_delta", "message_stop", "content_block_start", "content_block_delta", "content_block_stop",
	"message", "user.message", "user.interrupt", "user.tool_confirmation", "user.custom_tool_result", "user.tool_result",
	"agent.message", "agent.thinking", "agent.tool_use", "agent.tool_result", "agent.mcp_tool_use", "agent.mcp_tool_result",
	"agent.custom_tool_use", "agent.thread_context_compacted", "session.status_running", "session.status_idle",
	"session.status_rescheduled", "session.status_terminated", "session.error", "session.deleted", "session.updated",
	"span.model_request_start", "span.model_request_end", "span.outcome_evaluation_start", "span.outcome_evaluation_ongoing",
	"span.outcome_evaluation_end", "user.define_outcome", "agent.thread_message_received", "agent.thread_message_sent",
	"agent.session_thread_message_received", "agent.session_thread_message_sent", "session.thread_created",
	"session.thread_status_created", "session.thread_status_running", "session.thread_status_idle",
	"session.thread_status_rescheduled", "session.thread_status_terminated", "event_start", "event_delta", "system.message",
}

// message is what Stream.__stream__ of anthropic makes of an event (2.14.0 and 0.121.0, _streaming.py); ok is false
// where it passes over it.
func (r *run) message(e serverSentEvent, p *jsonReader) (v value, ok bool, err error) {
	switch {
	case e.event == "error":
		return none, false, r.errorEvent(e.data, p)
	case r.rel.messages.readsNamed && e.event != "completion" && !slices.Contains(namedEvents, e.event):
		return none, false, nil
	case !r.rel.messages.readsNamed && (e.event == "" || e.event == "ping" || e.data == ""):
		return none, false, nil
	}
	data, err := p.loads(e.data)
	if err != nil {
		return none, false, err
	}
	if r.rel.messages.readsNamed && e.event != "completion" && data.kind == kindDict && data.dict().find("type") < 0 {
		data.dict().set("type", ofStr(e.event))
	}
	if data.isNone() {
		return none, true, nil
	}
	v, err = p.arena.construct(r.shapes.messages.event, data)
	return v, true, err
}

// errorEvent is the exception that an event called "error" becomes.
func (r *run) errorEvent(data string, p *jsonReader) error {
	message := data
	body, err := p.loads(data)
	if err == nil {
		switch text, err := str(body); err.(type) {
		case nil:
			message = text
		case *limitError:
			return err
		}
	}
	if message == "" && err != nil {
		message = fmt.Sprintf("Error code: %d", r.status())
	}
	return raise(r.statusClass(body), "%s", message)
}

// statusClass is the exception class for the reply's status, and for the error code in its body where there is one for
// that: _client.py of 0.121.0, _error_classes.py of 2.14.0.
func (r *run) statusClass(body value) string {
	status := r.status()
	if r.shapes.errors == nil {
		return statusErrorClass(status)
	}
	code := body
	for _, name := range []string{"error", "details", "error_code"} {
		if code.kind != kindDict {
			code = none
			break
		}
		code, _ = code.dict().get(name)
	}
	if c, ok := r.shapes.errors[fmt.Sprintf("%d %s", status, code.text)]; ok && code.kind == kindStr {
		return c
	}
	if c, ok := r.shapes.errors[fmt.Sprint(status)]; ok {
		return c
	}
	if status >= 500 {
		return "InternalServerError"
	}
	return "APIStatusError"
}

// messages is `with client.messages.stream(...)`: every event, then get_final_message().
func (r *run) messages() error {
	s := messageStream{shapes: &r.shapes.messages, ways: r.rel.messages, rich: r.in.Parsed, work: &r.work}
	r.quick = func(e serverSentEvent, p *jsonReader) (bool, error) {
		n, taken, err := s.quick(e, p)
		r.yielded += n
		return taken, err
	}
	if err := r.ask(r.tools()); err != nil {
		return err
	}
	err := r.each(r.shapes.messages.event, func(v value) error {
		n, err := s.handle(v)
		r.yielded += n
		return err
	})
	if err != nil {
		return err
	}
	return r.finish(s.final)
}
