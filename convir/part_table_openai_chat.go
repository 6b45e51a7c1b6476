package convir

const (
	chatObjectDoc = "The chat completion object"
	chatObjectURL = "https://platform.openai.com/docs/api-reference/chat/object"
)

// openAIChatParts lists what a chat completion's choice and message may hold.
var openAIChatParts = []partRow{
	{"choices[].message.content", Text, chatObjectDoc + ": choices.message.content", chatObjectURL},
	{"choices[].message.refusal", Refusal, chatObjectDoc + ": choices.message.refusal", chatObjectURL},
	{"choices[].message.tool_calls[].function", ToolCall, chatObjectDoc + ": choices.message.tool_calls, Function tool call", chatObjectURL},
	{"choices[].message.tool_calls[].custom", ToolCall, chatObjectDoc + ": choices.message.tool_calls, Custom tool call", chatObjectURL},
	{"choices[].message.function_call", ToolCall, chatObjectDoc + ": choices.message.function_call, deprecated", chatObjectURL},
	{"choices[].message.annotations", Citation, chatObjectDoc + ": choices.message.annotations, URL citations", chatObjectURL},
	{"choices[].message.audio", Media, chatObjectDoc + ": choices.message.audio", chatObjectURL},
	{"choices[].logprobs", Logprobs, chatObjectDoc + ": choices.logprobs", chatObjectURL},
	{"choices[].finish_reason", "", chatObjectDoc + ": choices.finish_reason", chatObjectURL},
	{"usage", "", chatObjectDoc + ": usage", chatObjectURL},
	{"error", ErrorEvent, "Error codes: API errors", "https://platform.openai.com/docs/guides/error-codes/api-errors"},

	{"choices[].message.reasoning_content", Reasoning, "DeepSeek, Thinking mode: reasoning_content", "https://api-docs.deepseek.com/guides/thinking_mode"},
	{"choices[].message.reasoning", Reasoning, "OpenRouter, Reasoning tokens: reasoning", "https://openrouter.ai/docs/use-cases/reasoning-tokens"},
	{"reasoning.text", Reasoning, "OpenRouter, Reasoning tokens: reasoning_details, reasoning.text", "https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks"},
	{"reasoning.summary", Reasoning, "OpenRouter, Reasoning tokens: reasoning_details, reasoning.summary", "https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks"},
	{"reasoning.encrypted", RedactedReasoning, "OpenRouter, Reasoning tokens: reasoning_details, reasoning.encrypted", "https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks"},
	{"choices[].message.thinking_blocks", Reasoning, "LiteLLM, Thinking / reasoning content: thinking_blocks", "https://docs.litellm.ai/docs/reasoning_content"},
	{"choices[].message.content_blocks", Reasoning, "Portkey, Thinking mode: content_blocks", "https://portkey.ai/docs/product/ai-gateway/multimodal-capabilities/thinking-mode"},
	{"choices[].message.images", Media, "OpenRouter, Image generation: images", "https://openrouter.ai/docs/features/multimodal/image-generation"},
	{"choices[].message.extra_content", Text, "Gemini API, Thought signatures: extra_content.google.thought_signature of a message", "https://ai.google.dev/gemini-api/docs/thought-signatures#openai"},
	{"choices[].message.tool_calls[].extra_content", ToolCall, "Gemini API, Thought signatures: extra_content.google.thought_signature of a call", "https://ai.google.dev/gemini-api/docs/thought-signatures#openai"},
	{"choices[].message.tool_calls[].provider_specific_fields", ToolCall, "LiteLLM, Gemini: provider_specific_fields.thought_signature of a call", "https://docs.litellm.ai/docs/providers/gemini"},
	{"choices[].message.provider_specific_fields", Opaque, "LiteLLM, Anthropic: provider_specific_fields", "https://docs.litellm.ai/docs/providers/anthropic"},
	{"choices[].error", ErrorEvent, "OpenRouter, Errors: an error of a choice", "https://openrouter.ai/docs/api-reference/errors"},
	{"citations", Citation, "Perplexity, Chat completions: citations", "https://docs.perplexity.ai/api-reference/chat-completions-post"},

	{"text", Text, "Create chat completion, messages: text content part, where a server sends the answer as parts", "https://platform.openai.com/docs/api-reference/chat/create"},
	{"refusal", Refusal, "Create chat completion, messages: refusal content part", "https://platform.openai.com/docs/api-reference/chat/create"},
	{"thinking", Reasoning, "Mistral, Reasoning: thinking content chunks", "https://docs.mistral.ai/capabilities/reasoning/"},
	{"reference", Citation, "Mistral, Citations: reference content chunks", "https://docs.mistral.ai/capabilities/citations/"},
	{"image_url", Media, "Create chat completion, messages: image content part", "https://platform.openai.com/docs/api-reference/chat/create"},
}
