package assemble

var openAIChatEvents = []eventRow{}
