package convir

import "reassay/wire"

func parseOpenAIResponses(body wire.Value) Reply {
	return Reply{}
}
