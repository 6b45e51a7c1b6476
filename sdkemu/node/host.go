package node

import (
	"errors"

	"github.com/dop251/goja"
)

// host is the object through which the prelude and the replaced functions reach Go.
func (rt *jsRuntime) host() *goja.Object {
	vm := rt.vm
	h := vm.NewObject()
	for name, f := range map[string]func(goja.FunctionCall) goja.Value{
		"parseJSON": func(c goja.FunctionCall) goja.Value {
			if _, reviver := goja.AssertFunction(c.Argument(1)); reviver {
				panic(vm.NewTypeError("JSON.parse with a reviver is not provided here"))
			}
			return rt.parseJSON(text(c.Argument(0).ToString()))
		},
		"parses": func(c goja.FunctionCall) goja.Value {
			if s, ok := c.Argument(0).(goja.String); ok {
				if over := rt.parses(s.Length()); over != nil {
					return rt.stop(over)
				}
			}
			return goja.Undefined()
		},
		"decodeUTF8": func(c goja.FunctionCall) goja.Value {
			return vm.ToValue(decodeUTF8(bytesOf(c.Argument(0))))
		},
		"decodeBuffer": func(c goja.FunctionCall) goja.Value {
			return vm.ToValue(decodeWithBOM(bytesOf(c.Argument(0))))
		},
		"textDecoder": func(c goja.FunctionCall) goja.Value {
			d := &utf8Decoder{keepBOM: c.Argument(0).ToBoolean()}
			return vm.ToValue(func(c goja.FunctionCall) goja.Value {
				return vm.ToValue(d.decode(bytesOf(c.Argument(0)), c.Argument(1).ToBoolean()))
			})
		},
		"encodeUTF8": func(c goja.FunctionCall) goja.Value {
			return vm.ToValue(vm.NewArrayBuffer([]byte(c.Argument(0).String()))) // a lone half becomes U+FFFD, as the standard has it
		},
		"setTimer": func(c goja.FunctionCall) goja.Value {
			f, ok := goja.AssertFunction(c.Argument(0))
			if !ok {
				panic(vm.NewTypeError("setTimeout needs a function"))
			}
			return vm.ToValue(rt.clock.set(f, c.Argument(1).ToInteger()))
		},
		"clearTimer": func(c goja.FunctionCall) goja.Value {
			rt.clock.clear(c.Argument(0).ToInteger())
			return goja.Undefined()
		},
		"gap": func(c goja.FunctionCall) goja.Value {
			rt.gap = c.Argument(0).String()
			vm.Interrupt(errors.New("the prelude lacks " + rt.gap))
			return goja.Undefined()
		},
		"eventDecoder": func(c goja.FunctionCall) goja.Value { return rt.eventDecoder(c.Argument(0).String()) },
	} {
		_ = h.Set(name, f) // a new plain object
	}
	return h
}

// parseJSON gives the value of a JSON text or throws V8's SyntaxError.
func (rt *jsRuntime) parseJSON(s string) goja.Value {
	if over := rt.parses(len(s)); over != nil {
		return rt.stop(over)
	}
	v := rt.json.parse(s)
	switch {
	case rt.json.over != nil:
		return rt.stop(rt.json.over)
	case v == nil:
		e, err := rt.vm.New(rt.vm.Get("SyntaxError"), stringValue(rt.vm, rt.json.message))
		if err != nil {
			panic(err)
		}
		panic(e)
	}
	return v
}

// bytesOf are the bytes of an ArrayBuffer or a view of one; they are the buffer's own. An empty view must not be
// exported: at the end of its buffer goja makes a slice that points behind the allocation, and Go's collector dies of
// it ("found bad pointer in Go heap").
func bytesOf(v goja.Value) []byte {
	o, ok := v.(*goja.Object)
	if !ok {
		return nil
	}
	if n := o.Get("length"); n != nil && n.ToInteger() == 0 {
		return nil
	}
	switch b := o.Export().(type) {
	case []byte:
		return b
	case goja.ArrayBuffer:
		return b.Bytes()
	}
	return nil
}
