package convir

var geminiParts = []partRow{}
