package golang

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"reassay/sdkemu"
)

// api is one API of a linked SDK.
type api struct {
	sdk    string
	module string
	api    sdkemu.API
	modes  []sdkemu.Mode
	begin  func(ctx context.Context, in sdkemu.Input) events
}

// apis are the APIs that can run. openai-go documents no helper that builds a Responses object from an HTTP stream
// (its ResponseAccumulator is for WebSockets, response_accumulator.go), so there is no mode stream.
var apis = []api{
	{"openai-go", "github.com/openai/openai-go/v3", sdkemu.Chat,
		[]sdkemu.Mode{sdkemu.ModeStream, sdkemu.ModeIterate}, openAIChat},
	{"openai-go", "github.com/openai/openai-go/v3", sdkemu.Responses,
		[]sdkemu.Mode{sdkemu.ModeIterate}, openAIResponses},
	{"anthropic-go", "github.com/anthropics/anthropic-sdk-go", sdkemu.AnthropicMessages,
		[]sdkemu.Mode{sdkemu.ModeStream, sdkemu.ModeIterate}, anthropicMessages},
}

// pinned repeats what go.mod says.
var pinned = map[string]string{
	"github.com/openai/openai-go/v3":         "3.99.0",
	"github.com/anthropics/anthropic-sdk-go": "1.84.0",
}

// events is one SDK stream as its caller's loop sees it.
type events interface {
	Next() bool
	Err() error
	Close() error
	// Current renders the event at hand.
	Current() ([]byte, error)
	// Accumulate gives the event at hand to the SDK's accumulator. refused: the accumulator declined it by a result
	// that the documented loop does not look at.
	Accumulate() (refused bool, err error)
	// Accumulated renders what the accumulator holds.
	Accumulated() ([]byte, error)
}

// pass is one run of one API over one reply.
type pass struct {
	limits  Limits
	iterate bool

	begun    bool // the SDK handed over a stream: the status was accepted
	yielded  int
	refused  []int // events that the accumulator declined
	list     []json.RawMessage
	rendered json.RawMessage
}

// guarded runs the SDK and turns its panic into an error.
func (p *pass) guarded(ctx context.Context, begin func(context.Context, sdkemu.Input) events, in sdkemu.Input) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &panicError{r}
		}
	}()
	stream := begin(ctx, in)
	defer stream.Close()
	p.begun = stream.Err() == nil
	for stream.Next() {
		if err := p.take(stream); err != nil {
			return err
		}
		p.yielded++
		if p.yielded > p.limits.Events {
			return &limitError{"events", p.limits.Events}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if err := stream.Err(); err != nil || p.iterate {
		return err
	}
	if p.rendered, err = stream.Accumulated(); err != nil {
		return &renderError{fmt.Errorf("marshal what was accumulated: %w", err)}
	}
	return nil
}

func (p *pass) take(stream events) error {
	if p.iterate {
		text, err := stream.Current()
		if err != nil {
			return &renderError{fmt.Errorf("marshal event %d: %w", p.yielded, err)}
		}
		p.list = append(p.list, text)
		return nil
	}
	refused, err := stream.Accumulate()
	if refused {
		p.refused = append(p.refused, p.yielded)
	}
	return err
}

// assembled is what the caller holds when the loop is over: the accumulator's object, or the events that came. An
// exception in mode stream leaves the caller with nothing.
func (p *pass) assembled() (json.RawMessage, error) {
	switch {
	case !p.iterate:
		return p.rendered, nil
	case !p.begun:
		return nil, nil
	case p.list == nil:
		return json.RawMessage("[]"), nil
	}
	return json.Marshal(p.list)
}

func (p *pass) atEvent() json.RawMessage {
	if !p.begun {
		return json.RawMessage("null")
	}
	return json.RawMessage(strconv.Itoa(p.yielded))
}

// note says which events the accumulator declined: the documented loop does not look, so its caller never learns.
func (p *pass) note() string {
	if len(p.refused) == 0 {
		return ""
	}
	return fmt.Sprintf("the accumulator refused %d of %d chunks, the first at event %d", len(p.refused), p.yielded, p.refused[0])
}
