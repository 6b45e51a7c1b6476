// Tells the native errors that a script made from those that the engine threw by itself and worded its own way: the
// constructors note what they make in __scripted. Prototypes stay the engine's, and with them what instanceof says.
// Its globals are the names that the engine itself defines.
(function () {
  'use strict';
  const scripted = new WeakSet();
  scripted.globals = new Set(Object.getOwnPropertyNames(globalThis));
  for (const name of ['TypeError', 'RangeError', 'ReferenceError']) {
    const native = globalThis[name];
    const made = function (...args) {
      const e = Reflect.construct(native, args, new.target && new.target !== made ? new.target : native);
      scripted.add(e);
      return e;
    };
    Object.setPrototypeOf(made, native);
    Object.defineProperty(made, 'name', { value: name });
    Object.defineProperty(made, 'prototype', { value: native.prototype });
    globalThis[name] = made;
  }
  Object.defineProperty(globalThis, '__scripted', { value: scripted });
});
