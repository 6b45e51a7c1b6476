package golang

import (
	"context"
	"errors"

	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/responses"

	"reassay/sdkemu"
)

// responseEvents is the Responses API's stream.
type responseEvents struct {
	*ssestream.Stream[responses.ResponseStreamEventUnion]
}

func openAIResponses(ctx context.Context, in sdkemu.Input) events {
	service := responses.NewResponseService(openAIOptions(in)...)
	return responseEvents{service.NewStreaming(ctx, responses.ResponseNewParams{
		Model: "model",
		Input: responses.ResponseNewParamsInputUnion{OfString: param.NewOpt("")},
	})}
}

func (e responseEvents) Current() ([]byte, error) { return render(e.Stream.Current()) }

// errNoAccumulator stands where a mode is not in apis.
var errNoAccumulator = errors.New("openai-go has no accumulator for Responses over HTTP")

func (responseEvents) Accumulate() (bool, error) { return false, errNoAccumulator }

func (responseEvents) Accumulated() ([]byte, error) { return nil, errNoAccumulator }
