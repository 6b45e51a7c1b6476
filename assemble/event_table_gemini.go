package assemble

// The documents that the rows of [geminiEvents] cite, read on 2026-11-30.
const (
	generateURL  = "https://ai.google.dev/api/generate-content"
	contentURL   = "https://ai.google.dev/api/caching"
	vertexURL    = "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/GenerateContentResponse"
	vertexArgs   = "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling"
	signatureURL = "https://ai.google.dev/gemini-api/docs/thought-signatures"
	geminiError  = "https://google.aip.dev/193"
	genaiURL     = "https://github.com/googleapis/js-genai" // @google/genai 2.32.0, dist/genai.d.ts
)

// geminiEvents are the fields of a chunk, which is a GenerateContentResponse of its own.
var geminiEvents = []eventRow{
	{"candidates[].content.role", "candidates[].content.role", "Content", contentURL},
	{"candidates[].content.parts[].text", "candidates[].content.parts[].text", "Part", contentURL},
	{"candidates[].content.parts[].thought", "candidates[].content.parts[].thought", "Part", contentURL},
	{"candidates[].content.parts[].thoughtSignature", "candidates[].content.parts[].thoughtSignature", "Thought signatures, Signatures in streaming", signatureURL},
	{"candidates[].content.parts[].inlineData", "candidates[].content.parts[]", "Part, Blob", contentURL},
	{"candidates[].content.parts[].fileData", "candidates[].content.parts[]", "Part, FileData", contentURL},
	{"candidates[].content.parts[].functionCall", "candidates[].content.parts[]", "Part, FunctionCall", contentURL},
	{"candidates[].content.parts[].functionCall.partialArgs", "candidates[].content.parts[].functionCall.args", "Function calling, Stream function call arguments", vertexArgs},
	{"candidates[].content.parts[].functionCall.willContinue", "-", "Function calling, Stream function call arguments", vertexArgs},
	{"candidates[].content.parts[].functionResponse", "candidates[].content.parts[]", "Part, FunctionResponse", contentURL},
	{"candidates[].content.parts[].executableCode", "candidates[].content.parts[]", "Part, ExecutableCode", contentURL},
	{"candidates[].content.parts[].codeExecutionResult", "candidates[].content.parts[]", "Part, CodeExecutionResult", contentURL},
	{"candidates[].content.parts[].toolCall", "candidates[].content.parts[]", "Part, ToolCall", genaiURL},
	{"candidates[].content.parts[].toolResponse", "candidates[].content.parts[]", "Part, ToolResponse", genaiURL},
	{"candidates[].content.parts[].audioTranscription", "candidates[].content.parts[]", "Part, Transcription", genaiURL},
	{"candidates[].content.parts[].videoMetadata", "candidates[].content.parts[]", "Part, VideoMetadata", contentURL},
	{"candidates[].content.parts[].partMetadata", "candidates[].content.parts[]", "Part", contentURL},
	{"candidates[].content.parts[].mediaResolution", "candidates[].content.parts[]", "Part, MediaResolution", contentURL},
	{"candidates[].content.parts[].mediaProcessing", "candidates[].content.parts[]", "Part, MediaProcessing", genaiURL},
	{"candidates[].content.parts[].speechMetadata", "candidates[].content.parts[]", "Part, SpeechMetadata", genaiURL},
	{"candidates[].finishReason", "candidates[].finishReason", "Candidate, FinishReason", generateURL},
	{"candidates[].finishMessage", "candidates[].finishMessage", "Candidate", generateURL},
	{"candidates[].index", "candidates[].index", "Candidate", generateURL},
	{"candidates[].tokenCount", "candidates[].tokenCount", "Candidate", generateURL},
	{"candidates[].safetyRatings", "candidates[].safetyRatings", "Candidate, SafetyRating", generateURL},
	{"candidates[].citationMetadata", "candidates[].citationMetadata", "Candidate, CitationMetadata", generateURL},
	{"candidates[].groundingAttributions", "candidates[].groundingAttributions", "Candidate, GroundingAttribution", generateURL},
	{"candidates[].groundingMetadata", "candidates[].groundingMetadata", "Candidate, GroundingMetadata", generateURL},
	{"candidates[].urlContextMetadata", "candidates[].urlContextMetadata", "Candidate, UrlContextMetadata", generateURL},
	{"candidates[].avgLogprobs", "candidates[].avgLogprobs", "Candidate", generateURL},
	{"candidates[].logprobsResult", "candidates[].logprobsResult", "Candidate, LogprobsResult", generateURL},
	{"candidates[].continuationToken", "candidates[].continuationToken", "Candidate", genaiURL},
	{"promptFeedback", "promptFeedback", "GenerateContentResponse, PromptFeedback", generateURL},
	{"usageMetadata", "usageMetadata", "GenerateContentResponse, UsageMetadata", generateURL},
	{"modelVersion", "modelVersion", "GenerateContentResponse", generateURL},
	{"responseId", "responseId", "GenerateContentResponse", generateURL},
	{"createTime", "createTime", "GenerateContentResponse", vertexURL},
	{"modelStatus", "modelStatus", "GenerateContentResponse, ModelStatus", generateURL},
	{"error", "-", "Errors, HTTP mapping", geminiError},
}
