package node

// Replacement is a function of an SDK in whose place Go does the same work faster. It never changes an outcome.
type Replacement struct {
	File     string // the end of the module's path
	Function string // as the module declares it
	SHA256   string // of the function's text, from "function" to its closing brace; another text is left alone
	Body     string // what the function does instead
	Why      string
}

// Replacements lists every function of an SDK that does not run as published.
var Replacements = []Replacement{
	{
		File:     "internal/decoders/line.mjs",
		Function: "findNewlineIndex(buffer, startIndex)",
		SHA256:   "4e26e9e7786c26ae21863edade1c3fbfefb757dda60ac3806af6636181a6ceaa",
		Body: `const i = __host.newline(buffer, startIndex ?? 0);
    return i < 0 ? null : { preceding: i, index: i + 1, carriage: buffer[i] === 0x0d };`,
		Why: "goja takes 30 times as long as V8 to look at a buffer byte by byte",
	},
	{
		File:     "internal/decoders/line.mjs",
		Function: "findDoubleNewlineIndex(buffer)",
		SHA256:   "f9aaee7c745a5049e6dd3512e40ae78d8dce621706f8e94cdabd010c0335052f",
		Body:     `return __host.blankLine(buffer);`,
		Why:      "goja takes 30 times as long as V8 to look at a buffer byte by byte",
	},
}
