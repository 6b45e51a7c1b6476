package capture

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// compressors makes, for each coding as it is named on the wire, a writer that puts it on.
var compressors = map[string]func(io.Writer) io.WriteCloser{
	"gzip":   func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	"x-gzip": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	"br":     func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) },
	"zstd": func(w io.Writer) io.WriteCloser {
		z, err := zstd.NewWriter(w)
		if err != nil {
			panic(err)
		}
		return z
	},
	"deflate": func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) },
	"bare deflate": func(w io.Writer) io.WriteCloser {
		z, err := flate.NewWriter(w, flate.DefaultCompression)
		if err != nil {
			panic(err)
		}
		return z
	},
}

func compress(t *testing.T, coding string, plain []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := compressors[coding](&b)
	if _, err := z.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// legOf is a leg with a body under content codings, in the order in which they were put on.
func legOf(body []byte, encodings ...string) *Leg {
	return &Leg{Body: body, Headers: map[string][]string{"content-encoding": encodings}}
}

func TestPlain(t *testing.T) {
	// Text that does not compress to nothing, so that a cut leaves something to read.
	var b strings.Builder
	for i := range 4000 {
		b.WriteString("data: {\"n\":" + strings.Repeat("7", i%13) + "}\n\n")
	}
	plain := []byte(b.String())
	for coding := range compressors {
		wire := strings.TrimPrefix(coding, "bare ")
		packed := compress(t, coding, plain)
		if got, err := legOf(packed, strings.ToUpper(wire)).Plain(); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%s: %d bytes, %v", coding, len(got), err)
		}
		got, err := legOf(packed[:len(packed)*2/3], wire).Plain()
		if err == nil || err.Error() != "undo content coding "+wire+": the compressed data is cut off" {
			t.Errorf("%s cut off: %v", coding, err)
		}
		if !bytes.HasPrefix(plain, got) || len(got) == 0 && coding != "br" && coding != "zstd" {
			t.Errorf("%s cut off: %d bytes, which should be the beginning of the text", coding, len(got))
		}
		if got, err := legOf(packed, wire).PlainUpTo(1000); !errors.As(err, new(*TooLargeError)) || !bytes.Equal(got, plain[:1000]) {
			t.Errorf("%s over the limit: %d bytes, %v", coding, len(got), err)
		}
		if got, err := legOf([]byte("data: plain\n\n"), wire).Plain(); err == nil {
			t.Errorf("%s undone from plain text: %q", coding, got)
		}
		if got, err := legOf(nil, wire).Plain(); err != nil || len(got) != 0 {
			t.Errorf("%s on an empty body: %q, %v", coding, got, err)
		}
	}
	// A stored block whose unused bits make its beginning look like zlib's header.
	if got, err := legOf([]byte("\x78\x01\x00\xfe\xffa\x01\x00\x00\xff\xff"), "deflate").Plain(); err != nil || string(got) != "a" {
		t.Errorf("bare deflate that looks like zlib: %q, %v", got, err)
	}
	stacked := compress(t, "br", compress(t, "gzip", plain))
	for _, encodings := range [][]string{{"gzip, br"}, {"gzip", "br"}, {"identity, gzip,, BR "}} {
		if got, err := legOf(stacked, encodings...).Plain(); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%q: %d bytes, %v", encodings, len(got), err)
		}
	}
	for _, encodings := range [][]string{nil, {""}, {"identity"}, {"Identity, identity"}} {
		if got, err := legOf(plain, encodings...).Plain(); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%q: %d bytes, %v", encodings, len(got), err)
		}
	}
	for _, encodings := range [][]string{{"compress"}, {"gzip, x-unknown"}, {strings.Repeat("gzip,", 9)}} {
		var unknown *CodingError
		if got, err := legOf(stacked, encodings...).Plain(); !errors.As(err, &unknown) || got != nil {
			t.Errorf("%q: %d bytes, %v", encodings, len(got), err)
		}
	}
	if got, err := (&Leg{Body: plain}).Plain(); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("without headers: %d bytes, %v", len(got), err)
	}
}

func FuzzPlain(f *testing.F) {
	f.Add([]byte("\x1f\x8b\x08\x00"), "gzip, br")
	f.Add([]byte("\x28\xb5\x2f\xfd\x04\x00"), "zstd")
	f.Add([]byte("\x78\x9c\x03\x00"), "deflate")
	f.Fuzz(func(t *testing.T, body []byte, encoding string) {
		got, err := legOf(body, encoding).PlainUpTo(1 << 16)
		if len(got) > 1<<16 && len(got) > len(body) {
			t.Fatalf("%d bytes", len(got))
		}
		var unknown *CodingError
		if errors.As(err, &unknown) && got != nil {
			t.Fatalf("%v with bytes", err)
		}
	})
}

// The limit holds for a body on which no coding lies, too.
func TestPlainUpToHoldsWithoutACoding(t *testing.T) {
	var large *TooLargeError
	if got, err := (&Leg{Body: []byte("abcd")}).PlainUpTo(3); !errors.As(err, &large) || string(got) != "abc" {
		t.Errorf("got %q, %v; want the first 3 bytes and the limit", got, err)
	}
	if got, err := (&Leg{Body: []byte("abc")}).PlainUpTo(3); err != nil || string(got) != "abc" {
		t.Errorf("got %q, %v", got, err)
	}
}
