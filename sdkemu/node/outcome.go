package node

import (
	"encoding/json"
	"fmt"

	"github.com/dop251/goja"

	"reassay/sdkemu"
)

// Exceptions that are not the SDK's but Node's, or nobody's: the caller's catch clause never sees them.
const (
	hangClass      = "Hang"
	hangMessage    = "the promise never settles"
	crashClass     = "UnhandledRejection"
	crashMessage   = "an unhandled rejection ends the process"
	hangAndCrash   = hangMessage + ", and " + crashMessage
	thrownAnError  = "error"
	unhandledExtra = "an unhandled rejection ends the process besides: "
)

// outcome tells what became of the call. Engine are the errors in it whose words are goja's.
func (rt *jsRuntime) outcome(t sdkemu.Target, p *goja.Promise) (res sdkemu.Result, engine []*sdkemu.ExceptionDetail, err error) {
	res.Outcome = sdkemu.OK
	var crash *sdkemu.ExceptionDetail
	for _, q := range rt.crashed {
		if q == p {
			continue // the call's own promise: its caller awaits it
		}
		if crash, engine, err = rt.describe(q.Result()); err != nil {
			return res, nil, err
		}
		break
	}
	switch {
	case p.State() == goja.PromiseStateRejected:
		var native []*sdkemu.ExceptionDetail
		if res.Exception, native, err = rt.describe(p.Result()); err != nil {
			return res, nil, err
		}
		engine = append(engine, native...)
		if crash != nil {
			res.Reason = unhandledExtra + crash.Message
		}
	case crash != nil && p.State() == goja.PromiseStatePending:
		res.Exception = &sdkemu.ExceptionDetail{Class: hangClass, Message: hangAndCrash, Thrown: thrownAnError, Cause: crash}
	case crash != nil:
		res.Exception = &sdkemu.ExceptionDetail{Class: crashClass, Message: crashMessage, Thrown: thrownAnError, Cause: crash}
	case p.State() == goja.PromiseStatePending:
		res.Exception = &sdkemu.ExceptionDetail{Class: hangClass, Message: hangMessage, Thrown: thrownAnError}
	}
	if res.Exception != nil {
		res.Outcome = sdkemu.Exception
		if res.Exception.AtEvent, err = rt.atEvent(); err != nil {
			return res, nil, err
		}
	}
	switch {
	case t.Mode == sdkemu.ModeIterate:
		res.Assembled = rt.render(rt.progress.Get("events"))
	case res.Exception == nil:
		res.Assembled = rt.render(p.Result())
	}
	return res, engine, nil
}

func (rt *jsRuntime) atEvent() (json.RawMessage, error) {
	f, _ := goja.AssertFunction(rt.bundle.Get("atEvent"))
	v, err := f(goja.Undefined())
	if err != nil {
		return nil, fmt.Errorf("ask where the run had come to: %w", err)
	}
	return rt.render(v), nil
}

// describe asks the driver what a catch clause can see of v. Engine are those of it and its causes that goja worded, or
// may have worded.
func (rt *jsRuntime) describe(v goja.Value) (d *sdkemu.ExceptionDetail, engine []*sdkemu.ExceptionDetail, err error) {
	f, _ := goja.AssertFunction(rt.bundle.Get("describe"))
	out, err := f(goja.Undefined(), v)
	if err != nil {
		return nil, nil, fmt.Errorf("describe an exception: %w", err)
	}
	d, engine = detailOf(out.ToObject(rt.vm), rt.vm)
	if rt.worded {
		engine = wordAsV8(d, engine)
	}
	return d, engine, nil
}

func detailOf(o *goja.Object, vm *goja.Runtime) (d *sdkemu.ExceptionDetail, engine []*sdkemu.ExceptionDetail) {
	d = &sdkemu.ExceptionDetail{Class: text(o.Get("class")), Message: text(o.Get("message")), Thrown: text(o.Get("thrown"))}
	if o.Get("native").ToBoolean() {
		engine = append(engine, d)
	}
	if cause := o.Get("cause"); cause != nil && !goja.IsUndefined(cause) {
		var deeper []*sdkemu.ExceptionDetail
		d.Cause, deeper = detailOf(cause.ToObject(vm), vm)
		engine = append(engine, deeper...)
	}
	return d, engine
}
