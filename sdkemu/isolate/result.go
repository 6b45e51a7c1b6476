package isolate

import (
	"fmt"
	"io"

	"reassay/sdkemu"
	"reassay/wire"
)

// encodeResult makes the message of a result.
func encodeResult(r sdkemu.Result) message {
	head := []wire.Member{
		{Key: "outcome", Value: wire.Of(string(r.Outcome))},
		{Key: "reason", Value: wire.Of(r.Reason)},
		{Key: "retryable", Value: wire.OfBool(r.Retryable)},
	}
	if r.Exception != nil {
		head = append(head, wire.Member{Key: "exception", Value: exceptionValue(r.Exception)})
	}
	return message{wire.Obj(head...).JSON(), r.Assembled}
}

func exceptionValue(d *sdkemu.ExceptionDetail) wire.Value {
	members := []wire.Member{
		{Key: "class", Value: wire.Of(d.Class)},
		{Key: "message", Value: wire.Of(d.Message)},
		{Key: "thrown", Value: wire.Of(d.Thrown)},
	}
	if d.AtEvent != nil {
		// The text itself: it is handed on as it is.
		members = append(members, wire.Member{Key: "at_event", Value: wire.Of(string(d.AtEvent))})
	}
	if d.Taken != nil {
		members = append(members, wire.Member{Key: "taken", Value: wire.OfInt(*d.Taken)})
	}
	if d.Unsent {
		members = append(members, wire.Member{Key: "unsent", Value: wire.OfBool(true)})
	}
	if d.Cause != nil {
		members = append(members, wire.Member{Key: "cause", Value: exceptionValue(d.Cause)})
	}
	return wire.Obj(members...)
}

// readResult reads a result.
func readResult(r io.Reader, most int64) (sdkemu.Result, error) {
	m, err := readMessage(r, 2, most)
	if err != nil {
		return sdkemu.Result{}, err
	}
	head, err := wire.Parse(m[0])
	if err != nil {
		return sdkemu.Result{}, fmt.Errorf("read the head of a result: %w", err)
	}
	res := sdkemu.Result{
		Outcome:   sdkemu.Outcome(head.Get("outcome").Str()),
		Reason:    head.Get("reason").Str(),
		Retryable: head.Get("retryable").True(),
		Exception: exceptionOf(head.Get("exception")),
	}
	if len(m[1]) > 0 {
		res.Assembled = m[1]
	}
	return res, nil
}

func exceptionOf(v wire.Value) *sdkemu.ExceptionDetail {
	if !v.Exists() {
		return nil
	}
	d := &sdkemu.ExceptionDetail{
		Class: v.Get("class").Str(), Message: v.Get("message").Str(), Thrown: v.Get("thrown").Str(), Cause: exceptionOf(v.Get("cause")),
	}
	if at := v.Get("at_event"); at.Exists() {
		d.AtEvent = []byte(at.Str())
	}
	if taken, ok := v.Get("taken").Int(); ok {
		d.Taken = &taken
	}
	d.Unsent = v.Get("unsent").True()
	return d
}
