// How anthropic-node is called: by the package's main export and its error classes.
export function adapter({ Anthropic, errors }) {
  return {
    classes: { ...errors },
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
        stream: (client, params) => client.messages.stream(params).finalMessage(),
        iterate: (client, params) => client.messages.create({ ...params, stream: true }),
      },
    },
  };
}
