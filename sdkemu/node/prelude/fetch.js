// Headers, Request, Response and the fetch that plays a captured reply back. Gives { makeFetch } to Go.
(function (host) {
  'use strict';
  const maps = new WeakMap();
  globalThis.Headers = class Headers {
    constructor(init) {
      maps.set(this, new Map());
      const entries = init instanceof Headers ? init.entries() : typeof init?.[Symbol.iterator] === 'function' ? init : Object.entries(init ?? {});
      for (const [name, value] of entries) this.append(name, value);
    }
    append(name, value) {
      const before = this.get(name);
      this.set(name, before === null ? value : `${before}, ${String(value).trim()}`);
    }
    set(name, value) {
      maps.get(this).set(String(name).toLowerCase(), String(value).trim());
    }
    get(name) {
      return maps.get(this).get(String(name).toLowerCase()) ?? null;
    }
    has(name) {
      return maps.get(this).has(String(name).toLowerCase());
    }
    delete(name) {
      maps.get(this).delete(String(name).toLowerCase());
    }
    *entries() {
      const map = maps.get(this);
      for (const name of [...map.keys()].sort()) yield [name, map.get(name)];
    }
    *keys() {
      for (const [name] of this.entries()) yield name;
    }
    *values() {
      for (const [, value] of this.entries()) yield value;
    }
    forEach(f, self) {
      for (const [name, value] of this.entries()) f.call(self, value, name, this);
    }
    [Symbol.iterator]() {
      return this.entries();
    }
  };

  globalThis.Response = class Response {
    constructor(body = null, { status = 200, statusText = '', headers } = {}) {
      this.status = status;
      this.statusText = statusText;
      this.ok = status >= 200 && status < 300;
      this.headers = new Headers(headers);
      this.url = '';
      this.body = body;
    }
    async arrayBuffer() {
      const chunks = [];
      let length = 0;
      for (const reader = this.body?.getReader(); reader; ) {
        const { value, done } = await reader.read();
        if (done) break;
        chunks.push(value);
        length += value.length;
      }
      const whole = new Uint8Array(length);
      let at = 0;
      for (const chunk of chunks) {
        whole.set(chunk, at);
        at += chunk.length;
      }
      return whole.buffer;
    }
    async text() {
      return host.decodeUTF8(await this.arrayBuffer());
    }
    async json() {
      return JSON.parse(await this.text());
    }
  };

  // The client is given a fetch of its own; it only looks whether these are there.
  globalThis.Request = class Request {};
  globalThis.fetch = async () => {
    throw new TypeError('fetch failed');
  };

  // Undici's class, which fetch gives as the cause when a connection breaks.
  class SocketError extends Error {}

  // A Response with one of these statuses has no body (Fetch, null body status).
  const nullBody = new Set([204, 205, 304]);

  // Next gives the next chunk as an ArrayBuffer, or null at the end; broken tells that the transport broke there.
  const makeFetch = (next, status, headers, broken) => async () => {
    const body = new ReadableStream({
      pull(controller) {
        const chunk = next();
        if (chunk !== null) controller.enqueue(new Uint8Array(chunk));
        else if (broken) controller.error(Object.assign(new TypeError('terminated'), { cause: new SocketError('other side closed') }));
        else controller.close();
      },
    });
    return new Response(nullBody.has(status) ? null : body, { status, headers });
  };
  return { makeFetch };
});
