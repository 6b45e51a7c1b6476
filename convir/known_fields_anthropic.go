package convir

// Where the field sets of the Messages API were read, on 2026-11-30. The beta page lists what the other does not.
const (
	messagesFields = "https://platform.claude.com/docs/en/api/messages/create"
	messagesTypes  = "@anthropic-ai/sdk@1.14.0 resources/messages/messages.d.ts, resources/beta/messages/messages.d.ts"
)

// anthropicFields are the shapes of a whole message. "block <type>" is a content block; a type without such a row is
// not known.
var anthropicFields = map[string][]fieldSet{
	"message": {
		{"id type role model content stop_reason stop_sequence usage container", messagesFields},
		{"stop_details context_management diagnostics input_transformations", messagesTypes},
	},
	"error": {{"type error request_id", "https://platform.claude.com/docs/en/api/errors"}},
	"usage": {
		{"input_tokens output_tokens cache_creation_input_tokens cache_read_input_tokens cache_creation server_tool_use service_tier", messagesFields},
		{"inference_geo output_tokens_details iterations speed fallback_credit", messagesTypes},
		{"billing_usage claude_cache_creation_5_m_tokens claude_cache_creation_1_h_tokens", newAPITypes},
	},
	"stop_details": {{"type category explanation fallback_credit_token fallback_has_prefill_claim recommended_model", messagesTypes}},
	"citation": {
		{"type cited_text document_index document_title start_char_index end_char_index start_page_number end_page_number start_block_index end_block_index file_id", messagesFields},
		{"url title encrypted_index source search_result_index", messagesTypes},
	},

	"block text":              {{"type text citations", messagesFields}},
	"block thinking":          {{"type thinking signature", messagesFields}},
	"block redacted_thinking": {{"type data", messagesFields}},
	"block tool_use":          {{"type id name input", messagesFields}, {"caller toolset_name", messagesTypes}},
	"block server_tool_use":   {{"type id name input caller", messagesTypes}},
	"block mcp_tool_use":      {{"type id name input server_name", messagesTypes}},
	"block mcp_tool_listing":  {{"type mcp_server_name tools", messagesTypes}},
	"block container_upload":  {{"type file_id", messagesTypes}},
	"block compaction":        {{"type content encrypted_content signature tool_changes", messagesTypes}},
	"block fallback":          {{"type from to trigger", messagesTypes}},

	"block web_search_tool_result":                 {{"type tool_use_id content caller", messagesTypes}},
	"block web_fetch_tool_result":                  {{"type tool_use_id content caller", messagesTypes}},
	"block code_execution_tool_result":             {{"type tool_use_id content", messagesTypes}},
	"block bash_code_execution_tool_result":        {{"type tool_use_id content", messagesTypes}},
	"block text_editor_code_execution_tool_result": {{"type tool_use_id content", messagesTypes}},
	"block tool_search_tool_result":                {{"type tool_use_id content", messagesTypes}},
	"block advisor_tool_result":                    {{"type tool_use_id content", messagesTypes}},
	"block mcp_tool_result":                        {{"type tool_use_id content is_error", messagesTypes}},
}
