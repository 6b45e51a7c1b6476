package capture

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"

	"reassay/wire"
)

// DefaultMaxLine is the size of one exchange's text in bytes that a [Decoder] takes when its MaxLine is zero.
const DefaultMaxLine = 256 << 20

// Decoder reads capture files.
type Decoder struct {
	// MaxLine is how many bytes the text of one exchange may have; zero means [DefaultMaxLine]. It bounds the memory
	// that reading takes.
	MaxLine int
}

// Decode reads the exchanges of one file with the default limits, see [Decoder.Decode].
func Decode(r io.Reader, name string) iter.Seq2[*Exchange, error] { return Decoder{}.Decode(r, name) }

// Decode reads the exchanges of a file: JSON lines, or JSON values in any white space; either may be gzip'd. name is
// what errors call the file. Each pair holds an exchange or an [*Error], never both: a line that cannot be read is
// reported and the reading goes on behind it. Successive lines that are no JSON objects make one error.
// A file without any exchange text is an error too.
func (d Decoder) Decode(r io.Reader, name string) iter.Seq2[*Exchange, error] {
	return func(yield func(*Exchange, error) bool) {
		if d.MaxLine <= 0 {
			d.MaxLine = DefaultMaxLine
		}
		f := file{name: name, max: d.MaxLine, yield: yield}
		src := bufio.NewReaderSize(r, 64<<10)
		if magic, _ := src.Peek(2); string(magic) == "\x1f\x8b" {
			z, err := gzip.NewReader(src)
			if err != nil {
				f.fail(1, 0, nil, fmt.Errorf("read gzip: %w", err))
				return
			}
			src = bufio.NewReaderSize(gzipReader{z}, 64<<10)
		}
		f.src = src
		f.read()
	}
}

// gzipReader says of an error that it came from the compression.
type gzipReader struct{ z *gzip.Reader }

func (g gzipReader) Read(p []byte) (int, error) {
	n, err := g.z.Read(p)
	switch {
	case err == nil || err == io.EOF:
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("the gzip data is cut off")
	default:
		err = fmt.Errorf("read gzip: %w", err)
	}
	return n, err
}

// file is one file being read.
type file struct {
	name  string
	max   int
	src   *bufio.Reader
	yield func(*Exchange, error) bool

	line    int  // number of the line read last, 1-based
	offset  int  // of the byte behind it
	stopped bool // the caller wants no more
	any     bool // something was yielded
	junk    junk
}

// junk is a run of lines that are no JSON objects.
type junk struct {
	line, offset, count int
	err                 error
}

// text is a line, or what was kept of it.
type text struct {
	bytes        []byte // at most the limit and a byte
	line, offset int    // where it begins
	whole        bool   // nothing was left out
	ended        bool   // by LF
}

// next reads one line without its LF. What goes over the limit is read and dropped.
func (f *file) next() (text, error) {
	f.line++
	t := text{line: f.line, offset: f.offset, whole: true}
	for {
		part, err := f.src.ReadSlice('\n')
		f.offset += len(part)
		if room := f.max + 1 - len(t.bytes); len(part) > room {
			part, t.whole = part[:max(room, 0)], false
		}
		t.bytes = append(t.bytes, part...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if err == nil {
			t.ended = true
			if t.whole {
				t.bytes = t.bytes[:len(t.bytes)-1]
			}
		}
		t.whole = t.whole && len(t.bytes) <= f.max
		return t, err
	}
}

func (f *file) read() {
	for first := true; !f.stopped; {
		t, err := f.next()
		if f.line == 1 && bytes.HasPrefix(t.bytes, []byte("\uFEFF")) {
			t.bytes, t.offset = t.bytes[len("\uFEFF"):], len("\uFEFF")
		}
		switch body := bytes.TrimLeft(t.bytes, " \t\r"); {
		case len(body) == 0:
		case err != nil && err != io.EOF:
			f.partial(t, err)
			return
		case body[0] != '{':
			f.addJunk(t, body)
		case first && t.whole && err == nil && !wholeLine(body):
			f.flush()
			f.values(t)
			return
		default:
			first = false
			f.flush()
			f.lineValue(t)
		}
		if err != nil {
			f.flush()
			if err != io.EOF {
				f.fail(t.line, f.offset, nil, err)
			} else if !f.any {
				f.fail(1, 0, nil, errors.New("the file holds no exchange"))
			}
			return
		}
	}
}

// wholeLine reports whether the first line of a file stands for itself: it is one JSON value, or broken in a way that
// further lines cannot mend.
func wholeLine(body []byte) bool {
	_, err := wire.Parse(body)
	var bad *wire.SyntaxError
	return !errors.As(err, &bad) || !bad.Ended
}

// lineValue reads the exchange that stands on one line.
func (f *file) lineValue(t text) {
	if !t.whole {
		f.fail(t.line, t.offset, t.bytes, fmt.Errorf("an exchange of more than %d bytes", f.max))
		return
	}
	if bad := wire.InvalidUTF8(t.bytes); bad >= 0 {
		f.fail(t.line, t.offset+bad, t.bytes, fmt.Errorf("byte 0x%02X is not UTF-8", t.bytes[bad]))
		return
	}
	v, err := wire.Parse(t.bytes)
	f.value(v, err, t, t.bytes)
}

// value makes an exchange of a parsed value, or reports err. body is the value's text, which begins at t.
func (f *file) value(v wire.Value, err error, t text, body []byte) {
	if f.stopped {
		return
	}
	var x *Exchange
	if err == nil {
		x, err = exchange(v)
	}
	if err == nil {
		f.any = true
		f.stopped = !f.yield(x, nil)
		return
	}
	at := 0
	var syntax *wire.SyntaxError
	var field *FieldError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
		err = fmt.Errorf("not JSON: %s", syntax.Msg)
	case errors.As(err, &field):
		at = field.at
	}
	line := t.line + bytes.Count(body[:min(at, len(body))], []byte{'\n'})
	f.fail(line, t.offset+at, body, err)
}

