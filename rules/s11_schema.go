package rules

// S11 is about tool schemas.
var S11 = &Rule{
	ID:    "S11",
	Title: "tool schemas",
	Doc: `A tool's schema keeps its meaning on the way to the model. Schemas stand in requests; a Responses reply repeats the
tools, but as the gateway holds them and not as the model got them, so a reply cannot show a fault. There is nothing to
check here.`,
	Source: "https://platform.openai.com/docs/api-reference/responses/object#responses-object-tools; isloss, section 3.2",
	Tier:   T1,
	Since:  "1",
}
