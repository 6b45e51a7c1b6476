// Async generators for goja, in the place of esbuild's helper, for two reasons. goja loses an exception that is thrown
// in a finally block which a generator entered through return(): it passes by every catch, and the job queue dies with
// it. And esbuild's helper resumes an await in such a block with return() once more, which leaves out the rest of the
// block. So nothing here calls return() or throw() of the inner generator: it is resumed with next() only, and
// __resume, which sdkemu/node weaves around every yield, throws or returns as the resumption says.
var __Return = class {
  constructor(value) {
    this.value = value;
  }
};
var __NEXT = 0;
var __THROW = 1;
var __RETURN = 2;
var __Resumption = class {
  constructor() {
    this.kind = __NEXT;
    this.value = void 0;
  }
  set(kind, value) {
    this.kind = kind;
    this.value = value;
    return this;
  }
};
var __resume = (r) => {
  if (r.kind === __NEXT) return r.value;
  if (r.kind === __THROW) throw r.value;
  throw new __Return(r.value);
};
// An await is yield __AWAIT, and __awaited is what is awaited: read as soon as the generator has given __AWAIT, so that
// one variable serves all generators.
var __AWAIT = {};
var __awaited;
// The result that next() of __Events gave last. Such a result is there already: whoever awaits next() of an iterator
// goes on with it at once.
var __ready;
var __settled = Promise.resolve();
var __delegate = function* (iterable) {
  const open = iterable[__knownSymbol("asyncIterator")];
  const it = open == null ? iterable[__knownSymbol("iterator")]() : open.call(iterable);
  let kind = __NEXT;
  let value = void 0;
  for (;;) {
    let p;
    if (kind === __NEXT) {
      p = it.next(value);
    } else if (kind === __THROW) {
      if (!it.throw) {
        if (it.return) {
          __awaited = it.return();
          __resume(yield __AWAIT);
        }
        throw new TypeError("The iterator does not provide a 'throw' method");
      }
      p = it.throw(value);
    } else {
      if (!it.return) throw new __Return(value);
      p = it.return(value);
    }
    __awaited = p;
    const result = __resume(yield __AWAIT);
    if (result.done) {
      if (kind === __RETURN) throw new __Return(result.value);
      return result.value;
    }
    const r = yield result.value;
    kind = r.kind;
    value = r.value;
  }
};
var __isThenable = (v) => v !== null && (typeof v === "object" || typeof v === "function") && typeof v.then === "function";
// A request runs in an async function whose promise is the one that next(), throw() or return() gives: promises and
// closures are what costs most in goja. A request that comes before an earlier one was answered waits for it.
var __asyncGenerator = (__this, __arguments, generator) => {
  const inner = generator.apply(__this, __arguments);
  const resumption = new __Resumption();
  let started = false;
  let completed = false;
  let unanswered = 0;
  let latest;
  const run = async (kind, value) => {
    if (kind !== __NEXT) {
      if (!started) completed = true;
      if (kind === __RETURN) {
        try {
          value = await value;
        } catch (e) {
          kind = __THROW;
          value = e;
        }
      }
    }
    if (completed) {
      unanswered--;
      if (kind === __THROW) throw value;
      return { value: kind === __RETURN ? value : void 0, done: true };
    }
    started = true;
    for (;;) {
      let step;
      try {
        step = inner.next(resumption.set(kind, value));
      } catch (e) {
        completed = true;
        unanswered--;
        if (e instanceof __Return) return { value: e.value, done: true };
        throw e;
      }
      const given = step.value;
      const awaits = given === __AWAIT;
      if (!awaits && !__isThenable(given)) {
        await __settled;
        completed = step.done;
        unanswered--;
        return step;
      }
      try {
        value = await (awaits ? __awaited : given);
        kind = __NEXT;
      } catch (e) {
        if (step.done) {
          completed = true;
          unanswered--;
          throw e;
        }
        kind = __THROW;
        value = e;
        continue;
      }
      if (awaits) continue;
      completed = step.done;
      unanswered--;
      return { value, done: step.done };
    }
  };
  const wait = async (earlier, kind, value) => {
    try {
      await earlier;
    } catch {
      // told to the one who asked
    }
    return run(kind, value);
  };
  const it = {
    next: (value) => (latest = unanswered++ > 0 ? wait(latest, __NEXT, value) : run(__NEXT, value)),
    throw: (value) => (latest = unanswered++ > 0 ? wait(latest, __THROW, value) : run(__THROW, value)),
    return: (value) => (latest = unanswered++ > 0 ? wait(latest, __RETURN, value) : run(__RETURN, value)),
  };
  it[__knownSymbol("asyncIterator")] = () => it;
  return it;
};
// __Events is what a replaced function gives in the place of an async generator: an async iterator over events that
// Go decoded, an array of each one's name and data in turn at a time. A next() that has an event gives it without a
// promise.
var __Events = class {
  constructor(signal) {
    this.list = [];
    this.at = 0;
    this.signal = signal; // where the SDK looks at one between two events
    this.result = { value: void 0, done: false };
  }
  next() {
    if (this.at === this.list.length) return this.more();
    if (this.signal !== void 0 && this.signal.aborted) return this.end();
    this.result.value = this.take();
    return (__ready = this.result);
  }
  take() {
    const list = this.list;
    return { event: list[this.at++], data: list[this.at++] };
  }
  first(list) {
    this.list = list;
    this.at = 0;
    return { value: this.take(), done: false };
  }
  return(value) {
    return this.end(value);
  }
  [__knownSymbol("asyncIterator")]() {
    return this;
  }
};
// The events of a body whose chunks nothing but a decoder looks at. Open gives the iterator over them.
var __BodyEvents = class extends __Events {
  constructor(decoder, open) {
    super();
    this.decoder = decoder; // null: no more is to come
    this.open = open;
    this.source = null;
  }
  async more() {
    while (this.decoder !== null) {
      let list;
      try {
        if (this.source === null) this.source = this.open();
        const { value, done } = await this.source.next();
        list = done ? this.decoder.finish() : this.decoder.feed(value);
        if (done) this.decoder = null;
      } catch (e) {
        this.decoder = null;
        throw e;
      }
      if (list.length > 0) return this.first(list);
    }
    return { value: void 0, done: true };
  }
  async end(value) {
    this.list = [];
    this.at = 0;
    if (this.decoder !== null) {
      this.decoder = null;
      if (this.source !== null) await this.source.return();
    }
    return { value, done: true };
  }
};
// The events of an async generator that gives such arrays itself.
var __ListedEvents = class extends __Events {
  constructor(lists, signal) {
    super(signal);
    this.lists = lists;
  }
  async more() {
    const { value, done } = await this.lists.next();
    return done ? { value, done } : this.first(value);
  }
  end(value) {
    this.list = [];
    this.at = 0;
    return this.lists.return(value);
  }
};
