package convir

var openAIResponsesFields = map[string][]fieldSet{}
