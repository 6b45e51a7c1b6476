package python

import (
	"fmt"
	"strings"

	"reassay/sdkemu"
)

// woven is a stream of an API made of pieces that nearly fit each other: what mutation of whole fixtures rarely hits
// is in the order in which sound deltas and odd ones follow each other.
func (g generator) woven() []frame {
	if g.api == sdkemu.AnthropicMessages {
		return g.wovenMessage()
	}
	if g.api == sdkemu.Responses {
		return g.wovenResponse()
	}
	var frames []frame
	for n, last := 0, 1+g.m.r.IntN(8); n <= last; n++ {
		var choices []string
		for range 1 + g.m.r.IntN(12)/11 {
			choices = append(choices, g.choice(n, n == last))
		}
		usage := pick(g.m.r, []string{"", "", "", `,"usage":null`, `,"usage":{"prompt_tokens":1,"completion_tokens":"2","total_tokens":3}`, `,"system_fingerprint":"fp"`, `,"obfuscation":"o"`, `,"moderation":{"input":{"type":"error","code":"c","message":"m"},"output":{"type":"error","code":"c","message":"m"}}`, g.odd("", `,"moderation":5`)})
		text := fmt.Sprintf(`{"id":"c%d","object":"chat.completion.chunk","created":1,"model":"m","choices":[%s]%s}`, n, strings.Join(choices, ","), usage)
		frames = append(frames, frame{data: nodeOf(mustParse(text))})
	}
	return append(frames, frame{text: "data: [DONE]"})
}

func (g generator) choice(n int, last bool) string {
	r := g.m.r
	index := "0"
	if n > 0 {
		index = g.odd("0", "1", "-1", "2")
	}
	finish := g.odd("null", `"stop"`, `"tool_calls"`, `"length"`, `""`)
	if last {
		finish = g.odd(`"stop"`, `"tool_calls"`, `"length"`, `"content_filter"`, "null")
	}
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
	{"x", []string{`"s"`, "1", "1.5", "null", `[1]`, `[{"index":0,"t":"u"}]`, `[{"index":0,"t":"u"},{"index":0,"t":"v","l":[{"index":1}]}]`, `[1,{"index":0}]`, `{"a":"b","l":["c"]}`, "true"}},
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
			parts = append(parts, fmt.Sprintf("%q:%s", k.key, g.odd(k.values[0], k.values...)))
		}
	}
	if r.IntN(3) == 0 {
		parts = append(parts, `"tool_calls":`+g.toolCalls())
	}
	return strings.Join(parts, ",")
}

func (g generator) toolCalls() string {
	r := g.m.r
	if odd := g.odd("", "null", "[]", `"s"`, "{}", `[null]`); odd != "" {
		return odd
	}
	calls := make([]string, 1+r.IntN(6)/5)
	for i := range calls {
		parts := []string{`"index":` + g.odd("0", "1", "2", "-1", `"0"`, "true")}
		for _, k := range []struct {
			key    string
			values []string
		}{
			{"id", []string{`"call_0"`, `"call_1"`, "null", `""`, "5"}},
			{"type", []string{`"function"`, `"function"`, `"function"`, "null", `"custom"`, `""`}},
			{"function", []string{`{"name":"f","arguments":""}`, `{"arguments":"{\"a\":1}"}`, `{"arguments":"x"}`, `{"name":"g"}`, `{"name":null,"arguments":null}`, `{}`, "null", `{"arguments":{"a":1}}`, `{"name":"f","arguments":"{}","y":1}`}},
			{"z", []string{`"z"`, "1", `{"a":"b"}`}},
		} {
			if k.key != "z" && g.odd("", "left out") == "" || r.IntN(20) == 0 {
				parts = append(parts, fmt.Sprintf("%q:%s", k.key, g.odd(k.values[0], k.values...)))
			}
		}
		calls[i] = "{" + strings.Join(parts, ",") + "}"
	}
	return "[" + strings.Join(calls, ",") + "]"
}
