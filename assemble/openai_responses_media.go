package assemble

import (
	"reassay/sse"
	"reassay/wire"
)

// audio reads response.audio.* and response.audio.transcript.*. They name no item: the audio is a part of the newest
// message, in the form of an output_audio part (OpenAI's description of the API, OutputAudio: type, data, transcript).
func (r *responsesReply) audio(e sse.Event) {
	if _, last := splitEvent(e.Type); last == "done" {
		return
	}
	delta, at := e.Data.Get("delta"), r.at(e, e.Data)
	if delta.Kind() != wire.String {
		r.once(MissingField, r.at(e, orParent(delta, e.Data)), nil, "delta", delta, wire.Value{})
		return
	}
	p, it := r.audioPart(e, at)
	if e.Type == "response.audio.delta" {
		p.audio = append(p.audio, delta.Str())
	} else {
		p.text.text.add(delta.Str())
	}
	it.spot.wrote(p.field(), r.at(e, delta))
}

const audioPart = "output_audio"

// audioPart is the newest message's part of audio.
func (r *responsesReply) audioPart(e sse.Event, at At) (*responsesPart, *responsesItem) {
	it := r.message
	if it == nil {
		it = r.openItem(at, len(r.items)-r.first, true, "message", "")
		it.implied = true
		r.once(BlockNotOpen, at, it.spot, "", wire.Of(e.Type), wire.Of("response.output_item.added"))
	}
	if it.audio == nil {
		n := 0
		if p := it.newest["content"]; p != nil {
			n = p.n + 1
		}
		it.audio = it.openPart("content", n, wire.Obj(wire.Member{Key: "type", Value: wire.Of(audioPart)}), at)
		it.audio.implied = true
	}
	return it.audio, it
}

// shellOutput is what one command of a shell call printed.
type shellOutput struct {
	n              int
	command        lane
	stdout, stderr lane
	done           []wire.Value // the entries that shell_call_output_content.done gives
}

func (it *responsesItem) command(n int) *shellOutput {
	s := it.shellAt[n]
	if s == nil {
		s = &shellOutput{n: n}
		it.shell = append(it.shell, s)
		it.shellAt[n] = s
	}
	return s
}

// shellCommand reads response.shell_call_command.*: a command of a shell call, as its model writes it.
func (r *responsesReply) shellCommand(e sse.Event) {
	it := r.itemOf(e, "shell_call")
	n, ok := r.indexOf(e, "command_index", it.spot, ".action.commands")
	if !ok {
		return
	}
	field := ".action.commands" + number(n)
	s := it.command(n)
	_, last := splitEvent(e.Type)
	key := "command"
	if last == "delta" {
		key = "delta"
	}
	v := e.Data.Get(key)
	if v.Kind() != wire.String {
		r.once(MissingField, r.at(e, orParent(v, e.Data)), it.spot, field, v, wire.Value{})
		return
	}
	it.spot.wrote(field, r.at(e, v))
	if last == "done" {
		s.command.done = v
		r.compareText(e, it, field, &s.command, v, e.Data)
		return
	}
	s.command.text.add(v.Str())
}

// shellOutput reads response.shell_call_output_content.*: what a command printed.
func (r *responsesReply) shellOutput(e sse.Event) {
	it := r.itemOf(e, "shell_call_output")
	n, ok := r.indexOf(e, "command_index", it.spot, ".output")
	if !ok {
		return
	}
	field := ".output" + number(n)
	s := it.command(n)
	if e.Type == "response.shell_call_output_content.done" {
		v := e.Data.Get("output")
		s.done = v.Elems()
		it.spot.wrote(field, r.at(e, orParent(v, e.Data)))
		for _, key := range []string{"stdout", "stderr"} {
			l := s.stream(key)
			l.done = v.At(0).Get(key)
			r.compareText(e, it, field+"."+key, l, l.done, e.Data)
		}
		return
	}
	v := e.Data.Get("delta")
	if v.Kind() != wire.Object {
		r.once(WrongType, r.at(e, orParent(v, e.Data)), it.spot, field, v, wire.Value{})
		return
	}
	it.spot.wrote(field, r.at(e, v))
	for _, key := range []string{"stdout", "stderr"} {
		s.stream(key).text.add(v.Get(key).Str())
	}
}

func (s *shellOutput) stream(key string) *lane {
	if key == "stderr" {
		return &s.stderr
	}
	return &s.stdout
}

// wholeShell is the item with the commands and outputs that shell events built where the item itself lacks them.
func (it *responsesItem) wholeShell(v wire.Value) wire.Value {
	if len(it.shell) == 0 {
		return v
	}
	var commands, outputs []wire.Value
	for _, s := range it.shell {
		if c, ok := s.command.said(); ok {
			commands = append(commands, c)
		}
		outputs = append(outputs, s.whole()...)
	}
	if len(commands) > 0 {
		action := v.Get("action")
		if action.Kind() != wire.Object {
			action = wire.Obj()
		}
		v = v.With("action", complete(action.With("commands", wire.Arr(commands...)), action))
	}
	if len(outputs) > 0 {
		v = v.With("output", complete(wire.Arr(outputs...), v.Get("output")))
	}
	return v
}

func (s *shellOutput) whole() []wire.Value {
	stdout, hasOut := s.stdout.said()
	stderr, hasErr := s.stderr.said()
	if !hasOut && !hasErr {
		return s.done
	}
	first := wire.Obj()
	if hasOut {
		first = first.With("stdout", stdout)
	}
	if hasErr {
		first = first.With("stderr", stderr)
	}
	return complete(wire.Arr(first), wire.Arr(s.done...)).Elems()
}
