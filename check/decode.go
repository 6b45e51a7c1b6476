package check

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// DecodeVerdict reads a verdict as [Verdict.JSON] writes it. It refuses a version that it does not know, and never
// guesses; members that it does not know are ignored.
func DecodeVerdict(text []byte) (Verdict, error) {
	var version struct {
		V *int `json:"verdict_version"`
	}
	if err := json.Unmarshal(text, &version); err != nil {
		return Verdict{}, fmt.Errorf("read verdict: %w", err)
	}
	switch {
	case version.V == nil:
		return Verdict{}, fmt.Errorf("read verdict: it has no verdict_version")
	case *version.V != VerdictVersion:
		return Verdict{}, fmt.Errorf("read verdict: verdict_version %d, this program reads %d", *version.V, VerdictVersion)
	}
	var v Verdict
	if err := json.Unmarshal(text, &v); err != nil {
		return Verdict{}, fmt.Errorf("read verdict: %w", err)
	}
	return v, nil
}

// JSON is the verdict as one line without its line end. The same verdict gives the same bytes.
func (v Verdict) JSON() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		// Every member is a string, a number, or JSON that was parsed before; encoding cannot fail.
		panic("encode verdict: " + err.Error())
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
