package assemble

import "reassay/sse"

func assembleOpenAIResponses(s sse.Stream) Assembled {
	return Assembled{}
}
