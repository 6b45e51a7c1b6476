package convir

var openAIChatParts = []partRow{}
