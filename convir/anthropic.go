package convir

import "reassay/wire"

func parseAnthropic(body wire.Value) Reply {
	return Reply{}
}
