package convir

// Where the field sets of Chat Completions were read, on 2026-11-30.
const (
	chatObjectFields = "https://platform.openai.com/docs/api-reference/chat/object"
	chatGoTypes      = "openai-go@v3.99.0 chatcompletion.go, completion.go"
	chatNodeParser   = "openai-node@5.23.2 src/lib/parser.ts, src/core/api-promise.ts"
	newAPITypes      = "https://github.com/QuantumNous/new-api/tree/main/dto"
	openRouterPage   = "https://openrouter.ai/docs/api-reference/overview"
)

// openAIChatFields are the shapes of a whole completion. What official SDKs add to the object that they hand over
// (parsed, parsed_arguments, _request_id) is known and says nothing.
var openAIChatFields = map[string][]fieldSet{
	"completion": {
		{"id object created model choices usage service_tier system_fingerprint", chatObjectFields},
		{"metadata moderation", chatGoTypes},
		{"_request_id request_id", chatNodeParser},
		{"prompt_filter_results", "https://learn.microsoft.com/en-us/azure/ai-foundry/openai/concepts/content-filter-annotations"},
		{"provider", openRouterPage},
		{"citations search_results", "https://docs.perplexity.ai/api-reference/chat-completions-post"},
		{"x_groq", "https://console.groq.com/docs/api-reference#chat-create"},
	},
	"error body": {
		{"error", "https://platform.openai.com/docs/guides/error-codes/api-errors"},
		{"object message type param code", "https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html"},
	},
	"choice": {
		{"index message finish_reason logprobs", chatObjectFields},
		{"content_filter_results content_filter_offsets", "https://learn.microsoft.com/en-us/azure/ai-foundry/openai/concepts/content-filter-annotations"},
		{"native_finish_reason error", openRouterPage},
		{"stop_reason", "https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html"},
		{"matched_stop", "https://docs.sglang.ai/basic_usage/openai_api_completions.html"},
	},
	"message": {
		{"role content refusal annotations audio function_call tool_calls", chatObjectFields},
		{"parsed", chatNodeParser},
		{"reasoning_content", "https://api-docs.deepseek.com/guides/thinking_mode"},
		{"reasoning reasoning_details images", openRouterPage},
		{"thinking_blocks provider_specific_fields", "https://docs.litellm.ai/docs/reasoning_content"},
		{"content_blocks", "https://portkey.ai/docs/product/ai-gateway/multimodal-capabilities/thinking-mode"},
		{"extra_content", "https://ai.google.dev/gemini-api/docs/thought-signatures#openai"},
	},
	"call": {
		{"id type function custom", chatObjectFields},
		{"extra_content", "https://ai.google.dev/gemini-api/docs/thought-signatures#openai"},
		{"provider_specific_fields", "https://docs.litellm.ai/docs/providers/gemini"},
	},
	"function": {
		{"name arguments", chatObjectFields},
		{"parsed_arguments", chatNodeParser},
	},
	"custom":   {{"name input", chatObjectFields}},
	"logprobs": {{"content refusal", chatObjectFields}},
	"usage": {
		{"prompt_tokens completion_tokens total_tokens prompt_tokens_details completion_tokens_details", chatObjectFields},
		{"prompt_cache_hit_tokens prompt_cache_miss_tokens", "https://api-docs.deepseek.com/api/create-chat-completion"},
		{"cost cost_details is_byok", openRouterPage},
		{"cache_creation_input_tokens cache_read_input_tokens", "https://docs.litellm.ai/docs/completion/prompt_caching"},
		{"input_tokens output_tokens input_tokens_details billing_usage usage_semantic usage_source claude_cache_creation_5_m_tokens claude_cache_creation_1_h_tokens", newAPITypes},
	},
	"prompt tokens": {
		{"audio_tokens cached_tokens", chatObjectFields},
		{"cache_write_tokens image_tokens text_tokens", chatGoTypes},
		{"cached_creation_tokens", newAPITypes},
	},
	"completion tokens": {
		{"accepted_prediction_tokens audio_tokens reasoning_tokens rejected_prediction_tokens", chatObjectFields},
		{"text_tokens", chatGoTypes},
		{"image_tokens", newAPITypes},
	},
}
