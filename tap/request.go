package tap

import (
	"fmt"
	"strings"

	"reassay/capture"
	"reassay/mirror"
	"reassay/wire"
)

// RequestPolicy is how much of a request is mirrored.
type RequestPolicy string

// The policies. Credentials that a body holds where APIs and gateways take them are left out of all of them.
const (
	RequestJudged RequestPolicy = "judged" // what rules and SDKs read, see [mirror.JudgedRequest]
	RequestFull   RequestPolicy = "full"   // the whole body
	RequestNone   RequestPolicy = "none"   // nothing
)

// UnmarshalText reads a policy's word.
func (p *RequestPolicy) UnmarshalText(text []byte) error {
	switch RequestPolicy(text) {
	case RequestJudged, RequestFull, RequestNone:
		*p = RequestPolicy(text)
		return nil
	}
	return fmt.Errorf("%q is not known, want judged, full or none", text)
}

// parseRequest reads a request's body; the zero Value is one that is no JSON object.
func parseRequest(body []byte) wire.Value {
	v, err := wire.Parse(body)
	if err != nil || v.Kind() != wire.Object {
		return wire.Value{}
	}
	return v
}

// of is what is mirrored of a request's body, nil where nothing is: the policy says so, or the body is no JSON object.
func (p RequestPolicy) of(d wire.Dialect, v wire.Value) []byte {
	if p == RequestNone || v.Kind() != wire.Object {
		return nil
	}
	if v = capture.WithoutKeys(v); p == RequestFull {
		return v.JSON()
	}
	text, err := mirror.JudgedRequest(string(d), v.JSON())
	if err != nil {
		return nil // never: it is an object, and routes name known dialects
	}
	return text
}

// streams says whether a request asks for a stream; told is false where neither path nor body tells.
func streams(d wire.Dialect, path string, body wire.Value) (stream, told bool) {
	if d == wire.GeminiGenerate {
		switch {
		case strings.HasSuffix(path, ":streamGenerateContent"):
			return true, true
		case strings.HasSuffix(path, ":generateContent"):
			return false, true
		}
	}
	v := body.Get("stream")
	switch {
	case body.Kind() != wire.Object || v.Present() && v.Kind() != wire.Bool:
		return false, false
	case strings.HasSuffix(path, ":streamRawPredict"):
		return true, true
	}
	return v.Present() && v.True(), true
}

// MarshalText spells a policy.
func (p RequestPolicy) MarshalText() ([]byte, error) { return []byte(p), nil }
