// How openai-node is called: by the package's main export, its error classes, lib/parser and the errors of the vendored
// partial JSON parser.
export function adapter({ OpenAI, errors, parser, partial }) {
  const classes = { ...errors };
  for (const name of ['PartialJSON', 'MalformedJSON']) if (partial[name]) classes[name] = partial[name];
  // A zod schema given to zodResponseFormat parses the text before it looks at the value; the value is not looked at
  // here, because a capture holds no zod schema.
  const parse = (text) => JSON.parse(text);
  // Before 5 the stream helper is a beta of its own (4.104.0, resources/beta/chat/completions.mjs).
  const completions = (client) => (client.chat.completions.stream ? client.chat.completions : client.beta.chat.completions);
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
        stream: (client, params) => completions(client).stream(params).finalChatCompletion(),
        iterate: (client, params) => client.chat.completions.create({ ...params, stream: true }),
      },
      responses: {
        stream: (client, params) => client.responses.stream(params).finalResponse(),
        iterate: (client, params) => client.responses.create({ ...params, stream: true }),
      },
    },
  };
}
