package mirror

// Reason is why an exchange was not mirrored whole.
type Reason string

// The reasons.
const (
	ReasonFull     Reason = "buffer full"        // the server was down or slow, and the buffer has no room
	ReasonRefused  Reason = "server refuses"     // the stream is full, or does not take a message
	ReasonNoAck    Reason = "no acknowledgement" // the server is there and stays silent: no permission to publish, or no leader
	ReasonTooLarge Reason = "too large"          // a begin or a manifest does not fit into one message of the server
	ReasonUnended  Reason = "not ended"          // the gateway closed the exchange before it ended every leg
	ReasonClosed   Reason = "closed"             // the sender or its connection was closed
)

// Stats counts what a [Sender] did. Begun is the sum of SampledOut, Stored, Open and all of Dropped and BrokenOff.
type Stats struct {
	Begun      int64            // calls of Begin
	SampledOut int64            // not mirrored because of the sample rate
	Stored     int64            // whole exchanges that the server has acknowledged to the last message
	Open       int64            // exchanges that are under way now
	Dropped    map[Reason]int64 // exchanges of which nothing was sent
	BrokenOff  map[Reason]int64 // exchanges of which something was sent and not all; their ends say so where they could still be sent
	Messages   int64            // messages that the server has acknowledged
	Bytes      int64            // their payloads' bytes
	Failures   int64            // publishings that failed; most are tried again
	Buffered   int64            // bytes that the sender holds now, never more than SenderConfig.Buffer
}

// clone is s with maps of its own.
func (s Stats) clone() Stats {
	s.Dropped, s.BrokenOff = copyOf(s.Dropped), copyOf(s.BrokenOff)
	return s
}

func copyOf(counts map[Reason]int64) map[Reason]int64 {
	out := make(map[Reason]int64, len(counts))
	for reason, n := range counts {
		out[reason] = n
	}
	return out
}
