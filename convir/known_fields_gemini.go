package convir

// Where the field sets of generateContent were read, on 2026-11-30.
const (
	generateFields = "https://ai.google.dev/api/generate-content"
	contentFields  = "https://ai.google.dev/api/caching"
	genaiFields    = "@google/genai@2.32.0 dist/genai.d.ts"
)

// geminiFields are the shapes of a whole response.
var geminiFields = map[string][]fieldSet{
	"response": {
		{"candidates promptFeedback usageMetadata modelVersion responseId modelStatus", generateFields},
		{"createTime", genaiFields},
		{"error", "https://google.aip.dev/193"},
	},
	"candidate": {
		{"content finishReason finishMessage safetyRatings citationMetadata tokenCount groundingAttributions groundingMetadata avgLogprobs logprobsResult urlContextMetadata index", generateFields},
		{"continuationToken", genaiFields},
	},
	"content": {{"role parts", contentFields}},
	"part": {
		{"text thought thoughtSignature inlineData fileData functionCall functionResponse executableCode codeExecutionResult videoMetadata partMetadata mediaResolution", contentFields},
		{"toolCall toolResponse audioTranscription mediaProcessing speechMetadata", genaiFields},
	},
	"inlineData":          {{"mimeType data", contentFields}, {"displayName", genaiFields}},
	"fileData":            {{"mimeType fileUri", contentFields}, {"displayName", genaiFields}},
	"functionCall":        {{"id name args", contentFields}, {"partialArgs willContinue", genaiFields}},
	"functionResponse":    {{"id name response willContinue scheduling parts", contentFields}},
	"toolCall":            {{"id toolType args", genaiFields}},
	"toolResponse":        {{"id toolType response", genaiFields}},
	"executableCode":      {{"language code", contentFields}, {"id", genaiFields}},
	"codeExecutionResult": {{"outcome output", contentFields}, {"id", genaiFields}},
	"promptFeedback":      {{"blockReason safetyRatings", generateFields}, {"blockReasonMessage", genaiFields}},
	"citationMetadata":    {{"citationSources", generateFields}, {"citations", genaiFields}},
	"citationSource":      {{"startIndex endIndex uri license", generateFields}, {"title publicationDate", genaiFields}},
	"groundingMetadata": {
		{"groundingChunks groundingSupports webSearchQueries searchEntryPoint retrievalMetadata googleMapsWidgetContextToken", generateFields},
		{"imageSearchQueries retrievalQueries sourceFlaggingUris", genaiFields},
	},
	"groundingChunk":     {{"web retrievedContext maps", generateFields}, {"image", genaiFields}},
	"urlContextMetadata": {{"urlMetadata", generateFields}},
	"urlMetadata":        {{"retrievedUrl urlRetrievalStatus", generateFields}},
	"usageMetadata": {
		{"promptTokenCount cachedContentTokenCount candidatesTokenCount toolUsePromptTokenCount thoughtsTokenCount totalTokenCount promptTokensDetails cacheTokensDetails candidatesTokensDetails toolUsePromptTokensDetails", generateFields},
		{"trafficType initialPromptTokenCount", genaiFields},
	},
}
