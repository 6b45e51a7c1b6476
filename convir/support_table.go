package convir

import "reassay/wire"

// The documents that [SupportTable] was read from.
const (
	docChatObject          = "https://platform.openai.com/docs/api-reference/chat/object, message and choices; openai-go@v3.99.0 chatcompletion.go, ChatCompletionMessage and ChatCompletionChunkChoiceDelta"
	docChatStream          = "https://platform.openai.com/docs/api-reference/chat-streaming"
	docChatErrors          = "openai-node@5.23.2 core/streaming.ts, Stream.fromSSEResponse: data.error raises; https://platform.openai.com/docs/guides/error-codes"
	docResponseObject      = "https://platform.openai.com/docs/api-reference/responses/object, output; openai-go@v3.99.0 responses/response.go, ResponseOutputItemUnion"
	docResponseEvents      = "https://platform.openai.com/docs/api-reference/responses-streaming"
	docMessagesAPI         = "https://platform.claude.com/docs/en/api/messages, response body"
	docMessagesStream      = "https://platform.claude.com/docs/en/build-with-claude/streaming, event types"
	docMessagesStops       = "https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons"
	docMessagesThinking    = "https://platform.claude.com/docs/en/build-with-claude/extended-thinking, thinking encryption and redaction"
	docMessagesTools       = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use, tool_use blocks"
	docMessagesServerTools = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool, response"
	docMessagesCitations   = "https://platform.claude.com/docs/en/build-with-claude/citations, response structure"
	docGeminiContent       = "https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse and https://ai.google.dev/api/caching#Part"
	docGeminiSignatures    = "https://ai.google.dev/gemini-api/docs/thought-signatures"
	docGeminiOpenAI        = "https://ai.google.dev/gemini-api/docs/thought-signatures, OpenAI compatibility"
	docGeminiGrounding     = "https://ai.google.dev/gemini-api/docs/google-search, grounding response"
	docGeminiErrors        = "https://ai.google.dev/gemini-api/docs/troubleshooting, error codes"
)

// readOn is the day on which the documents were read.
const readOn = "2026-11-30"

