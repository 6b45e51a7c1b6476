package check

import (
	"reassay/sdkemu"
)

// Config says how exchanges are judged. The zero Config judges as `reassay check` does by default.
type Config struct {
	// SDKs names the SDKs that run, "openai-node@5.23.2", "openai-node" for its default version, "openai-node@all" for
	// each of its versions, "all" for everything. Nil stands for [DefaultSDKs], an empty list for none.
	SDKs []string
	// Assembled keeps each SDK's own rendering of the message in the verdict (`check --assembled`).
	Assembled bool
	// Emulators are the SDKs that can run. Nil stands for those built in.
	Emulators []sdkemu.Emulator
	// MaxBody bounds a leg's body after its content encoding was undone, in bytes; 0 stands for [DefaultMaxBody].
	MaxBody int
}

// DefaultMaxBody is the largest decoded body of a leg that is judged, in bytes.
const DefaultMaxBody = 64 << 20

// DefaultSDKs is the set of SDK versions that runs unless the caller chooses: for OpenAI callers the paper's pair,
// for Anthropic callers the newest, and both Go SDKs.
var DefaultSDKs = []string{
	"openai-node@5.23.2", "openai-python@2.54.0", "openai-go@3.99.0",
	"anthropic-node@1.14.0", "anthropic-python@2.14.0", "anthropic-go@1.84.0",
}
