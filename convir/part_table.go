package convir

import "reassay/wire"

// partRow is one item, part or block type, or message field, that a vendor documents for a whole reply, and what it
// becomes in ConvIR. A fixture stands for each row (fixtures/convir/<dialect>); a type that no row lists becomes an
// Opaque event and is counted as unread.
type partRow struct {
	Name string // the type word, or the field's path in the body with [] for any index
	Into Kind   // "" for what is no event: usage, ids, stop reasons
	Doc  string // vendor's page and section
	URL  string
}

// partTable is every row by dialect.
var partTable = map[wire.Dialect][]partRow{
	wire.OpenAIChat:        openAIChatParts,
	wire.OpenAIResponses:   openAIResponsesParts,
	wire.AnthropicMessages: anthropicParts,
	wire.GeminiGenerate:    geminiParts,
}
