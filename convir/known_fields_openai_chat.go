package convir

var openAIChatFields = map[string][]fieldSet{}
