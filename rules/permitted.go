package rules

// permitted reports the changes of representation that were excused under the rule's id: one record a leg.
func permitted(p *Pass) {
	for _, c := range p.comparisons {
		if c.Leg.OfSDK() {
			continue
		}
		for _, x := range c.Permitted {
			if x.Rule == p.Rule.ID {
				p.finding(c.Leg, Finding{Name: p.Rule.Title, Mechanism: p.Rule.Title, Path: x.Path, At: c.Leg.Place(x.Path), Message: x.Says})
				break
			}
		}
	}
}

const permittedSource = "isloss, Table 10, L01 to L08; https://platform.openai.com/docs/api-reference/chat/object"

// R01 records renamed roles and fields.
var R01 = &Rule{ID: "R01", Title: "roles and words renamed", Tier: T3, Since: "1", Source: permittedSource, Rank: 10, Needs: []string{NeedsReference}, Check: permitted,
	Doc: "L01: the same role, stop reason or tool under the caller's dialect's name. Recorded, never counted."}

// R02 records merged pieces.
var R02 = &Rule{ID: "R02", Title: "adjacent pieces merged", Tier: T3, Since: "1", Source: permittedSource, Rank: 10, Needs: []string{NeedsReference}, Check: permitted,
	Doc: "L02: adjacent pieces of one kind came as fewer, the same when joined. Recorded, never counted."}

// R03 records renamed call ids.
var R03 = &Rule{ID: "R03", Title: "call ids renamed", Tier: T3, Since: "1", Source: permittedSource, Rank: 10, Needs: []string{NeedsReference}, Check: permitted,
	Doc: "L03: call ids were renamed one to one, or made up, unique and non-empty, where the model's API gives none. Recorded, never counted."}

// R04 records split pieces and values spelt in other ways.
var R04 = &Rule{ID: "R04", Title: "pieces split or spelt in other ways", Tier: T3, Since: "1", Source: permittedSource, Rank: 10, Needs: []string{NeedsReference}, Check: permitted,
	Doc: "L04: one piece came as several, the same when joined; (ours) arguments came as other JSON text of the same value. Recorded, never counted."}

// R05 cannot occur on replies.
var R05 = &Rule{ID: "R05", Title: "instruction hoisted", Tier: T3, Since: "1", Source: permittedSource, Rank: 10,
	Doc: "L05: a leading developer instruction moved to the system slot. Replies carry no instructions, so it cannot occur on them."}

// R06 is D01 on replies.
var R06 = &Rule{ID: "R06", Title: "control dropped and declared", Tier: T3, Since: "1", Source: permittedSource, Rank: 10,
	Doc: "L06: an unsupported control dropped with a declared degradation. It is a loss and therefore D01, never T3; on replies there is nothing for this id to record."}

// R07 records order that Chat cannot tell.
var R07 = &Rule{ID: "R07", Title: "order that Chat cannot tell", Tier: T3, Since: "1", Source: permittedSource, Rank: 10, Needs: []string{NeedsReference}, Check: permitted,
	Doc: "L07: text, reasoning and calls stand in another order where Chat has one text field and one list of calls. It excuses no loss. Recorded, never counted."}

// R08 is about requests.
var R08 = &Rule{ID: "R08", Title: "cache hints", Tier: T3, Since: "1", Source: permittedSource, Rank: 10,
	Doc: "L08: cache and billing hints dropped or added. They stand in requests; what a reply says of caches is usage, see D03."}
