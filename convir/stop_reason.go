package convir

import "reassay/wire"

// CompletionMapVersion names the state of [StopReasons] in a verdict's interpretation. Raise it with every change of
// the table: a word's canonical outcome decides findings, so a verdict must say which table it was made with.
const CompletionMapVersion = 3

// StopReason is one word of a dialect's documented vocabulary for the end of a generation.
type StopReason struct {
	Dialect wire.Dialect
	Field   string // where the word stands in the whole reply
	Word    string
	Outcome Outcome
	Source  string // the vendor's page or SDK type that lists the word
}

// The pages and files that the table was read from, on 2026-11-30.
const (
	chatStops      = "https://platform.openai.com/docs/api-reference/chat/object#chat-object-choices-finish_reason"
	responsesStops = "https://platform.openai.com/docs/api-reference/responses/object#responses-object-status"
	responsesWhy   = "openai-go@v3.99.0 responses/response.go, ResponseIncompleteDetails.Reason"
	messagesStops  = "https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons"
	messagesBeta   = "https://platform.claude.com/docs/en/build-with-claude/compaction, BetaStopReason in @anthropic-ai/sdk 1.14.0"
	geminiStops    = "https://ai.google.dev/api/generate-content#FinishReason"
	geminiSDKStops = "FinishReason in @google/genai 2.32.0"
	vertexStops    = "https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/GenerateContentResponse#finishreason"
	geminiBlocks   = "https://ai.google.dev/api/generate-content#BlockReason"
	vertexBlocks   = "BlockedReason in @google/genai 2.32.0 (not in the Gemini API, only on Vertex AI)"
)

// StopReasons is the completion map: every documented word of the four dialects and what it means canonically.
//
// Words that say "this ended in a way that has no twin elsewhere" are Unknown although they are documented: no
// translation of them is exact, and none may pass for success (rules.md, policy row MALFORMED_FUNCTION_CALL). A
// stop sequence is Complete, like the "stop" by which Chat reports it. Empty and None stand in no row: they
// describe a reply that holds nothing or says no reason, not a word.
var StopReasons = []StopReason{
	{wire.OpenAIChat, "choices[].finish_reason", "stop", Complete, chatStops},
	{wire.OpenAIChat, "choices[].finish_reason", "length", Truncated, chatStops},
	{wire.OpenAIChat, "choices[].finish_reason", "tool_calls", ToolCalls, chatStops},
	{wire.OpenAIChat, "choices[].finish_reason", "content_filter", Filtered, chatStops},
	{wire.OpenAIChat, "choices[].finish_reason", "function_call", ToolCalls, chatStops},

	{wire.OpenAIResponses, "status", "completed", Complete, responsesStops},
	{wire.OpenAIResponses, "status", "failed", Failed, responsesStops},
	{wire.OpenAIResponses, "status", "cancelled", Failed, responsesStops},
	{wire.OpenAIResponses, "status", "in_progress", Unknown, responsesStops},
	{wire.OpenAIResponses, "status", "queued", Unknown, responsesStops},
	{wire.OpenAIResponses, "status", "incomplete", Unknown, responsesStops},
	{wire.OpenAIResponses, "incomplete_details.reason", "max_output_tokens", Truncated, responsesWhy},
	{wire.OpenAIResponses, "incomplete_details.reason", "max_messages", Truncated, responsesWhy},
	{wire.OpenAIResponses, "incomplete_details.reason", "content_filter", Filtered, responsesWhy},
	{wire.OpenAIResponses, "incomplete_details.reason", "steered", Paused, responsesWhy},

	{wire.AnthropicMessages, "stop_reason", "end_turn", Complete, messagesStops},
	{wire.AnthropicMessages, "stop_reason", "stop_sequence", Complete, messagesStops},
	{wire.AnthropicMessages, "stop_reason", "max_tokens", Truncated, messagesStops},
	{wire.AnthropicMessages, "stop_reason", "model_context_window_exceeded", Truncated, messagesStops},
	{wire.AnthropicMessages, "stop_reason", "tool_use", ToolCalls, messagesStops},
	{wire.AnthropicMessages, "stop_reason", "pause_turn", Paused, messagesStops},
	{wire.AnthropicMessages, "stop_reason", "compaction", Paused, messagesBeta},
	{wire.AnthropicMessages, "stop_reason", "refusal", Refused, messagesStops},

	{wire.GeminiGenerate, "candidates[].finishReason", "STOP", Complete, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "MAX_TOKENS", Truncated, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "SAFETY", Filtered, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "RECITATION", Filtered, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "LANGUAGE", Filtered, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "BLOCKLIST", Filtered, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "PROHIBITED_CONTENT", Filtered, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "SPII", Filtered, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "IMAGE_SAFETY", Filtered, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "IMAGE_PROHIBITED_CONTENT", Filtered, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "IMAGE_RECITATION", Filtered, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "MODEL_ARMOR", Filtered, vertexStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "IMAGE_OTHER", Unknown, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "NO_IMAGE", Unknown, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "OTHER", Unknown, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "MALFORMED_FUNCTION_CALL", Unknown, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "UNEXPECTED_TOOL_CALL", Unknown, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "TOO_MANY_TOOL_CALLS", Unknown, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "MISSING_THOUGHT_SIGNATURE", Unknown, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "MALFORMED_RESPONSE", Unknown, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "FINISH_REASON_UNSPECIFIED", Unknown, geminiStops},
	{wire.GeminiGenerate, "candidates[].finishReason", "CONTINUATION", Paused, geminiSDKStops},

	{wire.GeminiGenerate, blockReasonField, "SAFETY", Filtered, geminiBlocks},
	{wire.GeminiGenerate, blockReasonField, "OTHER", Filtered, geminiBlocks},
	{wire.GeminiGenerate, blockReasonField, "BLOCKLIST", Filtered, geminiBlocks},
	{wire.GeminiGenerate, blockReasonField, "PROHIBITED_CONTENT", Filtered, geminiBlocks},
	{wire.GeminiGenerate, blockReasonField, "IMAGE_SAFETY", Filtered, geminiBlocks},
	{wire.GeminiGenerate, blockReasonField, "MODEL_ARMOR", Filtered, vertexBlocks},
	{wire.GeminiGenerate, blockReasonField, "JAILBREAK", Filtered, vertexBlocks},
	{wire.GeminiGenerate, blockReasonField, "BLOCK_REASON_UNSPECIFIED", Unknown, geminiBlocks},
	{wire.GeminiGenerate, blockReasonField, "BLOCKED_REASON_UNSPECIFIED", Unknown, vertexBlocks},
}

