package python

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"reassay/sdkemu"
)

// release is one version of one package, and what it differs in from the others.
type release struct {
	sdk     string // as a target names it
	version string
	apis    []sdkemu.API
	schema  []byte // its reply classes
	depth   map[sdkemu.API]depths

	messages messagesWays // of anthropic-python
	ways     ways
}

// name is what its files and its environment are called by: openai-2.54.0.
func (r *release) name() string { return strings.TrimSuffix(r.sdk, "-python") + "-" + r.version }

// depths are how deeply JSON may be nested where the package calls json.loads or json.dumps, in a program that reads the
// stream in a function called by a function of its main module. CPython 3.11 allows 1000 levels of frames and nesting
// together; the rest is taken by the package's and the program's frames. Measured with reference.py.
type depths struct {
	request   map[sdkemu.Mode]int // the request's body
	event     map[sdkemu.Mode]int // the data of an event
	status    map[sdkemu.Mode]int // the body of an error reply
	arguments int                 // the arguments of a strict tool, while the stream is read
	final     int                 // the same, in the final call
}

//go:embed schema-openai-1.109.1.json
var schemaOpenAI11091 []byte

//go:embed schema-openai-2.54.0.json
var schemaOpenAI2540 []byte

//go:embed schema-openai-3.57.0.json
var schemaOpenAI3570 []byte

// depthsOpenAI are those of openai-python; its versions differ in those of the request's body alone.
func depthsOpenAI(chat, responses map[sdkemu.Mode]int) map[sdkemu.API]depths {
	return map[sdkemu.API]depths{
		sdkemu.Chat: {
			request:   chat,
			event:     map[sdkemu.Mode]int{sdkemu.ModeStream: 987, sdkemu.ModeIterate: 989},
			status:    map[sdkemu.Mode]int{sdkemu.ModeStream: 985, sdkemu.ModeIterate: 987},
			arguments: 985,
			final:     988,
		},
		sdkemu.Responses: {
			request:   responses,
			event:     map[sdkemu.Mode]int{sdkemu.ModeStream: 987, sdkemu.ModeIterate: 989},
			status:    map[sdkemu.Mode]int{sdkemu.ModeStream: 986, sdkemu.ModeIterate: 988},
			arguments: 986,
		},
	}
}

var (
	depthsOpenAI1 = depthsOpenAI(
		map[sdkemu.Mode]int{sdkemu.ModeStream: 980, sdkemu.ModeIterate: 982},
		map[sdkemu.Mode]int{sdkemu.ModeStream: 981, sdkemu.ModeIterate: 983},
	)
	depthsOpenAI2 = depthsOpenAI(
		map[sdkemu.Mode]int{sdkemu.ModeStream: 984, sdkemu.ModeIterate: 986},
		map[sdkemu.Mode]int{sdkemu.ModeStream: 985, sdkemu.ModeIterate: 987},
	)
)

// releases are the versions that are emulated; of each SDK the one that a caller gets who names none comes first.
var releases = append([]release{
	{
		sdk:     sdkOpenAI,
		version: "2.54.0",
		apis:    []sdkemu.API{sdkemu.Chat, sdkemu.Responses},
		schema:  schemaOpenAI2540,
		depth:   depthsOpenAI2,
	},
	{
		sdk:     sdkOpenAI,
		version: "1.109.1",
		apis:    []sdkemu.API{sdkemu.Chat, sdkemu.Responses},
		schema:  schemaOpenAI11091,
		ways:    ways1,
		depth:   depthsOpenAI1,
	},
	{
		sdk:     sdkOpenAI,
		version: "3.57.0",
		apis:    []sdkemu.API{sdkemu.Chat, sdkemu.Responses},
		schema:  schemaOpenAI3570,
		ways:    ways3,
		depth:   depthsOpenAI2,
	},
}, anthropicReleases...)

// releaseOf is the release that a target asks for, nil where it is not emulated.
func releaseOf(t sdkemu.Target) *release {
	for i := range releases {
		if r := &releases[i]; r.sdk == t.SDK && r.version == t.Version && slices.Contains(r.apis, t.API) {
			return r
		}
	}
	return nil
}

// shapesOf are the classes of a release, by its name; read once.
var shapesOf = func() map[string]func() (*shapes, error) {
	m := make(map[string]func() (*shapes, error), len(releases))
	for i := range releases {
		r := &releases[i]
		m[r.name()] = sync.OnceValues(func() (*shapes, error) { return newShapes(r.schema, r.apis) })
	}
	return m
}()

// shapes are the classes that replies are built into, by what they serve for.
type shapes struct {
	chat      chatShapes
	responses responsesShapes
	messages  messagesShapes
	errors    map[string]string // see schema
}

func newShapes(text []byte, apis []sdkemu.API) (*shapes, error) {
	s, err := newSchema(text)
	if err != nil {
		return nil, err
	}
	out := &shapes{errors: s.errors}
	for _, api := range apis {
		for name, at := range out.roots(api) {
			if *at = s.roots[name]; *at == nil {
				return nil, fmt.Errorf("the schema lacks root %s", name)
			}
		}
	}
	if out.messages.event != nil {
		return out, out.messages.find(s)
	}
	function, err := fieldType(out.chat.toolCall, "function")
	if err != nil {
		return nil, err
	}
	content, err := fieldType(out.chat.logprobs, "content")
	if err != nil || content.only == nil || content.only.kind != typeList {
		return nil, fmt.Errorf("logprobs.content is not an optional list (%v)", err)
	}
	out.chat.function, out.chat.logprobEntry = function.class, content.only.item
	if moderation, err := fieldType(out.chat.completion, "moderation"); err == nil {
		out.chat.moderation = moderation.only
	}
	return out, nil
}

// roots are the types of an API, by their names in a schema file.
func (s *shapes) roots(api sdkemu.API) map[string]**typ {
	switch c, r, m := &s.chat, &s.responses, &s.messages; api {
	case sdkemu.Chat:
		return map[string]**typ{
			"chunk": &c.chunk, "completion": &c.completion, "message": &c.message, "choice": &c.choice, "logprobs": &c.logprobs,
			"tool_call": &c.toolCall, "final_choice": &c.finalChoice, "final_completion": &c.finalCompletion,
		}
	case sdkemu.Responses:
		return map[string]**typ{
			"event": &r.event, "response": &r.response, "function_call": &r.functionCall, "output_message": &r.outputMessage,
			"content": &r.content, "final_text": &r.finalText, "final_output_message": &r.finalOutputMessage,
			"final_response": &r.finalResponse,
		}
	case sdkemu.AnthropicMessages:
		return map[string]**typ{"message_event": &m.event, "parsed_message": &m.message, "parsed_block": &m.block}
	}
	return nil
}

// fieldType is the type of a class's field.
func fieldType(t *typ, name string) (*typ, error) {
	i, ok := t.class.place(name)
	if !ok {
		return nil, fmt.Errorf("class %s lacks %s", t.class.name, name)
	}
	return t.class.fields[i].typ, nil
}
