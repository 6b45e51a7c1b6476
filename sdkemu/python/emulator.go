// Package python emulates the official Python SDKs in Go: what a package makes of a reply's raw bytes, to the
// exception's text and the key of the assembled object. It follows the packages' own source, CPython 3.11 (json,
// codecs, containers, repr) and pydantic 2.13; a conformance test holds it to the real packages.
package python

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"reassay/sdkemu"
	"reassay/wire"
)

const sdkOpenAI = "openai-python"

// Limits bound what one run may cost. A stream over one of them is inconclusive and the limit is named.
type Limits struct {
	Bytes int // length of the body
	Work  int // values copied and bytes parsed anew for chunks after the first
}

// DefaultLimits admits every stream that a gateway can be expected to send.
var DefaultLimits = Limits{Bytes: 64 << 20, Work: 1 << 28}

// Emulator is every Python SDK in every version that is emulated. Its caller is a synchronous client without retries on
// CPython 3.11 and pydantic 2.13.
type Emulator struct {
	limits Limits

	unmoulded bool // every event is read in full
}

// New returns the emulator with DefaultLimits.
func New() *Emulator { return &Emulator{limits: DefaultLimits} }

// Targets lists the emulated versions, each with its APIs in both modes; of each SDK the default version comes first.
func (e *Emulator) Targets() []sdkemu.Target {
	var out []sdkemu.Target
	for _, r := range releases {
		for _, api := range r.apis {
			for _, mode := range []sdkemu.Mode{sdkemu.ModeStream, sdkemu.ModeIterate} {
				out = append(out, sdkemu.Target{SDK: r.sdk, Version: r.version, API: api, Mode: mode})
			}
		}
	}
	return out
}

// Run says what the SDK makes of the reply. Where caller.response_format is "parsed" a class that takes any JSON
// object stands for the caller's: what a class of the caller's own would refuse is out of scope.
func (e *Emulator) Run(ctx context.Context, t sdkemu.Target, in sdkemu.Input) sdkemu.Result {
	rel := releaseOf(t)
	if rel == nil || t.Mode != sdkemu.ModeStream && t.Mode != sdkemu.ModeIterate {
		return sdkemu.Result{Outcome: sdkemu.Failed, Reason: fmt.Sprintf("%s is not built in", t.Name())}
	}
	if len(in.Body) > e.limits.Bytes {
		return sdkemu.Result{Outcome: sdkemu.Inconclusive, Reason: overLimit("bytes", e.limits.Bytes).Error()}
	}
	shapes, err := shapesOf[rel.name()]()
	if err != nil {
		return sdkemu.Result{Outcome: sdkemu.Failed, Reason: fmt.Sprintf("%s: %v", t.Name(), err)}
	}
	r := run{ctx: ctx, target: t, in: in, depth: rel.depth[t.API], ways: rel.ways, rel: rel, shapes: shapes, work: budget{left: e.limits.Work, most: e.limits.Work}, unmoulded: e.unmoulded}
	switch {
	case t.Mode == sdkemu.ModeStream && t.API == sdkemu.AnthropicMessages:
		err = r.messages()
	case t.API == sdkemu.AnthropicMessages:
		err = r.iterate(shapes.messages.event)
	case t.Mode == sdkemu.ModeStream && t.API == sdkemu.Chat:
		err = r.chat()
	case t.Mode == sdkemu.ModeStream:
		err = r.responses()
	case t.API == sdkemu.Chat:
		err = r.iterate(shapes.chat.chunk)
	default:
		err = r.iterate(shapes.responses.event)
	}
	return r.result(err)
}

// run is one reply on its way through the SDK.
type run struct {
	ctx    context.Context
	target sdkemu.Target
	in     sdkemu.Input
	depth  depths
	ways   ways
	rel    *release
	shapes *shapes
	work   budget
	quick  func(e serverSentEvent, p *jsonReader) (taken bool, err error) // may take an event before it is read; nil for none

	unmoulded bool // see Emulator
	mould     *mould
	moulded   bool // the event that is taken in fits the mould
	sent      bool // the request was encoded and went out
	reading   bool // the request was answered with a stream
	taken     int  // events of the stream that were taken in
	yielded   int  // events that the caller has got: of the stream, or of the stream helper
	final     bool // the final call was made
	assembled []byte
	unseen    error // what rendering the assembled object raised
}

// budget is a bound on work that grows faster than a stream does.
type budget struct{ left, most int }

func (b *budget) spend(n int) error {
	if b.left -= n; b.left < 0 {
		return overLimit("work", b.most)
	}
	return nil
}

func (r *run) status() int {
	if r.in.Status == 0 {
		return 200
	}
	return r.in.Status
}

// each hands every event of the reply to f, built into the class of its API, until the stream ends or something
// raises: Stream.__stream__ of openai 2.54.0, _streaming.py. What f keeps of an event must be owned.
func (r *run) each(t *typ, f func(v value) error) error {
	r.sent = true
	if status := r.status(); !isSuccess(status) {
		return raiseForStatus(status, r.in, r.depth.status[r.target.Mode], r.ways.tellsMessage, r.statusClass)
	}
	r.reading = true
	events := newEventReader(r.in, r.ways.decodesByLine)
	w := workspaces.Get().(*workspace)
	defer w.release()
	r.mould, w.reader.depth = &w.mould, r.depth.event[r.target.Mode]
	for n := 0; ; n++ {
		if n%1024 == 0 && r.ctx.Err() != nil {
			return &limitError{what: "time", timed: true}
		}
		e, ok, err := events.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if r.target.API != sdkemu.AnthropicMessages && e.isDone() {
			if r.ways.drains {
				return r.drain(events)
			}
			return nil
		}
		if r.quick != nil {
			taken, err := r.quick(e, &w.reader)
			if err != nil {
				return err
			}
			if taken {
				r.taken++
				continue
			}
		}
		v, ok := w.mould.value, w.mould.fill(e, &w.reader)
		r.moulded = ok
		if !ok {
			v, ok, err = r.read(e, t, &w.reader)
		}
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if err := f(v); err != nil {
			return err
		}
		r.taken++
		if !r.moulded {
			if !r.unmoulded {
				w.mould.learn(e, t, v, &w.reader)
			}
			w.reader.arena.recycle()
		}
	}
	return r.end()
}

