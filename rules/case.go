package rules

import (
	"reassay/capture"
	"reassay/convir"
	"reassay/sse"
	"reassay/wire"
)

// State says how far the model's own reply can be relied on.
type State string

// The states of the upstream leg.
const (
	NotCaptured State = "not captured"
	Sound       State = "sound"
	OffSpec     State = "off-spec" // it breaks its own dialect's grammar, but did not fail
	Failed      State = "failed"   // it told an error, or answered with a status other than 2xx
	Cut         State = "cut"      // it ended without an end
)

// Case is one exchange laid out for the rules: its legs read, the reference chosen, each leg compared.
type Case struct {
	Gateway         capture.Gateway
	Request         *capture.Request
	UpstreamRequest *capture.Request

	Attempts      []*Leg // the gateway's attempts before the one that was served
	Upstream      *Leg
	UpstreamWhole *Leg
	Stream        *Leg
	NonStream     *Leg

	UpstreamState State
	// Cancelled: the caller broke the stream off, so nothing may be said of its end.
	Cancelled bool
	// StreamComparison and WholeComparison are the caller's legs against their references; nil where there is none.
	StreamComparison *Comparison
	WholeComparison  *Comparison
	// Equivalence is the stream against the non-stream reply; nil where MR-S is not applicable.
	Equivalence *Comparison
	Runs        []*Run
}

// StateOf says how far a reply of the model's API can be relied on.
func StateOf(l *Leg) State {
	switch {
	case l == nil:
		return NotCaptured
	case !l.OK() || l.ErrorTold().Exists():
		return Failed
	case l.Broken != nil && l.Broken.By != "caller" || l.Form == sse.FormEmpty || l.Form == sse.FormOther:
		return Cut
	case l.Streamed() && !l.Assembled.Finish:
		return Cut
	case breaksGrammar(l):
		return OffSpec
	}
	return Sound
}

// WellFormed reports whether a reply came whole and keeps its dialect's grammar.
func WellFormed(l *Leg) bool {
	return l.OK() && l.Broken == nil && l.Form != sse.FormEmpty && l.Form != sse.FormOther && !breaksGrammar(l)
}

// breaksGrammar reports whether the leg departs from its dialect's grammar.
func breaksGrammar(l *Leg) bool {
	faults := faultsOf(l)
	absorb(l, faults)
	for _, f := range faults {
		if f.ruling == convir.OffSpec && !f.excused && f.entry.Rule != "D06" {
			return true
		}
	}
	return false
}

// Broken reports whether the model's own reply failed or was cut: then its beginning is the reference, and endings
// are judged by whether the caller can tell.
func (c *Case) Broken() bool { return c.UpstreamState == Failed || c.UpstreamState == Cut }

// callerDialect is the dialect that the caller reads.
func (c *Case) callerDialect() wire.Dialect {
	switch {
	case c.Stream != nil:
		return c.Stream.Dialect
	case c.NonStream != nil:
		return c.NonStream.Dialect
	}
	return ""
}

// upstreamDialect is the dialect of the model's own reply, "" where none was captured.
func (c *Case) upstreamDialect() wire.Dialect {
	switch {
	case c.Upstream != nil:
		return c.Upstream.Dialect
	case c.UpstreamWhole != nil:
		return c.UpstreamWhole.Dialect
	}
	return ""
}

// ForcedTool is the name of the tool that the request forces, "" when it forces none by name.
// Source: https://platform.openai.com/docs/api-reference/chat/create#chat-create-tool_choice and its counterparts.
func (c *Case) ForcedTool() string { return forcedTool(c.Request) }

func forcedTool(r *capture.Request) string {
	if r == nil {
		return ""
	}
	body := r.Body
	switch r.Dialect {
	case wire.OpenAIChat:
		choice := body.Get("tool_choice")
		if name := choice.Path("function", "name").Str(); name != "" {
			return name
		}
		return choice.Path("custom", "name").Str()
	case wire.OpenAIResponses, wire.AnthropicMessages:
		return body.Path("tool_choice", "name").Str()
	case wire.GeminiGenerate:
		names := body.Path("toolConfig", "functionCallingConfig", "allowedFunctionNames").Elems()
		if len(names) == 1 {
			return names[0].Str()
		}
	}
	return ""
}

// toolsOf are the names of the tools that a request declares, nil without a request.
func toolsOf(r *capture.Request) map[string]bool {
	if r == nil {
		return nil
	}
	names := map[string]bool{}
	for _, t := range r.Body.Get("tools").Elems() {
		for _, n := range []wire.Value{t.Get("name"), t.Path("function", "name"), t.Path("custom", "name")} {
			if n.Str() != "" {
				names[n.Str()] = true
			}
		}
		for _, f := range t.Get("functionDeclarations").Elems() {
			names[f.Get("name").Str()] = true
		}
	}
	return names
}

// reasoningOff reports whether the request switches reasoning off.
// Source: https://platform.claude.com/docs/en/build-with-claude/extended-thinking (thinking.type);
// https://ai.google.dev/gemini-api/docs/thinking (thinkingBudget, includeThoughts);
// https://platform.openai.com/docs/guides/reasoning (effort none).
func (c *Case) reasoningOff() bool {
	if c.Request == nil {
		return false
	}
	body := c.Request.Body
	switch c.Request.Dialect {
	case wire.AnthropicMessages:
		return body.Path("thinking", "type").Str() == "disabled"
	case wire.GeminiGenerate:
		config := body.Path("generationConfig", "thinkingConfig")
		return config.Get("thinkingBudget").Num() == "0" || config.Get("includeThoughts").Exists() && !config.Get("includeThoughts").True()
	case wire.OpenAIChat:
		return body.Get("reasoning_effort").Str() == "none"
	case wire.OpenAIResponses:
		return body.Path("reasoning", "effort").Str() == "none"
	}
	return false
}

// wantsUsage reports whether the request asked for usage in its stream, which only Chat makes optional.
func (c *Case) wantsUsage() bool {
	return c.Request != nil && c.Request.Dialect == wire.OpenAIChat &&
		c.Request.Body.Path("stream_options", "include_usage").True()
}

// isSuccess reports whether an outcome tells a caller that the reply is whole.
func isSuccess(o convir.Outcome) bool {
	return o == convir.Complete || o == convir.ToolCalls || o == convir.Empty
}