// blockReasonField is where Gemini says why a prompt got no candidates. Its words overlap with finishReason's and
// mean something else (OTHER), so they are looked up apart.
const blockReasonField = "promptFeedback.blockReason"

type stopKey struct {
	dialect wire.Dialect
	word    string
}

var stopOutcomes, blockOutcomes = indexStops()

func indexStops() (stops, blocks map[stopKey]Outcome) {
	stops, blocks = map[stopKey]Outcome{}, map[stopKey]Outcome{}
	for _, r := range StopReasons {
		m := stops
		if r.Field == blockReasonField {
			m = blocks
		}
		m[stopKey{r.Dialect, r.Word}] = r.Outcome
	}
	return stops, blocks
}

// StopOutcome is the canonical outcome of a dialect's own word for why a generation ended: a finish reason, a stop
// reason, and for Responses a status or the reason of an incomplete reply. known tells whether the vendor documents
// the word. Of one that nobody documents the outcome is Unknown, never a success; of no word at all ("") it is None.
//
// A Gemini candidate with function calls ends with STOP as any other does: the parser, which sees the calls, makes
// ToolCalls of it.
func StopOutcome(d wire.Dialect, raw string) (o Outcome, known bool) {
	return lookUpStop(stopOutcomes, d, raw)
}

// blockOutcome is what [StopOutcome] is, for the word of Gemini's promptFeedback.blockReason.
func blockOutcome(raw string) (o Outcome, known bool) {
	return lookUpStop(blockOutcomes, wire.GeminiGenerate, raw)
}

func lookUpStop(m map[stopKey]Outcome, d wire.Dialect, raw string) (Outcome, bool) {
	if raw == "" {
		return None, false
	}
	if o, ok := m[stopKey{d, raw}]; ok {
		return o, true
	}
	return Unknown, false
}
