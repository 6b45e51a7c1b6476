package python

import (
	"fmt"
	"strings"
	"testing"

	"reassay/sdkemu"
	"reassay/wire"
)

// TestDepths nests JSON just as deeply as CPython's limit of recursion allows where the package calls json.loads or
// json.dumps, and one level deeper: the numbers of the releases are the package's.
func TestDepths(t *testing.T) {
	for i := range releases {
		r := &releases[i]
		t.Run(r.name(), func(t *testing.T) { compareDepths(t, r) })
	}
}

func compareDepths(t *testing.T, r *release) {
	var specimens []specimen
	add := func(what string, api sdkemu.API, mode sdkemu.Mode, depth int, in func(nested string) sdkemu.Input) {
		for levels := depth - 2; levels <= depth+2; levels++ {
			s := specimen{name: fmt.Sprintf("%s %s %s %d", what, api, mode, levels), target: r.target(api, mode), input: in(nestedLists(levels - 1))}
			specimens = append(specimens, s)
		}
	}
	for _, api := range r.apis {
		d := r.depth[api]
		for _, mode := range modes {
			add("event", api, mode, d.event[mode], func(nested string) sdkemu.Input {
				return sdkemu.Input{Status: 200, Body: []byte("event: ping\n" + `data: {"x":` + nested + "}\n\n")}
			})
			add("status", api, mode, d.status[mode], func(nested string) sdkemu.Input {
				return sdkemu.Input{Status: 400, Body: []byte(`{"message":"m","x":` + nested + `}`)}
			})
		}
	}
	addRequests(r, add)
	if r.sdk == sdkOpenAI {
		addArguments(r, add)
	}
	ref := startReference(t, r)
	e := New()
	refused := 0
	ref.each(t, specimens, func(s specimen, want outcome) {
		if want.Exception != nil && want.Exception.Class == "RecursionError" {
			refused++
		}
		if d := emulated(t, e, s).difference(want); d != "" {
			t.Errorf("%s: %.300s", s.name, d)
		}
	})
	if refused == 0 {
		t.Error("nothing was nested too deeply")
	}
}

// addNested adds streams with something nested just as deeply as allowed, and a little more and less.
type addNested func(what string, api sdkemu.API, mode sdkemu.Mode, depth int, in func(nested string) sdkemu.Input)

// addArguments nests the arguments of strict tools.
func addArguments(r *release, add addNested) {
	strict := mustParse(`{"tools":[{"type":"function","name":"f","strict":true,"function":{"name":"f","strict":true}}]}`)
	call := func(finish string) func(nested string) sdkemu.Input {
		return func(nested string) sdkemu.Input {
			arguments := wire.AppendString(nil, `{"x":`+nested+`}`)
			delta := fmt.Sprintf(`{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":%s}}]}`, arguments)
			return sdkemu.Input{Status: 200, Request: strict, Body: []byte(chunkOf(delta, finish))}
		}
	}
	add("arguments", sdkemu.Chat, sdkemu.ModeStream, r.depth[sdkemu.Chat].arguments, call(`"tool_calls"`))
	add("final", sdkemu.Chat, sdkemu.ModeStream, r.depth[sdkemu.Chat].final, call("null"))
	add("arguments", sdkemu.Responses, sdkemu.ModeStream, r.depth[sdkemu.Responses].arguments, func(nested string) sdkemu.Input {
		const frames = `data: {"type":"response.created","response":{"id":"r","output":[]}}` + "\n\n" +
			`data: {"type":"response.completed","response":{"id":"r","output":[{"type":"function_call","call_id":"c","name":"f","arguments":%s}]}}` + "\n\n"
		return sdkemu.Input{
			Status: 200, Request: mustParse(`{"tools":[{"type":"function","name":"f","strict":true}]}`),
			Body: []byte(fmt.Sprintf(frames, wire.AppendString(nil, `{"x":`+nested+`}`))),
		}
	})
}

// addRequests nests what a request passes on: objects as arrays, in a tool and in the response format, beside what
// raises otherwise, before and behind it.
func addRequests(r *release, add addNested) {
	const outer = 2 // levels around what is nested in the requests below, the body's own included
	asking := func(request string) func(nested string) sdkemu.Input {
		return func(nested string) sdkemu.Input {
			return sdkemu.Input{Status: 200, Body: []byte("data: [DONE]\n\n"), Request: mustParse(fmt.Sprintf(request, nested))}
		}
	}
	objects := func(in func(nested string) sdkemu.Input) func(nested string) sdkemu.Input {
		return func(nested string) sdkemu.Input {
			levels := len(nested) / 2
			return in(strings.Repeat(`{"a":`, levels) + "0" + strings.Repeat("}", levels))
		}
	}
	tool := asking(`{"tools":[{"type":"custom","x":%s}]}`)
	for _, api := range r.apis {
		for _, mode := range modes {
			d := r.depth[api].request[mode]
			add("request", api, mode, d-outer, tool)
			add("request of objects", api, mode, d-outer, objects(tool))
			add("request behind a number", api, mode, d-outer, asking(`{"tools":[{"type":"custom","x":[1e400,%s]}]}`))
			add("request before a number", api, mode, d-outer-1, asking(`{"tools":[{"type":"custom","x":[%s,1e400]}]}`))
			add("request behind a surrogate", api, mode, d-outer-1, asking(`{"tools":[{"type":"custom","x":["\ud800",%s]}]}`))
			add("request of a class, behind a surrogate", api, mode, d-outer-1, func(nested string) sdkemu.Input {
				in := asking(`{"tools":[{"type":"custom","x":["\ud800",%s]}]}`)(nested)
				in.Parsed = true
				return in
			})
			add("a tool without type", api, mode, d-outer+1, asking(`{"tools":[%s]}`))
		}
	}
	for _, mode := range modes {
		if r.sdk != sdkOpenAI {
			break
		}
		d := r.depth[sdkemu.Chat].request[mode]
		add("response format", sdkemu.Chat, mode, d-1, asking(`{"response_format":{"x":%s}}`))
		add("response format of a class", sdkemu.Chat, mode, d, func(nested string) sdkemu.Input {
			in := asking(`{"response_format":{"x":%s}}`)(nested)
			in.Parsed = true
			return in
		})
	}
}

func nestedLists(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
