package rules

import "reassay/convir"

// D03 notes cache figures that do not come through.
var D03 = &Rule{
	ID:    "D03",
	Title: "cache notes",
	Doc: `Notes that the model's API counted tokens read from a cache and the caller's usage does not tell them, or tells
another number. It is a matter of cost, never of meaning, and never counted.`,
	Source: "https://platform.openai.com/docs/guides/prompt-caching; isloss, Table 10, L08",
	Tier:   T2,
	Since:  "1",
	Needs:  []string{NeedsUpstream, NeedsReply},
	Rank:   8,
	Check:  checkD03,
}

func checkD03(p *Pass) {
	for _, c := range p.comparisons {
		ref, got := c.Ref.Reply.Usage, c.Leg.Reply.Usage
		if c.Leg.OfSDK() || c.Partial || !got.Raw.Present() || !ref.CacheRead.Given || ref.CacheRead.N == 0 || got.CacheRead.Given && got.CacheRead.N == ref.CacheRead.N {
			continue
		}
		f := Finding{Name: "cached tokens differ", Mechanism: "cached tokens not told", Construct: string(convir.CUsage), Path: "usage",
			At: c.Leg.Place("usage"), Message: "the model's API read tokens from a cache and the caller's usage does not say so"}
		if got.CacheRead.Given {
			f.Mechanism = "cached tokens changed"
			f.Message = "the caller's usage has another number of cached tokens than the model's API"
		}
		f.Expected, f.Got = countValue(ref.CacheRead), countValue(got.CacheRead)
		p.finding(c.Leg, f)
	}
}
