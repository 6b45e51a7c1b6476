package ideal

import "reassay/wire"

// Shape is one kind of reply that models give.
type Shape struct {
	Name     string
	From     []wire.Dialect // the upstream dialects that can say it; nil for all
	To       []wire.Dialect // the caller dialects that can say it; nil for all
	Identity bool           // only in translation from a dialect into itself
	Reply    Reply
	Ask      Ask
}

const (
	signature = "ErUBCkYIBxgCIkDtXTYVgMzcl0+xSpTw3ZbBIkNvJ4QzmP7HkE9uF1sRcO6aYjVhWqLnXbKdGe2iTf5A=="
	thought   = "CiQBVKhc7lG+oP9d1mJq2yZ0r8kXw3Fv5hNbT6sUeA4RiYcMj0sKQQFUqFzu=="
)

var usual = Usage{Input: 42, Output: 27}

// Shapes are the reply shapes of the measurement.
func Shapes() []Shape {
	all := append(textShapes(), reasoningShapes()...)
	all = append(all, callShapes()...)
	all = append(all, endShapes()...)
	return append(all, otherShapes()...)
}

// shape builds a shape of one choice.
func shape(name string, stop Stop, pieces ...Piece) Shape {
	return Shape{Name: name, Reply: Reply{Model: "model-1", Choices: []Choice{{Pieces: pieces, Stop: stop}}, Usage: usual}}
}

func (s Shape) from(d ...wire.Dialect) Shape { s.From = d; return s }
func (s Shape) to(d ...wire.Dialect) Shape   { s.To = d; return s }
func (s Shape) same() Shape                  { s.Identity = true; return s }
func (s Shape) usage(u Usage) Shape          { s.Reply.Usage = u; return s }
func (s Shape) ask(a Ask) Shape              { s.Ask = a; return s }
func (s Shape) choice(stop Stop, pieces ...Piece) Shape {
	s.Reply.Choices = append(s.Reply.Choices, Choice{Pieces: pieces, Stop: stop})
	s.Ask.Candidates = len(s.Reply.Choices)
	return s
}

// tools declares the tools that the reply's calls name.
func (s Shape) tools() Shape {
	seen := map[string]bool{}
	for _, c := range s.Reply.Choices {
		for _, p := range c.Pieces {
			if (p.Kind == Call || p.Kind == Custom) && !seen[p.Name] {
				seen[p.Name] = true
				s.Ask.Tools = append(s.Ask.Tools, Tool{Name: p.Name, Custom: p.Kind == Custom})
			}
		}
	}
	return s
}

func says(deltas ...string) Piece   { return Piece{Kind: Text, Text: deltas} }
func thinks(deltas ...string) Piece { return Piece{Kind: Reasoning, Text: deltas} }
func calls(id, name string, args ...string) Piece {
	return Piece{Kind: Call, ID: id, Name: name, Text: args}
}
func (p Piece) signed(s string) Piece { p.Signature = s; return p }

const (
	chat      = wire.OpenAIChat
	responses = wire.OpenAIResponses
	messages  = wire.AnthropicMessages
	gemini    = wire.GeminiGenerate
)

