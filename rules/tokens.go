package rules

import (
	"slices"

	"reassay/convir"
	"reassay/wire"
)

// carried looks, across dialects, for tokens that came in another field than their own: a thoughtSignature as
// encrypted_content, encrypted_content as a thinking block's signature. No vendor names the field for another's token;
// what is carried there is right where it is the model's byte for byte, and a token of the reply that the model's reply
// does not hold is another in the place of the one that is missing.
func (c *comparer) carried(ref, got *convir.Choice, from int) {
	if c.same {
		return
	}
	sent, came := integrityTokens(ref), integrityTokens(got)
	if len(sent) == 0 || len(came) == 0 {
		return
	}
	// A token on another event of the same kind is on the wrong one.
	elsewhere := func(token string) bool {
		from, is := sent[token]
		to, has := came[token]
		return is && has && from != to
	}
	moved := false
	kept := c.Differences[:from:from]
	for _, d := range c.Differences[from:] {
		want, have := tokenOf(d)
		switch {
		case want != "" && elsewhere(want) && (have == "" || elsewhere(have)), want == "" && have != "" && elsewhere(have):
			moved = true
			continue
		case d.Aspect == SignatureOf && want != "" && have != "" && elsewhere(want):
			d.Want = wire.Value{}
		case d.Aspect == SignatureOf && want != "" && have != "" && elsewhere(have):
			d.Have = wire.Value{}
		}
		kept = append(kept, d)
	}
	c.Differences = c.replaced(kept, from)
	if moved {
		c.permit("R01", got.Path, "an integrity token came byte for byte in the field that the dialect has for its own")
	}
}

// replaced lays a token out of nowhere beside the one that is missing, where there is one of each.
func (c *comparer) replaced(all []*Difference, from int) []*Difference {
	var lost, made []*Difference
	for _, d := range all[from:] {
		if d.Aspect == SignatureOf && d.Lost() {
			lost = append(lost, d)
		} else if d.Aspect == SignatureOf && d.Invented() {
			made = append(made, d)
		}
	}
	if len(lost) != 1 || len(made) != 1 {
		return all
	}
	d, of := made[0], lost[0]
	d.Want, d.Ref, d.RefPath = of.Want, of.Ref, of.RefPath
	return slices.DeleteFunc(all, func(x *Difference) bool { return x == of })
}

// tokenOf are the tokens that a difference is about, on either side.
func tokenOf(d *Difference) (want, have string) {
	switch {
	case d.Aspect == SignatureOf:
		return d.Want.Str(), d.Have.Str()
	case d.Kind == convir.RedactedReasoning && (d.Aspect == Presence || d.Aspect == Payload):
		if d.Ref != nil {
			want = d.Ref.Signature
		}
		if d.Got != nil {
			have = d.Got.Signature
		}
	}
	return want, have
}

// integrityTokens are the tokens of a choice, with the kind of event that each stands on.
func integrityTokens(ch *convir.Choice) map[string]convir.Kind {
	tokens := map[string]convir.Kind{}
	for i := range ch.Events {
		if s := ch.Events[i].Signature; s != "" {
			tokens[s] = ch.Events[i].Kind
		}
	}
	return tokens
}
