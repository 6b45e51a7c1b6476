// TextEncoder and TextDecoder (WHATWG Encoding), as far as whole UTF-8 texts go.
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

  // Decode takes a leading BOM off, as the standard has it with ignoreBOM unset.
  globalThis.TextDecoder = class TextDecoder {
    constructor(label = 'utf-8', options) {
      if (label !== 'utf-8' || options) throw new Error('TextDecoder is provided for plain UTF-8 only');
    }
    get encoding() {
      return 'utf-8';
    }
    decode(bytes, options) {
      if (options) throw new Error('TextDecoder.decode is provided without options only');
      return bytes === undefined ? '' : host.decodeUTF8(bytes);
    }
  };
});
