package python

import (
	"fmt"
	"strings"
)

// blocks are starts of content blocks, each with deltas that fit it, the usual ones first.
var blocks = []struct {
	start  string
	deltas []string
}{
	{`{"type":"text","text":""}`, []string{`{"type":"text_delta","text":"Hello"}`, `{"type":"text_delta","text":" wörld \ud83d\ude00"}`, `{"type":"text_delta","text":"{\"a\":1}"}`, `{"type":"citations_delta","citation":{"type":"char_location","cited_text":"c","document_index":0,"document_title":"t","start_char_index":0,"end_char_index":1}}`, `{"type":"text_delta","text":""}`}},
	{`{"type":"tool_use","id":"toolu_1","name":"f","input":{}}`, []string{`{"type":"input_json_delta","partial_json":""}`, `{"type":"input_json_delta","partial_json":"{\"a\": [1, \"x"}`, `{"type":"input_json_delta","partial_json":"y\", {\"b\":"}`, `{"type":"input_json_delta","partial_json":" tru"}`, `{"type":"input_json_delta","partial_json":"e}]}"}`}},
	{`{"type":"thinking","thinking":"","signature":""}`, []string{`{"type":"thinking_delta","thinking":"Let me"}`, `{"type":"thinking_delta","thinking":" think"}`, `{"type":"signature_delta","signature":"EqQB"}`}},
	{`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}`, []string{`{"type":"input_json_delta","partial_json":"{\"query\""}`, `{"type":"input_json_delta","partial_json":": \"q\"}"}`}},
	{`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","title":"t","url":"u","encrypted_content":"e","page_age":"1 day"}]}`, []string{`{"type":"text_delta","text":"x"}`}},
	{`{"type":"redacted_thinking","data":"QQ"}`, []string{`{"type":"signature_delta","signature":"s"}`}},
	{`{"type":"unheard_of"}`, []string{`{"type":"text_delta","text":"x"}`, `{"type":"unheard_of_delta"}`}},
}

// wovenMessage is a message whose blocks come in order, with odd ones and odd deltas among them.
func (g generator) wovenMessage() []frame {
	r := g.m.r
	var frames []frame
	add := func(event, format string, args ...any) {
		frames = append(frames, frame{event: event, data: nodeOf(mustParse(fmt.Sprintf(format, args...)))})
	}
	add("message_start", `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-1","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":25,"output_tokens":1%s}}}`,
		pick(r, []string{"", `,"cache_read_input_tokens":0`, `,"service_tier":"standard"`}))
	if r.IntN(3) == 0 {
		add("ping", `{"type":"ping"}`)
	}
	for index := range 1 + r.IntN(4) {
		b := blocks[r.IntN(1+r.IntN(len(blocks)))]
		add("content_block_start", `{"type":"content_block_start","index":%d,"content_block":%s}`, index, b.start)
		for i := 0; i < len(b.deltas); i += 1 - r.IntN(6)/5 + r.IntN(8)/7 {
			delta := b.deltas[i]
			if r.IntN(25) == 0 {
				delta = pick(r, pick(r, blocks).deltas)
			}
			at := index
			if r.IntN(40) == 0 {
				at = r.IntN(4) - 2
			}
			add("content_block_delta", `{"type":"content_block_delta","index":%d,"delta":%s}`, at, delta)
			if len(frames) > 60 {
				break
			}
		}
		if r.IntN(10) > 0 {
			add("content_block_stop", `{"type":"content_block_stop","index":%d}`, index)
		}
	}
	for range 1 + r.IntN(8)/7 {
		add("message_delta", `{"type":"message_delta","delta":%s,"usage":{%s}}`,
			pick(r, []string{`{"stop_reason":"end_turn","stop_sequence":null}`, `{"stop_reason":"tool_use"}`, `{"stop_reason":"refusal","stop_sequence":null,"stop_details":{"type":"refusal","category":null,"explanation":"e"}}`, `{"stop_reason":null,"stop_sequence":null,"stop_details":null}`, `{"stop_reason":"end_turn","container":{"id":"c","expires_at":"2026-01-01T00:00:00Z"}}`}),
			strings.Join(g.some([]string{`"output_tokens":15`, `"input_tokens":"30"`, `"cache_creation_input_tokens":0`, `"cache_read_input_tokens":null`, `"server_tool_use":{"web_search_requests":1}`, `"output_tokens_details":{"thinking_tokens":2}`}), ","))
	}
	if r.IntN(10) > 0 {
		add("message_stop", `{"type":"message_stop"}`)
	}
	return frames
}

// some are the first of the members, and perhaps others.
func (g generator) some(members []string) []string {
	out := members[:1:1]
	for _, m := range members[1:] {
		if g.m.r.IntN(3) == 0 {
			out = append(out, m)
		}
	}
	return out
}
