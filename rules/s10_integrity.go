package rules

import "reassay/convir"

// S10 checks that integrity tokens are the model's own.
var S10 = &Rule{
	ID:    "S10",
	Title: "integrity tokens",
	Doc: `A signature, an encrypted value or a thoughtSignature that leaves the gateway is byte for byte one that came in: no
placeholder, no constant, nothing re-encoded or cut into more pieces than clients join, and none in another field of its
own dialect. In the field of another dialect a token is right where it is the model's byte for byte.

The vendor checks the token with the next request. A forged one is refused, or, where the vendor offers a way around
the check, hides that the reasoning was lost.

Pass tokens through untouched, in one piece, or leave them out and say so.`,
	Source: "https://ai.google.dev/gemini-api/docs/thought-signatures; isloss, Table 10, V10",
	Tier:   T1,
	Since:  "1",
	Needs:  []string{NeedsReply},
	Rank:   3,
	Check:  checkS10,
}

func checkS10(p *Pass) {
	p.reportFaults()
	for _, c := range p.comparisons {
		for _, d := range c.Open() {
			if d.Kind == convir.RedactedReasoning && d.Aspect == Payload {
				f := Finding{Name: "redacted value moved", Mechanism: "redacted value in another field", Message: "a redacted or encrypted value stands in another field than the model's; the vendor refuses it there"}
				f.Support, f.NativeField = answer(convir.SupportsOwn(d.Construct, c.Leg.Dialect).In(c.Leg.Streamed()))
				p.finding(c.Leg, f, append([]*Difference{d}, p.tokensOf(c, d)...)...)
				continue
			}
			if d.Named() || d.Aspect != SignatureOf || !d.Have.Exists() {
				continue
			}
			f := Finding{Name: "signature changed", Mechanism: "signature changed", Message: "an integrity token differs from the model's"}
			if d.Invented() {
				f = Finding{Name: "signature invented", Mechanism: "signature invented", Message: "there is an integrity token that the model's reply does not hold"}
			}
			names := []*Difference{d}
			for _, x := range c.Open() {
				if x.Kind == convir.RedactedReasoning && x.Aspect == Presence && x.Invented() && x.Got == d.Got {
					names = append(names, x) // the event holds nothing but its token
				}
			}
			// Whoever writes a token has found the dialect's place for it, whatever may stand there.
			f.Support, f.NativeField = answer(convir.SupportsOwn(d.Construct, c.Leg.Dialect).In(c.Leg.Streamed()))
			p.finding(c.Leg, f, names...)
		}
	}
}
