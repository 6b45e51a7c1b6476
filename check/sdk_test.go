package check

import (
	"context"
	"slices"
	"testing"

	"reassay/sdkemu"
)

// versions is an emulator of two SDKs that names each one's standard version first.
type versions struct{}

func (versions) Targets() []sdkemu.Target {
	return []sdkemu.Target{
		{SDK: "openai-node", Version: "5.23.2", API: sdkemu.Chat, Mode: sdkemu.ModeStream},
		{SDK: "openai-node", Version: "5.23.2", API: sdkemu.Chat, Mode: sdkemu.ModeIterate},
		{SDK: "openai-node", Version: "4.104.0", API: sdkemu.Chat, Mode: sdkemu.ModeStream},
		{SDK: "anthropic-node", Version: "1.14.0", API: sdkemu.AnthropicMessages, Mode: sdkemu.ModeStream},
	}
}

func (versions) Run(context.Context, sdkemu.Target, sdkemu.Input) sdkemu.Result {
	return sdkemu.Result{Outcome: sdkemu.OK}
}

func TestNamesOfSDKs(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  []string // nil: refused
	}{
		{[]string{"openai-node"}, []string{"openai-node@5.23.2"}},
		{[]string{"openai-node@4.104.0"}, []string{"openai-node@4.104.0"}},
		{[]string{"openai-node@all"}, []string{"openai-node@5.23.2", "openai-node@4.104.0"}},
		{[]string{"all"}, []string{"openai-node@5.23.2", "openai-node@4.104.0", "anthropic-node@1.14.0"}},
		{[]string{"openai-node", "openai-node@all"}, []string{"openai-node@5.23.2", "openai-node@4.104.0"}},
		{[]string{"anthropic-node", "openai-node"}, []string{"anthropic-node@1.14.0", "openai-node@5.23.2"}},
		{[]string{"openai-node@1"}, nil},
		{[]string{"openai"}, nil},
		{[]string{"openai@all"}, nil},
		{[]string{""}, nil},
	} {
		k, err := New(Config{SDKs: c.names, Emulators: []sdkemu.Emulator{versions{}}})
		if (err == nil) != (c.want != nil) {
			t.Errorf("%q: error %v", c.names, err)
			continue
		}
		if err == nil && !slices.Equal(k.interpretation.SDKs, c.want) {
			t.Errorf("%q runs %q, want %q", c.names, k.interpretation.SDKs, c.want)
		}
	}
}
