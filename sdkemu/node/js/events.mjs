// What the real packages' _iterSSEMessages gives, for the test of the event decoders: reads lines { module, chunks }
// with the chunks in base64, answers a list of [chunks that the SDK had taken, the event's name, its data].
import readline from 'node:readline';

for await (const text of readline.createInterface({ input: process.stdin })) {
  const { module, chunks } = JSON.parse(text);
  const { _iterSSEMessages } = await import(module);
  let taken = 0;
  const body = (async function* () {
    for (const chunk of chunks) {
      taken++;
      yield new Uint8Array(Buffer.from(chunk, 'base64'));
    }
    taken++; // the end
  })();
  const events = [];
  for await (const { event, data } of _iterSSEMessages({ body }, new AbortController())) events.push([taken, event, data]);
  process.stdout.write(JSON.stringify(events) + '\n');
}