func textShapes() []Shape {
	long := make([]string, 48)
	for i := range long {
		long[i] = []string{"The harbour lies still this morning, ", "and the boats turn with the tide; ", "nobody is on the quay yet. ",
			"A gull walks along the wall and looks into each of them. "}[i%4]
	}
	return []Shape{
		shape("text-short", End, says("Yes.")),
		shape("text-deltas", End, says("The tide", " turns", " at", " noon", ", and the", " boats", " leave", ".")),
		shape("text-two-parts", End, says("First the ", "answer."), says("Then the", " reason.")),
		shape("text-three-parts", End, says("One "), says("two ", "and "), says("three.")),
		shape("text-unicode", End, says("Grüße, ", "naïve façade ", "日本語の文", " 🧑‍🚀👍🏽 ", "שלום", " e\u0301 \u00e9")),
		shape("text-escapes", End, says("a \"quoted\" \\ back", "slash\n\ttab\r\n", "</script>&amp; ", "\u0001\u2028\u2029", " end/")),
		shape("text-replacement-character", End, says("bytes: ", "\ufffd\ufffd", " as the model wrote them")),
		shape("text-empty", End, says("")),
		shape("text-blank", End, says(" \n", "\n ")),
		shape("text-spaces-around", End, says("\n\n  indented", " answer", "  \n")),
		shape("text-long", End, says(long...)),
		shape("text-like-frames", End, says("data: [DO", "NE]\n\nevent: message_stop\n", "data: {\"type\":\"ping\"}\n\n", ": comment")),
		shape("text-about-tags", End, says("Write ", "<think>like this</think>", " to hide it.")),
		shape("text-markdown", End, says("# Head\n\n", "| a | b |\n|---|---|\n", "| 1 | 2 |\n\n", "```go\nx := 1 // &x < 3\n```\n", "- item\n  - inner")),
		shape("text-number", End, says("0", "0", "7.50")),
		shape("text-json-object", End, says(`{"city":"Oslo",`, ` "temp": 3.0, "tags":["`, `cold","dry"]}`)).ask(Ask{Format: "json_object"}).from(chat, responses, gemini).to(chat, responses, gemini),
		shape("text-json-schema", End, says(`{"city":"Oslo",`, `"temp":-3}`)).ask(Ask{Format: "json_schema", Schema: schema}),
	}
}

const schema = `{"type":"object","properties":{"city":{"type":"string"},"temp":{"type":"number"}},"required":["city","temp"],"additionalProperties":false}`

func reasoningShapes() []Shape {
	u := Usage{Input: 42, Output: 61, Reasoning: 34}
	why := func() Piece { return thinks("The user asks for", " the tide.", "\nNoon is right.") }
	return []Shape{
		shape("reasoning-text", End, why(), says("At ", "noon.")).usage(u),
		shape("reasoning-unicode-text", End, thinks("Überlegen… ", "潮は正午", " 🌊"), says("正午", "です。")).usage(u),
		shape("reasoning-signed-text", End, why().signed(signature), says("At ", "noon.")).usage(u).from(messages, responses),
		shape("reasoning-call", Calls, why(), calls("call_r1", "get_tide", `{"port":`, `"Oslo"}`)).usage(u).tools(),
		shape("reasoning-signed-call", Calls, why().signed(signature), calls("call_r2", "get_tide", `{"port":`, `"Oslo"}`)).usage(u).tools().from(messages, responses),
		shape("reasoning-text-call", Calls, why(), says("Let me", " look."), calls("call_r3", "get_tide", `{"port":"`, `Bergen"}`)).usage(u).tools(),
		shape("reasoning-redacted-text", End, Piece{Kind: Redacted, Output: "EmwKAhgBEgy3va3pzixLafPsn4aDFIT2Xlxh0L5L8rLVyIwxtE3rAFBa8cr3qpPk"}, says("Here it", " is.")).usage(u).from(messages, responses),
		shape("reasoning-interleaved", Calls, why().signed(signature), says("First."), thinks("And", " now.").signed("EqQBCkYIBxgCKkBsecond9xSpTw3ZbBIkNvJ4Q=="),
			calls("call_r4", "get_tide", `{"port":"Oslo"}`)).usage(u).tools().from(messages, responses),
		shape("reasoning-only-length", Length, thinks("It goes on", " and on")).usage(u),
		shape("text-signed", End, says("All of it ", "came before.").signed(thought)).from(gemini),
		shape("reasoning-text-signed", End, why(), says("At ", "noon.").signed(thought)).usage(u).from(gemini),
	}
}

