// How openai-node is called. Sdk is { OpenAI, Stream, errors, parser, partial }: the package's main export, the class
// of its streams, its error classes, lib/parser and the errors of the vendored partial JSON parser.
export function adapter({ OpenAI, errors, parser, partial }) {
  const classes = { ...errors };
  for (const name of ['PartialJSON', 'MalformedJSON']) if (partial[name]) classes[name] = partial[name];
  // A zod schema given to zodResponseFormat parses the text before it looks at the value; the value is not looked at
  // here, because a capture holds no zod schema.
  const parse = (text) => JSON.parse(text);
  return {
    classes,
    client: ({ fetch, baseURL = 'http://127.0.0.1:9/v1' }) => new OpenAI({ apiKey: 'key', baseURL, maxRetries: 0, logLevel: 'off', fetch }),
    params: {
      chat: { model: 'model', messages: [{ role: 'user', content: 'hello' }] },
      responses: { model: 'model', input: 'hello' },
    },
    parse: {
      chat(params) {
        if (params.response_format?.type === 'json_schema') params.response_format = parser.makeParseableResponseFormat(params.response_format, parse);
      },
      responses(params) {
        if (params.text?.format?.type === 'json_schema') params.text = { ...params.text, format: parser.makeParseableTextFormat(params.text.format, parse) };
      },
    },
    apis: {
      chat: {
        stream: (client, params) => client.chat.completions.stream(params).finalChatCompletion(),
        iterate: (client, params) => client.chat.completions.create({ ...params, stream: true }),
      },
      responses: {
        stream: (client, params) => client.responses.stream(params).finalResponse(),
        iterate: (client, params) => client.responses.create({ ...params, stream: true }),
      },
    },
  };
}
