package assemble

var geminiEvents = []eventRow{}
