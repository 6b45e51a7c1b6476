package golang

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"reassay/sdkemu"
)

// chatRun is one pass of openai-go's chat API over one reply.
type chatRun struct {
	limits  Limits
	iterate bool

	begun   bool // the SDK handed over a stream: the status was accepted
	yielded int
	refused []int // events that AddChunk returned false for
	chunks  []json.RawMessage
	acc     openai.ChatCompletionAccumulator
}

// guarded runs the SDK and turns its panic into an error.
func (r *chatRun) guarded(ctx context.Context, in sdkemu.Input) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicError{p}
		}
	}()
	return r.run(ctx, in)
}

func (r *chatRun) run(ctx context.Context, in sdkemu.Input) error {
	// The service is made without a client so that no OPENAI_* variable of the environment can change the outcome.
	chat := openai.NewChatCompletionService(
		option.WithBaseURL("http://localhost/v1/"),
		option.WithAPIKey("none"),
		option.WithMaxRetries(0),
		option.WithHTTPClient(transport{in}),
	)
	stream := chat.NewStreaming(ctx, openai.ChatCompletionNewParams{
		Model:    "model",
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("")},
	})
	defer stream.Close()
	r.begun = stream.Err() == nil
	for stream.Next() {
		chunk := stream.Current()
		if r.iterate {
			text, err := json.Marshal(chunk)
			if err != nil {
				return fmt.Errorf("marshal chunk %d: %w", r.yielded, err)
			}
			r.chunks = append(r.chunks, text)
		} else if !r.acc.AddChunk(chunk) {
			r.refused = append(r.refused, r.yielded)
		}
		r.yielded++
		if r.yielded > r.limits.Events {
			return &limitError{"events", r.limits.Events}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return stream.Err()
}

// assembled is what the caller holds when the loop is over: the accumulator's completion, or the chunks that came.
// An exception in mode stream leaves the caller with nothing.
func (r *chatRun) assembled(err error) (json.RawMessage, error) {
	switch {
	case r.iterate && (err == nil || r.begun):
		if r.chunks == nil {
			return json.RawMessage("[]"), nil
		}
		return json.Marshal(r.chunks)
	case r.iterate || err != nil:
		return nil, nil
	}
	return json.Marshal(r.acc.ChatCompletion)
}

func (r *chatRun) atEvent() json.RawMessage {
	if !r.begun {
		return json.RawMessage("null")
	}
	return json.RawMessage(strconv.Itoa(r.yielded))
}

// note says which chunks the accumulator refused: the documented loop does not look, so its caller never learns.
func (r *chatRun) note() string {
	if len(r.refused) == 0 {
		return ""
	}
	return fmt.Sprintf("the accumulator refused %d of %d chunks, the first at event %d", len(r.refused), r.yielded, r.refused[0])
}
