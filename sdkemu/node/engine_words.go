package node

import (
	"regexp"
	"slices"

	"reassay/sdkemu"
)

// engineWords are messages of goja that no check in the syntax tree can come before, because the engine raises them in
// the middle of an operation, and V8's for the same fault. They hold in the explain program alone, where every check that
// could have come before did: goja says the same of faults that V8 tells apart.
// Source: goja, runtime.go, object.go and array.go; V8 11.3, src/common/message-template.h.
var engineWords = []struct {
	class string
	goja  *regexp.Regexp
	v8    string // as regexp.ReplaceAllString takes it
}{
	{"TypeError", regexp.MustCompile(`(?s)^Could not convert .* to primitive$`), "Cannot convert object to primitive value"},
	{"TypeError", regexp.MustCompile(`^Cannot assign to read only property '(\d+)' of a String$`), "Cannot assign to read only property '$1' of object '[object String]'"},
	{"TypeError", regexp.MustCompile(`^Cannot convert undefined or null to object$`), "Cannot convert undefined or null to object"},
	{"RangeError", regexp.MustCompile(`^Invalid array length$`), "Invalid array length"},
}

// wordAsV8 gives the errors that goja worded V8's words, in d and in what d was made from: an SDK that wraps an error
// takes its message over. Engine are those of the chain that the engine threw; the ones that it has no words for are
// given back.
func wordAsV8(d *sdkemu.ExceptionDetail, engine []*sdkemu.ExceptionDetail) []*sdkemu.ExceptionDetail {
	return slices.DeleteFunc(engine, func(inner *sdkemu.ExceptionDetail) bool {
		for _, w := range engineWords {
			if inner.Class != w.class || !w.goja.MatchString(inner.Message) {
				continue
			}
			gojas := inner.Message
			v8s := w.goja.ReplaceAllString(gojas, w.v8)
			for outer := d; outer != inner.Cause; outer = outer.Cause {
				if outer.Message == gojas {
					outer.Message = v8s
				}
			}
			return true
		}
		return false
	})
}
