package convir

var openAIResponsesParts = []partRow{}
