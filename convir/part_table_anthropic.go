package convir

// The pages that the rows of [anthropicParts] cite, read on 2026-11-30.
const (
	messagesAPIURL    = "https://platform.claude.com/docs/en/api/messages/create"
	messagesBetaURL   = "https://platform.claude.com/docs/en/api/beta/messages/create"
	thinkingURL       = "https://platform.claude.com/docs/en/build-with-claude/extended-thinking"
	citationsURL      = "https://platform.claude.com/docs/en/build-with-claude/citations"
	mcpConnectorURL   = "https://platform.claude.com/docs/en/agents-and-tools/mcp-connector"
	codeExecutionURL  = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool"
	webSearchURL      = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool"
	webFetchURL       = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-fetch-tool"
	toolSearchURL     = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool"
	compactionURL     = "https://platform.claude.com/docs/en/build-with-claude/compaction"
	refusalsURL       = "https://platform.claude.com/docs/en/test-and-evaluate/strengthen-guardrails/handle-streaming-refusals"
	messagesErrorsURL = "https://platform.claude.com/docs/en/api/errors"
)

// anthropicParts are the content blocks of a message, and its fields.
var anthropicParts = []partRow{
	{"text", Text, "Messages, TextBlock", messagesAPIURL},
	{"thinking", Reasoning, "Extended thinking, How extended thinking works", thinkingURL},
	{"redacted_thinking", RedactedReasoning, "Extended thinking, Thinking redaction", thinkingURL},
	{"tool_use", ToolCall, "Messages, ToolUseBlock", messagesAPIURL},
	{"server_tool_use", ServerToolCall, "Messages, ServerToolUseBlock", messagesAPIURL},
	{"mcp_tool_use", ServerToolCall, "MCP connector, Response content types", mcpConnectorURL},
	{"web_search_tool_result", ServerToolResult, "Web search tool, Response", webSearchURL},
	{"web_fetch_tool_result", ServerToolResult, "Web fetch tool, Response", webFetchURL},
	{"code_execution_tool_result", ServerToolResult, "Code execution tool, Response format", codeExecutionURL},
	{"bash_code_execution_tool_result", ServerToolResult, "Code execution tool, Response format", codeExecutionURL},
	{"text_editor_code_execution_tool_result", ServerToolResult, "Code execution tool, Response format", codeExecutionURL},
	{"tool_search_tool_result", ServerToolResult, "Tool search tool, Response format", toolSearchURL},
	{"advisor_tool_result", ServerToolResult, "Messages (beta), BetaAdvisorToolResultBlock", messagesBetaURL},
	{"mcp_tool_result", ServerToolResult, "MCP connector, Response content types", mcpConnectorURL},
	{"mcp_tool_listing", Opaque, "Messages (beta), BetaMCPToolListingBlock", messagesBetaURL},
	{"container_upload", Media, "Messages, ContainerUploadBlock", messagesAPIURL},
	{"compaction", Opaque, "Compaction, Working with compaction blocks", compactionURL},
	{"fallback", Opaque, "Messages (beta), BetaFallbackBlock", messagesBetaURL},

	{"char_location", Citation, "Citations, Response structure", citationsURL},
	{"page_location", Citation, "Citations, Response structure", citationsURL},
	{"content_block_location", Citation, "Citations, Response structure", citationsURL},
	{"search_result_location", Citation, "Messages, CitationsSearchResultLocation", messagesAPIURL},
	{"web_search_result_location", Citation, "Web search tool, Citations", webSearchURL},

	{"stop_details", Refusal, "Messages, RefusalStopDetails", refusalsURL},
	{"stop_reason", "", "Messages, stop_reason", messagesStops},
	{"stop_sequence", "", "Messages, stop_sequence", messagesAPIURL},
	{"usage", "", "Messages, Usage", messagesAPIURL},
	{"error", "", "Errors, Error shapes", messagesErrorsURL},
}
