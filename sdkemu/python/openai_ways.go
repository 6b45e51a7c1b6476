package python

// ways are what the versions of openai-python do in different ways. The zero value is 2.54.0; each member names the
// file of the package where the difference stands.
type ways struct {
	// The rest of the stream is read after "[DONE]", and raises what reading it raises: 1.109.1, _streaming.py,
	// Stream.__stream__, "Ensure the entire stream is consumed".
	drains bool

	// Every line is decoded when it has ended, not when an empty line has: 3.57.0, _streaming.py, _SSELineDecoder.
	decodesByLine bool

	// A transport that breaks off raises APIConnectionError: 3.57.0, _streaming.py, Stream._iter_events. Where the body
	// of an error reply breaks off, what the transport raises is passed on (_base_client.py, request).
	wrapsBreaks bool

	// The text of a status error tells the error's message alone: 3.57.0, _base_client.py,
	// _make_status_error_from_response.
	tellsMessage bool

	// The entries of a list that carry an index are merged also where no list was yet, the first delta of a choice
	// included: 3.57.0, lib/streaming/_deltas.py and _completions.py beside it.
	mergesFirst bool

	// A later chunk's moderation is kept, and the first one's obfuscation is not: 3.57.0,
	// lib/streaming/chat/_completions.py, _accumulate_chunk and _convert_initial_chunk_into_snapshot.
	keepsModeration bool

	// Output items are known by their output_index, may not change their identity and must all be in the completed
	// response, whose output is made of them where it has none: 3.57.0, lib/streaming/responses/_responses.py.
	tracksItems bool

	// A message of another phase than the final answer is not parsed, a strict tool may stand in a namespace, and
	// output or content that is missing is empty: 3.57.0, lib/_parsing/_responses.py and lib/_response_resources.py.
	knowsPhases bool

	// The request's body begins with the model and the stream option, not in the order of the alphabet: 3.57.0,
	// resources/chat/completions/completions.py and resources/responses/responses.py, create.
	asksModelFirst bool
}

var (
	ways1 = ways{drains: true}
	ways3 = ways{
		decodesByLine: true, wrapsBreaks: true, tellsMessage: true, mergesFirst: true, keepsModeration: true,
		tracksItems: true, knowsPhases: true, asksModelFirst: true,
	}
)
