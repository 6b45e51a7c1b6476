package python

import (
	"fmt"
	"strings"
)

func messageEvent(b *strings.Builder, event, format string, args ...any) {
	fmt.Fprintf(b, "event: %s\ndata: "+format+"\n\n", append([]any{event}, args...)...)
}

// messagesOf is a reply of n events that spell blocks of one kind, each delta with a text of its own.
func messagesOf(n, count int, block, delta string) []byte {
	var b strings.Builder
	messageEvent(&b, "message_start", `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"demo-large","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":25,"output_tokens":1}}}`)
	for index := range count {
		messageEvent(&b, "content_block_start", `{"type":"content_block_start","index":%d,"content_block":%s}`, index, block)
		for i := range n/count - 3 {
			messageEvent(&b, "content_block_delta", `{"type":"content_block_delta","index":%d,"delta":`+delta+`}`, index, i)
		}
		messageEvent(&b, "content_block_stop", `{"type":"content_block_stop","index":%d}`, index)
	}
	messageEvent(&b, "message_delta", `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":15}}`)
	messageEvent(&b, "message_stop", `{"type":"message_stop"}`)
	return []byte(b.String())
}

// messageText is a reply of n events with one block of text.
func messageText(n int) []byte {
	return messagesOf(n, 1, `{"type":"text","text":""}`, `{"type":"text_delta","text":" word%d"}`)
}

// messageThinking is a reply of n events with one block of thinking.
func messageThinking(n int) []byte {
	return messagesOf(n, 1, `{"type":"thinking","thinking":"","signature":""}`, `{"type":"thinking_delta","thinking":" word%d"}`)
}

// messageTools is a reply of n events with two tool calls, whose inputs are lists that never end.
func messageTools(n int) []byte {
	tools := messagesOf(n, 2, `{"type":"tool_use","id":"toolu_1","name":"f","input":{}}`, `{"type":"input_json_delta","partial_json":" %d,"}`)
	return []byte(strings.ReplaceAll(string(tools), `"partial_json":" 0,"`, `"partial_json":"{\"a\":[ 0,"`))
}

// messageCitations is a reply of n events with one block of text and its citations.
func messageCitations(n int) []byte {
	return messagesOf(n, 1, `{"type":"text","text":""}`, `{"type":"citations_delta","citation":{"type":"char_location","cited_text":"c","document_index":0,"document_title":"t","start_char_index":%d,"end_char_index":1}}`)
}
