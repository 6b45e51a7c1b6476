package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reassay/capture"
	"reassay/sdkemu"
	"reassay/wire"
)

// maxStreamLine is the longest line that `sdk run` reads, in bytes.
const maxStreamLine = 256 << 20

func newSDKRun(e env) *cobra.Command {
	var workers int
	var f isolateFlags
	c := &cobra.Command{
		Use:   "run",
		Short: "Say what one SDK makes of one stream, JSON lines in and out",
		Long: "run reads one stream a line on standard input and answers each with one line, in order:\n\n" +
			`  in:  {"id", "sdk", "version", "api", "mode", "body" or "body_base64", "status", "content_type", "headers", "error",` + "\n" +
			`        "chunking": "whole" | "event" | "byte" | "hostile", "request", "caller"}` + "\n" +
			`  out: {"id", "sdk", "version", "outcome": "ok" | "exception" | "inconclusive" | "error", "exception", "assembled", "reason"}` + "\n\n" +
			"ok means only that the SDK raised nothing. error is reassay's own refusal: a bad line, or an SDK that is not built in.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if workers < 1 {
				return usage("--workers: %d, want at least 1", workers)
			}
			emulators, done, err := f.emulators(e, workers)
			if err != nil {
				return err
			}
			defer done()
			r := streamRunner{emulators}
			return ordered(c.Context(), workers, streamLines(e.stdin), r.answer, func(line []byte) error {
				_, err := e.stdout.Write(line)
				return err
			})
		},
	}
	c.Flags().IntVar(&workers, "workers", runtime.GOMAXPROCS(0), "how many streams are run at once")
	f.register(c)
	return c
}

// streamLine is one line of standard input, or why reading ended.
type streamLine struct {
	text []byte
	err  error
}

func streamLines(r io.Reader) iter.Seq[streamLine] {
	return func(yield func(streamLine) bool) {
		in := bufio.NewScanner(r)
		in.Buffer(make([]byte, 64<<10), maxStreamLine)
		for in.Scan() {
			if text := bytes.TrimSpace(in.Bytes()); len(text) > 0 && !yield(streamLine{text: bytes.Clone(text)}) {
				return
			}
		}
		if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
			yield(streamLine{err: fmt.Errorf("the line has more than %d bytes; nothing behind it was read", maxStreamLine)})
		} else if err != nil {
			yield(streamLine{err: fmt.Errorf("read standard input: %w", err)})
		}
	}
}

// streamRunner answers lines of `sdk run`.
type streamRunner struct{ emulators []sdkemu.Emulator }

// answer is the output line for in, its line end included.
func (r streamRunner) answer(ctx context.Context, in streamLine) []byte {
	if in.err != nil {
		return answerLine(wire.Value{}, sdkemu.Target{}, refusal(in.err))
	}
	v, err := wire.Parse(in.text)
	if err != nil {
		return answerLine(wire.Value{}, sdkemu.Target{}, refusal(fmt.Errorf("the line is not JSON: %w", err)))
	}
	id := v.Get("id")
	target, emulator, err := r.target(v)
	if err != nil {
		return answerLine(id, target, refusal(err))
	}
	input, err := streamInput(v, target)
	if err != nil {
		return answerLine(id, target, refusal(err))
	}
	result := emulator.Run(ctx, target, input)
	if _, err := wire.Parse(result.Assembled); len(result.Assembled) > 0 && err != nil {
		result = refusal(fmt.Errorf("what %s assembled is not JSON: %w", target.Name(), err))
	}
	return answerLine(id, target, result)
}

func refusal(err error) sdkemu.Result {
	return sdkemu.Result{Outcome: sdkemu.Failed, Reason: err.Error()}
}

// target reads which SDK is to run and finds its emulator.
func (r streamRunner) target(v wire.Value) (sdkemu.Target, sdkemu.Emulator, error) {
	t := sdkemu.Target{SDK: v.Get("sdk").Str(), Version: v.Get("version").Str(), API: sdkemu.API(v.Get("api").Str()),
		Mode: sdkemu.Mode(v.Get("mode").Str())}
	for _, name := range []string{"sdk", "version", "api", "mode"} {
		if v.Get(name).Kind() != wire.String {
			return t, nil, fmt.Errorf("%s: %s, want a string", name, v.Get(name).Kind())
		}
	}
	for _, m := range r.emulators {
		if slices.Contains(m.Targets(), t) {
			return t, m, nil
		}
	}
	var names []string
	for _, known := range targets(r.emulators) {
		names = append(names, known.Name())
	}
	return t, nil, fmt.Errorf("%s is not built in; built in are %s", t.Name(), strings.Join(names, ", "))
}

// dialects are the dialects that each API of the SDKs reads.
var dialects = map[sdkemu.API]wire.Dialect{
	sdkemu.Chat:              wire.OpenAIChat,
	sdkemu.Responses:         wire.OpenAIResponses,
	sdkemu.AnthropicMessages: wire.AnthropicMessages,
}

