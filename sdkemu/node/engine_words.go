package node

import (
	"regexp"

	"reassay/sdkemu"
)

// engineWords are messages of goja that no check in the syntax tree can come before, because the engine raises them in
// the middle of an operation, and V8's for the same fault.
// Source: goja, runtime.go and object.go; V8 11.3, src/common/message-template.h.
var engineWords = []struct {
	goja *regexp.Regexp
	v8   string // as regexp.ReplaceAllString takes it
}{
	{regexp.MustCompile(`(?s)^Could not convert .* to primitive$`), "Cannot convert object to primitive value"},
	{regexp.MustCompile(`^Cannot assign to read only property '(\d+)' of a String$`), "Cannot assign to read only property '$1' of object '[object String]'"},
}

// wordAsV8 gives the messages that goja worded V8's words, in d and in what d was made from: an SDK that wraps an
// error takes its message over.
func wordAsV8(d *sdkemu.ExceptionDetail) {
	for inner := d; inner != nil; inner = inner.Cause {
		for _, w := range engineWords {
			if inner.Class != "TypeError" || !w.goja.MatchString(inner.Message) {
				continue
			}
			gojas := inner.Message
			v8s := w.goja.ReplaceAllString(gojas, w.v8)
			for outer := d; outer != inner.Cause; outer = outer.Cause {
				if outer.Message == gojas {
					outer.Message = v8s
				}
			}
		}
	}
}
