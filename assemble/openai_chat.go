package assemble

import "reassay/sse"

func assembleOpenAIChat(s sse.Stream) Assembled {
	return Assembled{}
}
