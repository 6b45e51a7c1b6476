package node

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
)

// Replacement is a function of an SDK in whose place Go does the same work faster. It never changes an outcome: the
// conformance test runs with it.
type Replacement struct {
	File     string            // the module's path in its package
	Function string            // as the module declares it
	Sources  map[string]string // SHA-256 of every module that the function's work rests on; with any other text it stays
	Body     string            // what the function does instead, no longer as a generator; bundler/asyncgen.js has its classes
	Why      string
}

const (
	iterSSEMessages = "async function* _iterSSEMessages(response, controller)"
	whyDecode       = "goja takes 30 times as long as V8 to look at a buffer byte by byte, and longer yet to hand its lines through two async generators"
)

// Replacements lists every function of an SDK that does not run as published. Every release whose text is new runs
// without until its digests are added; TestReplacements names it.
var Replacements = []Replacement{
	{ // openai-node 4.104.0
		File:     "streaming.mjs",
		Function: iterSSEMessages,
		Sources: map[string]string{
			"streaming.mjs":              "f2ccefa691c1061d7c4a6e9b1cbbb1f74b1ea9f31c9db02e83a629f1e6bcb4a6",
			"internal/decoders/line.mjs": "e388fcb5c82ebdeeaefa84cce9f4b2517f9d3cd0003a0d46c5485ff92c66f38d",
			"internal/stream-utils.mjs":  "2903cf1502b57f77a39bbcefaca08dc8aa0b4922f4752b18485b73f3ce9a7c06",
		},
		Body: bodyEvents("openai 4", "OpenAIError"),
		Why:  whyDecode,
	},
	{ // openai-node 5.23.2
		File:     "core/streaming.mjs",
		Function: iterSSEMessages,
		Sources: map[string]string{
			"core/streaming.mjs":         "f293ef55a70c496715c390949f04d5b1a9329cbb0f067a3c2bb13cba0f505473",
			"internal/decoders/line.mjs": "cadc186f2fe6e2afca03a5d73d6a2ed85385bce20352dcdfcacfd9e52876e668",
			"internal/utils/bytes.mjs":   "63f10e3469d0bf8fca5dbce75660819ad958b8a97c5c5685120003d6ffdadf9d",
			"internal/shims.mjs":         "0eeb939ee18f8df00273d819ffe94d84fa2c3e990485902c4c94a108669ffaea",
		},
		Body: bodyEvents("openai 5", "OpenAIError"),
		Why:  whyDecode,
	},
	{ // openai-node 6.49.0
		File:     "core/streaming.mjs",
		Function: iterSSEMessages,
		Sources: map[string]string{
			"core/streaming.mjs":         "91d35856b9804d7551302365e915ed78e4995fb6c5890b4e23d9f024ab0ad760",
			"internal/decoders/line.mjs": "cadc186f2fe6e2afca03a5d73d6a2ed85385bce20352dcdfcacfd9e52876e668",
			"internal/utils/bytes.mjs":   "63f10e3469d0bf8fca5dbce75660819ad958b8a97c5c5685120003d6ffdadf9d",
			"internal/shims.mjs":         "0eeb939ee18f8df00273d819ffe94d84fa2c3e990485902c4c94a108669ffaea",
		},
		Body: bodyEvents("openai 5", "OpenAIError"),
		Why:  whyDecode,
	},
	{ // openai-node 7.59.0: the SDK's own source, which an abort interrupts, stays
		File:     "core/streaming.mjs",
		Function: iterSSEMessages,
		Sources: map[string]string{
			"core/streaming.mjs":         "d67e6405767b3b460294891cb854a532f2f4a6bccc19e93b1ace7f2819929f00",
			"internal/decoders/line.mjs": "cc64f56402b80488c3478a9586d6239e3c42d289b496ea97ee79ff3f4abffa7f",
			"internal/utils/bytes.mjs":   "99aac602879f5110091ed3725701a0b919aeb4dd4014fc4d8e3586e9961ff76f",
		},
		Body: `async function* lists() {
        if (!response.body) {
            controller.abort();
            throw new OpenAIError("Attempted to iterate over a response with no body");
        }
        const decoder = __host.eventDecoder("openai 7");
        const { signal } = controller;
        const source = createAbortableSSESource(response.body, signal);
        let failed = false;
        try {
            source.start();
            for await (const chunk of source.iterator) {
                if (signal.aborted) return;
                const list = decoder.feed(chunk);
                if (list.length > 0) yield list;
            }
            if (signal.aborted) return;
            const list = decoder.finish();
            if (list.length > 0) yield list;
        } catch (error) {
            failed = true;
            if (!signal.aborted || (!isAbortError(error) && error !== signal.reason)) throw error;
        } finally {
            await source.cleanup(failed);
        }
    }
    return new __ListedEvents(lists(), controller.signal);`,
		Why: whyDecode,
	},
	{ // anthropic-node 1.14.0
		File:     "core/streaming.mjs",
		Function: iterSSEMessages,
		Sources: map[string]string{
			"core/streaming.mjs":       "3575d7f12df348a9c92fa145febccceb6aa95966a5efc9f3b380627d208ffe8a",
			"internal/utils/bytes.mjs": "63f10e3469d0bf8fca5dbce75660819ad958b8a97c5c5685120003d6ffdadf9d",
			"internal/shims.mjs":       "0867a4ce9a5a39735615e63b36dfabe7db6a6cf6304b941a088d825bd467eb82",
		},
		Body: bodyEvents("anthropic 1", "AnthropicError"),
		Why:  whyDecode,
	},
}

// Fits reports whether a package's files are the ones that the replacement knows.
func (r Replacement) Fits(pkg fs.FS) bool {
	for file, digest := range r.Sources {
		text, err := fs.ReadFile(pkg, file)
		if err != nil {
			return false // another version has other modules
		}
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != digest {
			return false
		}
	}
	return true
}

// bodyEvents is the body of an _iterSSEMessages that only decodes.
func bodyEvents(decoder, errorClass string) string {
	return `return new __BodyEvents(__host.eventDecoder("` + decoder + `"), () => {
        if (!response.body) {
            controller.abort();
            throw new ` + errorClass + `("Attempted to iterate over a response with no body");
        }
        return response.body[Symbol.asyncIterator]();
    });`
}
