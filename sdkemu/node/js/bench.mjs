// The real SDK warm in Node, for the benchmark: reads one line as reference.mjs does, answers streams per
// second of processor time, all threads of the process counted.
import readline from 'node:readline';
import * as driver from './driver.mjs';
import { begin, load, madeFetch } from './sdk.mjs';

const warmUp = 300; // streams
const measured = 2000; // milliseconds

for await (const text of readline.createInterface({ input: process.stdin })) {
  const line = JSON.parse(text);
  const sdk = await load(line.sdk, line.version);
  const once = async () => {
    await driver.run(sdk, { api: line.api, mode: line.mode, fetch: madeFetch(line) }, begin());
  };
  for (let i = 0; i < warmUp; i++) await once();
  const before = process.cpuUsage();
  const began = performance.now();
  let streams = 0;
  while (performance.now() - began < measured) {
    await once();
    streams++;
  }
  const { user, system } = process.cpuUsage(before); // microseconds
  process.stdout.write(JSON.stringify({ streams_per_second: (streams * 1e6) / (user + system) }) + '\n');
}
