package check

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"reassay/capture"
	"reassay/wire"
)

const plainBody = "data: {\"id\":\"c\"}\n\n"

func coded(t *testing.T, open func(io.Writer) io.WriteCloser) []byte {
	t.Helper()
	var b bytes.Buffer
	w := open(&b)
	if _, err := w.Write([]byte(plainBody)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestDecodeBody(t *testing.T) {
	gz := coded(t, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
	zs := coded(t, func(w io.Writer) io.WriteCloser {
		e, err := zstd.NewWriter(w)
		if err != nil {
			t.Fatal(err)
		}
		return e
	})
	bare := coded(t, func(w io.Writer) io.WriteCloser {
		f, err := flate.NewWriter(w, flate.DefaultCompression)
		if err != nil {
			t.Fatal(err)
		}
		return f
	})
	for name, c := range map[string]struct {
		coding string
		body   []byte
		cut    bool
	}{
		"none":          {"", []byte(plainBody), false},
		"identity":      {"identity", []byte(plainBody), false},
		"gzip":          {"gzip", gz, false},
		"GZIP":          {" GZIP ", gz, false},
		"zlib":          {"deflate", coded(t, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }), false},
		"bare deflate":  {"deflate", bare, false},
		"brotli":        {"br", coded(t, func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) }), false},
		"zstd":          {"zstd", zs, false},
		"cut gzip":      {"gzip", gz[:len(gz)-4], true},
		"gzip of noise": {"gzip", []byte("no gzip"), true},
	} {
		l := &capture.Leg{Body: c.body}
		if c.coding != "" {
			l.Headers = map[string][]string{"content-encoding": {c.coding}}
		}
		body, cut, err := decodeBody(l, 1<<20)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if cut != c.cut || !c.cut && string(body) != plainBody {
			t.Errorf("%s: got %q, cut %t; want cut %t", name, body, cut, c.cut)
		}
	}
}

func TestCodingsAreUndoneLastFirst(t *testing.T) {
	inner := coded(t, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
	var b bytes.Buffer
	w := brotli.NewWriter(&b)
	if _, err := w.Write(inner); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	body, _, err := decodeBody(&capture.Leg{Body: b.Bytes(), Headers: map[string][]string{"content-encoding": {"gzip, br"}}}, 1<<20)
	if err != nil || string(body) != plainBody {
		t.Errorf("got %q, %v", body, err)
	}
}

func TestLimitHoldsForWhatIsUnpacked(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, err := decodeBody(&capture.Leg{Body: b.Bytes(), Headers: map[string][]string{"content-encoding": {"gzip"}}}, 1000)
	if !errors.Is(err, errTooLarge) {
		t.Errorf("error %v, want %v", err, errTooLarge)
	}
}

func TestUnknownCodingIsNotApplicable(t *testing.T) {
	v, err := newChecker(t, Config{SDKs: []string{"openai-go"}}).Exchange(context.Background(), &capture.Exchange{ID: "a",
		Stream: &capture.Leg{Dialect: wire.OpenAIChat, Status: 200, Body: []byte("x"), Headers: map[string][]string{"content-encoding": {"sparkle"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Findings) != 0 || v.MRS.Status != "not_applicable" || !strings.Contains(v.MRS.Reason, "sparkle") || v.SDKs[0].Outcome != NotApplicable || !strings.Contains(v.SDKs[0].Reason, "sparkle") {
		t.Errorf("an unknown coding is judged: %s", v.JSON())
	}
}
