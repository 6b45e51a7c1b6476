// The small globals of Node: timers on a virtual clock, console, process, crypto, JSON.parse.
(function (host) {
  'use strict';
  const quiet = () => {};

  globalThis.setTimeout = (f, delay, ...args) => host.setTimer(() => f(...args), +delay || 0);
  globalThis.clearTimeout = (id) => host.clearTimer(id);
  globalThis.queueMicrotask = (f) => {
    Promise.resolve().then(f);
  };
  globalThis.console = { log: quiet, info: quiet, warn: quiet, error: quiet, debug: quiet, trace: quiet };
  globalThis.process = {
    env: {},
    version: 'v20.20.2',
    versions: { node: '20.20.2' },
    platform: 'linux',
    arch: 'x64',
    [Symbol.toStringTag]: 'process',
  };
  globalThis.crypto = { randomUUID: () => '00000000-0000-4000-8000-000000000000' };

  JSON.parse = host.parseJSON;

  if (!Symbol.asyncIterator) Object.defineProperty(Symbol, 'asyncIterator', { value: Symbol('Symbol.asyncIterator') });
});
