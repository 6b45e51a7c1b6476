package rules

// D01 records what the gateway itself declared.
var D01 = &Rule{
	ID:    "D01",
	Title: "declared degradation",
	Doc: `A loss that the gateway told its caller of, in a header or in the body, and by the name of what is lost. It is still a
loss, and no silent one: what would be T1 is recorded here. A declaration excuses exactly what it names.`,
	Source: "isloss, section 3.2 (documented degradation) and Table 10, L06; https://www.rfc-editor.org/rfc/rfc9110#name-content-negotiation",
	Tier:   T2,
	Since:  "1",
	Needs:  []string{NeedsReply},
	Rank:   8,
	Check:  func(*Pass) {}, // [Pass.finding] gives this id to what a declaration names.
}
