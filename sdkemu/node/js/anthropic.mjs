// How anthropic-node is called: by the package's main export, its error classes, and the exports of
// resources/beta, among which are the error classes of some replies.

// A tool's input is parsed when it is read (1.14.0, internal/message-stream-utils.mjs), which whoever got the message
// does; where its block never ended, that is the first time, and text that is not JSON raises only then.
function read(message) {
  if (Array.isArray(message?.content)) for (const block of message.content) void block?.input;
  return message;
}

export function adapter({ Anthropic, errors, beta }) {
  return {
    classes: { ...errors, ...beta },
    client: ({ fetch, baseURL = 'http://127.0.0.1:9' }) => new Anthropic({ apiKey: 'key', baseURL, maxRetries: 0, logLevel: 'off', fetch }),
    params: {
      'anthropic-messages': { model: 'model', max_tokens: 1024, messages: [{ role: 'user', content: 'hello' }] },
    },
    parse: {
      // What zodOutputFormat gives parses the text before it looks at the value; the value is not looked at here,
      // because a capture holds no zod schema.
      'anthropic-messages'(params) {
        if (params.output_config?.format?.type !== 'json_schema') return;
        params.output_config = { ...params.output_config, format: { ...params.output_config.format, parse: (text) => JSON.parse(text) } };
      },
    },
    apis: {
      'anthropic-messages': {
        stream: async (client, params) => read(await client.messages.stream(params).finalMessage()),
        iterate: (client, params) => client.messages.create({ ...params, stream: true }),
      },
    },
  };
}
