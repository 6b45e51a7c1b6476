package assemble

var anthropicEvents = []eventRow{}
