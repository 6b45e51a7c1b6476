package rules

import (
	"reassay/convir"
	"reassay/wire"
)

// S08 checks that a reply echoes the controls that were asked for.
var S08 = &Rule{
	ID:    "S08",
	Title: "controls that the reply echoes",
	Doc: `A Responses reply repeats the controls of its request: token limit, temperature, tool choice and the like. What it
repeats is what was asked for, the format of the text with its schema included, or the gateway says which control it
could not keep.

A caller that reads the echo to learn what was in force is told something else. Whether the control itself was kept only
the request to the model's API shows, which is not judged here.

Echo the caller's own values, or the ones in force together with a word about the difference; not zeros.`,
	Source: "https://platform.openai.com/docs/api-reference/responses/object; isloss, Table 10, V08",
	Tier:   T1,
	Since:  "1",
	Needs:  []string{NeedsRequest, NeedsEcho},
	Rank:   8,
	Check:  checkS08,
}

func checkS08(p *Pass) {
	c := p.Case
	for _, l := range p.legs {
		if l.OfSDK() || c.Request.Dialect != l.Dialect || l.ErrorTold().Exists() {
			continue
		}
		for _, asked := range c.Request.Body.Members() {
			echoed := l.Reply.Echo.Get(asked.Key)
			if !asked.Value.Present() || !echoed.Exists() || !echoedField[asked.Key] || sameControl(asked.Value, echoed) {
				continue
			}
			want, got := asked.Value, echoed
			f := Finding{Name: "control echoed otherwise", Mechanism: "control echoed with another value: " + asked.Key, Construct: string(convir.COpaque),
				Path: asked.Key, Field: Control, Cause: ByGateway, Support: Avoidable, NativeField: asked.Key, Expected: &want, Got: &got, At: l.Place(asked.Key),
				Message: "the reply echoes " + asked.Key + " with another value than the request"}
			if c.UpstreamState == NotCaptured {
				f.Cause = Undetermined
			}
			p.finding(l, f)
		}
		p.echoedParts(l)
	}
}

// echoedField are the controls that a Responses reply repeats as they were given.
// Source: https://platform.openai.com/docs/api-reference/responses/object.
var echoedField = map[string]bool{
	"max_output_tokens": true, "max_tool_calls": true, "temperature": true, "top_p": true, "top_logprobs": true,
	"tool_choice": true, "parallel_tool_calls": true, "truncation": true, "previous_response_id": true,
}

// sameControl: a tool choice given as a word may be echoed as the object that it stands for.
func sameControl(asked, echoed wire.Value) bool {
	return wire.Equal(asked, echoed) || asked.Kind() == wire.String && echoed.Kind() == wire.Object
}
