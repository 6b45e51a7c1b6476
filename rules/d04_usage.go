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
that counts the beginning of a stream and its running totals together, whose total is not the sum of its parts, or whose
reasoning tokens exceed the completion or are zero beside reasoning text.

Chat and Gemini count cached tokens inside the prompt, Messages beside it: either sum is accepted. Gemini's total is its
prompt, thoughts and candidates, with or without what a tool brought into the prompt. Usage decides bills and
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
			p.usageDiffers(l, c.Ref.Reply.Usage)
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
	tools, _ := u.Raw.Get("toolUsePromptTokenCount").Int()
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

// usageDiffers compares with the model's own counts under every documented way to count: cached tokens inside or beside
// the input, thoughts inside or beside the output.
func (p *Pass) usageDiffers(l *Leg, ref convir.Usage) {
	got := l.Reply.Usage
	in := sums(ref.Input.N, cacheTokens(ref))
	out := sums(ref.Output.N, ref.Reasoning.N)
	inWrong := got.Input.Given && ref.Input.Given && !in[got.Input.N] && !in[got.Input.N+cacheTokens(got)]
	outWrong := got.Output.Given && ref.Output.Given && !out[got.Output.N] && !out[got.Output.N+got.Reasoning.N]
	if !inWrong && !outWrong {
		return
	}
	mechanism, message := "usage differs from the model's", "the usage differs from the model's by no documented way of counting"
	if inWrong && ref.Input.N > 0 && got.Input.N == 2*ref.Input.N || inWrong && outWrong && got.Input.N > ref.Input.N && got.Output.N > ref.Output.N {
		mechanism, message = "usage counted twice", "the usage counts tokens twice"
	}
	p.usage(l, mechanism, message, ref.Raw, got.Raw)
}

// sums are a count by itself and with any of the others.
func sums(n int, more ...int) map[int]bool {
	m := map[int]bool{n: true}
	for _, x := range more {
		for _, k := range keysOf(m) {
			m[k+x] = true
		}
	}
	return m
}

func keysOf(m map[int]bool) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	return keys
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
