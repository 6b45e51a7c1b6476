package convir

import (
	"strconv"

	"reassay/wire"
)

// reasoning reads a reasoning item: its summary, its own text where the model shows it, and the encrypted content,
// which signs what stands before it or stands alone. A text that the item holds under both lists is read once.
func (r *responseReader) reasoning(path string, v wire.Value) {
	var events []Event
	texts := map[string]bool{}
	for _, list := range []string{"summary", "content"} {
		parts := v.Get(list)
		if parts.Present() && parts.Kind() != wire.Array {
			r.fault(WrongType, path+"."+list, parts)
		}
		var read []Event
		for i, p := range parts.Elems() {
			at := path + "." + list + "[" + strconv.Itoa(i) + "]"
			kind := p.Get("type").Str()
			if kind != "summary_text" && kind != "reasoning_text" {
				r.unread.add("output[]." + list + "[]." + kind)
				read = append(read, Event{Kind: Opaque, Type: kind, Data: p, Path: at})
				continue
			}
			r.unread.object("part "+kind, "output[]."+list+"[]", p)
			read = append(read, Event{Kind: Reasoning, Type: kind, Text: r.str(at, "text", p), Path: at})
		}
		if text := joinedText(read); text == "" || !texts[text] {
			events = append(events, read...)
			texts[text] = true
		}
	}
	signature := r.str(path, "encrypted_content", v)
	switch {
	case signature == "":
	case joinedText(events) == "":
		events = append(events, Event{Kind: RedactedReasoning, Type: "reasoning", ID: v.Get("id").Str(), Signature: signature, Path: path})
	default:
		for i := len(events) - 1; i >= 0; i-- {
			if events[i].Text != "" {
				events[i].Signature = signature
				break
			}
		}
	}
	r.choice.Events = append(r.choice.Events, events...)
}

// functionCall reads a call of a function or of a custom tool.
func (r *responseReader) functionCall(path string, v wire.Value, kind string) {
	e := Event{Kind: ToolCall, ID: r.str(path, "call_id", v), Type: kind, Name: r.str(path, "name", v), Path: path}
	if kind == "custom_tool_call" {
		e.Args = Args{Raw: r.str(path, "input", v), Given: v.Get("input").Present()}
	} else {
		var code FaultCode
		if e.Args, code = argumentsOf(v.Get("arguments")); code != "" {
			r.fault(code, path+".arguments", v.Get("arguments"))
		}
	}
	r.emit(e)
}

// actionKeys are the members that say what a built-in tool is to do.
var actionKeys = map[string]string{
	"computer_call":    "action",
	"local_shell_call": "action",
	"shell_call":       "action",
	"apply_patch_call": "operation",
	"web_search_call":  "action",
	"file_search_call": "queries",
	"tool_search_call": "arguments",
}

// actionCall reads a call of a built-in tool that the caller carries out. A shell call in a container of the vendor's
// is carried out there.
func (r *responseReader) actionCall(path string, v wire.Value, kind string) {
	e := Event{Kind: ToolCall, ID: r.str(path, "call_id", v), Type: kind, Name: toolName(kind), Data: v, Path: path}
	if kind == "shell_call" && v.Path("environment", "type").Str() == "container_reference" {
		e.Kind = ServerToolCall
	}
	action := v.Get(actionKeys[kind])
	if kind == "computer_call" && !action.Present() {
		action = v.Get("actions")
	}
	e.Args = valueArgs(action)
	r.emit(e)
}

// toolName is the built-in tool that a call's type names: web_search_call is a call of web_search.
func toolName(kind string) string {
	const suffix = "_call"
	if len(kind) > len(suffix) && kind[len(kind)-len(suffix):] == suffix {
		return kind[:len(kind)-len(suffix)]
	}
	return kind
}

// valueArgs are arguments that stand as JSON, not as its text.
func valueArgs(v wire.Value) Args {
	if !v.Present() {
		return Args{}
	}
	return Args{Raw: string(v.JSON()), Value: v, Given: true}
}

// codeCall reads a code interpreter call: the code and, where outputs were asked for, what it printed and drew.
func (r *responseReader) codeCall(path string, v wire.Value) {
	id := v.Get("id").Str()
	r.emit(Event{Kind: Code, ID: id, Type: "code_interpreter_call", Text: r.str(path, "code", v), Path: path + ".code"})
	outputs := v.Get("outputs")
	if outputs.Present() && outputs.Kind() != wire.Array {
		r.fault(WrongType, path+".outputs", outputs)
	}
	if len(outputs.Elems()) == 0 {
		return
	}
	var logs []string
	for i, o := range outputs.Elems() {
		kind := o.Get("type").Str()
		if kind != "logs" && kind != "image" {
			r.unread.add("output[].outputs[]." + kind)
			continue
		}
		r.unread.object("part "+kind, "output[].outputs[]", o)
		logs = append(logs, r.str(path+".outputs["+strconv.Itoa(i)+"]", "logs", o))
	}
	r.emit(Event{Kind: CodeResult, ID: id, Type: "code_interpreter_call", Text: wire.Join(logs...), Data: outputs, IsError: failed(v), Path: path + ".outputs"})
}

// failed reports whether an item's own status says that its tool failed.
func failed(v wire.Value) bool { return v.Get("status").Str() == "failed" }

// serverTool reads the items of tools that ran at the vendor's, and of their results.
func (r *responseReader) serverTool(path string, v wire.Value, kind string) {
	id := r.str(path, "id", v)
	call := Event{Kind: ServerToolCall, ID: id, Type: kind, Name: toolName(kind), IsError: failed(v), Path: path}
	switch kind {
	case "web_search_call", "tool_search_call":
		call.Args = valueArgs(v.Get(actionKeys[kind]))
		r.emit(call)
	case "file_search_call":
		call.Args = valueArgs(v.Get("queries"))
		r.emit(call)
		if results := v.Get("results"); len(results.Elems()) > 0 {
			r.emit(Event{Kind: ServerToolResult, ID: id, Type: kind, Data: results, Path: path + ".results"})
		}
	case "mcp_call", "mcp_approval_request":
		call.Name = r.str(path, "name", v)
		call.Data = wire.Obj(wire.Member{Key: "server_label", Value: v.Get("server_label")})
		var code FaultCode
		if call.Args, code = argumentsOf(v.Get("arguments")); code != "" {
			r.fault(code, path+".arguments", v.Get("arguments"))
		}
		r.emit(call)
		r.mcpResult(path, v, id)
	default:
		e := Event{Kind: ServerToolResult, ID: r.str(path, "call_id", v), Type: kind, IsError: failed(v), Data: v.Get("output"), Path: path}
		if kind == "mcp_list_tools" || kind == "tool_search_output" {
			e.Data = v.Get("tools")
		}
		if x := v.Get("error"); x.Present() {
			e.IsError, e.Data = true, x
		}
		r.emit(e)
	}
}

func (r *responseReader) mcpResult(path string, v wire.Value, id string) {
	output, fault := v.Get("output"), v.Get("error")
	switch {
	case fault.Present():
		r.emit(Event{Kind: ServerToolResult, ID: id, Type: "mcp_call", IsError: true, Data: fault, Path: path + ".error"})
	case output.Present():
		r.emit(Event{Kind: ServerToolResult, ID: id, Type: "mcp_call", Data: output, Path: path + ".output"})
	}
}
