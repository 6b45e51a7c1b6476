package convir

// The pages that the rows of [geminiParts] cite, read on 2026-11-30.
const (
	generateURL   = "https://ai.google.dev/api/generate-content"
	partURL       = "https://ai.google.dev/api/caching"
	thoughtsURL   = "https://ai.google.dev/gemini-api/docs/thinking"
	signaturesURL = "https://ai.google.dev/gemini-api/docs/thought-signatures"
	geminiError   = "https://google.aip.dev/193"
	genaiURL      = "https://github.com/googleapis/js-genai" // @google/genai 2.32.0, dist/genai.d.ts
)

// geminiParts are the parts of a candidate, and the fields of a response.
var geminiParts = []partRow{
	{"text", Text, "Part", partURL},
	{"thought", Reasoning, "Thinking, Thought summaries", thoughtsURL},
	{"thoughtSignature", RedactedReasoning, "Thought signatures", signaturesURL},
	{"inlineData", Media, "Part, Blob", partURL},
	{"fileData", Media, "Part, FileData", partURL},
	{"functionCall", ToolCall, "Part, FunctionCall", partURL},
	{"functionResponse", ServerToolResult, "Part, FunctionResponse", partURL},
	{"executableCode", Code, "Part, ExecutableCode", partURL},
	{"codeExecutionResult", CodeResult, "Part, CodeExecutionResult", partURL},
	{"toolCall", ServerToolCall, "Part, ToolCall", genaiURL},
	{"toolResponse", ServerToolResult, "Part, ToolResponse", genaiURL},
	{"audioTranscription", Opaque, "Part, Transcription", genaiURL},
	{"citationSources", Citation, "CitationMetadata, CitationSource", generateURL},
	{"citations", Citation, "CitationMetadata, Citation", genaiURL},
	{"groundingChunks", Citation, "GroundingMetadata, GroundingChunk", generateURL},
	{"urlMetadata", ServerToolResult, "UrlContextMetadata, UrlMetadata", generateURL},
	{"logprobsResult", Logprobs, "Candidate, LogprobsResult", generateURL},
	{"finishReason", "", "Candidate, FinishReason", generateURL},
	{"blockReason", "", "GenerateContentResponse, BlockReason", generateURL},
	{"usageMetadata", "", "GenerateContentResponse, UsageMetadata", generateURL},
	{"responseId", "", "GenerateContentResponse", generateURL},
	{"modelVersion", "", "GenerateContentResponse", generateURL},
	{"error", "", "Errors, HTTP mapping", geminiError},
}
