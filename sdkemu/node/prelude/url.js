// URL for the addresses that an SDK builds; the classes of bodies that no reply needs, so that instanceof has them.
(function () {
  'use strict';
  globalThis.URL = class URL {
    constructor(href) {
      this.href = String(href);
      this.search = '';
    }
    toString() {
      return this.href + this.search;
    }
  };
  globalThis.URLSearchParams = class URLSearchParams {};
  globalThis.FormData = class FormData {};
  globalThis.Blob = class Blob {};
  globalThis.File = class File extends Blob {};
});