func callShapes() []Shape {
	oslo := func() Piece { return calls("call_a1", "get_weather", `{"loca`, `tion":"Os`, `lo"}`) }
	tide := func() Piece { return calls("call_b2", "get_tide", `{"port":"Bergen",`, `"days":2}`) }
	clock := func() Piece { return calls("call_c3", "get_time", `{"zone":"Europe/Oslo"}`) }
	anonymous := func(p Piece) Piece { p.ID = ""; return p }
	return []Shape{
		shape("call", Calls, oslo()).tools(),
		shape("call-text-before", Calls, says("I look", " it up."), oslo()).tools(),
		shape("call-parallel", Calls, oslo(), tide()).tools(),
		shape("call-three-with-text", Calls, says("Three ", "things."), oslo(), tide(), clock()).tools(),
		shape("call-same-twice", Calls, oslo(), calls("call_a2", "get_weather", `{"location":"Oslo"}`)).tools(),
		shape("call-same-tool", Calls, oslo(), calls("call_a3", "get_weather", `{"location":`, `"Rome"}`)).tools(),
		shape("call-no-arguments", Calls, calls("call_d4", "list_open_tabs", `{}`)).tools(),
		shape("call-parallel-no-arguments", Calls, calls("call_d5", "list_open_tabs", `{}`), oslo()).tools(),
		shape("call-nested", Calls, calls("call_e5", "plan", `{"steps":[{"do":"go","to":{"x":1,`, `"y":[2,3]}},{"do":"","to":null}],`, `"dry":false,"note":{}}`)).tools(),
		shape("call-unicode", Calls, calls("call_f6", "send", `{"to":"Jürgen","text":"`, `日本 🧑‍🚀`, ` \"q\" \\ \n"}`)).tools(),
		shape("call-numbers", Calls, calls("call_g7", "pay", `{"id":9007199254740993,"amount":12.50,`, `"rate":1e-7,"count":12}`)).tools(),
		shape("call-long", Calls, calls("call_h8", "write_file", `{"path":"a.txt","body":"`, "line one\\nline", " two\\n", "and a third, with more", " of the same and then", ` an end"}`)).tools(),
		shape("call-text-call", Calls, oslo(), says("And the", " tide."), tide()).tools(),
		shape("call-text-after", Calls, oslo(), says("That was", " it.")).tools(),
		shape("call-long-name", Calls, calls("call_i9", "mcp_weather_service_prod_get_current_conditions_by_coordinates_v2", `{"location":"Oslo"}`)).tools(),
		shape("call-dashed-name", Calls, calls("call_j1", "Get-Weather_v2", `{"location":`, `"Oslo"}`)).tools(),
		shape("call-forced", Calls, oslo()).tools().force("get_weather"),
		shape("call-text-parts", Calls, says("One."), says(" Two."), oslo()).tools(),
		shape("call-without-id", Calls, anonymous(oslo())).tools().from(gemini),
		shape("call-parallel-without-id", Calls, says("Both."), anonymous(oslo()), anonymous(tide())).tools().from(gemini),
		shape("call-signed", Calls, oslo().signed(thought)).tools().from(gemini),
		shape("call-parallel-signed", Calls, anonymous(oslo()).signed(thought), anonymous(tide())).tools().from(gemini),
		shape("call-custom", Calls, Piece{Kind: Custom, ID: "call_k2", Name: "run_sql", Text: []string{"SELECT 1", "\nFROM t;"}}).tools().from(chat, responses).to(chat, responses),
		shape("call-custom-and-function", Calls, oslo(), Piece{Kind: Custom, ID: "call_k3", Name: "run_sql", Text: []string{"SELECT", " 2"}}).tools().from(chat, responses).to(chat, responses),
	}
}

// force says that the request forced a tool by name.
func (s Shape) force(name string) Shape { s.Ask.Forced = name; return s }