// SupportTable says for every construct and dialect whether a documented field carries it.
var SupportTable = []Cell{
	{CText, wire.OpenAIChat, Native, "choices[].message.content", "", docChatObject, "the message holds its text in content; a delta carries the next piece", readOn},
	{CText, wire.OpenAIResponses, Native, "output[].content[].text", "", docResponseObject, "an output_text part holds the text, output_text.delta events carry it", readOn},
	{CText, wire.AnthropicMessages, Native, "content[].text", "", docMessagesAPI, "a text block holds the text", readOn},
	{CText, wire.GeminiGenerate, Native, "candidates[].content.parts[].text", "", docGeminiContent, "a part holds inline text", readOn},

	{CRole, wire.OpenAIChat, Native, "choices[].message.role", "", docChatObject, "the author of a reply is always assistant", readOn},
	{CRole, wire.OpenAIResponses, Native, "output[].role", "", docResponseObject, "an output message is always the assistant's", readOn},
	{CRole, wire.AnthropicMessages, Native, "role", "", docMessagesAPI, "the role of a reply is always assistant", readOn},
	{CRole, wire.GeminiGenerate, Native, "candidates[].content.role", "", docGeminiContent, "the producer is user or model", readOn},

	{CReasoning, wire.OpenAIChat, Lacking, "", "", docChatObject, "neither the message nor the delta lists a field for reasoning; reasoning_content and reasoning are other vendors' extensions", readOn},
	{CReasoning, wire.OpenAIResponses, Native, "output[].summary[].text", "", docResponseObject, "a reasoning item holds summary parts, and content where the model gives it out", readOn},
	{CReasoning, wire.AnthropicMessages, Native, "content[].thinking", "", docMessagesThinking, "a thinking block holds the thinking", readOn},
	{CReasoning, wire.GeminiGenerate, Native, "candidates[].content.parts[].thought", "", docGeminiContent, "a part whose thought is true is the model's thought", readOn},

	{CSignature, wire.OpenAIChat, Unsettled, "", "", docChatObject, "there is no reasoning in a message and nothing is said about a signature of it", readOn},
	{CSignature, wire.OpenAIResponses, Unsettled, "", "", docResponseObject, "encrypted_content holds OpenAI's own encrypted reasoning; whether another vendor's signature may stand there is not said", readOn},
	{CSignature, wire.AnthropicMessages, Unsettled, "", "", docMessagesThinking, "a thinking block's signature is Anthropic's own, which the API checks; whether another vendor's value may stand there is not said", readOn},
	{CSignature, wire.GeminiGenerate, Unsettled, "", "", docGeminiSignatures, "thoughtSignature is Gemini's own; whether another vendor's signature may stand there is not said", readOn},

	{CPartSignature, wire.OpenAIChat, Unsettled, "", "", docGeminiOpenAI, "extra_content.google.thought_signature is described for tool calls; for a text part the page gives no place in a message", readOn},
	{CPartSignature, wire.OpenAIResponses, Unsettled, "", "", docResponseObject, "no field of a message item is described for it", readOn},
	{CPartSignature, wire.AnthropicMessages, Unsettled, "", "", docMessagesThinking, "signature belongs to thinking blocks; a text block lists none", readOn},
	{CPartSignature, wire.GeminiGenerate, Native, "candidates[].content.parts[].thoughtSignature", "", docGeminiSignatures, "any part may carry a thoughtSignature, to be sent back with its part", readOn},

	{CCallSignature, wire.OpenAIChat, Native, "choices[].message.tool_calls[].extra_content.google.thought_signature", "", docGeminiOpenAI, "Google's own Chat endpoint returns the signature of a call in extra_content.google.thought_signature and asks for it back", readOn},
	{CCallSignature, wire.OpenAIResponses, Unsettled, "", "", docResponseObject, "a function_call item lists no field for it", readOn},
	{CCallSignature, wire.AnthropicMessages, Unsettled, "", "", docMessagesTools, "a tool_use block lists no signature", readOn},
	{CCallSignature, wire.GeminiGenerate, Native, "candidates[].content.parts[].thoughtSignature", "", docGeminiSignatures, "the first of parallel calls carries it; a request without it is refused by Gemini 3", readOn},

	{CRedacted, wire.OpenAIChat, Lacking, "", "", docChatObject, "no field for reasoning, readable or not", readOn},
	{CRedacted, wire.OpenAIResponses, Unsettled, "", "", docResponseObject, "encrypted_content is OpenAI's own; whether it may carry another vendor's data is not said", readOn},
	{CRedacted, wire.AnthropicMessages, Unsettled, "", "", docMessagesThinking, "the data of a redacted_thinking block is encrypted by Anthropic; whether another vendor's may stand there is not said", readOn},
	{CRedacted, wire.GeminiGenerate, Unsettled, "", "", docGeminiSignatures, "a signature is the only unreadable value; a foreign one is not described", readOn},

	{CRefusal, wire.OpenAIChat, Native, "choices[].message.refusal", "", docChatObject, "refusal holds the text of a refusal", readOn},
	{CRefusal, wire.OpenAIResponses, Native, "output[].content[].refusal", "", docResponseObject, "a refusal part holds the text of a refusal", readOn},
	{CRefusal, wire.AnthropicMessages, Lacking, "", "", docMessagesStops, "a refusal is a stop reason; its text, if any, is ordinary text", readOn},
	{CRefusal, wire.GeminiGenerate, Lacking, "", "", docGeminiContent, "a blocked answer is told by finishReason; there is no field for a refusal's text", readOn},

	{CToolCall, wire.OpenAIChat, Native, "choices[].message.tool_calls", "", docChatObject, "tool_calls holds the calls with id, type, function.name and function.arguments", readOn},
	{CToolCall, wire.OpenAIResponses, Native, "output[] of type function_call", "", docResponseObject, "a function_call item holds call_id, name and arguments", readOn},
	{CToolCall, wire.AnthropicMessages, Native, "content[] of type tool_use", "", docMessagesTools, "a tool_use block holds id, name and input", readOn},
	{CToolCall, wire.GeminiGenerate, Native, "candidates[].content.parts[].functionCall", "", docGeminiContent, "a functionCall part holds name, args and an optional id", readOn},

	{CCustomCall, wire.OpenAIChat, Native, "choices[].message.tool_calls[].custom", "", docChatObject, "a call of type custom holds name and input", readOn},
	{CCustomCall, wire.OpenAIResponses, Native, "output[] of type custom_tool_call", "", docResponseObject, "a custom_tool_call item holds call_id, name and input", readOn},
	{CCustomCall, wire.AnthropicMessages, Lacking, "", "", docMessagesTools, "input is an object; there is no free-text call", readOn},
	{CCustomCall, wire.GeminiGenerate, Lacking, "", "", docGeminiContent, "args is an object; there is no free-text call", readOn},

	{CServerToolCall, wire.OpenAIChat, Lacking, "", "", docChatObject, "tool_calls are for the caller to run; a tool that the vendor ran has no place", readOn},
	{CServerToolCall, wire.OpenAIResponses, Unsettled, "", "", docResponseObject, "items such as web_search_call report OpenAI's own tools; another vendor's tool is not described", readOn},
	{CServerToolCall, wire.AnthropicMessages, Native, "content[] of type server_tool_use", "", docMessagesServerTools, "a server_tool_use block reports what the vendor ran", readOn},
	{CServerToolCall, wire.GeminiGenerate, Unsettled, "", "", docGeminiContent, "toolCall and executableCode report Google's own tools; another vendor's is not described", readOn},

	{CServerToolReply, wire.OpenAIChat, Lacking, "", "", docChatObject, "no field of a reply holds a tool's result", readOn},
	{CServerToolReply, wire.OpenAIResponses, Unsettled, "", "", docResponseObject, "results stand in the items of OpenAI's own tools", readOn},
	{CServerToolReply, wire.AnthropicMessages, Native, "content[] of type *_tool_result", "", docMessagesServerTools, "a result block holds tool_use_id and the content or an error", readOn},
	{CServerToolReply, wire.GeminiGenerate, Unsettled, "", "", docGeminiContent, "toolResponse and codeExecutionResult are Google's own", readOn},

	{CURLCitation, wire.OpenAIChat, Native, "choices[].message.annotations[].url_citation", Unsettled, docChatObject, "a message's annotations hold url_citation with title, url and indices; the delta schema lists no annotations", readOn},
	{CURLCitation, wire.OpenAIResponses, Native, "output[].content[].annotations[]", "", docResponseObject, "annotations of type url_citation, streamed as output_text.annotation.added", readOn},
	{CURLCitation, wire.AnthropicMessages, Native, "content[].citations[]", "", docMessagesCitations, "citations of type web_search_result_location hold url, title and cited text", readOn},
	{CURLCitation, wire.GeminiGenerate, Native, "candidates[].groundingMetadata", "", docGeminiGrounding, "groundingChunks and groundingSupports tie text to web sources", readOn},

	{CDocCitation, wire.OpenAIChat, Lacking, "", "", docChatObject, "annotations know url_citation only", readOn},
	{CDocCitation, wire.OpenAIResponses, Unsettled, "", "", docResponseObject, "file_citation points to a file that was uploaded to OpenAI; a place in a document of the request is not described", readOn},
	{CDocCitation, wire.AnthropicMessages, Native, "content[].citations[]", "", docMessagesCitations, "char_location, page_location and content_block_location point into the request's documents", readOn},
	{CDocCitation, wire.GeminiGenerate, Unsettled, "", "", docGeminiGrounding, "citationMetadata names sources of recited text; a document of the request is not described", readOn},

	{CMedia, wire.OpenAIChat, Lacking, "", "", docChatObject, "a message can hold audio that was asked for; images and files have no field", readOn},
	{CMedia, wire.OpenAIResponses, Unsettled, "", "", docResponseObject, "an image_generation_call item holds the result of OpenAI's own tool; a model's own image is not described", readOn},
	{CMedia, wire.AnthropicMessages, Lacking, "", "", docMessagesAPI, "no block of a reply holds an image", readOn},
	{CMedia, wire.GeminiGenerate, Native, "candidates[].content.parts[].inlineData", "", docGeminiContent, "a part may hold inlineData or fileData", readOn},

	{CCode, wire.OpenAIChat, Lacking, "", "", docChatObject, "no field for code that the vendor ran", readOn},
	{CCode, wire.OpenAIResponses, Native, "output[].code of type code_interpreter_call", "", docResponseObject, "a code_interpreter_call item holds the code", readOn},
	{CCode, wire.AnthropicMessages, Unsettled, "", "", docMessagesServerTools, "a server_tool_use block named code_execution reports Anthropic's own tool", readOn},
	{CCode, wire.GeminiGenerate, Native, "candidates[].content.parts[].executableCode", "", docGeminiContent, "a part holds the code that was run", readOn},

	{CCodeResult, wire.OpenAIChat, Lacking, "", "", docChatObject, "no field for the output of code that the vendor ran", readOn},
	{CCodeResult, wire.OpenAIResponses, Native, "output[].outputs of type code_interpreter_call", "", docResponseObject, "outputs holds logs and images", readOn},
	{CCodeResult, wire.AnthropicMessages, Unsettled, "", "", docMessagesServerTools, "a code_execution_tool_result block reports Anthropic's own tool", readOn},
	{CCodeResult, wire.GeminiGenerate, Native, "candidates[].content.parts[].codeExecutionResult", "", docGeminiContent, "a part holds outcome and output", readOn},

	{CLogprobs, wire.OpenAIChat, Native, "choices[].logprobs", "", docChatObject, "logprobs holds content and refusal token lists", readOn},
	{CLogprobs, wire.OpenAIResponses, Native, "output[].content[].logprobs", "", docResponseObject, "an output_text part holds logprobs when included", readOn},
	{CLogprobs, wire.AnthropicMessages, Lacking, "", "", docMessagesAPI, "no log probabilities are given", readOn},
	{CLogprobs, wire.GeminiGenerate, Native, "candidates[].logprobsResult", "", docGeminiContent, "a candidate holds logprobsResult", readOn},

	{CChoice, wire.OpenAIChat, Native, "choices[]", "", docChatObject, "n choices come as entries of choices", readOn},
	{CChoice, wire.OpenAIResponses, Lacking, "", "", docResponseObject, "one response, no n", readOn},
	{CChoice, wire.AnthropicMessages, Lacking, "", "", docMessagesAPI, "one message, no n", readOn},
	{CChoice, wire.GeminiGenerate, Native, "candidates[]", "", docGeminiContent, "candidateCount candidates", readOn},

	{CStop, wire.OpenAIChat, Native, "choices[].finish_reason", "", docChatObject, "stop, length, tool_calls, content_filter, function_call", readOn},
	{CStop, wire.OpenAIResponses, Native, "status", "", docResponseObject, "completed, failed, cancelled, incomplete with incomplete_details.reason", readOn},
	{CStop, wire.AnthropicMessages, Native, "stop_reason", "", docMessagesStops, "end_turn, max_tokens, stop_sequence, tool_use, pause_turn, refusal, model_context_window_exceeded", readOn},
	{CStop, wire.GeminiGenerate, Native, "candidates[].finishReason", "", docGeminiContent, "the values of FinishReason", readOn},

	{CStopTruncated, wire.OpenAIChat, Native, "choices[].finish_reason", "", docChatObject, "length", readOn},
	{CStopTruncated, wire.OpenAIResponses, Native, "incomplete_details.reason", "", docResponseObject, "max_output_tokens", readOn},
	{CStopTruncated, wire.AnthropicMessages, Native, "stop_reason", "", docMessagesStops, "max_tokens, model_context_window_exceeded", readOn},
	{CStopTruncated, wire.GeminiGenerate, Native, "candidates[].finishReason", "", docGeminiContent, "MAX_TOKENS", readOn},

	{CStopFiltered, wire.OpenAIChat, Native, "choices[].finish_reason", "", docChatObject, "content_filter", readOn},
	{CStopFiltered, wire.OpenAIResponses, Native, "incomplete_details.reason", "", docResponseObject, "content_filter", readOn},
	{CStopFiltered, wire.AnthropicMessages, Native, "stop_reason", "", docMessagesStops, "refusal: streaming classifiers intervened", readOn},
	{CStopFiltered, wire.GeminiGenerate, Native, "candidates[].finishReason", "", docGeminiContent, "SAFETY, PROHIBITED_CONTENT, BLOCKLIST, SPII, RECITATION", readOn},

	{CStopRefused, wire.OpenAIChat, Native, "choices[].finish_reason", "", docChatObject, "content_filter, and refusal for its text", readOn},
	{CStopRefused, wire.OpenAIResponses, Native, "output[].content[].refusal", "", docResponseObject, "a refusal part, or incomplete_details.reason content_filter", readOn},
	{CStopRefused, wire.AnthropicMessages, Native, "stop_reason", "", docMessagesStops, "refusal", readOn},
	{CStopRefused, wire.GeminiGenerate, Native, "candidates[].finishReason", "", docGeminiContent, "SAFETY and the other blocking reasons", readOn},

	{CStopPaused, wire.OpenAIChat, Lacking, "", "", docChatObject, "no reason says that the turn is to be continued", readOn},
	{CStopPaused, wire.OpenAIResponses, Unsettled, "", "", docResponseObject, "incomplete without a reason for it", readOn},
	{CStopPaused, wire.AnthropicMessages, Native, "stop_reason", "", docMessagesStops, "pause_turn", readOn},
	{CStopPaused, wire.GeminiGenerate, Lacking, "", "", docGeminiContent, "no documented value of the Gemini API says so", readOn},

	{CStopSequence, wire.OpenAIChat, Lacking, "", "", docChatObject, "stop does not say which sequence matched", readOn},
	{CStopSequence, wire.OpenAIResponses, Lacking, "", "", docResponseObject, "there are no stop sequences", readOn},
	{CStopSequence, wire.AnthropicMessages, Native, "stop_sequence", "", docMessagesStops, "stop_sequence holds the sequence that matched", readOn},
	{CStopSequence, wire.GeminiGenerate, Lacking, "", "", docGeminiContent, "STOP covers stop sequences without naming them", readOn},

	{CError, wire.OpenAIChat, Native, "error", "", docChatErrors, "a chunk with an error object; the official SDKs raise on it", readOn},
	{CError, wire.OpenAIResponses, Native, "response.failed or error event", "", docResponseEvents, "response.failed carries response.error, an error event carries code and message", readOn},
	{CError, wire.AnthropicMessages, Native, "error event", "", docMessagesStream, "an error event may come in the stream, such as overloaded_error", readOn},
	{CError, wire.GeminiGenerate, Native, "error", "", docGeminiErrors, "an object with error.code, error.message and error.status", readOn},

	{CUsage, wire.OpenAIChat, Native, "usage", "", docChatObject, "usage of the whole; in a stream on the last chunk when stream_options.include_usage is set", readOn},
	{CUsage, wire.OpenAIResponses, Native, "usage", "", docResponseObject, "usage of the response", readOn},
	{CUsage, wire.AnthropicMessages, Native, "usage", "", docMessagesStream, "message_start and message_delta carry usage; the counts of message_delta are cumulative", readOn},
	{CUsage, wire.GeminiGenerate, Native, "usageMetadata", "", docGeminiContent, "usageMetadata, the last one counts", readOn},

	{CModel, wire.OpenAIChat, Native, "model", "", docChatObject, "the model used", readOn},
	{CModel, wire.OpenAIResponses, Native, "model", "", docResponseObject, "the model used", readOn},
	{CModel, wire.AnthropicMessages, Native, "model", "", docMessagesAPI, "the model that handled the request", readOn},
	{CModel, wire.GeminiGenerate, Native, "modelVersion", "", docGeminiContent, "the model version used", readOn},

	{CStream, wire.OpenAIChat, Native, "data events", "", docChatStream, "chunks of one reply, then data: [DONE]", readOn},
	{CStream, wire.OpenAIResponses, Native, "semantic events", "", docResponseEvents, "typed events from response.created to response.completed, failed or incomplete", readOn},
	{CStream, wire.AnthropicMessages, Native, "events", "", docMessagesStream, "message_start, blocks with start, deltas and stop, message_delta, message_stop", readOn},
	{CStream, wire.GeminiGenerate, Native, "chunks", "", docGeminiContent, "a stream of GenerateContentResponse; the last has finishReason", readOn},

	{COpaque, wire.OpenAIChat, Unsettled, "", "", docChatObject, "a value that the page does not describe", readOn},
	{COpaque, wire.OpenAIResponses, Unsettled, "", "", docResponseObject, "a value that the page does not describe", readOn},
	{COpaque, wire.AnthropicMessages, Unsettled, "", "", docMessagesAPI, "a value that the page does not describe", readOn},
	{COpaque, wire.GeminiGenerate, Unsettled, "", "", docGeminiContent, "a value that the page does not describe", readOn},
}

// OwnTable has the pairs of [SupportTable] that are unsettled for another vendor's value alone.
var OwnTable = []Cell{
	{CSignature, wire.AnthropicMessages, Native, "content[].signature", "", docMessagesThinking, "a thinking block carries a signature that must be sent back unchanged", readOn},
	{CRedacted, wire.AnthropicMessages, Native, "content[].data", "", docMessagesThinking, "a redacted_thinking block carries encrypted data to be sent back", readOn},
	{CSignature, wire.OpenAIResponses, Native, "output[].encrypted_content", "", docResponseObject, "a reasoning item holds encrypted_content where the request includes reasoning.encrypted_content", readOn},
	{CSignature, wire.GeminiGenerate, Native, "candidates[].content.parts[].thoughtSignature", "", docGeminiSignatures, "any part may carry a thoughtSignature, to be sent back with its part", readOn},
	{CRedacted, wire.OpenAIResponses, Native, "output[].encrypted_content", "", docResponseObject, "a reasoning item without summary or content still holds encrypted_content", readOn},
	{CRedacted, wire.GeminiGenerate, Native, "candidates[].content.parts[].thoughtSignature", "", docGeminiSignatures, "any part may carry a thoughtSignature, to be sent back with its part", readOn},
}
