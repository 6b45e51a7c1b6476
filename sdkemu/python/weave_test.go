package python

import (
	"fmt"
	"strings"

	"reassay/sdkemu"
)

// woven is a stream of an API made of pieces that nearly fit each other: what mutation of whole fixtures rarely hits
// is in the order in which sound deltas and odd ones follow each other.
func (g generator) woven() []frame {
	if g.api == sdkemu.Responses {
		return g.wovenResponse()
	}
	var frames []frame
	for n := range 2 + g.m.r.IntN(8) {
		var choices []string
		for range 1 + g.m.r.IntN(12)/11 {
			choices = append(choices, g.choice(n))
		}
		usage := pick(g.m.r, []string{"", "", "", `,"usage":null`, `,"usage":{"prompt_tokens":1,"completion_tokens":"2","total_tokens":3}`, `,"system_fingerprint":"fp"`})
		text := fmt.Sprintf(`{"id":"c%d","object":"chat.completion.chunk","created":1,"model":"m","choices":[%s]%s}`, n, strings.Join(choices, ","), usage)
		frames = append(frames, frame{data: nodeOf(mustParse(text))})
	}
	return append(frames, frame{text: "data: [DONE]"})
}

func (g generator) choice(n int) string {
	r := g.m.r
	index := pick(r, []string{"0", "0", "0", "0", "0", "1", "-1"})
	if n == 0 {
		index = "0"
	}
	finish := pick(r, []string{"null", "null", "null", "null", `"stop"`, `"tool_calls"`, `"length"`, `""`})
	logprobs := pick(r, []string{"", "", "", `,"logprobs":null`, `,"logprobs":{"content":[{"token":"a","logprob":-1,"bytes":null,"top_logprobs":[]}],"refusal":null}`, `,"logprobs":{"content":null,"refusal":[]}`})
	return fmt.Sprintf(`{"index":%s,"delta":{%s},"finish_reason":%s%s}`, index, g.delta(), finish, logprobs)
}

// deltaKeys are the keys of a delta with values for them, the usual ones first.
var deltaKeys = []struct {
	key    string
	values []string
}{
	{"content", []string{`"a"`, `"{\"a\":"`, `"1}"`, `""`, "null", "5", `[1]`, `"\ud83d"`, `"` + strings.Repeat("long ", 10) + `"`}},
	{"role", []string{`"assistant"`, `""`, "null", "1"}},
	{"refusal", []string{"null", `"no"`, `""`, "true"}},
	{"reasoning_content", []string{`"r"`, "null", `""`, "1", `[]`, `{"a":"b"}`}},
	{"x", []string{`"s"`, "1", "1.5", "null", `[1]`, `[{"index":0,"t":"u"}]`, `{"a":"b","l":["c"]}`, "true"}},
	{"function_call", []string{"null", `{"name":"f","arguments":"{"}`, `{"arguments":"}"}`, `{"name":null}`}},
	{"annotations", []string{"null", `[]`, `[{"type":"url_citation","url_citation":{"start_index":"0","end_index":1,"title":"t","url":"u"}}]`, `[{"index":0,"type":"url_citation"}]`}},
	{"audio", []string{"null", `{"id":"a","data":"QQ","expires_at":"170","transcript":"t"}`, `{"transcript":"u"}`}},
	{"parsed", []string{"null", `{"a":1}`}},
	{"index", []string{"0", "1", "null"}},
	{"type", []string{`"t"`, "null"}},
}

func (g generator) delta() string {
	r := g.m.r
	var parts []string
	for i, k := range deltaKeys {
		if r.IntN(2+2*i) == 0 {
			parts = append(parts, fmt.Sprintf("%q:%s", k.key, pick(r, k.values[:1+r.IntN(len(k.values))])))
		}
	}
	if r.IntN(3) == 0 {
		parts = append(parts, `"tool_calls":`+g.toolCalls())
	}
	return strings.Join(parts, ",")
}

