package python

import (
	"fmt"
	"strings"
)

// wovenResponse is a stream of output items, each announced, spelt and ended, that agree with each other save for a
// few that are drawn to be odd.
func (g generator) wovenResponse() []frame {
	r := g.m.r
	var events, whole []string
	say := func(kind, rest string) {
		for range 1 + r.IntN(24)/23 {
			events = append(events, fmt.Sprintf(`{"type":%q,"sequence_number":%d%s}`, kind, len(events), rest))
		}
	}
	response := func(status string, output string) string {
		id := g.odd(`"id":"r",`, `"id":"other",`, "", `"id":null,`)
		return fmt.Sprintf(`,"response":{%s"object":"response","created_at":%s,"model":"m","status":%q%s,"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}`, id, g.odd("1", `"1"`, "1.5"), status, output)
	}
	outputOf := func(items []string) string {
		return g.odd(fmt.Sprintf(`,"output":[%s]`, strings.Join(items, ",")), "", `,"output":null`, `,"output":[]`, `,"output":"ab"`, `,"output":5`)
	}
	say("response.created", response("in_progress", outputOf(nil)))
	for i := range r.IntN(4) {
		if r.IntN(6) == 0 {
			say(pick(r, []string{"response.in_progress", "response.queued", "response.created"}), response("in_progress", outputOf(whole)))
		}
		kind := pick(r, itemKinds)
		index := g.odd(fmt.Sprint(i), "null", "-1", "0", "1", "5", `"0"`, "1.0", "true", "{}", "1.5")
		place := `,"output_index":` + index
		say("response.output_item.added", place+`,"item":`+g.odd(g.item(kind, i, false), "null", `"s"`, "[]"))
		switch kind {
		case "message":
			part := place + fmt.Sprintf(`,"content_index":%s,"item_id":"m%d"`, g.odd("0", "1", "null"), i)
			say("response.content_part.added", part+`,"part":`+g.odd(`{"type":"output_text","text":"","annotations":[]}`, `{"type":"refusal","refusal":""}`, "null"))
			for range r.IntN(3) {
				say("response.output_text.delta", part+`,"logprobs":[],"delta":`+g.odd(`"a"`, "null", "1"))
			}
			if r.IntN(2) == 0 {
				say("response.output_text.done", part+`,"logprobs":[],"text":`+g.odd(`"{\"a\":1}"`, `"ab"`, "null"))
			}
		case "function_call":
			for range r.IntN(3) {
				say("response.function_call_arguments.delta", place+`,"item_id":"f","delta":`+g.odd(`"{"`, "null", "[]"))
			}
		}
		item := g.item(kind, i, true)
		if r.IntN(8) > 0 {
			say("response.output_item.done", place+`,"item":`+item)
		}
		whole = append(whole, g.odd(item, g.item(kind, i, true), g.item("reasoning", 9, true)))
	}
	end := g.odd("completed", "failed", "incomplete", "in_progress")
	say("response."+end, response(end, outputOf(whole)))
	frames := make([]frame, len(events))
	for i, e := range events {
		frames[i] = frame{data: nodeOf(mustParse(e))}
	}
	return frames
}

var itemKinds = []string{"message", "message", "message", "function_call", "function_call", "reasoning", "custom_tool_call", "shell_call", "web_search_call", "unknown"}

// item is an output item, the number-th of its response.
func (g generator) item(kind string, number int, whole bool) string {
	id := func(letter string) string {
		return g.odd(fmt.Sprintf(`,"id":"%s%d"`, letter, number), "", `,"id":null`, `,"id":"other"`, `,"id":{}`)
	}
	call := g.odd(fmt.Sprintf(`,"call_id":"k%d"`, number), "", `,"call_id":"k0"`, `,"call_id":[]`)
	status := `,"status":"in_progress"`
	if whole {
		status = `,"status":"completed"`
	}
	rest := ""
	switch kind {
	case "message":
		content := "[]"
		if whole {
			content = g.odd(`[{"type":"output_text","text":"{\"a\":1}","annotations":[],"logprobs":[]}]`, `[{"type":"refusal","refusal":"no"}]`, "null", `[{"type":"output_text","text":"ab"}]`)
		}
		rest = fmt.Sprintf(`%s,"role":"assistant","content":%s%s`, id("m"), content, pick(g.m.r, []string{"", "", `,"phase":null`, `,"phase":"final_answer"`, `,"phase":"commentary"`, `,"phase":1`}))
	case "function_call":
		arguments := `""`
		if whole {
			arguments = g.odd(`"{}"`, `"{"`, "null")
		}
		rest = fmt.Sprintf(`%s%s,"name":"f","arguments":%s%s`, id("f"), call, arguments, g.odd("", `,"namespace":"n"`, `,"namespace":"f"`, `,"namespace":{}`))
	case "custom_tool_call":
		rest = id("c") + call + `,"name":"n","input":"i"`
	case "shell_call":
		rest = id("s") + call + `,"action":{"commands":["ls"]}`
	case "web_search_call":
		rest = id("w") + `,"action":{"type":"search","query":"q"}`
	default:
		rest = id("x") + `,"summary":[]`
	}
	return fmt.Sprintf(`{"type":%q%s%s}`, kind, rest, status)
}
