// Async generators for goja, in the place of esbuild's helper, for two reasons. goja loses an exception that is thrown
// in a finally block which a generator entered through return(): it passes by every catch, and the job queue dies with
// it. And esbuild's helper resumes an await in such a block with return() once more, which leaves out the rest of the
// block. So nothing here calls return() or throw() of the inner generator: it is resumed with next([kind, value]) only,
// and __resume, which sdkemu/node weaves around every yield, throws or returns as the kind says.
var __Return = class {
  constructor(value) {
    this.value = value;
  }
};
var __NEXT = 0;
var __THROW = 1;
var __RETURN = 2;
var __resume = (r) => {
  if (r[0] === __NEXT) return r[1];
  if (r[0] === __THROW) throw r[1];
  throw new __Return(r[1]);
};
var __delegate = function* (iterable) {
  const open = iterable[__knownSymbol("asyncIterator")];
  const it = open == null ? iterable[__knownSymbol("iterator")]() : open.call(iterable);
  let r = [__NEXT, void 0];
  for (;;) {
    let p;
    if (r[0] === __NEXT) {
      p = it.next(r[1]);
    } else if (r[0] === __THROW) {
      if (!it.throw) {
        if (it.return) __resume(yield new __await(it.return()));
        throw new TypeError("The iterator does not provide a 'throw' method");
      }
      p = it.throw(r[1]);
    } else {
      if (!it.return) throw new __Return(r[1]);
      p = it.return(r[1]);
    }
    const result = __resume(yield new __await(p));
    if (result.done) {
      if (r[0] === __RETURN) throw new __Return(result.value);
      return result.value;
    }
    r = yield result.value;
  }
};
var __asyncGenerator = (__this, __arguments, generator) => {
  const inner = generator.apply(__this, __arguments);
  const queue = [];
  let busy = false;
  let started = false;
  let completed = false;
  const settle = (ok, value) => {
    const request = queue.shift();
    busy = false;
    ok ? request.resolve(value) : request.reject(value);
    drain();
  };
  const run = (resumption) => {
    let step;
    try {
      step = inner.next(resumption);
    } catch (e) {
      completed = true;
      if (e instanceof __Return) settle(true, { value: e.value, done: true });
      else settle(false, e);
      return;
    }
    const value = step.value;
    if (value instanceof __await) {
      Promise.resolve(value[0]).then((v) => run([__NEXT, v]), (e) => run([__THROW, e]));
      return;
    }
    Promise.resolve(value).then(
      (v) => {
        if (step.done) completed = true;
        settle(true, { value: v, done: step.done });
      },
      (e) => {
        if (!step.done) return run([__THROW, e]);
        completed = true;
        settle(false, e);
      },
    );
  };
  const drain = () => {
    if (busy || !queue.length) return;
    busy = true;
    const { kind, value } = queue[0];
    if (!started && kind !== __NEXT) completed = true;
    if (completed) {
      if (kind === __NEXT) settle(true, { value: void 0, done: true });
      else if (kind === __THROW) settle(false, value);
      else Promise.resolve(value).then((v) => settle(true, { value: v, done: true }), (e) => settle(false, e));
      return;
    }
    if (kind === __RETURN && started) {
      Promise.resolve(value).then((v) => run([__RETURN, v]), (e) => run([__THROW, e]));
      return;
    }
    started = true;
    run([kind, value]);
  };
  const method = (kind) => (value) => new Promise((resolve, reject) => {
    queue.push({ kind, value, resolve, reject });
    drain();
  });
  const it = { next: method(__NEXT), throw: method(__THROW), return: method(__RETURN) };
  it[__knownSymbol("asyncIterator")] = () => it;
  return it;
};
