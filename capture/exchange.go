// Package capture holds the exchange, the unit of evidence, and reads it from files.
package capture

import "reassay/wire"

// Version is the capture format's version that this program reads.
const Version = 1

// Exchange is one model reply on its way through one gateway (contract, section 1).
type Exchange struct {
	ID                string
	Gateway           Gateway
	Population        string // "probed", "captured", "live"
	SameContent       bool
	Meta              wire.Value // shown, never judged by
	ObservedAt        string
	Labels            map[string]string
	Sample            float64 // the share of all exchanges that were mirrored, this one among them; 0: nothing is known of a sample, or all were
	Request           *Request
	Parsed            bool // caller.response_format is "parsed"
	UpstreamRequest   *Request
	Upstream          []*Leg // the gateway's attempts in order; the last was served, see [Exchange.Served]
	UpstreamNonStream *Leg
	Stream            *Leg
	NonStream         *Leg
}

// Gateway names the program that translated.
type Gateway struct{ Name, Version string }

// Request is a request's body in a dialect.
type Request struct {
	Dialect wire.Dialect
	Body    wire.Value
}

// Leg is one HTTP reply. An absent leg is a nil *Leg; a leg with an empty body is evidence of zero bytes.
type Leg struct {
	Dialect     wire.Dialect
	Status      int // of HTTP; 0 when the transport broke before one came
	ContentType string
	Headers     map[string][]string // lower-case names, no credentials; nil: not captured
	Trailers    map[string][]string
	Body        []byte // after the transfer coding was undone; content-encoding still on, see [Leg.Plain]
	Error       *Break
	Chunks      []Chunk
}

// Break says that the transport ended early, and who broke it off.
type Break struct {
	By      string // "caller", "gateway", "upstream", "mirror", "unknown"
	Message string
}

// Chunk is one of the transport's own cuts.
type Chunk struct {
	AtMicros int64 // since the exchange began
	Bytes    int
}
