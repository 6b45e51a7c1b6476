package python

import (
	"slices"

	"reassay/sdkemu"
)

// words of the APIs' streams, for mutations.
var apiWords = map[sdkemu.API]words{
	sdkemu.Chat: {
		keys: []string{"id", "object", "choices", "index", "delta", "message", "content", "role", "refusal", "tool_calls", "function", "name", "arguments", "type", "function_call", "finish_reason", "logprobs",
			"usage", "prompt_tokens", "completion_tokens", "total_tokens", "prompt_tokens_details", "cached_tokens", "created", "model", "system_fingerprint", "service_tier", "error", "audio", "annotations",
			"url_citation", "start_index", "end_index", "expires_at", "data", "transcript", "reasoning_content", "reasoning_details", "parsed", "parsed_arguments", "token", "logprob", "bytes", "top_logprobs",
			"moderation", "metadata", "input", "output", "results", "flagged", "categories", "category_scores", "code", "x", "custom", "\xed\xa0\xbd", "_fields_set", "n", "text", "obfuscation", "event"},
		values: slices.Concat(commonValues, []string{`"chat.completion.chunk"`, `"function"`, `"custom"`, `"stop"`, `"length"`, `"content_filter"`, `"tool_calls"`, `"assistant"`, `"f"`, `"{\"a\":"`, `"1}"`, `"call_0"`,
			`[{"index":0,"id":"call_0","type":"function","function":{"name":"f","arguments":""}}]`, `[{"index":1,"id":"call_1","type":"function","function":{"name":"g","arguments":"{"}}]`,
			`[{"index":0,"function":{"arguments":"{\"a\":1}"}}]`, `[{"index":"0","function":{"arguments":"x"}}]`, `[{"function":{"name":"f"}}]`, `[{"index":0,"type":"custom","custom":{"name":"c","input":"i"}}]`,
			`[{"index":0,"function":"s"}]`, `[{"index":0,"function":[{"name":"f"}]}]`, `{"name":"f","arguments":"{"}`, `{"content":[{"token":"a","logprob":-1,"bytes":[97],"top_logprobs":[]}],"refusal":null}`,
			`{"content":[{"token":"a","logprob":"-1","bytes":["97"],"top_logprobs":[{"token":"b","logprob":-2}]}]}`, `{"refusal":[{"token":"a"}]}`, `{"prompt_tokens":"1","completion_tokens":2.0,"total_tokens":true}`,
			`{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,"prompt_tokens_details":{"cached_tokens":"4"},"cost":0.1}`, `[{"type":"url_citation","url_citation":{"start_index":"0","end_index":3,"title":"t","url":"u"}}]`,
			`{"id":"a","data":"QQ","expires_at":"170","transcript":"t"}`, `{"input":{"type":"moderation_results","model":"m","results":[{"categories":{"a":"yes"},"category_scores":{"a":1},"category_applied_input_types":{"a":["text"]},"flagged":0,"model":"m","type":"moderation_result"}]},"output":{"type":"error","code":"c","message":"m"}}`,
			`{"input":{"type":"error","model":"m","results":[]},"output":{}}`, `[{"type":"reasoning.text","text":"r","format":"v1","index":0}]`, `"chat.completion"`}),
		strings: []string{"", "a", "{", "}", "{\"a\":", "1", ",", "\"", " ", "stop", "f", "g", "length", "function", "é", "x\ny"},
		frames:  commonFrames,
	},
	sdkemu.AnthropicMessages: messagesWords,
	sdkemu.Responses: {
		keys: []string{"type", "response", "output", "item", "part", "delta", "text", "content", "output_index", "content_index", "item_id", "sequence_number", "id", "status", "object", "created_at", "model",
			"role", "arguments", "name", "call_id", "error", "code", "message", "incomplete_details", "reason", "usage", "input_tokens", "output_tokens", "total_tokens", "input_tokens_details", "cached_tokens",
			"output_tokens_details", "reasoning_tokens", "annotations", "annotation", "logprobs", "token", "logprob", "top_logprobs", "refusal", "summary", "summary_index", "encrypted_content", "tools", "tool_choice",
			"parallel_tool_calls", "temperature", "top_p", "instructions", "metadata", "reasoning", "effort", "format", "schema", "schema_", "strict", "truncation", "action", "query", "queries", "sources", "url",
			"file_id", "filename", "index", "start_index", "end_index", "title", "code", "container_id", "outputs", "logs", "results", "score", "attributes", "input", "obfuscation", "parsed", "parsed_arguments", "x",
			"partial_image_b64", "result", "server_label", "phase", "namespace", "async", "\xed\xa0\xbd", "_fields_set"},
		values: slices.Concat(commonValues, []string{`"response.created"`, `"response.in_progress"`, `"response.completed"`, `"response.failed"`, `"response.incomplete"`, `"response.output_item.added"`,
			`"response.output_item.done"`, `"response.content_part.added"`, `"response.content_part.done"`, `"response.output_text.delta"`, `"response.output_text.done"`, `"response.output_text.annotation.added"`,
			`"response.function_call_arguments.delta"`, `"response.function_call_arguments.done"`, `"response.refusal.delta"`, `"response.reasoning_text.delta"`, `"response.reasoning_summary_text.delta"`,
			`"response.web_search_call.completed"`, `"response.mcp_call.failed"`, `"response.audio.delta"`, `"error"`, `"keepalive"`, `"message"`, `"function_call"`, `"reasoning"`, `"web_search_call"`, `"file_search_call"`,
			`"computer_call"`, `"code_interpreter_call"`, `"mcp_call"`, `"custom_tool_call"`, `"image_generation_call"`, `"output_text"`, `"refusal"`, `"reasoning_text"`, `"summary_text"`, `"url_citation"`, `"file_citation"`,
			`"completed"`, `"in_progress"`, `"incomplete"`, `"failed"`, `"final_answer"`, `"commentary"`, `"shell_call"`, `"response.queued"`, `"assistant"`, `"response"`, `"f"`, `"{\"a\":1}"`, `"auto"`, `"json_schema"`, `"1700000000"`, `1700000000`, `1700000000.5`,
			`{"type":"message","id":"m","role":"assistant","status":"completed","content":[{"type":"output_text","text":"a","annotations":[]}]}`, `{"type":"function_call","id":"c","call_id":"k","name":"f","arguments":""}`,
			`{"type":"output_text","text":"","annotations":[{"type":"url_citation","url":"u","title":"t","start_index":"0","end_index":1.0}],"logprobs":[{"token":"a","bytes":["97"],"logprob":"-1","top_logprobs":[]}]}`,
			`{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"s"}],"encrypted_content":null}`, `{"type":"refusal","refusal":"no"}`, `{"type":"web_search_call","id":"w","status":"completed","action":{"type":"search","query":"q"}}`,
			`{"type":"file_search_call","id":"f","status":"completed","queries":["q"],"results":[{"file_id":"i","score":1,"attributes":{"a":1,"b":"x","c":true}}]}`,
			`{"type":"code_interpreter_call","id":"c","status":"completed","code":"1","container_id":"n","outputs":[{"type":"logs","logs":"l"},{"type":"image","url":"u"}]}`,
			`{"type":"mcp_call","id":"m","arguments":"{}","name":"n","server_label":"s","error":null,"output":"o"}`, `{"type":"custom_tool_call","call_id":"c","input":"i","name":"n"}`,
			`{"id":"r","object":"response","created_at":1700000000,"model":"m","status":"completed","output":[],"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}`,
			`{"input_tokens":"1","output_tokens":2.0,"total_tokens":3,"input_tokens_details":{"cached_tokens":0},"output_tokens_details":{"reasoning_tokens":"0"}}`,
			`[{"type":"function","name":"f","parameters":{},"strict":true},{"type":"web_search"},{"type":"mcp","server_label":"s"},{"type":"file_search","vector_store_ids":["v"]}]`,
			`{"type":"function","name":"f"}`, `{"format":{"type":"json_schema","name":"n","schema":{"a":1}}}`, `{"effort":"low","summary":"auto"}`, `{"reason":"max_output_tokens"}`, `{"code":"server_error","message":"m"}`}),
		strings: []string{"", "a", "{", "{\"a\":", "1}", "message", "function_call", "output_text", "response.created", "response.completed", "é"},
		frames: slices.Concat(commonFrames, []string{`data: {"type":"keepalive"}`, `data: {"type":"error","code":"c","message":"m","param":null,"sequence_number":1}`,
			`data: {"type":"response.in_progress","sequence_number":1,"response":{"id":"r","output":[]}}`, `data: {"type":"response.completed","response":{"output":[]}}`,
			"event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"r\",\"output\":[]}}"}),
	},
}
