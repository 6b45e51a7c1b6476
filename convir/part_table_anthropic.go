package convir

var anthropicParts = []partRow{}