// streamInput reads the leg's fields of a line as a capture reads them, and what else the SDK is to know.
func streamInput(v wire.Value, t sdkemu.Target) (sdkemu.Input, error) {
	dialect := wire.Of(string(dialects[t.API]))
	leg := v.With("dialect", dialect)
	if !v.Get("status").Present() && !v.Get("error").Present() {
		leg = leg.With("status", wire.OfInt(200))
	}
	request := v.Get("request")
	if request.Present() && !request.Get("body").Exists() {
		request = wire.Obj(wire.Member{Key: "dialect", Value: dialect}, wire.Member{Key: "body", Value: request})
	}
	exchange := wire.Obj(
		wire.Member{Key: "capture_version", Value: wire.OfInt(capture.Version)},
		wire.Member{Key: "id", Value: wire.Of("stream")},
		wire.Member{Key: "gateway", Value: wire.Obj(wire.Member{Key: "name", Value: wire.Of("none")})},
		wire.Member{Key: "request", Value: request},
		wire.Member{Key: "caller", Value: v.Get("caller")},
		wire.Member{Key: "stream", Value: leg},
	)
	var x *capture.Exchange
	for decoded, err := range capture.Decode(bytes.NewReader(exchange.JSON()), "line") {
		if err != nil {
			var field *capture.FieldError
			if errors.As(err, &field) {
				return sdkemu.Input{}, fmt.Errorf("%s: %s", strings.TrimPrefix(field.Field, "stream."), field.Msg)
			}
			return sdkemu.Input{}, err
		}
		x = decoded
	}
	broken := x.Stream.Error
	body, err := x.Stream.Plain()
	var coding *capture.CodingError
	var large *capture.TooLargeError
	switch {
	case errors.As(err, &coding), errors.As(err, &large):
		return sdkemu.Input{}, fmt.Errorf("body: %w", err)
	case err != nil && broken == nil:
		// Compressed data that ends early is a transport that broke off behind what could be read.
		broken = &capture.Break{By: "unknown", Message: err.Error()}
	}
	in := sdkemu.Input{Status: x.Stream.Status, ContentType: x.Stream.ContentType, Headers: x.Stream.Headers, Body: body,
		Parsed: x.Parsed}
	if broken != nil {
		in.Break = &sdkemu.Break{Message: broken.Message}
	}
	if x.Request != nil {
		in.Request = x.Request.Body
	}
	if c := v.Get("chunking"); c.Present() {
		in.Cuts, err = sdkemu.Chunking(c.Str()).Cuts(body)
		if err != nil || c.Kind() != wire.String {
			return sdkemu.Input{}, fmt.Errorf("chunking: %s, want %s", c.JSON(), words(sdkemu.Chunkings))
		}
	}
	return in, nil
}

// answerLine is one line of output. Strings may hold lone surrogate halves, which only wire writes as they are.
func answerLine(id wire.Value, t sdkemu.Target, r sdkemu.Result) []byte {
	member := func(key, value string) wire.Member {
		if value == "" {
			return wire.Member{Key: key}
		}
		return wire.Member{Key: key, Value: wire.Of(value)}
	}
	out := wire.Obj(
		wire.Member{Key: "id", Value: idOrNull(id)},
		member("sdk", t.SDK),
		member("version", t.Version),
		member("outcome", string(r.Outcome)),
		wire.Member{Key: "exception", Value: exceptionValue(r.Exception)},
		wire.Member{Key: "assembled", Value: rawValue(r.Assembled)},
		member("reason", r.Reason),
	)
	return append(out.JSON(), '\n')
}

// idOrNull keeps the member there where a line had no id.
func idOrNull(id wire.Value) wire.Value {
	if id.Exists() {
		return id
	}
	return wire.OfNull()
}

func exceptionValue(x *sdkemu.ExceptionDetail) wire.Value {
	if x == nil {
		return wire.Value{}
	}
	members := []wire.Member{
		{Key: "class", Value: wire.Of(x.Class)},
		{Key: "message", Value: wire.Of(x.Message)},
		{Key: "cause", Value: exceptionValue(x.Cause)},
	}
	if x.Thrown != "" {
		members = append(members, wire.Member{Key: "thrown", Value: wire.Of(x.Thrown)})
	}
	at := rawValue(x.AtEvent)
	if !at.Exists() {
		at = wire.OfNull()
	}
	return wire.Obj(append(members, wire.Member{Key: "at_event", Value: at})...)
}

// rawValue is a JSON text as a value; none, or a broken one, is Missing.
func rawValue(text []byte) wire.Value {
	v, err := wire.Parse(text)
	if err != nil {
		return wire.Value{}
	}
	return v
}
