// AbortController, AbortSignal and what they need of the DOM.
(function () {
  'use strict';
  globalThis.DOMException = class DOMException extends Error {
    constructor(message = '', name = 'Error') {
      super(message);
      Object.defineProperty(this, 'name', { value: name, configurable: true });
      this.code = name === 'AbortError' ? 20 : 0;
    }
  };

  globalThis.Event = class Event {
    constructor(type) {
      this.type = type;
    }
  };

  const listeners = new WeakMap();
  globalThis.EventTarget = class EventTarget {
    constructor() {
      listeners.set(this, []);
    }
    addEventListener(type, callback, options) {
      const list = listeners.get(this);
      if (!callback || list.some((l) => l.type === type && l.callback === callback)) return;
      list.push({ type, callback, once: !!options?.once });
    }
    removeEventListener(type, callback) {
      listeners.set(this, listeners.get(this).filter((l) => l.type !== type || l.callback !== callback));
    }
    dispatchEvent(event) {
      event.target = this;
      for (const l of listeners.get(this).filter((l) => l.type === event.type)) {
        if (l.once) this.removeEventListener(l.type, l.callback);
        if (typeof l.callback === 'function') l.callback.call(this, event);
        else l.callback.handleEvent(event);
      }
      return true;
    }
  };

  globalThis.AbortSignal = class AbortSignal extends EventTarget {
    constructor() {
      super();
      this.aborted = false;
      this.reason = undefined;
    }
    throwIfAborted() {
      if (this.aborted) throw this.reason;
    }
  };

  globalThis.AbortController = class AbortController {
    constructor() {
      this.signal = new AbortSignal();
    }
    abort(reason = new DOMException('This operation was aborted', 'AbortError')) {
      if (this.signal.aborted) return;
      this.signal.aborted = true;
      this.signal.reason = reason;
      this.signal.dispatchEvent(new Event('abort'));
    }
  };
});
