package meter

// Census is what the NATS server holds at one moment. Every process that shares the server sees the same.
type Census struct {
	Waiting   uint64   // messages of the mirror that no worker has been given yet
	Unsettled uint64   // messages that were given to a worker and are not settled: being judged, or begins of open exchanges
	Streams   []Stream // what each stream holds
}

// Stream is the state of one stream.
type Stream struct {
	Name     string
	Messages uint64
	Bytes    uint64
	MaxBytes int64 // how many bytes it may hold; 0 or less: nothing bounds it
}
