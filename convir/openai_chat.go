package convir

import "reassay/wire"

func parseOpenAIChat(body wire.Value) Reply {
	return Reply{}
}
