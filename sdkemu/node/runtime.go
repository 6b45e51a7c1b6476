package node

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dop251/goja"

	"reassay/sdkemu"
)

// maxChunk is the most that Node's fetch hands over at once, the size of a socket's read buffer (libuv, 64 KiB). One
// chunk of many frames would cost an SDK time that grows with its square.
const maxChunk = 64 << 10

// jsRuntime is one goja runtime that runs one stream at a time, on one goroutine. reuse.go says when it may run another.
type jsRuntime struct {
	vm     *goja.Runtime
	worded bool // runs the explain program
	json   jsonParser

	// What a run needs of the scripts.
	define    goja.Callable // (object, key, value)
	keys      goja.Callable // Object.keys
	read      goja.Callable // (object, key)
	makeFetch goja.Callable
	bundle    *goja.Object

	runState
}

// runState is what belongs to one stream's run.
type runState struct {
	limits   Limits
	clock    clock
	progress *goja.Object    // of the driver
	open     []*goja.Promise // rejected without a handler, in order
	crashed  []*goja.Promise // those that still had none when the job queue was empty: Node ends the process
	parsed   int             // of Limits.Parse
	named    bool            // the stream named what all data share (sharedNames)
	stopped  *limitError     // what interrupted the run
	gap      string          // what of Node the SDK used and the prelude lacks
}

// begin makes the runtime ready for a stream.
func (rt *jsRuntime) begin(limits Limits) error {
	rt.runState = runState{limits: limits}
	rt.vm.SetMaxCallStackSize(limits.Calls)
	rt.json.nesting, rt.json.index = limits.Nesting, limits.Index
	f, _ := goja.AssertFunction(rt.bundle.Get("begin"))
	progress, err := f(goja.Undefined())
	if err != nil {
		return fmt.Errorf("begin a run: %w", err)
	}
	rt.progress = progress.ToObject(rt.vm)
	return nil
}

func newRuntime(p *program) (*jsRuntime, error) {
	rt := &jsRuntime{vm: goja.New(), worded: p.words != nil}
	rt.vm.SetPromiseRejectionTracker(rt.trackRejection)
	if err := rt.helpers(); err != nil {
		return nil, err
	}
	rt.json = jsonParser{vm: rt.vm, define: rt.define, saw: rt.saw}
	host := rt.host()
	var last goja.Value
	for _, file := range p.prelude {
		f, err := rt.function(file)
		if err != nil {
			return nil, fmt.Errorf("run the prelude: %w", err)
		}
		if last, err = f(goja.Undefined(), host); err != nil {
			return nil, fmt.Errorf("run the prelude: %w", err)
		}
	}
	rt.makeFetch, _ = goja.AssertFunction(last.ToObject(rt.vm).Get("makeFetch"))
	if err := rt.vm.Set("__host", host); err != nil {
		return nil, err
	}
	for _, script := range []*goja.Program{p.words, p.bundle} {
		if script == nil {
			continue
		}
		if _, err := rt.vm.RunProgram(script); err != nil {
			return nil, fmt.Errorf("start the bundle: %w", err)
		}
	}
	rt.bundle = rt.vm.Get(GlobalName).ToObject(rt.vm)
	return rt, nil
}

// function runs a script whose value is a function.
func (rt *jsRuntime) function(script *goja.Program) (goja.Callable, error) {
	v, err := rt.vm.RunProgram(script)
	if err != nil {
		return nil, err
	}
	f, ok := goja.AssertFunction(v)
	if !ok {
		return nil, errors.New("the script gave no function")
	}
	return f, nil
}

var helperScripts = []*goja.Program{
	goja.MustCompile("define.js", `(o, k, v) => { Object.defineProperty(o, k, { value: v, writable: true, enumerable: true, configurable: true }); }`, true),
	goja.MustCompile("keys.js", `Object.keys`, true),
	goja.MustCompile("read.js", `(o, k) => o[k]`, true),
}

func (rt *jsRuntime) helpers() error {
	for i, f := range []*goja.Callable{&rt.define, &rt.keys, &rt.read} {
		var err error
		if *f, err = rt.function(helperScripts[i]); err != nil {
			return fmt.Errorf("prepare the runtime: %w", err)
		}
	}
	return nil
}

