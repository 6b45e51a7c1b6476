package assemble

var openAIResponsesEvents = []eventRow{}
