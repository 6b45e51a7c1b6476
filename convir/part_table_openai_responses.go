package convir

const (
	responseObjectDoc = "The response object: output"
	responseObjectURL = "https://platform.openai.com/docs/api-reference/responses/object"
	responseGoURL     = "https://github.com/openai/openai-go/blob/v3.99.0/responses/response.go"
)

// openAIResponsesParts lists the output items, their parts and annotations, and what a response says beside them.
var openAIResponsesParts = []partRow{
	{"message", Text, responseObjectDoc + ", Output message", responseObjectURL},
	{"output_text", Text, responseObjectDoc + ", Output message, content, Output text", responseObjectURL},
	{"refusal", Refusal, responseObjectDoc + ", Output message, content, Refusal", responseObjectURL},
	{"output_audio", Media, "OpenAPI description, OutputAudio: type, data, transcript", "https://github.com/openai/openai-openapi"},
	{"logprobs", Logprobs, responseObjectDoc + ", Output text, logprobs", responseObjectURL},
	{"file_citation", Citation, responseObjectDoc + ", Output text, annotations, File citation", responseObjectURL},
	{"url_citation", Citation, responseObjectDoc + ", Output text, annotations, URL citation", responseObjectURL},
	{"container_file_citation", Citation, responseObjectDoc + ", Output text, annotations, Container file citation", responseObjectURL},
	{"file_path", Citation, responseObjectDoc + ", Output text, annotations, File path", responseObjectURL},
	{"reasoning", Reasoning, responseObjectDoc + ", Reasoning; encrypted_content alone is redacted reasoning", responseObjectURL},
	{"summary_text", Reasoning, responseObjectDoc + ", Reasoning, summary", responseObjectURL},
	{"reasoning_text", Reasoning, responseObjectDoc + ", Reasoning, content", responseObjectURL},
	{"function_call", ToolCall, responseObjectDoc + ", Function tool call", responseObjectURL},
	{"custom_tool_call", ToolCall, responseObjectDoc + ", Custom tool call", responseObjectURL},
	{"computer_call", ToolCall, responseObjectDoc + ", Computer tool call, which the caller carries out", responseObjectURL},
	{"local_shell_call", ToolCall, responseObjectDoc + ", Local shell call, which the caller carries out", responseObjectURL},
	{"apply_patch_call", ToolCall, responseObjectDoc + ", Apply patch tool call, which the caller carries out", responseObjectURL},
	{"shell_call", ToolCall, responseObjectDoc + ", Shell tool call, which the caller carries out unless its environment is a container", responseObjectURL},
	{"web_search_call", ServerToolCall, responseObjectDoc + ", Web search tool call", responseObjectURL},
	{"file_search_call", ServerToolCall, responseObjectDoc + ", File search tool call; its results are a server tool result", responseObjectURL},
	{"code_interpreter_call", Code, responseObjectDoc + ", Code interpreter tool call; its outputs are a code result", responseObjectURL},
	{"logs", CodeResult, responseObjectDoc + ", Code interpreter tool call, outputs, logs", responseObjectURL},
	{"image", CodeResult, responseObjectDoc + ", Code interpreter tool call, outputs, image", responseObjectURL},
	{"image_generation_call", Media, responseObjectDoc + ", Image generation call", responseObjectURL},
	{"mcp_call", ServerToolCall, responseObjectDoc + ", MCP tool call; its output or error is a server tool result", responseObjectURL},
	{"mcp_list_tools", ServerToolResult, responseObjectDoc + ", MCP list tools", responseObjectURL},
	{"mcp_approval_request", ServerToolCall, responseObjectDoc + ", MCP approval request", responseObjectURL},
	{"mcp_approval_response", Opaque, "ResponseOutputItemMcpApprovalResponse", responseGoURL},
	{"shell_call_output", ServerToolResult, responseObjectDoc + ", Shell tool call output", responseObjectURL},
	{"apply_patch_call_output", ServerToolResult, responseObjectDoc + ", Apply patch tool call output", responseObjectURL},
	{"computer_call_output", ServerToolResult, "ResponseComputerToolCallOutputItem", responseGoURL},
	{"local_shell_call_output", ServerToolResult, "ResponseOutputItemLocalShellCallOutput", responseGoURL},
	{"function_call_output", ServerToolResult, "ResponseFunctionToolCallOutputItem", responseGoURL},
	{"custom_tool_call_output", ServerToolResult, "ResponseCustomToolCallOutput", responseGoURL},
	{"tool_search_call", ServerToolCall, "ResponseToolSearchCall", responseGoURL},
	{"tool_search_output", ServerToolResult, "ResponseToolSearchOutputItem", responseGoURL},
	{"additional_tools", Opaque, "ResponseOutputItemAdditionalTools", responseGoURL},
	{"program", Code, "ResponseOutputItemProgram", responseGoURL},
	{"program_output", CodeResult, "ResponseOutputItemProgramOutput", responseGoURL},
	{"compaction", Opaque, "The response object: output, Compaction item", responseObjectURL},
	{"status", "", "The response object: status", responseObjectURL},
	{"incomplete_details", "", "The response object: incomplete_details", responseObjectURL},
	{"usage", "", "The response object: usage", responseObjectURL},
	{"error", ErrorEvent, "The response object: error", responseObjectURL},
	{"tools", "", "The response object: tools, with the other settings that a response echoes", responseObjectURL},
}