// drain reads the events that follow the end of the stream, without looking at them.
func (r *run) drain(events *eventReader) error {
	for {
		_, ok, err := events.next()
		if err != nil {
			return err
		}
		if !ok {
			return r.end()
		}
	}
}

// end is how the body ends: it may break off.
func (r *run) end() error {
	switch {
	case r.in.Break == nil:
		return nil
	case r.ways.wrapsBreaks:
		return raise("APIConnectionError", "Connection error.")
	}
	return broken(r.in.Break)
}

// read is what the SDK builds of an event; ok is false where it passes over it.
func (r *run) read(e serverSentEvent, t *typ, p *jsonReader) (v value, ok bool, err error) {
	if r.target.API == sdkemu.AnthropicMessages {
		return r.message(e, p)
	}
	v, err = e.value(t, p)
	return v, true, err
}

// iterate is a plain loop over create(stream=True): every event, rendered.
func (r *run) iterate(t *typ) error {
	r.assembled = append(make([]byte, 0, len(r.in.Body)), '[')
	write := func(v value) {
		if r.yielded++; r.yielded > 1 {
			r.assembled = append(r.assembled, ',')
		}
		switch {
		case r.unseen != nil:
		case r.moulded:
			r.assembled, r.unseen = r.mould.render(r.assembled)
		default:
			r.assembled, r.unseen = render(r.assembled, v)
		}
	}
	err := r.ask(r.tools())
	if err == nil {
		err = r.each(t, func(v value) error {
			write(v)
			return nil
		})
	}
	r.assembled = append(r.assembled, ']')
	return err
}

// chat is `with client.chat.completions.stream(...)`: every event, then get_final_completion().
func (r *run) chat() error {
	s := chatStream{shapes: &r.shapes.chat, depth: r.depth, ways: r.ways, rich: r.in.Parsed, tools: r.tools(), work: &r.work}
	if err := r.ask(s.tools); err != nil {
		return err
	}
	err := r.each(r.shapes.chat.chunk, func(v value) error {
		ok, err := isChunk(v)
		if err != nil || !ok {
			return err
		}
		n, err := s.handle(v.model())
		r.yielded += n
		return err
	})
	if err != nil {
		return err
	}
	return r.finish(s.final)
}

// finish is a stream helper's final call, and what it hands over.
func (r *run) finish(call func() (*model, error)) error {
	r.final = true
	m, err := call()
	if err != nil {
		return err
	}
	r.assembled, r.unseen = render(nil, ofModel(m))
	return nil
}

// responses is `with client.responses.stream(...)`: every event, then get_final_response().
func (r *run) responses() error {
	tools, err := convertTools(r.tools(), r.ways)
	if err != nil {
		return err
	}
	if err := r.ask(tools); err != nil {
		return err
	}
	s := responsesStream{shapes: &r.shapes.responses, depth: r.depth.arguments, ways: r.ways, work: &r.work, rich: r.in.Parsed, tools: tools}
	err = r.each(r.shapes.responses.event, func(v value) error {
		n, err := s.handle(v)
		r.yielded += n
		return err
	})
	if err != nil {
		return err
	}
	return r.finish(s.final)
}

// tools are the request's.
func (r *run) tools() []value {
	tools := r.in.Request.Get("tools")
	if tools.Kind() != wire.Array {
		return nil
	}
	return ofWire(tools).list().elems
}

// result words how the run ended.
func (r *run) result(err error) sdkemu.Result {
	out := sdkemu.Result{Outcome: sdkemu.OK, Assembled: r.assembled}
	if r.unseen != nil {
		out.Assembled, out.Reason = nil, "to_dict() raises "+r.unseen.Error()
	}
	switch e := err.(type) {
	case nil:
	case *raised:
		out.Outcome = sdkemu.Exception
		out.Exception = &sdkemu.ExceptionDetail{Class: e.class, Message: e.message, Thrown: "error", AtEvent: r.at()}
		out.Exception.Unsent = !r.sent
		if !r.final && r.reading && r.taken != r.yielded {
			out.Exception.Taken = &r.taken
		}
	case *limitError:
		return sdkemu.Result{Outcome: sdkemu.Inconclusive, Reason: e.Error(), Retryable: e.timed}
	default:
		return sdkemu.Result{Outcome: sdkemu.Failed, Reason: e.Error()}
	}
	return out
}

// at is where an exception came: "final", the number of events before it, or null when the caller had no stream yet
// or not one byte of the body had come.
func (r *run) at() json.RawMessage {
	switch {
	case r.final:
		return json.RawMessage(`"final"`)
	case !r.reading || len(r.in.Body) == 0:
		return json.RawMessage("null")
	}
	return json.RawMessage(strconv.Itoa(r.yielded))
}
