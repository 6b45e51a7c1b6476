package convir

import "reassay/wire"

func parseGemini(body wire.Value) Reply {
	return Reply{}
}
