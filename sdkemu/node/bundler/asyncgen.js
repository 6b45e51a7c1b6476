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
        if (it.return) __resume(yield new __await(it.return()));
        throw new TypeError("The iterator does not provide a 'throw' method");
      }
      p = it.throw(value);
    } else {
      if (!it.return) throw new __Return(value);
      p = it.return(value);
    }
    const result = __resume(yield new __await(p));
    if (result.done) {
      if (kind === __RETURN) throw new __Return(result.value);
      return result.value;
    }
    const r = yield result.value;
    kind = r.kind;
    value = r.value;
  }
};
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
    try {
      if (!started && kind !== __NEXT) completed = true;
      if (completed) {
        if (kind === __THROW) throw value;
        return { value: kind === __RETURN ? await value : void 0, done: true };
      }
      if (kind === __RETURN) {
        try {
          value = await value;
        } catch (e) {
          kind = __THROW;
          value = e;
        }
      }
      started = true;
      for (;;) {
        let step;
        try {
          step = inner.next(resumption.set(kind, value));
        } catch (e) {
          completed = true;
          if (e instanceof __Return) return { value: e.value, done: true };
          throw e;
        }
        const given = step.value;
        const awaited = given instanceof __await;
        try {
          value = await (awaited ? given[0] : given);
          kind = __NEXT;
        } catch (e) {
          if (step.done) {
            completed = true;
            throw e;
          }
          kind = __THROW;
          value = e;
          continue;
        }
        if (awaited) continue;
        completed = step.done;
        return { value, done: step.done };
      }
    } finally {
      unanswered--;
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
  const request = (kind, value) => {
    latest = unanswered++ > 0 ? wait(latest, kind, value) : run(kind, value);
    return latest;
  };
  const it = {
    next: (value) => request(__NEXT, value),
    throw: (value) => request(__THROW, value),
    return: (value) => request(__RETURN, value),
  };
  it[__knownSymbol("asyncIterator")] = () => it;
  return it;
};