func (g generator) toolCalls() string {
	r := g.m.r
	if r.IntN(12) == 0 {
		return pick(r, []string{"null", "[]", `"s"`, "{}", `[null]`})
	}
	calls := make([]string, 1+r.IntN(6)/5)
	for i := range calls {
		parts := []string{`"index":` + pick(r, []string{"0", "0", "0", "0", "1", "1", "2", "-1", `"0"`, "true"})}
		for _, k := range []struct {
			key    string
			values []string
		}{
			{"id", []string{`"call_0"`, `"call_1"`, "null", `""`, "5"}},
			{"type", []string{`"function"`, `"function"`, `"function"`, "null", `"custom"`, `""`}},
			{"function", []string{`{"name":"f","arguments":""}`, `{"arguments":"{\"a\":1}"}`, `{"arguments":"x"}`, `{"name":"g"}`, `{"name":null,"arguments":null}`, `{}`, "null", `{"arguments":{"a":1}}`, `{"name":"f","arguments":"{}","y":1}`}},
			{"z", []string{`"z"`, "1", `{"a":"b"}`}},
		} {
			if r.IntN(3) > 0 && k.key != "z" || r.IntN(10) == 0 {
				parts = append(parts, fmt.Sprintf("%q:%s", k.key, pick(r, k.values)))
			}
		}
		calls[i] = "{" + strings.Join(parts, ",") + "}"
	}
	return "[" + strings.Join(calls, ",") + "]"
}

// responseEvents are events of a response, in an order that makes sense.
var responseEvents = []string{
	`{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","created_at":1,"model":"m","output":[],"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}}`,
	`{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"m","role":"assistant","status":"in_progress","content":[]}}`,
	`{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"f","call_id":"k","name":"f","arguments":""}}`,
	`{"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"r","summary":[]}}`,
	`{"type":"response.content_part.added","output_index":0,"content_index":0,"item_id":"m","part":{"type":"output_text","text":"","annotations":[]}}`,
	`{"type":"response.content_part.added","output_index":0,"content_index":0,"item_id":"m","part":{"type":"refusal","refusal":""}}`,
	`{"type":"response.output_text.delta","output_index":0,"content_index":0,"item_id":"m","delta":"a","logprobs":[]}`,
	`{"type":"response.output_text.delta","output_index":0,"content_index":0,"item_id":"m","delta":"b"}`,
	`{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"f","delta":"{"}`,
	`{"type":"response.function_call_arguments.delta","output_index":1,"item_id":"f","delta":"}"}`,
	`{"type":"response.output_text.done","output_index":0,"content_index":0,"item_id":"m","text":"ab","logprobs":[]}`,
	`{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"m","role":"assistant","status":"completed","content":[{"type":"output_text","text":"ab","annotations":[]}]}}`,
	`{"type":"response.in_progress","response":{"id":"r","output":[]}}`,
	`{"type":"response.completed","response":{"id":"r","object":"response","created_at":"1","model":"m","status":"completed","output":[{"type":"message","id":"m","role":"assistant","status":"completed","content":[{"type":"output_text","text":"{\"a\":1}","annotations":[],"logprobs":[{"token":"a","bytes":[97],"logprob":-1,"top_logprobs":[]}]},{"type":"refusal","refusal":"no"}]},{"type":"function_call","id":"f","call_id":"k","name":"f","arguments":"{}"},{"type":"reasoning","id":"r","summary":[]}],"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}}`,
}

func (g generator) wovenResponse() []frame {
	r := g.m.r
	var frames []frame
	for i := 0; i < len(responseEvents); i += 1 + r.IntN(3)/2 {
		for range 1 + r.IntN(8)/7 {
			frames = append(frames, frame{data: nodeOf(mustParse(responseEvents[i]))})
		}
		if r.IntN(20) == 0 {
			i = max(0, i-4)
		}
	}
	return frames
}
