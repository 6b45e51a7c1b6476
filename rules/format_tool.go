package rules

import (
	"strings"

	"reassay/convir"
	"reassay/wire"
)

// formatTools finds right that the call of a tool which stands for an output format comes as the answer's text. A gateway
// to a model without such a format declares a tool of its own whose arguments are the answer, has the model call it,
// and hands the arguments over as text: nothing of the model's is lost, and no caller's tool was called.
// Source: https://docs.litellm.ai/docs/completion/json_mode and LiteLLM's RESPONSE_FORMAT_TOOL_NAME, json_tool_call;
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use, JSON output.
func formatTools(p *Pass) {
	if !formatOf(p.Case.Request).json {
		return
	}
	for _, c := range p.comparisons {
		for _, d := range c.Open() {
			if d.Kind == convir.ToolCall && d.Aspect == Presence && d.Lost() && p.Case.standsForFormat(d.Ref.Name) {
				answerOf(c, d)
			}
		}
	}
}

// standsForFormat reports whether a tool is the gateway's own: it asked the model's API to call it, and the caller
// declared none of that name.
func (c *Case) standsForFormat(name string) bool {
	return name != "" && forcedTool(c.UpstreamRequest) == name && !toolsOf(c.Request)[name]
}

// answerOf excuses a lost call whose arguments the text holds, with the end of the choice that follows from it.
func answerOf(c *Comparison, d *Difference) {
	for _, x := range c.Open() {
		if x.RefChoice != d.RefChoice || x.Kind != convir.Text || x.Aspect != Content {
			continue
		}
		added, ok := strings.CutPrefix(x.Have.Str(), x.Want.Str())
		if !ok || !holdsArguments(added, d.Ref.Args) && !(c.Partial && strings.HasPrefix(d.Ref.Args.Raw, added)) {
			continue
		}
		d.excused, x.excused = true, true
		for _, e := range c.Open() {
			if e.Aspect == Ending && e.RefChoice == d.RefChoice && e.RefChoice.Stop.Outcome == convir.ToolCalls && e.GotChoice.Stop.Outcome == convir.Complete {
				e.excused = true
			}
		}
		return
	}
}

// holdsArguments reports whether a text is the arguments, or the one value that they hold: a tool's arguments are an
// object, and a format of another type stands in a member of it. Arguments that were cut are compared as they are spelt.
func holdsArguments(text string, args convir.Args) bool {
	if !args.Value.Exists() {
		return text == args.Raw
	}
	if encodes(text, args) {
		return true
	}
	members := args.Value.Members()
	if len(members) != 1 {
		return false
	}
	v, err := wire.Parse([]byte(text))
	return err == nil && wire.Equal(v, members[0].Value)
}
