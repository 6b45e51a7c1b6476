package python

import (
	_ "embed"
	"fmt"
	"sync"
)

// release is what one version of the package differs in from the others.
type release struct {
	version string
	schema  []byte // its reply classes
	depth   depths
}

// depths are how deeply JSON may be nested where the package calls json.loads, in a program that reads the stream in a
// function called by a function of its main module. CPython 3.11 allows 1000 levels of frames and nesting together;
// the rest is taken by the package's and the program's frames. Measured with reference.py.
type depths struct {
	iterate   int // the data of an event, plain iteration
	stream    int // the data of an event, chat's stream helper
	status    int // the body of an error reply
	arguments int // the arguments of a strict tool, where the stream helper ends a call
	final     int // the same, in the final call

	responses          int // the data of an event, the stream helper of Responses
	responsesArguments int // the arguments of a strict tool there, in the event that completes the response
}

//go:embed schema-openai-2.54.0.json
var schemaOpenAI2540 []byte

// releases are the versions of openai-python that are emulated.
var releases = []release{
	{
		version: "2.54.0",
		schema:  schemaOpenAI2540,
		depth:   depths{iterate: 989, stream: 987, status: 989, arguments: 980, final: 980, responses: 987, responsesArguments: 980},
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
	call := out.chat.toolCall.class
	i, ok := call.place("function")
	if !ok {
		return nil, fmt.Errorf("class %s lacks function", call.name)
	}
	out.chat.function = call.fields[i].typ.class
	return out, nil
}
