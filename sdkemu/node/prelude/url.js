// URL for the addresses that an SDK builds, which are absolute and hold nothing to escape; the classes of bodies that
// no reply needs, so that instanceof has them.
(function () {
  'use strict';
  const lists = new WeakMap();
  globalThis.URLSearchParams = class URLSearchParams {
    constructor(init = '') {
      if (typeof init !== 'string') throw new Error('URLSearchParams is provided for text only');
      const list = [];
      for (const part of init.replace(/^\?/, '').split('&')) {
        if (part === '') continue;
        const [name, ...value] = part.split('=');
        list.push([name, value.join('=')].map((s) => decodeURIComponent(s.replace(/\+/g, ' '))));
      }
      lists.set(this, list);
    }
    get size() {
      return lists.get(this).length;
    }
    has(name) {
      return lists.get(this).some(([n]) => n === name);
    }
    get(name) {
      return lists.get(this).find(([n]) => n === name)?.[1] ?? null;
    }
    *entries() {
      yield* lists.get(this);
    }
    *keys() {
      for (const [name] of lists.get(this)) yield name;
    }
    *values() {
      for (const [, value] of lists.get(this)) yield value;
    }
    [Symbol.iterator]() {
      return this.entries();
    }
  };

  const absolute = /^([a-z][a-z0-9+.-]*:)\/\/(([^\/?#:]*)(?::(\d+))?)([^?#]*)(\?[^#]*)?(#.*)?$/i;
  globalThis.URL = class URL {
    constructor(href) {
      const parts = absolute.exec(String(href));
      if (!parts) throw new TypeError('Invalid URL');
      [, this.protocol, this.host, this.hostname, this.port = '', this.pathname, this.search = '', this.hash = ''] = parts;
      this.pathname ||= '/';
      this.username = this.password = '';
    }
    get origin() {
      return `${this.protocol}//${this.host}`;
    }
    get searchParams() {
      return new URLSearchParams(this.search);
    }
    get href() {
      const search = this.search && !this.search.startsWith('?') ? `?${this.search}` : this.search;
      return this.origin + this.pathname + search + this.hash;
    }
    toString() {
      return this.href;
    }
  };
  globalThis.FormData = class FormData {};
  globalThis.Blob = class Blob {};
  globalThis.File = class File extends Blob {};
});
