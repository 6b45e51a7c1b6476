package assemble

import "reassay/sse"

func assembleGemini(s sse.Stream) Assembled {
	return Assembled{}
}
