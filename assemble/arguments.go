package assemble

import (
	"errors"
	"strings"

	"reassay/wire"
)

// argumentsFault says what is wrong with a function call's whole arguments text, "" when nothing is. open tells that
// the call may have been cut short honestly: the reply never ended, or says itself that it was cut.
// The text is JSON and an object, because a function's parameters are described by a JSON schema of an object
// (OpenAI, Function calling guide, "Defining functions").
func argumentsFault(text string, open bool) FaultCode {
	if strings.Trim(text, " \t\r\n") == "" {
		return ArgsEmpty
	}
	v, err := wire.Parse([]byte(text))
	switch {
	case err != nil && open && endsInside(text, err):
		return ArgsCut
	case err != nil:
		return ArgsNotJSON
	case v.Kind() != wire.Object:
		return ArgsNotObject
	}
	return ""
}

// endsInside reports whether a text that is not JSON could have become JSON, had it gone on.
func endsInside(text string, err error) bool {
	var syntax *wire.SyntaxError
	if !errors.As(err, &syntax) || syntax.Offset > len(text) {
		return false
	}
	rest := text[syntax.Offset:]
	if rest == "" {
		return true
	}
	for _, literal := range []string{"true", "false", "null"} {
		if strings.HasPrefix(literal, rest) {
			return true
		}
	}
	return rest[0] == '\\' && len(rest) < len(`\u0000`)
}
