package capture

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// MaxPlain is how many bytes a body may have once its content codings are undone: a bomb ends there.
const MaxPlain = 256 << 20

// maxCodings is how many content codings may lie on each other.
const maxCodings = 8

// CodingError says that a body has a content coding which this program does not know, or too many of them. What needs
// the leg is not applicable then.
type CodingError struct{ Coding string }

func (e *CodingError) Error() string {
	return fmt.Sprintf("content coding %q is not known", cut(e.Coding))
}

// TooLargeError is a body of more bytes than its limit.
type TooLargeError struct{ Limit int }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("more than %d bytes with every content coding undone", e.Limit)
}

// Plain is Body with its content codings undone: gzip, deflate (with zlib's frame, and bare as some servers send it),
// br, zstd and identity, in any stack. An unknown coding is a [*CodingError] and no bytes. Data that is cut off or
// broken yields the bytes before the break and an error; so does a body over [MaxPlain], a [*TooLargeError].
// Source: RFC 9110, section 8.4.1.
func (l *Leg) Plain() ([]byte, error) { return l.PlainUpTo(MaxPlain) }

// PlainUpTo is [Leg.Plain] with a limit of the caller's, which holds for a body without a coding as well.
func (l *Leg) PlainUpTo(most int) ([]byte, error) {
	codings := l.codings()
	if len(codings) > maxCodings {
		return nil, &CodingError{strings.Join(codings, ", ")}
	}
	for _, c := range codings {
		if !knownCoding(c) {
			return nil, &CodingError{c}
		}
	}
	body := l.Body
	var broken error
	for i := len(codings) - 1; i >= 0; i-- {
		plain, err := undo(codings[i], body, most)
		if err != nil && broken == nil {
			broken = fmt.Errorf("undo content coding %s: %w", codings[i], err)
		}
		body = plain
	}
	if len(body) > most {
		return body[:most], &TooLargeError{most}
	}
	return body, broken
}

// Coded reports whether a content coding lies on the body, so that the transport's cuts say nothing of what is in it.
func (l *Leg) Coded() bool { return len(l.codings()) > 0 }

// codings lists the content codings in the order in which they were put on.
func (l *Leg) codings() []string {
	var out []string
	for _, line := range l.Headers["content-encoding"] {
		for _, c := range strings.Split(line, ",") {
			c = strings.ToLower(strings.TrimSpace(c))
			if c != "" && c != "identity" {
				out = append(out, c)
			}
		}
	}
	return out
}

func knownCoding(c string) bool {
	switch c {
	case "gzip", "x-gzip", "deflate", "br", "zstd":
		return true
	}
	return false
}

// undo takes one coding off and yields most bytes at most.
func undo(coding string, body []byte, most int) ([]byte, error) {
	if len(body) == 0 {
		return body, nil
	}
	src := bytes.NewReader(body)
	switch coding {
	case "gzip", "x-gzip":
		z, err := gzip.NewReader(src)
		if err != nil {
			return nil, cutOff(err)
		}
		return readPlain(z, most)
	case "br":
		return readPlain(brotli.NewReader(src), most)
	case "zstd":
		z, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		return readPlain(z, most)
	}
	z, err := zlib.NewReader(src)
	if err == nil {
		var plain []byte
		if plain, err = readPlain(z, most); err == nil || len(plain) > 0 {
			return plain, err
		}
	}
	if plain, bare := readPlain(flate.NewReader(bytes.NewReader(body)), most); bare == nil || len(plain) > 0 {
		return plain, bare
	}
	return nil, cutOff(err)
}

// maxWindow is how many bytes back a zstd frame may refer, the memory that its decoder takes. RFC 9659 allows 8 MiB
// on the web; servers that compress once for all uses go beyond it.
const maxWindow = 64 << 20

func readPlain(r io.Reader, most int) ([]byte, error) {
	plain, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if len(plain) > most {
		return plain[:most], &TooLargeError{most}
	}
	return plain, cutOff(err)
}

func cutOff(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		return errors.New("the compressed data is cut off")
	}
	return err
}
