// Holds every object that the scripts of a runtime share to what it is now. The value is a function that tells what
// became different since, "" for nothing: the path to it and what it is.
(function () {
  'use strict';
  const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const lists = { map: Map.prototype.entries, set: Set.prototype.values };
  const isObject = (v) => (typeof v === 'object' && v !== null) || typeof v === 'function';
  const variables = globalThis.__variables;
  const entriesOf = (o) => {
    if (o instanceof Map && o !== Map.prototype) return [...lists.map.call(o)].flat();
    if (o instanceof Set && o !== Set.prototype) return [...lists.set.call(o)];
    return [];
  };
  const seen = new Map();
  const queue = [];
  const meet = (v, path) => {
    if (!isObject(v) || seen.has(v)) return;
    const held = { object: v, path };
    seen.set(v, held);
    queue.push(held);
  };
  const before = variables();
  meet(globalThis, 'globalThis');
  for (const name of Object.keys(before)) meet(before[name], name);
  const generator = function* () {};
  const hidden = [generator, generator(), async function () {}, [][Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](), ''[Symbol.iterator](), ''.matchAll(/x/g)];
  for (const o of hidden) meet(getPrototypeOf(o), 'an intrinsic prototype');
  while (queue.length > 0) {
    const held = queue.pop();
    const { object, path } = held;
    held.proto = getPrototypeOf(object);
    meet(held.proto, `${path}.[[Prototype]]`);
    held.keys = ownKeys(object);
    held.values = held.keys.map((key) => {
      const d = getOwnPropertyDescriptor(object, key);
      for (const part of ['value', 'get', 'set']) meet(d[part], `${path}.${String(key)}`);
      return d;
    });
    held.entries = entriesOf(object);
    for (const entry of held.entries) meet(entry, `${path}.[[Entries]]`);
  }
  const same = (a, b) => a.length === b.length && a.every((v, i) => Object.is(v, b[i]));
  const different = ({ object, path, proto, keys, values, entries }) => {
    if (getPrototypeOf(object) !== proto) return `${path} has another prototype`;
    // In any order: a built-in function of goja's gets its keys when it is first asked for them.
    if (ownKeys(object).length !== keys.length) return `${path} has the keys ${ownKeys(object).map(String)}, had ${keys.map(String)}`;
    for (const [i, key] of keys.entries()) {
      const now = getOwnPropertyDescriptor(object, key);
      if (now === undefined) return `${path} lost its ${String(key)}`;
      for (const part of Object.keys(values[i])) if (!Object.is(now[part], values[i][part])) return `${path}.${String(key)} has another ${part}`;
    }
    return same(entriesOf(object), entries) ? '' : `${path} has other entries`;
  };
  const found = () => {
    const now = variables();
    for (const name of Object.keys(before)) if (!Object.is(now[name], before[name])) return `the variable ${name} has another value`;
    for (const held of seen.values()) {
      const what = different(held);
      if (what !== '') return what;
    }
    return '';
  };
  return found;
})();
