package convir

// Where the field sets of the Responses API were read, on 2026-11-30.
const (
	responseObjectFields = "https://platform.openai.com/docs/api-reference/responses/object"
	responsesGoTypes     = "openai-go@v3.99.0 responses/response.go"
	responsesNodeParser  = "openai-node@5.23.2 src/lib/ResponsesParser.ts, src/core/api-promise.ts"
)

// openAIResponsesFields are the shapes of a whole response. "item <type>" is an output item and "part <type>" a part
// of an item; a type without such a row is not known. What official SDKs add to the object that they hand over
// (output_text, parsed, parsed_arguments, _request_id) is known and says nothing.
var openAIResponsesFields = map[string][]fieldSet{
	"response": {
		{"id object created_at status error incomplete_details instructions metadata model output parallel_tool_calls temperature tool_choice tools top_p background completed_at conversation max_output_tokens max_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_retention reasoning safety_identifier service_tier store text top_logprobs truncation usage user", responseObjectFields},
		{"access_programs image input_transformations moderation prompt_cache_diagnostics prompt_cache_options tool_usage billing frequency_penalty presence_penalty context_management", responsesGoTypes},
		{"output_text output_parsed _request_id request_id", responsesNodeParser},
	},
	"error body": {
		{"error", "https://platform.openai.com/docs/guides/error-codes/api-errors"},
		{"type code message param sequence_number", "https://platform.openai.com/docs/api-reference/responses-streaming/error"},
	},
	"incomplete details": {{"reason", responseObjectFields}},
	"usage": {
		{"input_tokens input_tokens_details output_tokens output_tokens_details total_tokens", responseObjectFields},
		{"prompt_tokens completion_tokens prompt_tokens_details completion_tokens_details billing_usage usage_semantic usage_source claude_cache_creation_5_m_tokens claude_cache_creation_1_h_tokens", newAPITypes},
	},
	"input tokens": {
		{"cached_tokens", responseObjectFields},
		{"cache_write_tokens cache_write_tokens_details", responsesGoTypes},
		{"audio_tokens image_tokens text_tokens cached_creation_tokens", newAPITypes},
	},
	"output tokens": {
		{"reasoning_tokens", responseObjectFields},
		{"audio_tokens image_tokens text_tokens", newAPITypes},
	},

	"item message": {
		{"id type role status content", responseObjectFields},
		{"phase", responsesGoTypes},
		{"quality size", newAPITypes},
	},
	"item reasoning": {
		{"id type summary content encrypted_content status", responseObjectFields},
		{"role quality size", newAPITypes},
	},
	"item function_call": {
		{"id type call_id name arguments status", responseObjectFields},
		{"async caller namespace created_by", responsesGoTypes},
		{"parsed_arguments", responsesNodeParser},
		{"role content quality size", newAPITypes},
	},
	"item custom_tool_call":            {{"id type call_id name input status", responseObjectFields}, {"async caller namespace created_by", responsesGoTypes}},
	"item web_search_call":             {{"id type status action", responseObjectFields}},
	"item file_search_call":            {{"id type status queries results", responseObjectFields}},
	"item code_interpreter_call":       {{"id type status code container_id outputs", responseObjectFields}},
	"item image_generation_call":       {{"id type status result", responseObjectFields}, {"action background error output_format quality revised_prompt size svg_usage", responsesGoTypes}},
	"item computer_call":               {{"id type call_id status action pending_safety_checks", responseObjectFields}, {"actions", responsesGoTypes}},
	"item computer_call_output":        {{"id type call_id output status acknowledged_safety_checks created_by", responsesGoTypes}},
	"item local_shell_call":            {{"id type call_id status action", responseObjectFields}},
	"item local_shell_call_output":     {{"id type output status", responsesGoTypes}},
	"item shell_call":                  {{"id type call_id status action environment", responseObjectFields}, {"caller created_by", responsesGoTypes}},
	"item shell_call_output":           {{"id type call_id status output max_output_length", responseObjectFields}, {"caller created_by", responsesGoTypes}},
	"item apply_patch_call":            {{"id type call_id status operation", responseObjectFields}, {"caller created_by", responsesGoTypes}},
	"item apply_patch_call_output":     {{"id type call_id status output", responseObjectFields}, {"caller created_by", responsesGoTypes}},
	"item mcp_call":                    {{"id type name arguments server_label output error status approval_request_id", responseObjectFields}},
	"item mcp_list_tools":              {{"id type server_label tools error", responseObjectFields}},
	"item mcp_approval_request":        {{"id type name arguments server_label", responseObjectFields}},
	"item mcp_approval_response":       {{"id type approval_request_id approve reason", responsesGoTypes}},
	"item function_call_output":        {{"id type call_id output status caller created_by name namespace", responsesGoTypes}},
	"item custom_tool_call_output":     {{"id type call_id output status caller created_by", responsesGoTypes}},
	"item tool_search_call":            {{"id type call_id arguments execution status created_by", responsesGoTypes}},
	"item tool_search_output":          {{"id type call_id execution status tools created_by", responsesGoTypes}},
	"item additional_tools":            {{"id type role tools", responsesGoTypes}},
	"item program":                     {{"id type call_id code fingerprint", responsesGoTypes}},
	"item program_output":              {{"id type call_id result status", responsesGoTypes}},
	"item compaction":                  {{"id type encrypted_content", responseObjectFields}, {"created_by", responsesGoTypes}},
	"part output_text":                 {{"type text annotations logprobs", responseObjectFields}, {"parsed", responsesNodeParser}},
	"part refusal":                     {{"type refusal", responseObjectFields}},
	"part reasoning_text":              {{"type text", responseObjectFields}},
	"part summary_text":                {{"type text", responseObjectFields}, {"annotations", newAPITypes}},
	"part output_audio":                {{"type data transcript", "https://github.com/openai/openai-openapi, OutputAudio"}},
	"part logs":                        {{"type logs", responseObjectFields}},
	"part image":                       {{"type url", responseObjectFields}},
	"citation file_citation":           {{"type file_id filename index", responseObjectFields}},
	"citation url_citation":            {{"type url title start_index end_index", responseObjectFields}},
	"citation container_file_citation": {{"type container_id file_id filename start_index end_index", responseObjectFields}},
	"citation file_path":               {{"type file_id index", responseObjectFields}},
}
