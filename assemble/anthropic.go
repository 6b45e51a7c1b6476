package assemble

import "reassay/sse"

func assembleAnthropic(s sse.Stream) Assembled {
	return Assembled{}
}
