package golang

import (
	"context"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"reassay/sdkemu"
)

// openAIOptions reach the recorded reply and nothing else. The services are made without a client, so that no
// OPENAI_* variable of the environment can change an outcome.
func openAIOptions(in sdkemu.Input) []option.RequestOption {
	return []option.RequestOption{
		option.WithBaseURL("http://localhost/v1/"),
		option.WithAPIKey("none"),
		option.WithMaxRetries(0),
		option.WithHTTPClient(transport{in}),
	}
}

// chatEvents is Chat's stream with the accumulator as its documentation shows it: AddChunk for each chunk, its result
// ignored (examples/chat-completion-accumulating of the SDK's repository).
type chatEvents struct {
	*ssestream.Stream[openai.ChatCompletionChunk]
	acc openai.ChatCompletionAccumulator
}

func openAIChat(ctx context.Context, in sdkemu.Input) events {
	chat := openai.NewChatCompletionService(openAIOptions(in)...)
	return &chatEvents{Stream: chat.NewStreaming(ctx, openai.ChatCompletionNewParams{
		Model:    "model",
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("")},
	})}
}

func (e *chatEvents) Current() ([]byte, error) { return render(e.Stream.Current()) }

func (e *chatEvents) Accumulate() (bool, error) { return !e.acc.AddChunk(e.Stream.Current()), nil }

func (e *chatEvents) Accumulated() ([]byte, error) { return render(e.acc.ChatCompletion) }
