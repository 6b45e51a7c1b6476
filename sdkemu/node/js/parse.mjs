// Node's JSON.parse, for the test of ours: a line holds a text as a JSON string, the answer its value or its fault.
import readline from 'node:readline';

for await (const line of readline.createInterface({ input: process.stdin })) {
  const text = JSON.parse(line);
  let answer;
  try {
    answer = { value: JSON.stringify(JSON.parse(text), (_, x) => (typeof x === 'number' && !Number.isFinite(x) ? { $: String(x) } : x)) };
  } catch (e) {
    answer = { message: e.message };
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
