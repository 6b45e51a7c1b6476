package fact

import (
	"testing"

	"reassay/internal/fixture"
	"reassay/sdkemu"
)

// probes are the replies of every API, whole, by API and name.
func probes(t *testing.T) map[string]sdkemu.Input {
	t.Helper()
	out := map[string]sdkemu.Input{}
	for _, api := range []sdkemu.API{sdkemu.Chat, sdkemu.Responses, sdkemu.AnthropicMessages} {
		all, err := fixture.Probes("../../fixtures", api)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range all {
			out[string(api)+"/"+p.Name] = p.Input
		}
	}
	return out
}
