// ReadableStream with its default controller and reader (WHATWG Streams). The order of its steps is the standard's:
// an SDK that cancels while the stream reads ahead must meet the state that it would meet in Node.
(function () {
  'use strict';
  const invalid = (what) => new TypeError(`Invalid state: ${what}`);

  const settled = Promise.resolve(); // one for all: promises cost

  class Controller {
    constructor(stream, source, highWaterMark) {
      this.stream = stream;
      this.source = source;
      this.highWaterMark = highWaterMark;
      this.queue = [];
      this.started = this.closeRequested = this.pulling = this.pullAgain = false;
      this.pulled = () => {
        this.pulling = false;
        if (!this.pullAgain) return;
        this.pullAgain = false;
        this.pullIfNeeded();
      };
      this.failed = (reason) => this.error(reason);
    }
    get desiredSize() {
      return this.highWaterMark - this.queue.length;
    }
    enqueue(chunk) {
      if (this.closeRequested || this.stream.state !== 'readable') throw invalid('Controller is already closed');
      if (this.stream.requests.length > 0) this.stream.requests.shift().chunk(chunk);
      else this.queue.push(chunk);
      this.pullIfNeeded();
    }
    close() {
      if (this.closeRequested || this.stream.state !== 'readable') throw invalid('Controller is already closed');
      this.closeRequested = true;
      if (this.queue.length === 0) this.stream.finish();
    }
    error(reason) {
      if (this.stream.state !== 'readable') return;
      this.queue = [];
      this.stream.fail(reason);
    }
    start() {
      Promise.resolve(this.source.start?.(this)).then(
        () => {
          this.started = true;
          this.pullIfNeeded();
        },
        this.failed,
      );
    }
    shouldPull() {
      if (this.closeRequested || this.stream.state !== 'readable' || !this.started) return false;
      return this.stream.requests.length > 0 || this.desiredSize > 0;
    }
    pullIfNeeded() {
      if (!this.shouldPull()) return;
      if (this.pulling) {
        this.pullAgain = true;
        return;
      }
      this.pulling = true;
      let pulled;
      try {
        pulled = this.source.pull?.(this);
        pulled = pulled === undefined ? settled : Promise.resolve(pulled);
      } catch (reason) {
        pulled = Promise.reject(reason);
      }
      pulled.then(this.pulled, this.failed);
    }
    // Take gives the next chunk of a queue that is not empty.
    take() {
      const chunk = this.queue.shift();
      if (this.closeRequested && this.queue.length === 0) this.stream.finish();
      else this.pullIfNeeded();
      return chunk;
    }
    // Pull is the controller's part of a read.
    pull(request) {
      if (this.queue.length > 0) {
        request.chunk(this.take());
        return;
      }
      this.stream.requests.push(request);
      this.pullIfNeeded();
    }
    async cancel(reason) {
      this.queue = [];
      await this.source.cancel?.(reason);
    }
  }

  // State is what the standard keeps in a stream's internal slots.
  class State {
    constructor(source, highWaterMark) {
      this.state = 'readable';
      this.requests = [];
      this.reader = undefined;
      this.stored = undefined;
      this.controller = new Controller(this, source, highWaterMark);
    }
    finish() {
      this.state = 'closed';
      for (const request of this.requests.splice(0)) request.close();
    }
    fail(reason) {
      this.state = 'errored';
      this.stored = reason;
      for (const request of this.requests.splice(0)) request.error(reason);
    }
    // Holds tells that a read need not wait.
    holds() {
      return this.state === 'readable' && this.controller.queue.length > 0;
    }
    read(request) {
      if (this.state === 'closed') request.close();
      else if (this.state === 'errored') request.error(this.stored);
      else this.controller.pull(request);
    }
    cancel(reason) {
      if (this.state === 'closed') return Promise.resolve();
      if (this.state === 'errored') return Promise.reject(this.stored);
      this.finish();
      return this.controller.cancel(reason);
    }
  }

  const states = new WeakMap(); // by stream and by reader

  class ReadableStreamDefaultReader {
    constructor(stream) {
      const state = states.get(stream);
      if (state.reader) throw invalid('ReadableStream is locked');
      state.reader = this;
      states.set(this, state);
    }
    read() {
      const state = states.get(this);
      if (!state) return Promise.reject(invalid('The reader is not attached to a stream'));
      if (state.holds()) return Promise.resolve({ value: state.controller.take(), done: false });
      return new Promise((resolve, reject) =>
        state.read({
          chunk: (value) => resolve({ value, done: false }),
          close: () => resolve({ value: undefined, done: true }),
          error: reject,
        }),
      );
    }
    releaseLock() {
      const state = states.get(this);
      if (!state) return;
      states.delete(this);
      state.reader = undefined;
      for (const request of state.requests.splice(0)) request.error(invalid('Releasing reader'));
    }
    cancel(reason) {
      const state = states.get(this);
      return state ? state.cancel(reason) : Promise.reject(invalid('The reader is not attached to a stream'));
    }
  }

  globalThis.ReadableStreamDefaultReader = ReadableStreamDefaultReader;
  globalThis.ReadableStream = class ReadableStream {
    constructor(source = {}, { highWaterMark = 1 } = {}) {
      const state = new State(source, highWaterMark);
      states.set(this, state);
      state.controller.start();
    }
    get locked() {
      return states.get(this).reader !== undefined;
    }
    getReader() {
      return new ReadableStreamDefaultReader(this);
    }
    cancel(reason) {
      return this.locked ? Promise.reject(invalid('ReadableStream is locked')) : states.get(this).cancel(reason);
    }
    [Symbol.asyncIterator]() {
      const state = states.get(this);
      const reader = this.getReader();
      let finished = false;
      const leave = () => {
        finished = true;
        reader.releaseLock();
      };
      let unanswered = 0; // calls of next()
      let latest;
      const answered = (value) => {
        unanswered--;
        return { value, done: finished };
      };
      const step = () => {
        if (finished) return Promise.resolve(answered());
        if (state.holds()) return Promise.resolve(answered(state.controller.take()));
        return new Promise((resolve, reject) => {
          state.read({
            chunk: (value) => resolve(answered(value)),
            close: () => {
              leave();
              resolve(answered());
            },
            error: (reason) => {
              leave();
              unanswered--;
              reject(reason);
            },
          });
        });
      };
      const stop = async (value) => {
        if (!finished) {
          const cancelled = reader.cancel(value);
          leave();
          await cancelled;
        }
        return { value, done: true };
      };
      return {
        next: () => (latest = unanswered++ > 0 ? latest.then(step, step) : step()),
        return: (value) => {
          const f = () => stop(value);
          return (latest = unanswered > 0 ? latest.then(f, f) : f());
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    }
  };
});
