package rules

import (
	"reassay/convir"
	"reassay/wire"
)

// D04 notes usage that does not add up.
var D04 = &Rule{
	ID:    "D04",
	Title: "usage notes",
	Doc: `Notes usage that is missing though it was asked for, that differs from the model's own by no documented formula,
that counts the beginning of a stream and its running totals together, whose total is not the sum of its parts, whose
cached tokens exceed the prompt that they are a part of, or whose reasoning tokens exceed the completion, are zero beside
reasoning text, or are others than the model's.

Chat, Responses and Gemini count cached tokens inside the prompt, Messages beside it; Gemini counts thoughts beside the
candidates, the others inside the output. Both sides are brought to one sum before they are compared. Gemini's total is
its prompt, thoughts and candidates, with or without what a tool brought into the prompt. Usage decides bills and
budgets, not the conversation, so it is never counted as T1.`,
	Source: "https://platform.openai.com/docs/api-reference/chat/object#chat-object-usage; https://platform.claude.com/docs/en/build-with-claude/streaming (cumulative counts)",
	Tier:   T2,
	Since:  "1",
	Needs:  []string{NeedsReply},
	Rank:   8,
	Check:  checkD04,
}

func checkD04(p *Pass) {
	for _, l := range p.legs {
		if l.OfSDK() || !l.OK() || l.ErrorTold().Exists() || p.Case.Broken() && l == p.Case.Stream || p.Case.Cancelled {
			continue
		}
		c := p.comparison(l)
		if c != nil && c.Ref.Name != UpstreamLeg && c.Ref.Name != UpstreamWholeLeg {
			c = nil
		}
		if !l.Reply.Usage.Raw.Present() {
			p.usageMissing(l, c)
			continue
		}
		p.usageParts(l)
		if c != nil && c.Ref.Reply.Usage.Raw.Present() {
			p.usageDiffers(l, c.Ref)
		}
	}
}

func (p *Pass) usage(l *Leg, mechanism, message string, want, got wire.Value) {
	f := Finding{Name: "usage wrong", Mechanism: mechanism, Construct: string(convir.CUsage), Path: usagePath(l.Dialect), At: l.Place(usagePath(l.Dialect)), Message: message}
	if want.Exists() {
		f.Expected = cutValue(want)
	}
	if got.Exists() {
		f.Got = cutValue(got)
	}
	p.finding(l, f)
}

func usagePath(d wire.Dialect) string {
	_, field := convir.Supports(convir.CUsage, d).In(false)
	return field
}

func (p *Pass) usageMissing(l *Leg, c *Comparison) {
	asked := p.Case.wantsUsage() || !l.Streamed() || l.Dialect != wire.OpenAIChat
	if asked && c != nil && c.Ref.Reply.Usage.Raw.Present() && len(l.Reply.Choices) > 0 {
		p.usage(l, "usage missing though asked for", "the model's API gave its usage and the caller does not get it", c.Ref.Reply.Usage.Raw, wire.Value{})
	}
}

// usageParts looks at what a usage object says by itself.
func (p *Pass) usageParts(l *Leg) {
	u := l.Reply.Usage
	adds := l.Dialect == wire.OpenAIChat || l.Dialect == wire.OpenAIResponses
	if cacheAbovePrompt(l) {
		p.usage(l, "cached tokens above prompt tokens", "the usage counts more cached tokens than the prompt that they are a part of", wire.OfInt(u.Input.N), wire.OfInt(u.CacheRead.N))
	}
	if l.Dialect == wire.GeminiGenerate {
		p.geminiTotal(l)
		return
	}
	switch {
	case adds && u.Input.Given && u.Output.Given && u.Total.Given && u.Total.N != u.Input.N+u.Output.N:
		p.usage(l, "total is not the sum", "the total of the usage is not the sum of its parts", wire.OfInt(u.Input.N+u.Output.N), wire.OfInt(u.Total.N))
	case adds && u.Reasoning.Given && u.Output.Given && u.Reasoning.N > u.Output.N:
		p.usage(l, "reasoning tokens above completion tokens", "the usage counts more reasoning tokens than completion tokens", wire.OfInt(u.Output.N), wire.OfInt(u.Reasoning.N))
	case adds && u.Reasoning.Given && u.Reasoning.N == 0 && hasReasoning(l):
		p.usage(l, "zero reasoning tokens beside reasoning text", "the usage counts no reasoning tokens and the reply holds reasoning", wire.Value{}, wire.OfInt(0))
	}
}

// geminiTotal holds Gemini's total to its parts: prompt, tool use prompt, thoughts and candidates. Cached tokens are in
// the prompt's. A part of no tokens may be left out. What a tool brought into the prompt some replies leave out of the
// total, or count with the prompt's.
// Source: https://ai.google.dev/api/generate-content#UsageMetadata.
func (p *Pass) geminiTotal(l *Leg) {
	u := l.Reply.Usage
	if !u.Input.Given || !u.Total.Given {
		return
	}
	sum := u.Input.N + u.Output.N + u.Reasoning.N
	tools := toolTokens(u)
	if u.Total.N != sum && u.Total.N != sum+tools {
		p.usage(l, "total is not the sum", "the total of the usage is not the sum of its parts", wire.OfInt(sum+tools), wire.OfInt(u.Total.N))
	}
}

