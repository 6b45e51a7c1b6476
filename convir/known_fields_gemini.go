package convir

var geminiFields = map[string][]fieldSet{}
