package assemble

import (
	"strings"

	"reassay/wire"
)

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

// keysBelow is the set of keys that the rows name directly below a path ("" for the top), so that the table alone says
// which fields are understood.
func keysBelow(rows []eventRow, path string) map[string]bool {
	if path != "" {
		path += "."
	}
	keys := map[string]bool{}
	for _, r := range rows {
		if rest, ok := strings.CutPrefix(r.Name, path); ok {
			key, _, _ := strings.Cut(rest, ".")
			keys[strings.TrimSuffix(key, "[]")] = true
		}
	}
	return keys
}
