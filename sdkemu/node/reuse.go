package node

import (
	"github.com/dop251/goja"

	"reassay/sdkemu"
)

// A runtime that has run a stream runs the next one, because starting an SDK takes as long as some sixty chunks do. No
// stream may see anything of another, so that a runtime is kept only when
//
//   - the run came to its end by itself: goja's runtime is not sound after an interrupt or a stack overflow;
//   - nothing of it is left: no timer, no promise that could still go on, no error of the engine's;
//   - the stream named nothing through which plain data lead to what all data share. openai-node before 7 lets a stream
//     write to Array.prototype ("index":"__proto__"), and a stream gets there by a name alone.
//
// TestRunsLeaveNothingBehind holds every object that the scripts and the SDK's modules share, and every variable of its
// modules, to what they were before.

// sharedNames are the properties of Object.prototype, Array.prototype, String.prototype, Number.prototype and
// Boolean.prototype that give an object (ECMA-262, 14th edition, chapters 20 to 23 and annex B): o[name] of plain data
// may be one that all data share, and what is written to it stays.
var sharedNames = setOf(
	"__proto__", "constructor", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__",
	"hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf",
	"at", "concat", "copyWithin", "entries", "every", "fill", "filter", "find", "findIndex", "findLast", "findLastIndex",
	"flat", "flatMap", "forEach", "includes", "indexOf", "join", "keys", "lastIndexOf", "map", "pop", "push", "reduce",
	"reduceRight", "reverse", "shift", "slice", "some", "sort", "splice", "toReversed", "toSorted", "toSpliced", "unshift",
	"values", "with",
	"anchor", "big", "blink", "bold", "charAt", "charCodeAt", "codePointAt", "endsWith", "fixed", "fontcolor", "fontsize",
	"isWellFormed", "italics", "link", "localeCompare", "match", "matchAll", "normalize", "padEnd", "padStart", "repeat",
	"replace", "replaceAll", "search", "small", "split", "startsWith", "strike", "sub", "substr", "substring", "sup",
	"toLocaleLowerCase", "toLocaleUpperCase", "toLowerCase", "toUpperCase", "toWellFormed", "trim", "trimEnd", "trimLeft",
	"trimRight", "trimStart",
	"toExponential", "toFixed", "toPrecision",
)

const longestSharedName = len("propertyIsEnumerable")

func setOf(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}

// saw is told every string of a stream that could name a property.
func (rt *jsRuntime) saw(s string) {
	if len(s) <= longestSharedName && sharedNames[s] {
		rt.named = true
	}
}

// reusableBody is the longest body, in bytes, after which a runtime is kept: what a run leaves on goja's stack stays in
// memory until another run overwrites it.
const reusableBody = 1 << 20

// reusable reports whether another stream may be run after one that gave this.
func (rt *jsRuntime) reusable(p *goja.Promise, in sdkemu.Input, engine []*sdkemu.ExceptionDetail) bool {
	return !rt.worded && !rt.named && len(engine) == 0 && len(in.Body) <= reusableBody &&
		p.State() != goja.PromiseStatePending && len(rt.crashed) == 0 && len(rt.open) == 0 && !rt.clock.pending() &&
		rt.stopped == nil && rt.gap == ""
}

// take gives a runtime that is ready for a stream: one that ran others, or a new one.
func (p *program) take(limits Limits) (*jsRuntime, error) {
	rt, ok := p.idle.Get().(*jsRuntime)
	if !ok {
		var err error
		if rt, err = newRuntime(p); err != nil {
			return nil, err
		}
	}
	return rt, rt.begin(limits)
}

// keep holds a runtime ready for another stream.
func (p *program) keep(rt *jsRuntime) {
	rt.runState = runState{}
	rt.json.s = ""
	p.idle.Put(rt)
}
