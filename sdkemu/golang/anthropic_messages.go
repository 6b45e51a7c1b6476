package golang

import (
	"context"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/ssestream"

	"reassay/sdkemu"
)

// messageEvents is Messages' stream with Message.Accumulate, whose error ends the documented loop (messageutil.go).
type messageEvents struct {
	*ssestream.Stream[anthropic.MessageStreamEventUnion]
	message anthropic.Message
}

// anthropicMessages makes the service without a client, so that no ANTHROPIC_* variable of the environment can change
// an outcome.
func anthropicMessages(ctx context.Context, in sdkemu.Input) events {
	service := anthropic.NewMessageService(
		option.WithBaseURL("http://localhost/"),
		option.WithAPIKey("none"),
		option.WithMaxRetries(0),
		option.WithHTTPClient(transport{in}),
	)
	return &messageEvents{Stream: service.NewStreaming(ctx, anthropic.MessageNewParams{
		Model:     "model",
		MaxTokens: 1,
		Messages:  []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(""))},
	})}
}

func (e *messageEvents) Current() ([]byte, error) { return render(e.Stream.Current()) }

func (e *messageEvents) Accumulate() (bool, error) {
	return false, e.message.Accumulate(e.Stream.Current())
}

func (e *messageEvents) Accumulated() ([]byte, error) { return render(e.message) }
