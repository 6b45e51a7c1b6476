package convir

var anthropicFields = map[string][]fieldSet{}
