package rules

// D02 is about requests.
var D02 = &Rule{
	ID:    "D02",
	Title: "system to user demotion",
	Doc: `A system or developer instruction handed to the model as a user's. Instructions stand in requests and no reply
carries one, so there is nothing to check here.`,
	Source: "https://platform.openai.com/docs/api-reference/chat/create#chat-create-messages; isloss, section 3.2 (system-to-user demotion)",
	Tier:   T2,
	Since:  "1",
}
