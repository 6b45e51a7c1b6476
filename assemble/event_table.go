package assemble

import "reassay/wire"

// eventRow is one event, delta type or chunk field that a vendor documents, and where its content goes in Body.
// A fixture stands for each row (fixtures/assemble/<dialect>); what no row lists is kept as opaque where it can be,
// and counted as unread.
type eventRow struct {
	Name string // the event's type, or the field's path in a chunk with [] for any index
	Into string // the path in Body, "-" for what carries no content
	Doc  string // vendor's page and section
	URL  string
}

// eventTable is every row by dialect.
var eventTable = map[wire.Dialect][]eventRow{
	wire.OpenAIChat:        openAIChatEvents,
	wire.OpenAIResponses:   openAIResponsesEvents,
	wire.AnthropicMessages: anthropicEvents,
	wire.GeminiGenerate:    geminiEvents,
}

// known is the set of a dialect's row names.
func known(rows []eventRow) map[string]bool {
	m := make(map[string]bool, len(rows))
	for _, r := range rows {
		m[r.Name] = true
	}
	return m
}
