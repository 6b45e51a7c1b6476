package tap

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
)

// Join is by which header two taps know one exchange again.
type Join string

// The ways to join. The exchange's header is always sent and always understood.
const (
	JoinHeader      Join = "x-reassay-exchange"
	JoinTraceparent Join = "traceparent" // for gateways that forward W3C trace context and no other header
)

// UnmarshalText reads a join's word.
func (j *Join) UnmarshalText(text []byte) error {
	switch Join(text) {
	case JoinHeader, JoinTraceparent:
		*j = Join(text)
		return nil
	}
	return fmt.Errorf("%q is not known, want %s or %s", text, JoinHeader, JoinTraceparent)
}

const (
	exchangeHeader = "X-Reassay-Exchange"
	traceHeader    = "Traceparent"
)

// notMirrored stands in the exchange's header in an id's place where the tap before the gateway mirrors nothing of the
// exchange, so that the one behind it does not either.
const notMirrored = "-"

// idBytes of randomness make an exchange's id; in hex that is a trace id (https://www.w3.org/TR/trace-context/, 3.2.2.3).
const idBytes = 16

func newID() string { return randomHex(idBytes) }

func randomHex(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails (crypto/rand)
	return hex.EncodeToString(b)
}

// maxID bounds an id that comes in a header.
const maxID = 128

// validID reports whether an id that came in a header may be one: it is sent on, logged and stored.
func validID(id string) bool {
	if id == "" || len(id) > maxID {
		return false
	}
	for _, c := range []byte(id) {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("._:-/", c) >= 0) {
			return false
		}
	}
	return true
}

// traceID is the trace id of a traceparent header, "" where there is none.
func traceID(h http.Header) string {
	parts := strings.Split(h.Get(traceHeader), "-")
	if len(parts) < 4 || len(parts[0]) != 2 || !lowerHex(parts[1], 2*idBytes) || strings.Trim(parts[1], "0") == "" {
		return ""
	}
	return parts[1]
}

func lowerHex(s string, length int) bool {
	return len(s) == length && strings.Trim(s, "0123456789abcdef") == ""
}

// mark puts the id in a request to the gateway. Where trace context joins, the request gets a trace of its own: one trace
// of a caller may hold many requests, and an id is for one.
func (j Join) mark(h http.Header, id string) {
	h.Set(exchangeHeader, id)
	if j == JoinTraceparent {
		h.Set(traceHeader, "00-"+id+"-"+randomHex(8)+"-01")
	}
}

// backID is the id that a request of the gateway carries. joined is false where it carries none.
func (j Join) backID(h http.Header) (id string, joined bool) {
	if id = h.Get(exchangeHeader); validID(id) {
		return id, true
	}
	if j == JoinTraceparent {
		id = traceID(h)
		return id, id != ""
	}
	return "", false
}

// MarshalText spells a join.
func (j Join) MarshalText() ([]byte, error) { return []byte(j), nil }
