package python

import (
	_ "embed"
	"fmt"

	"reassay/sdkemu"
)

const sdkAnthropic = "anthropic-python"

//go:embed schema-anthropic-2.14.0.json
var schemaAnthropic2140 []byte

//go:embed schema-anthropic-0.121.0.json
var schemaAnthropic01210 []byte

// anthropicReleases are the versions of anthropic-python that are emulated, the default first.
var anthropicReleases = []release{
	{
		sdk:     sdkAnthropic,
		version: "2.14.0",
		apis:    []sdkemu.API{sdkemu.AnthropicMessages},
		schema:  schemaAnthropic2140,
		depth: map[sdkemu.API]depths{sdkemu.AnthropicMessages: {
			request: map[sdkemu.Mode]int{sdkemu.ModeStream: 985, sdkemu.ModeIterate: 985},
			event:   map[sdkemu.Mode]int{sdkemu.ModeStream: 987, sdkemu.ModeIterate: 989},
			status:  map[sdkemu.Mode]int{sdkemu.ModeStream: 986, sdkemu.ModeIterate: 986},
		}},
	},
	{
		sdk:     sdkAnthropic,
		version: "0.121.0",
		apis:    []sdkemu.API{sdkemu.AnthropicMessages},
		schema:  schemaAnthropic01210,
		depth: map[sdkemu.API]depths{sdkemu.AnthropicMessages: {
			request: map[sdkemu.Mode]int{sdkemu.ModeStream: 985, sdkemu.ModeIterate: 985},
			event:   map[sdkemu.Mode]int{sdkemu.ModeStream: 987, sdkemu.ModeIterate: 989},
			status:  map[sdkemu.Mode]int{sdkemu.ModeStream: 987, sdkemu.ModeIterate: 987},
		}},
		messages: messagesWays{
			readsNamed: true, wantsStart: true, dropsUnknown: true, dumpsUnset: true, keepsInputInBlock: true, tellsToolUse: true,
			keepsDetails: true,
		},
	},
}

// find sets the classes that are no roots of the schema.
func (m *messagesShapes) find(s *schema) error {
	for key, at := range map[string]**class{
		"tool_use_block.ToolUseBlock": &m.toolUse, "server_tool_use_block.ServerToolUseBlock": &m.serverToolUse,
	} {
		if *at = s.classes[key]; *at == nil {
			return fmt.Errorf("the schema lacks class %s", key)
		}
	}
	for _, name := range []string{"content", "usage"} {
		if _, ok := m.message.class.place(name); !ok {
			return fmt.Errorf("class %s lacks %s", m.message.class.name, name)
		}
	}
	return nil
}
