package node

// Replacement is a function of an SDK in whose place Go does the same work faster. It never changes an outcome: the
// conformance test runs with it.
type Replacement struct {
	File     string            // the module's path in its package
	Function string            // as the module declares it
	Sources  map[string]string // SHA-256 of every module that the function's work rests on; with any other text it stays
	Body     string            // what the function does instead
	Why      string
}

// Replacements lists every function of an SDK that does not run as published.
var Replacements = []Replacement{
	{
		File:     "core/streaming.mjs",
		Function: "async function* _iterSSEMessages(response, controller)",
		Sources: map[string]string{
			"core/streaming.mjs":         "f293ef55a70c496715c390949f04d5b1a9329cbb0f067a3c2bb13cba0f505473",
			"internal/decoders/line.mjs": "cadc186f2fe6e2afca03a5d73d6a2ed85385bce20352dcdfcacfd9e52876e668",
			"internal/utils/bytes.mjs":   "63f10e3469d0bf8fca5dbce75660819ad958b8a97c5c5685120003d6ffdadf9d",
			"internal/shims.mjs":         "0eeb939ee18f8df00273d819ffe94d84fa2c3e990485902c4c94a108669ffaea",
		},
		Body: `if (!response.body) {
        controller.abort();
        throw new OpenAIError("Attempted to iterate over a response with no body");
    }
    const decoder = __host.eventDecoder();
    for await (const chunk of ReadableStreamToAsyncIterable(response.body)) {
        for (const sse of decoder.feed(chunk)) yield sse;
    }
    for (const sse of decoder.finish()) yield sse;`,
		Why: "goja takes 30 times as long as V8 to look at a buffer byte by byte, and longer yet to hand its lines through two async generators",
	},
}
