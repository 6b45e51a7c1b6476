package mirror

// Headers of a chunk's message.
const (
	HeaderSeq  = "Reassay-Seq"  // 0, 1, 2 ... within the leg: the transport chunk's number
	HeaderAt   = "Reassay-At"   // microseconds since the exchange began
	HeaderPart = "Reassay-Part" // "k/n", 1-based: part k of a chunk that was larger than the server's max_payload
)

// Begin announces an exchange and names the legs that it will have. A later Begin of the same exchange adds legs.
type Begin struct {
	MirrorVersion int               `json:"mirror_version"`
	ID            string            `json:"id"` // the exchange's true id
	Run           string            `json:"run,omitempty"`
	Gateway       Gateway           `json:"gateway"`
	Population    string            `json:"population,omitempty"`
	ObservedAt    string            `json:"observed_at,omitempty"` // RFC 3339
	Labels        map[string]string `json:"labels,omitempty"`
	Legs          []string          `json:"legs"`
	SameContent   bool              `json:"same_content,omitempty"`
	Caller        *Caller           `json:"caller,omitempty"`
	Sample        *float64          `json:"sample,omitempty"` // the rate at which exchanges were mirrored; nil: all
}

// Gateway names the program that translated.
type Gateway struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Caller is how the caller uses its SDK.
type Caller struct {
	ResponseFormat string `json:"response_format"` // "plain" or "parsed"
}

// End is a leg's manifest: what was sent, so that a hole is seen to be the mirror's and not the gateway's.
type End struct {
	MirrorVersion int                 `json:"mirror_version"`
	Dialect       string              `json:"dialect"`
	Status        int                 `json:"status,omitempty"` // absent for a request
	ContentType   string              `json:"content_type,omitempty"`
	Headers       map[string][]string `json:"headers,omitzero"` // nil: not captured
	Trailers      map[string][]string `json:"trailers,omitzero"`
	Chunks        int                 `json:"chunks"` // transport chunks, however many parts each was sent in
	Bytes         int64               `json:"bytes"`
	SHA256        string              `json:"sha256"` // of the leg's bytes, hex
	Error         *Break              `json:"error,omitempty"`
	Dropped       bool                `json:"dropped,omitempty"` // the publisher dropped the exchange under pressure
}

// Break says that the leg's transport ended early, and who broke it off.
type Break struct {
	By      string `json:"by"` // "caller", "gateway", "upstream", "mirror", "unknown"
	Message string `json:"message"`
}
