// The real SDKs in Node and the transport that gives them a reply, for the reference and the benchmark.
import * as driver from './driver.mjs';
import { adapter as anthropic } from './anthropic.mjs';
import { adapter as openai } from './openai.mjs';

let progress = driver.newProgress();
const sdks = new Map();

// Begin starts the account of a new run.
export const begin = () => (progress = driver.newProgress());

// Adapters say which modules of a package an adapter needs, and give it them.
const adapters = {
  async 'openai-node'(part) {
    const [main, errors, parser, partial] = await Promise.all(['', '/error', '/lib/parser', '/_vendor/partial-json-parser/parser'].map(part));
    return openai({ OpenAI: main.default, errors, parser, partial });
  },
  async 'anthropic-node'(part) {
    const [main, errors, beta] = await Promise.all(['', '/error', '/resources/beta/index'].map(part));
    return anthropic({ Anthropic: main.default, errors, beta });
  },
};

// Load gives the adapter of one version.
export async function load(name, version) {
  const alias = `${name}-${version}`;
  if (!sdks.has(alias)) {
    const part = (path) => import(alias + path);
    const { Stream } = await part('/streaming');
    driver.observe(Stream, () => progress);
    sdks.set(alias, await adapters[name](part));
  }
  return sdks.get(alias);
}

class SocketError extends Error {}

// The body as bytes, either way that a line has it.
const bodyOf = (line) => (line.body_base64 !== undefined ? Buffer.from(line.body_base64, 'base64') : Buffer.from(line.body ?? '', 'utf8'));

// ChunksOf cuts a line's body at its cuts.
export function chunksOf(line) {
  const body = bodyOf(line);
  const chunks = [];
  let from = 0;
  for (const to of line.cuts ?? [body.length]) {
    if (to > from) chunks.push(new Uint8Array(body.subarray(from, to)));
    from = to;
  }
  return chunks;
}

// HeadersOf lists a line's headers, the content type first.
export function headersOf(line) {
  const type = line.content_type ?? 'text/event-stream';
  const list = type === '' ? [] : [['content-type', type]];
  for (const [name, values] of Object.entries(line.headers ?? {})) for (const value of values) list.push([name, value]);
  return list;
}

// MadeFetch is a fetch that gives the line's reply.
export function madeFetch(line) {
  const chunks = chunksOf(line);
  return async () => {
    const body = new ReadableStream({
      pull(controller) {
        if (chunks.length > 0) {
          progress.bytes += chunks[0].length;
          controller.enqueue(chunks.shift());
        } else if (line.error) {
          controller.error(Object.assign(new TypeError('terminated'), { cause: new SocketError('other side closed') }));
        } else {
          controller.close();
        }
      },
    });
    const status = line.status ?? 200;
    return new Response([204, 205, 304].includes(status) ? null : body, { status, headers: headersOf(line) });
  };
}
