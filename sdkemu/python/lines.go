package python

import (
	"bytes"
	"unsafe"
)

// textOf shares b's bytes; the body of a reply is never changed.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// lineScanner finds the lines of text as bytes.splitlines does: they end in LF, CR or CR LF and nothing else.
type lineScanner struct {
	text []byte
	lf   int  // the first LF at or behind the position asked for last
	lfs  bool // there is no CR
}

func newLineScanner(text []byte) lineScanner { return lineScanner{text: text, lf: -1} }

// line is the line at pos of text[:limit]: where its content ends and where the next line begins. Positions must not
// decrease from call to call.
func (s *lineScanner) line(pos, limit int) (content, next int) {
	if s.lf < pos {
		s.lf = len(s.text)
		if i := bytes.IndexByte(s.text[pos:], '\n'); i >= 0 {
			s.lf = pos + i
		}
	}
	end := min(s.lf, limit)
	if !s.lfs {
		if i := bytes.IndexByte(s.text[pos:end], '\r'); i >= 0 {
			content = pos + i
			if content+1 == s.lf && s.lf < limit {
				return content, content + 2
			}
			return content, content + 1
		}
	}
	if end == limit {
		return end, end
	}
	return end, end + 1
}

// lumps cuts a body as SSEDecoder._iter_chunks does (openai 2.54.0, _streaming.py): line by line within each chunk of
// the transport, a lump ends where it ends in an empty line of one kind. Where chunks are cut inside CR LF the lumps
// differ, so the transport's cuts matter.
type lumps struct {
	lines lineScanner
	cuts  []int
	begin int // of the lump
	pos   int // end of the line that was added last

	broken bool // the body ends in a broken transport: what follows the last whole lump is never looked at
}

// next is the next lump; ok is false when the body has ended.
func (l *lumps) next() (lump []byte, ok bool) {
	body := l.lines.text
	for l.pos < len(body) {
		for len(l.cuts) > 0 && l.cuts[0] <= l.pos {
			l.cuts = l.cuts[1:]
		}
		limit := len(body)
		if len(l.cuts) > 0 {
			limit = min(limit, l.cuts[0])
		}
		_, l.pos = l.lines.line(l.pos, limit)
		if lump := body[l.begin:l.pos]; endsInEmptyLine(lump) {
			l.begin = l.pos
			return lump, true
		}
	}
	if l.broken || l.begin == len(body) {
		return nil, false
	}
	lump = body[l.begin:]
	l.begin = l.pos
	return lump, true
}

func endsInEmptyLine(b []byte) bool {
	n := len(b)
	if n < 2 {
		return false
	}
	switch b[n-1] {
	case '\n':
		return b[n-2] == '\n' || n >= 4 && string(b[n-4:]) == "\r\n\r\n"
	case '\r':
		return b[n-2] == '\r'
	}
	return false
}
