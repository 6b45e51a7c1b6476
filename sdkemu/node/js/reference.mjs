// The real SDKs in Node, for the conformance test: reads lines as `reassay sdk run` does (with "cuts" in the place of
// "chunking") and answers them in order. With --http the SDK uses Node's own fetch and a server on the loopback
// interface answers it, which shows that the fetch made here stands for the real one.
import http from 'node:http';
import readline from 'node:readline';
import * as driver from './driver.mjs';
import { begin, chunksOf, headersOf, load, madeFetch } from './sdk.mjs';

const overHTTP = process.argv.includes('--http');
const hangAfter = 5000; // milliseconds without any sign of life
const settleAfter = 20; // milliseconds that a promise has to settle after an unhandled rejection

// SDKs before 7 write to Array.prototype, and put a prototype of its own under it, when a stream has "__proto__" as
// index and as key. The next stream must not see it.
const pristine = [Object, Array, String, Number, Boolean, Function, Error].map(({ prototype }) => [
  prototype,
  Object.getOwnPropertyDescriptors(prototype),
  Object.getPrototypeOf(prototype),
]);
function restorePrototypes() {
  for (const [proto, before, parent] of pristine) {
    if (Object.getPrototypeOf(proto) !== parent) Object.setPrototypeOf(proto, parent);
    for (const key of Reflect.ownKeys(proto)) if (!Object.hasOwn(before, key)) delete proto[key];
    for (const key of Reflect.ownKeys(before)) if (before[key].configurable) Object.defineProperty(proto, key, before[key]);
  }
  Array.prototype.length = 0;
}

// SDKs from 6 on give a tool call without id a random one.
Object.defineProperty(globalThis.crypto, 'randomUUID', { value: () => '00000000-0000-4000-8000-000000000000' });
console.error = () => {};

let served; // the line that the server answers with, and how far its run has come
let baseURL;
async function serve() {
  const server = http.createServer((request, response) => {
    request.resume();
    request.on('end', async () => {
      const { line, progress } = served;
      response.writeHead(line.status ?? 200, headersOf(line).flat());
      response.flushHeaders();
      for (const chunk of chunksOf(line)) {
        progress.bytes += chunk.length;
        await new Promise((resolve) => response.write(chunk, resolve));
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (line.error) setTimeout(() => response.destroy(), settleAfter);
      else response.end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseURL = `http://127.0.0.1:${server.address().port}/v1`;
  server.unref();
}

let unhandled = [];
let onUnhandled = () => {};
process.on('unhandledRejection', (reason) => {
  unhandled.push(reason);
  onUnhandled();
});

const render = (v) => JSON.stringify(v, (_, x) => (typeof x === 'number' && !Number.isFinite(x) ? { $: String(x) } : x));

async function answer(line) {
  unhandled = [];
  const progress = begin();
  const sdk = await load(line.sdk, line.version);
  let timer;
  const hang = new Promise((resolve) => {
    timer = setTimeout(() => resolve({ hang: true }), hangAfter);
    onUnhandled = () => setTimeout(() => resolve({ hang: true }), settleAfter);
  });
  const call = { api: line.api, mode: line.mode, request: line.request, parsed: line.caller?.response_format === 'parsed' };
  if (overHTTP) [served, call.baseURL, call.fetch] = [{ line, progress }, baseURL, fetch];
  else call.fetch = madeFetch(line);
  const settled = driver.run(sdk, call, progress).then(
    (value) => ({ value }),
    (error) => ({ error, raised: true }),
  );
  const result = await Promise.race([settled, hang]);
  clearTimeout(timer);
  await new Promise((resolve) => setImmediate(resolve));

  const parts = [`"id":${JSON.stringify(line.id)}`, `"sdk":${JSON.stringify(line.sdk)}`, `"version":${JSON.stringify(line.version)}`];
  let exception, reason;
  if (result.raised) {
    exception = driver.describe(result.error, sdk.classes);
    if (unhandled.length > 0) reason = `an unhandled rejection ends the process besides: ${driver.describe(unhandled[0], sdk.classes).message}`;
  } else if (unhandled.length > 0) {
    const cause = driver.describe(unhandled[0], sdk.classes);
    exception = result.hang
      ? { class: 'Hang', message: 'the promise never settles, and an unhandled rejection ends the process', thrown: 'error', cause }
      : { class: 'UnhandledRejection', message: 'an unhandled rejection ends the process', thrown: 'error', cause };
  } else if (result.hang) {
    exception = { class: 'Hang', message: 'the promise never settles', thrown: 'error' };
  }
  const assembled = line.mode === 'iterate' ? progress.events : result.value;
  parts.push(`"outcome":"${exception ? 'exception' : 'ok'}"`);
  if (exception) parts.push(`"exception":${JSON.stringify({ ...exception, at_event: driver.atEvent(progress) })}`);
  if (reason !== undefined) parts.push(`"reason":${JSON.stringify(reason)}`);
  const rendered = assembled === undefined || (exception && line.mode !== 'iterate') ? undefined : render(assembled);
  if (rendered !== undefined) parts.push(`"assembled":${rendered}`);
  restorePrototypes();
  return `{${parts.join(',')}}\n`;
}

if (overHTTP) await serve();
for await (const text of readline.createInterface({ input: process.stdin })) {
  const out = await answer(JSON.parse(text));
  if (!process.stdout.write(out)) await new Promise((resolve) => process.stdout.once('drain', resolve));
}
