package check

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"reassay/capture"
)

// errUnknownCoding is a content-encoding that is not undone here: the leg is not applicable.
var errUnknownCoding = errors.New("unknown content-encoding")

// errTooLarge is a body over the limit.
var errTooLarge = errors.New("limit bytes")

// decodeBody undoes a leg's content-encoding (RFC 9110, section 8.4), the last applied first. cut tells that the coded
// body ends early; what could be read stands in body then.
func decodeBody(l *capture.Leg, limit int) (body []byte, cut bool, err error) {
	body = l.Body
	codings := codingsOf(l.Headers)
	for i := len(codings) - 1; i >= 0; i-- {
		var broken bool
		body, broken, err = undo(codings[i], body, limit)
		if err != nil {
			return nil, false, err
		}
		cut = cut || broken
	}
	if len(body) > limit {
		return nil, false, fmt.Errorf("%w: %d of at most %d", errTooLarge, len(body), limit)
	}
	return body, cut, nil
}

func codingsOf(headers map[string][]string) []string {
	var codings []string
	for _, line := range headers["content-encoding"] {
		for _, c := range strings.Split(line, ",") {
			if c = strings.ToLower(strings.TrimSpace(c)); c != "" && c != "identity" {
				codings = append(codings, c)
			}
		}
	}
	return codings
}

func undo(coding string, body []byte, limit int) (out []byte, cut bool, err error) {
	if len(body) == 0 {
		return nil, false, nil
	}
	var r io.Reader
	switch coding {
	case "gzip", "x-gzip":
		r, err = gzip.NewReader(bytes.NewReader(body))
	case "deflate":
		// The coding is zlib's, yet some servers send bare deflate (RFC 9110, section 8.4.1.2, note).
		if r, err = zlib.NewReader(bytes.NewReader(body)); err != nil {
			r, err = flate.NewReader(bytes.NewReader(body)), nil
		}
	case "br":
		r = brotli.NewReader(bytes.NewReader(body))
	case "zstd":
		var d *zstd.Decoder
		if d, err = zstd.NewReader(bytes.NewReader(body), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(limit)+1)); err == nil {
			defer d.Close()
			r = d
		}
	default:
		return nil, false, fmt.Errorf("%w %q", errUnknownCoding, coding)
	}
	if err != nil {
		return nil, true, nil
	}
	out, err = io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if len(out) > limit {
		return nil, false, fmt.Errorf("%w: more than %d after %s", errTooLarge, limit, coding)
	}
	return out, err != nil, nil
}