// trackRejection keeps the promises that were rejected and have no handler yet.
func (rt *jsRuntime) trackRejection(p *goja.Promise, op goja.PromiseRejectionOperation) {
	if op == goja.PromiseRejectionReject {
		rt.open = append(rt.open, p)
		return
	}
	rt.open = slices.DeleteFunc(rt.open, func(q *goja.Promise) bool { return q == p })
}

// settleRejections is called when the job queue is empty: what has no handler now is unhandled to Node
// (lib/internal/process/promises.js, processPromiseRejections).
func (rt *jsRuntime) settleRejections() {
	rt.crashed = append(rt.crashed, rt.open...)
	rt.open = nil
}

// stop interrupts the run for a limit. The caller is called by JavaScript and must return at once.
func (rt *jsRuntime) stop(over *limitError) goja.Value {
	if rt.stopped == nil {
		rt.stopped = over
	}
	rt.vm.Interrupt(over)
	return goja.Undefined()
}

// call starts the SDK and drives the virtual clock until its promise settles or nothing is left to run.
func (rt *jsRuntime) call(t sdkemu.Target, in sdkemu.Input) (*goja.Promise, error) {
	fetch, err := rt.fetch(in)
	if err != nil {
		return nil, err
	}
	request, err := rt.request(in)
	if err != nil {
		return nil, err
	}
	call := rt.vm.NewObject()
	for _, m := range []struct {
		key   string
		value any
	}{
		{"api", string(t.API)}, {"mode", string(t.Mode)}, {"parsed", in.Parsed}, {"fetch", fetch}, {"request", request},
	} {
		if err := call.Set(m.key, m.value); err != nil {
			return nil, err
		}
	}
	run, _ := goja.AssertFunction(rt.bundle.Get("run"))
	v, err := run(goja.Undefined(), call)
	if err != nil {
		return nil, err
	}
	promise, ok := v.Export().(*goja.Promise)
	if !ok {
		return nil, errors.New("the bundle's run gave no promise")
	}
	rt.settleRejections()
	for promise.State() == goja.PromiseStatePending && rt.clock.pending() {
		if err := rt.clock.advance(); err != nil {
			return nil, err
		}
		rt.settleRejections()
	}
	return promise, nil
}

// request is what the caller asked for, as parameters of the SDK's method.
func (rt *jsRuntime) request(in sdkemu.Input) (goja.Value, error) {
	if len(in.Request.Members()) == 0 {
		return rt.vm.NewObject(), nil
	}
	v := rt.json.parse(string(in.Request.JSON()))
	switch {
	case rt.json.over != nil:
		return nil, fmt.Errorf("read the request: %w", rt.json.over)
	case v == nil:
		return nil, fmt.Errorf("read the request: %s", rt.json.message)
	}
	return v, nil
}

// fetch is the transport: it gives the SDK the reply as it came over the wire.
func (rt *jsRuntime) fetch(in sdkemu.Input) (goja.Value, error) {
	headers := rt.vm.NewArray()
	pair := func(name, value string) {
		rt.saw(name)
		rt.saw(value)
		_ = headers.Set(fmt.Sprint(headers.Get("length")), rt.vm.NewArray(name, value)) // an array takes any element
	}
	if in.ContentType != "" {
		pair("content-type", in.ContentType)
	}
	for _, name := range sortedKeys(in.Headers) {
		for _, value := range in.Headers[name] {
			pair(name, value)
		}
	}
	chunks := chunksOf(in)
	given := 0
	next := func(goja.FunctionCall) goja.Value {
		if len(chunks) == 0 {
			return goja.Null()
		}
		chunk := chunks[0]
		chunks = chunks[1:]
		given += len(chunk)
		_ = rt.progress.Set("bytes", given) // a plain object
		return rt.vm.ToValue(rt.vm.NewArrayBuffer(chunk))
	}
	status := in.Status
	if status == 0 {
		status = 200
	}
	return rt.makeFetch(goja.Undefined(), rt.vm.ToValue(next), rt.vm.ToValue(status), headers, rt.vm.ToValue(in.Break != nil))
}

// chunksOf cuts a copy of the body where the transport did, and where its chunks are longer than a read.
func chunksOf(in sdkemu.Input) [][]byte {
	body := slices.Clone(in.Body)
	var out [][]byte
	from := 0
	for _, to := range append(slices.Clone(in.Cuts), len(body)) {
		to = min(to, len(body))
		for from < to {
			end := min(to, from+maxChunk)
			out = append(out, body[from:end:end])
			from = end
		}
	}
	return out
}
