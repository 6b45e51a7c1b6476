package python

import (
	_ "embed"
	"fmt"
	"sync"

	"reassay/sdkemu"
)

// release is what one version of the package differs in from the others.
type release struct {
	version string
	schema  []byte // its reply classes
	depth   map[sdkemu.API]depths
}

// depths are how deeply JSON may be nested where the package calls json.loads, in a program that reads the stream in a
// function called by a function of its main module. CPython 3.11 allows 1000 levels of frames and nesting together;
// the rest is taken by the package's and the program's frames. Measured with reference.py.
type depths struct {
	event     map[sdkemu.Mode]int // the data of an event
	status    map[sdkemu.Mode]int // the body of an error reply
	arguments int                 // the arguments of a strict tool, while the stream is read
	final     int                 // the same, in the final call
}

//go:embed schema-openai-2.54.0.json
var schemaOpenAI2540 []byte

// releases are the versions of openai-python that are emulated.
var releases = []release{
	{
		version: "2.54.0",
		schema:  schemaOpenAI2540,
		depth: map[sdkemu.API]depths{
			sdkemu.Chat: {
				event:     map[sdkemu.Mode]int{sdkemu.ModeStream: 987, sdkemu.ModeIterate: 989},
				status:    map[sdkemu.Mode]int{sdkemu.ModeStream: 985, sdkemu.ModeIterate: 987},
				arguments: 985,
				final:     988,
			},
			sdkemu.Responses: {
				event:     map[sdkemu.Mode]int{sdkemu.ModeStream: 987, sdkemu.ModeIterate: 989},
				status:    map[sdkemu.Mode]int{sdkemu.ModeStream: 986, sdkemu.ModeIterate: 987},
				arguments: 986,
			},
		},
	},
}

func releaseOf(version string) *release {
	for i := range releases {
		if releases[i].version == version {
			return &releases[i]
		}
	}
	return nil
}

// shapesOf are the classes of a release, read once.
var shapesOf = func() map[string]func() (*shapes, error) {
	m := make(map[string]func() (*shapes, error), len(releases))
	for _, r := range releases {
		m[r.version] = sync.OnceValues(func() (*shapes, error) { return newShapes(r.schema) })
	}
	return m
}()

// shapes are the classes that replies are built into, by what they serve for.
type shapes struct {
	chat      chatShapes
	responses responsesShapes
}

func newShapes(text []byte) (*shapes, error) {
	s, err := newSchema(text)
	if err != nil {
		return nil, err
	}
	out := &shapes{}
	for name, at := range map[string]**typ{
		"chunk": &out.chat.chunk, "completion": &out.chat.completion, "message": &out.chat.message,
		"choice": &out.chat.choice, "logprobs": &out.chat.logprobs, "tool_call": &out.chat.toolCall,
		"final_choice": &out.chat.finalChoice, "final_completion": &out.chat.finalCompletion,
		"event": &out.responses.event, "response": &out.responses.response, "function_call": &out.responses.functionCall,
		"output_message": &out.responses.outputMessage, "content": &out.responses.content,
		"final_text": &out.responses.finalText, "final_output_message": &out.responses.finalOutputMessage,
		"final_response": &out.responses.finalResponse,
	} {
		if *at = s.roots[name]; *at == nil {
			return nil, fmt.Errorf("the schema lacks root %s", name)
		}
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
	return out, nil
}

// fieldType is the type of a class's field.
func fieldType(t *typ, name string) (*typ, error) {
	i, ok := t.class.place(name)
	if !ok {
		return nil, fmt.Errorf("class %s lacks %s", t.class.name, name)
	}
	return t.class.fields[i].typ, nil
}
