// Package wire is the leaf of the tree: dialect names and JSON kept as the wire meant it.
package wire

// Dialect names one vendor API's reply format, as it stands in a capture.
type Dialect string

// The dialects that reassay reads (contract, section 1).
const (
	OpenAIChat        Dialect = "openai-chat"
	OpenAIResponses   Dialect = "openai-responses"
	AnthropicMessages Dialect = "anthropic-messages"
	GeminiGenerate    Dialect = "gemini-generate"
)

// Dialects lists every known dialect in the order in which tables show them.
var Dialects = []Dialect{OpenAIChat, OpenAIResponses, AnthropicMessages, GeminiGenerate}

// Known reports whether d is a dialect that reassay reads.
func (d Dialect) Known() bool {
	for _, k := range Dialects {
		if d == k {
			return true
		}
	}
	return false
}
