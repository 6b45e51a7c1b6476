// The words of V8 11.3 (Node 20) for the TypeErrors that an engine throws by itself. weaveChecks puts these functions
// around what may throw, so that V8's message comes before goja's does.
// Source: V8 11.3, src/common/message-template.h and src/runtime/runtime-internal.cc (RenderCallSite).
(function () {
  'use strict';
  const fail = (message) => {
    throw new TypeError(message);
  };
  const nullish = (v) => v === undefined || v === null;
  const primitive = (v) => v === null || (typeof v !== 'object' && typeof v !== 'function');
  const name = (key) => (typeof key === 'symbol' ? key.toString() : String(key));
  // What V8 prints of a value that no expression in the source stands for (BuildDefaultCallSite).
  const site = (v) => {
    if (v === null) return 'object null';
    if (typeof v === 'string') return `string "${v}"`;
    if (typeof v === 'number' || typeof v === 'boolean') return `${typeof v} ${v}`;
    return typeof v;
  };
  // What the prelude made: a method that one of these lacks is a gap here, and no TypeError in Node.
  const prelude = new WeakSet();
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (__scripted.globals.has(name) || primitive(globalThis[name])) continue;
    prelude.add(globalThis[name]);
    if (globalThis[name].prototype) prelude.add(globalThis[name].prototype);
  }
  const ofPrelude = (o) => !primitive(o) && (prelude.has(o) || prelude.has(Object.getPrototypeOf(o)));
  const iterable = (v) => !nullish(v) && typeof v[Symbol.iterator] === 'function';

  let absent = null; // what the last read did not find in an object of the prelude's
  const words = {
    // Of o.key as a value.
    read(o, key) {
      const missed = absent;
      absent = null;
      if (nullish(o)) {
        if (missed !== null) __host.gap(missed);
        if (key === Symbol.iterator) fail('undefined is not iterable (cannot read property Symbol(Symbol.iterator))');
        fail(`Cannot read properties of ${o} (reading '${name(key)}')`);
      }
      if (ofPrelude(o) && !(key in o)) absent = name(key);
      return o;
    },
    // Of o[key] as a value, where evaluating key twice could be seen.
    get(o, key) {
      return words.read(o, key)[key];
    },
    // Of o.key = v.
    set(o, key, v) {
      words.write(o, key)[key] = v;
      return v;
    },
    write(o, key) {
      if (nullish(o)) fail(`Cannot set properties of ${o} (setting '${name(key)}')`);
      if (!primitive(o)) return o;
      if (typeof o === 'string') {
        const index = String(key >>> 0) === String(key) && key < o.length;
        if (key === 'length' || index) fail(`Cannot assign to read only property '${name(key)}' of string '${o}'`);
      }
      return fail(`Cannot create property '${name(key)}' on ${typeof o} '${String(o)}'`);
    },
    // Of for (… of o) and [ … ] = o; source is the expression that stands for o.
    iterate(o, source) {
      if (iterable(o)) return o;
      if (source === '') fail(`${site(o)} is not iterable (cannot read property Symbol(Symbol.iterator))`);
      return fail(`${source} is not iterable`);
    },
    // Of f(…, ...o).
    spread(o, source) {
      if (nullish(o)) fail(`${source} is not iterable (cannot read property ${o})`);
      if (!iterable(o)) fail('Spread syntax requires ...iterable[Symbol.iterator] to be a function');
      return o;
    },
    // Of for (const { key } of o).
    iterateObjects(o, source, key) {
      words.iterate(o, source);
      return (function* () {
        for (const v of o) yield words.destructure(v, key, '.for');
      })();
    },
    // Of for (const [ … ] of o).
    iterateArrays(o, source) {
      words.iterate(o, source);
      return (function* () {
        for (const v of o) yield words.iterate(v, '.for');
      })();
    },
    // Of const { key } = o.
    destructure(o, key, source) {
      if (!nullish(o)) return o;
      const what = source === '' ? site(o) : source;
      if (key === '') fail(`Cannot destructure '${what}' as it is ${o}.`);
      return fail(`Cannot destructure property '${key}' of '${what}' as it is ${o}.`);
    },
    // Of o.key(…args).
    call(o, key, source, ...args) {
      const f = words.read(o, key)[key];
      const what = source === '' ? `(intermediate value).${name(key)}` : source;
      if (typeof f !== 'function') {
        if (ofPrelude(o)) __host.gap(what);
        fail(`${what} is not a function`);
      }
      return Reflect.apply(f, o, args);
    },
    // The same where what it gives is iterated over.
    callIterated(o, key, source, ...args) {
      if (typeof words.read(o, key)[key] !== 'function') fail(`${source} is not a function or its return value is not iterable`);
      return words.call(o, key, source, ...args);
    },
    // Of key in o.
    has(key, o) {
      if (primitive(o)) fail(`Cannot use 'in' operator to search for '${name(key)}' in ${o}`);
      return key in o;
    },
  };

  for (const [constructor, method, message] of [
    [WeakMap, 'set', 'Invalid value used as weak map key'],
    [WeakSet, 'add', 'Invalid value used in weak set'],
  ]) {
    const original = constructor.prototype[method];
    constructor.prototype[method] = function (key, ...rest) {
      if (primitive(key)) fail(message);
      return Reflect.apply(original, this, [key, ...rest]);
    };
  }
  globalThis.__words = words;
})();