func endShapes() []Shape {
	refusal := Piece{Kind: Refusal, Text: []string{"I cannot", " help with", " that."}}
	sequence := shape("stop-sequence", StopSequence, says("Counting: 1,", " 2, 3")).from(messages)
	sequence.Reply.Choices[0].Sequence = "4"
	return []Shape{
		shape("stop-length", Length, says("The first half", " of a sen")),
		shape("stop-length-after-call", Length, says("Then"), calls("call_l1", "get_weather", `{"location":`, `"Oslo"}`), says(" I wanted", " to s")).tools().from(messages, gemini, responses).to(messages, gemini, responses),
		shape("stop-filter", Filter, says("It begins", " well")).from(chat, responses, gemini),
		shape("stop-filter-empty", Filter).from(chat, responses, gemini),
		shape("stop-refusal", Refused, says("I began", " and")).from(messages),
		shape("stop-refusal-empty", Refused).from(messages),
		sequence,
		shape("stop-window", Window, says("The context", " is fu")).from(messages),
		shape("stop-pause", Pause, says("Still", " searching.")).same().from(messages),
		shape("stop-malformed", Malformed, says("I try", " to call.")).same().from(gemini),
		shape("refusal", End, refusal).from(chat, responses),
	}
}

func otherShapes() []Shape {
	result := `It is "7".` + "\n"
	python := Piece{Kind: Code, Text: []string{"print(3", "+4)"}, Output: "7\n"}
	image := Piece{Kind: Media, MIME: "image/png", Data: "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4"}
	search := Piece{Kind: Search, ID: "srvtoolu_01m3VT", Name: "web_search", Text: []string{`{"query":`, `"tides"}`}}
	failed := search
	failed.Output = "max_uses_exceeded"
	cited := says("High water ", "is at noon", ".")
	cited.Cites = []Cite{{URL: "https://example.org/tides", Title: "Tide tables", Start: 0, End: 21, Quote: "High water at noon", Token: "Eo8BCioIAhgBIiQyYjQ0OWJm"}}
	twice := says("Ebb is", " later", " today.")
	twice.Cites = []Cite{{URL: "https://example.org/ebb", Title: "Ebb", Start: 0, End: 6, Quote: "ebb", Token: "Eo8BCioIAhgBIiQyYjQ0OWJn"},
		{URL: "https://example.com/sea", Title: "Sea & shore", Start: 7, End: 12, Quote: "later", Token: "Eo8BCioIAhgBIiQyYjQ0OWJo"}}
	paper := says("The grass", " is green.")
	paper.Cites = []Cite{{Document: true, Title: "Botany", Start: 0, End: 19, Quote: "The grass is green."}}
	tokens := says("It", " is", " noon", ".")
	tokens.Logprobs = true
	return []Shape{
		shape("choices-two", End, says("One", " way.")).choice(End, says("Another", " way", ".")).from(chat, gemini),
		shape("choices-three-ends", End, says("Short.")).choice(Length, says("Much too", " lo")).choice(End, says("Fine", ".")).from(chat, gemini),
		shape("choices-calls", Calls, calls("call_m1", "get_tide", `{"port":`, `"Oslo"}`)).choice(Calls, calls("call_m2", "get_tide", `{"port":"Bergen"}`)).tools().from(chat, gemini),
		shape("usage-cached", End, says("Warm", " start.")).usage(Usage{Input: 2048, Cached: 1920, Output: 12}),
		shape("usage-cached-reasoning", End, thinks("Short", " thought."), says("Warm.")).usage(Usage{Input: 2048, Cached: 1024, Output: 40, Reasoning: 31}),
		shape("citation", End, cited),
		shape("citations-two", End, twice),
		shape("citation-document", End, paper).from(messages),
		shape("search", End, says("I search."), search, says("It is", " noon.")).from(messages),
		shape("search-failed", End, says("I search."), failed, says("It", " failed.")).from(messages),
		shape("code", End, says("I compute."), python, says("It is", " 7.")).from(gemini, responses),
		shape("code-quotes", End, python, says(result)).from(gemini, responses),
		shape("image", End, says("A red", " dot: "), image).from(gemini),
		shape("logprobs", End, tokens).ask(Ask{Logprobs: true}).from(chat, responses, gemini),
	}
}
