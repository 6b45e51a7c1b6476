// What reassay asks of an SDK, in one text for both engines: the bundle for goja and the reference in Node run it.
// It imports nothing; an adapter (openai.mjs, anthropic.mjs) says how one SDK is called.

// Progress is how far a run has come. Bytes is counted by whoever plays the transport.
export function newProgress() {
  return {
    bytes: 0, // bytes of the body that the SDK was given
    opened: false, // the SDK began to iterate over the stream
    given: 0, // events that the stream gave
    taken: 0, // events that the SDK, having taken them in, asked past
    ended: false, // the stream told its end
    events: [], // mode iterate: what the loop saw
  };
}

// Observe counts what passes between a stream and whoever loops over it. The promise that next() gives is handed on
// as it is: the SDK's continuations run when they would have run unobserved.
export function observe(Stream, progress) {
  const open = Stream.prototype[Symbol.asyncIterator];
  Stream.prototype[Symbol.asyncIterator] = function () {
    const p = progress();
    p.opened = true;
    const iterator = open.call(this);
    const next = iterator.next;
    const given = (r) => {
      if (r.done) p.ended = true;
      else p.given++;
    };
    const raised = () => {};
    iterator.next = (...args) => {
      p.taken = p.given;
      const result = next.apply(iterator, args);
      result.then(given, raised);
      return result;
    };
    return iterator;
  };
}

// AtEvent is where a run that raised had come to (contract, section 4).
export function atEvent(p) {
  if (p.ended) return 'final';
  if (!p.opened || p.bytes === 0) return null;
  return p.taken;
}

// Run makes one call as a user of the SDK would. It settles as the user's own await would settle.
export async function run(adapter, call, progress) {
  const mode = adapter.apis[call.api][call.mode];
  const client = adapter.client(call);
  const params = { ...adapter.params[call.api], ...call.request };
  if (call.parsed) adapter.parse[call.api](params);
  if (call.mode === 'stream') return mode(client, params);
  for await (const event of await mode(client, params)) progress.events.push(event);
  return progress.events;
}

const natives = { Error, TypeError, SyntaxError, RangeError, ReferenceError, URIError, EvalError, AggregateError };
const causes = 4;

// ClassOf is the name under which the SDK or the runtime exports the class whose prototype e has. Names of
// constructors do not serve: a bundler may change them.
function classOf(e, classes) {
  const proto = Object.getPrototypeOf(e);
  for (const known of [classes, natives]) {
    for (const name of Object.keys(known)) if (known[name].prototype === proto) return name;
  }
  return proto?.constructor?.name ?? 'Object';
}

function text(v) {
  try {
    return String(v);
  } catch {
    return Object.prototype.toString.call(v);
  }
}

// Describe is what a catch clause can see of e. Native tells an error that the engine may have worded itself; the
// explain program knows which ones a script made (__scripted, words.js).
export function describe(e, classes, depth = 0) {
  if (e === null || (typeof e !== 'object' && typeof e !== 'function')) {
    return { class: typeof e, message: text(e), thrown: 'value', native: false };
  }
  const thrown = e instanceof Error ? 'error' : 'value';
  const d = {
    class: classOf(e, classes),
    message: typeof e.message === 'string' ? e.message : text(e),
    thrown,
    native: (e instanceof TypeError || e instanceof RangeError || e instanceof ReferenceError) && !globalThis.__scripted?.has(e),
  };
  if (thrown === 'error' && e.cause !== undefined && depth < causes) d.cause = describe(e.cause, classes, depth + 1);
  return d;
}