// fail reports err. body is the exchange's text, as far as it is there, from which its id is peeked.
func (f *file) fail(line, offset int, body []byte, err error) {
	f.any = true
	if !f.stopped {
		f.stopped = !f.yield(nil, &Error{File: f.name, Line: line, Offset: offset, ID: peekID(body), Err: err})
	}
}

// partial handles the line in which reading broke off: it may be whole all the same.
func (f *file) partial(t text, cause error) {
	f.flush()
	if _, err := wire.Parse(t.bytes); err == nil {
		f.lineValue(t)
		t.bytes = nil
	}
	f.fail(t.line, f.offset, t.bytes, cause)
}

// addJunk notes a line that is no JSON object. body is its text without leading white space.
func (f *file) addJunk(t text, body []byte) {
	f.junk.count++
	if f.junk.count > 1 {
		return
	}
	f.junk.line, f.junk.offset = t.line, t.offset+len(t.bytes)-len(body)
	switch body[0] {
	case '<':
		f.junk.err = errors.New("HTML or XML, want a JSON object")
	case '[':
		f.junk.err = errors.New("a JSON array, want one exchange a line")
	default:
		r, _ := utf8.DecodeRune(body)
		f.junk.err = fmt.Errorf("want a JSON object, the line begins with %q", r)
	}
}

// flush reports the run of lines that were no JSON objects.
func (f *file) flush() {
	j := f.junk
	f.junk = junk{}
	switch {
	case j.count == 1:
		f.fail(j.line, j.offset, nil, j.err)
	case j.count > 1:
		f.fail(j.line, j.offset, nil, fmt.Errorf("%w; %d lines of this kind in a row", j.err, j.count))
	}
}

// values reads a file whose first line is the beginning of a JSON value that goes on over further lines. A further
// line that is an exchange by itself shows that what stood before it was either whole or broken.
func (f *file) values(t text) {
	all := t
	all.bytes = append(all.bytes[:len(all.bytes):len(all.bytes)], '\n')
	for {
		next, err := f.next()
		if body := bytes.TrimLeft(next.bytes, " \t\r"); len(body) > 0 && body[0] == '{' && peek(body, "capture_version").Exists() {
			if areValues(all.bytes) {
				f.sequence(all, io.EOF)
			} else {
				f.lines(all)
			}
			f.lineValue(next)
			if err == nil && !f.stopped {
				f.read()
			} else if err != io.EOF {
				f.fail(f.line, f.offset, nil, err)
			}
			return
		}
		all.bytes = append(all.bytes, next.bytes...)
		if next.ended {
			all.bytes = append(all.bytes, '\n')
		}
		if len(all.bytes) > f.max {
			all.whole = false
			f.lineValue(all)
			return
		}
		if err == nil {
			continue
		}
		f.sequence(all, err)
		return
	}
}

// areValues reports whether text is JSON values, one after the other.
func areValues(text []byte) bool {
	for text = bytes.TrimSpace(text); len(text) > 0; text = bytes.TrimSpace(text) {
		_, n, err := wire.ParsePrefix(text)
		if err != nil {
			return false
		}
		text = text[n:]
	}
	return true
}

// lines reads the lines of t one by one.
func (f *file) lines(t text) {
	for _, b := range bytes.Split(bytes.TrimSuffix(t.bytes, []byte{'\n'}), []byte{'\n'}) {
		one := text{bytes: b, line: t.line, offset: t.offset, whole: true}
		t.line++
		t.offset += len(b) + 1
		if body := bytes.TrimLeft(b, " \t\r"); len(body) == 0 || f.stopped {
			continue
		} else if body[0] != '{' {
			f.addJunk(one, body)
			continue
		}
		f.flush()
		f.lineValue(one)
	}
	f.flush()
}

// sequence reads the JSON values that follow each other in t. end is what the reading of the file ended with.
func (f *file) sequence(t text, end error) {
	if bad := wire.InvalidUTF8(t.bytes); bad >= 0 {
		line := t.line + bytes.Count(t.bytes[:bad], []byte{'\n'})
		f.fail(line, t.offset+bad, t.bytes, fmt.Errorf("byte 0x%02X is not UTF-8", t.bytes[bad]))
		return
	}
	for len(t.bytes) > 0 && !f.stopped {
		v, n, err := wire.ParsePrefix(t.bytes)
		if err != nil && end != io.EOF {
			break
		}
		f.value(v, err, t, t.bytes)
		if err != nil {
			return
		}
		for n < len(t.bytes) && bytes.IndexByte([]byte(" \t\r\n"), t.bytes[n]) >= 0 {
			n++
		}
		t.line += bytes.Count(t.bytes[:n], []byte{'\n'})
		t.offset += n
		t.bytes = t.bytes[n:]
	}
	if end != io.EOF {
		f.fail(f.line, f.offset, t.bytes, end)
	}
}
