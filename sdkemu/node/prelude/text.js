// TextEncoder and TextDecoder (WHATWG Encoding) for UTF-8, and of Node's Buffer what turns bytes into text.
(function (host) {
  'use strict';
  globalThis.TextEncoder = class TextEncoder {
    get encoding() {
      return 'utf-8';
    }
    encode(text = '') {
      return new Uint8Array(host.encodeUTF8(String(text)));
    }
  };

  // Decode takes a leading BOM off, as the standard has it unless ignoreBOM is set.
  globalThis.TextDecoder = class TextDecoder {
    #pieces;
    #whole = true;
    constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
      if (!['utf-8', 'utf8'].includes(label) || fatal) throw new Error('TextDecoder is provided for UTF-8 that may be broken only');
      this.ignoreBOM = ignoreBOM;
    }
    get encoding() {
      return 'utf-8';
    }
    decode(bytes, { stream = false } = {}) {
      if (this.#whole && !stream && !this.ignoreBOM) return bytes === undefined ? '' : host.decodeUTF8(bytes);
      this.#whole = !stream;
      this.#pieces ??= host.textDecoder(this.ignoreBOM);
      return this.#pieces(bytes, stream);
    }
  };

  // A Buffer's text keeps a leading BOM.
  globalThis.Buffer = class Buffer extends Uint8Array {
    static from(bytes) {
      if (!(bytes instanceof Uint8Array)) throw new Error('Buffer.from is provided for bytes only');
      const copy = new Buffer(bytes.length);
      copy.set(bytes);
      return copy;
    }
    static byteLength(text) {
      return typeof text === 'string' ? host.encodeUTF8(text).byteLength : text.byteLength;
    }
    toString() {
      return host.decodeBuffer(this);
    }
  };
});
