package assemble

import "strings"

// The documents that the rows of [anthropicEvents] cite, read on 2026-11-30.
const (
	messagesStreamURL = "https://platform.claude.com/docs/en/build-with-claude/streaming"
	messagesAPIURL    = "https://platform.claude.com/docs/en/api/messages/create"
	messagesBetaURL   = "https://platform.claude.com/docs/en/api/beta/messages/create"
	messagesErrorsURL = "https://platform.claude.com/docs/en/api/errors"
	thinkingURL       = "https://platform.claude.com/docs/en/build-with-claude/extended-thinking"
	compactionURL     = "https://platform.claude.com/docs/en/build-with-claude/compaction"
	mcpConnectorURL   = "https://platform.claude.com/docs/en/agents-and-tools/mcp-connector"
)

// anthropicEvents are the events of a Messages stream, "content_block_start/<block type>" and
// "content_block_delta/<delta type>".
var anthropicEvents = []eventRow{
	{"message_start", "id, model, role, usage", "Streaming messages, Event types", messagesStreamURL},
	{"content_block_start", "content[]", "Streaming messages, Event types", messagesStreamURL},
	{"content_block_delta", "content[]", "Streaming messages, Event types", messagesStreamURL},
	{"content_block_stop", "-", "Streaming messages, Event types", messagesStreamURL},
	{"message_delta", "stop_reason, stop_sequence, stop_details, container, context_management, usage", "Streaming messages, Event types; RawMessageDeltaEvent", messagesStreamURL},
	{"message_stop", "-", "Streaming messages, Event types", messagesStreamURL},
	{"ping", "-", "Streaming messages, Ping events", messagesStreamURL},
	{"error", "-", "Streaming messages, Error events", messagesErrorsURL},

	{"content_block_delta/text_delta", "content[].text", "Streaming messages, Text delta", messagesStreamURL},
	{"content_block_delta/input_json_delta", "content[].input", "Streaming messages, Input JSON delta", messagesStreamURL},
	{"content_block_delta/thinking_delta", "content[].thinking", "Streaming messages, Thinking delta", messagesStreamURL},
	{"content_block_delta/signature_delta", "content[].signature", "Streaming messages, Thinking delta", messagesStreamURL},
	{"content_block_delta/citations_delta", "content[].citations[]", "Citations, Streaming support", "https://platform.claude.com/docs/en/build-with-claude/citations"},
	{"content_block_delta/compaction_delta", "content[].content, content[].encrypted_content", "Compaction, Streaming; BetaCompactionContentBlockDelta", compactionURL},

	{"content_block_start/text", "content[]", "Messages, TextBlock", messagesAPIURL},
	{"content_block_start/thinking", "content[]", "Messages, ThinkingBlock", thinkingURL},
	{"content_block_start/redacted_thinking", "content[]", "Messages, RedactedThinkingBlock", thinkingURL},
	{"content_block_start/tool_use", "content[]", "Messages, ToolUseBlock", messagesAPIURL},
	{"content_block_start/server_tool_use", "content[]", "Messages, ServerToolUseBlock", messagesAPIURL},
	{"content_block_start/web_search_tool_result", "content[]", "Web search tool, Streaming", "https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool"},
	{"content_block_start/web_fetch_tool_result", "content[]", "Web fetch tool, Streaming", "https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-fetch-tool"},
	{"content_block_start/code_execution_tool_result", "content[]", "Code execution tool, Streaming", "https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool"},
	{"content_block_start/bash_code_execution_tool_result", "content[]", "Code execution tool, Response format", "https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool"},
	{"content_block_start/text_editor_code_execution_tool_result", "content[]", "Code execution tool, Response format", "https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool"},
	{"content_block_start/tool_search_tool_result", "content[]", "Tool search tool, Streaming", "https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool"},
	{"content_block_start/advisor_tool_result", "content[]", "Messages (beta), BetaAdvisorToolResultBlock", messagesBetaURL},
	{"content_block_start/mcp_tool_use", "content[]", "MCP connector, Response content types", mcpConnectorURL},
	{"content_block_start/mcp_tool_result", "content[]", "MCP connector, Response content types", mcpConnectorURL},
	{"content_block_start/mcp_tool_listing", "content[]", "Messages (beta), BetaMCPToolListingBlock", messagesBetaURL},
	{"content_block_start/container_upload", "content[]", "Messages, ContainerUploadBlock", messagesAPIURL},
	{"content_block_start/compaction", "content[]", "Compaction, Streaming", compactionURL},
	{"content_block_start/fallback", "content[]", "Messages (beta), BetaFallbackBlock", messagesBetaURL},
}

// rowsUnder are the names of the rows that begin with prefix, without it.
func rowsUnder(rows []eventRow, prefix string) map[string]bool {
	m := map[string]bool{}
	for _, r := range rows {
		if name, ok := strings.CutPrefix(r.Name, prefix); ok {
			m[name] = true
		}
	}
	return m
}