func hasReasoning(l *Leg) bool {
	for i := range l.Reply.Choices {
		if text, _ := joined(&l.Reply.Choices[i], convir.Reasoning); text != "" {
			return true
		}
	}
	return false
}

// usageDiffers compares with the model's own counts, each brought to one sum by its dialect's way of counting.
// Sources: https://platform.openai.com/docs/api-reference/chat/object#chat-object-usage (cached_tokens are in
// prompt_tokens, reasoning_tokens in completion_tokens) and its counterpart of Responses;
// https://platform.claude.com/docs/en/build-with-claude/prompt-caching (total input = input_tokens +
// cache_creation_input_tokens + cache_read_input_tokens); https://ai.google.dev/api/generate-content#UsageMetadata
// (promptTokenCount includes cached content, thoughtsTokenCount stands beside candidatesTokenCount).
func (p *Pass) usageDiffers(l, from *Leg) {
	ref, got := from.Reply.Usage, l.Reply.Usage
	inRef, inGot := inputTokens(from), inputTokens(l)
	outRef, outGot := outputTokens(from), outputTokens(l)
	inWrong := got.Input.Given && ref.Input.Given && inGot != inRef && inGot != inRef+toolTokens(ref) && inGot+toolTokens(got) != inRef
	outWrong := got.Output.Given && ref.Output.Given && outGot != outRef
	mechanism, message := "usage differs from the model's", "the usage differs from the model's by no documented way of counting"
	switch {
	case !outWrong && cacheAbovePrompt(l), !inWrong && got.Reasoning.N > got.Output.N && l.Dialect != wire.GeminiGenerate:
		return // its own parts already tell what is wrong
	case inWrong && inGot == inRef+cacheTokens(got):
		mechanism, message = "cached tokens counted twice", "the usage counts cached tokens within the input and again beside it"
	case inWrong && (ref.Input.N > 0 && got.Input.N == 2*ref.Input.N || outWrong && got.Input.N > ref.Input.N && got.Output.N > ref.Output.N):
		mechanism, message = "usage counted twice", "the usage counts tokens twice"
	case inWrong && inGot+cacheTokens(ref) == inRef:
		mechanism, message = "cached tokens left out of the input", "the usage leaves cached tokens out of the input that its dialect counts them in"
	case !inWrong && outWrong && outGot+ref.Reasoning.N == outRef:
		mechanism, message = "reasoning tokens left out of the output", "the usage leaves reasoning tokens out of the output that its dialect counts them in"
	case !inWrong && !outWrong:
		if got.Reasoning.Given && ref.Reasoning.Given && got.Reasoning.N != ref.Reasoning.N && (got.Reasoning.N > 0 || !hasReasoning(l)) {
			p.usage(l, "reasoning tokens differ from the model's", "the usage counts other reasoning tokens than the model's", wire.OfInt(ref.Reasoning.N), wire.OfInt(got.Reasoning.N))
		}
		return
	}
	p.usage(l, mechanism, message, ref.Raw, got.Raw)
}

// cacheAbovePrompt reports more cached tokens than the prompt that they are a part of.
func cacheAbovePrompt(l *Leg) bool {
	u := l.Reply.Usage
	return l.Dialect != wire.AnthropicMessages && u.CacheRead.Given && u.Input.Given && u.CacheRead.N > u.Input.N
}

// inputTokens are all tokens of the prompt, those of a cache included.
func inputTokens(l *Leg) int {
	n := l.Reply.Usage.Input.N
	if l.Dialect == wire.AnthropicMessages {
		n += cacheTokens(l.Reply.Usage)
	}
	return n
}

// outputTokens are all tokens that the model wrote, its reasoning included.
func outputTokens(l *Leg) int {
	n := l.Reply.Usage.Output.N
	if l.Dialect == wire.GeminiGenerate {
		n += l.Reply.Usage.Reasoning.N
	}
	return n
}

// toolTokens are what a tool brought into Gemini's prompt, which its count of the prompt may leave out.
func toolTokens(u convir.Usage) int {
	n, _ := u.Raw.Get("toolUsePromptTokenCount").Int()
	return n
}

// cacheTokens are the tokens read from and written to a cache, which Messages counts beside its input tokens.
func cacheTokens(u convir.Usage) int {
	n := u.CacheRead.N
	if w, ok := u.Raw.Get("cache_creation_input_tokens").Int(); ok {
		n += w
	}
	return n
}

func countValue(c convir.Count) *wire.Value {
	if !c.Given {
		return nil
	}
	v := wire.OfInt(c.N)
	return &v
}
