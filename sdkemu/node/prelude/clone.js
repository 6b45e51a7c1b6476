// structuredClone for what a reply can hold: plain objects, arrays and primitives (HTML, 2.7.3 and 2.7.6). It does not
// call itself: a value may be nested as deep as the limit of nesting allows.
(function () {
  'use strict';
  const refuse = (v) => {
    throw new DOMException(`${String(v)} could not be cloned.`, 'DataCloneError');
  };
  globalThis.structuredClone = (value) => {
    const clones = new Map();
    const open = [];
    const begin = (v) => {
      if (typeof v === 'function' || typeof v === 'symbol') refuse(v);
      if (v === null || typeof v !== 'object') return v;
      if (clones.has(v)) return clones.get(v);
      if (v instanceof Map || v instanceof Set || v instanceof Date || v instanceof Error || ArrayBuffer.isView(v)) {
        throw new Error('structuredClone is provided for plain objects and arrays only');
      }
      const clone = Array.isArray(v) ? new Array(v.length) : {};
      clones.set(v, clone);
      open.push({ from: v, to: clone, keys: Object.keys(v), next: 0 });
      return clone;
    };
    const result = begin(value);
    // Depth first, as the standard goes, so that the first thing to be refused is the one that it names.
    while (open.length > 0) {
      const top = open[open.length - 1];
      if (top.next === top.keys.length) {
        open.pop();
        continue;
      }
      const key = top.keys[top.next++];
      Object.defineProperty(top.to, key, { value: begin(top.from[key]), writable: true, enumerable: true, configurable: true });
    }
    return result;
  };
});
