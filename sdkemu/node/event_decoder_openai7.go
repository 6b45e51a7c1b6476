package node

// openai7Decoder is openai-node's from 7 on: iterSSEChunks, LineDecoder and SSEDecoder one after the other. It looks at
// lines when a blank one has come, of whatever line ends, and gives out an event that no blank line ends.
// Source: openai 7.59.0, core/streaming.mjs and internal/decoders/line.mjs.
type openai7Decoder struct {
	data    []byte // of iterSSEChunks: what no blank line has ended yet
	scanned int    // up to where data holds no blank line
	line    []byte // of LineDecoder: a line whose end has not come
	skipLF  bool   // a CR ended the last line at the end of what was there
	events  eventFields
}

func (d *openai7Decoder) feed(chunk []byte) []serverEvent {
	d.data = append(d.data, chunk...)
	for {
		end := blankLine(d.data, d.scanned)
		if end < 0 {
			d.scanned = max(0, len(d.data)-longestBlankLine+1)
			return d.events.taken()
		}
		d.decode(d.data[:end])
		d.data = d.data[end:]
		d.scanned = 0
	}
}

func (d *openai7Decoder) finish() []serverEvent {
	d.decode(d.data)
	d.skipLF = false
	if len(d.line) > 0 {
		d.decode([]byte("\n"))
	}
	d.events.take("")
	return d.events.taken()
}

// decode is LineDecoder.decode.
func (d *openai7Decoder) decode(chunk []byte) {
	if len(chunk) == 0 {
		return
	}
	if d.skipLF && chunk[0] == '\n' {
		chunk = chunk[1:]
	}
	d.skipLF = false
	for {
		at := lineEnd(chunk)
		if at < 0 {
			d.line = append(d.line, chunk...)
			return
		}
		d.events.take(decodeUTF8(append(d.line, chunk[:at]...)))
		d.line = d.line[:0]
		rest := chunk[at+1:]
		if chunk[at] == '\r' {
			switch {
			case len(rest) == 0:
				d.skipLF = true
			case rest[0] == '\n':
				rest = rest[1:]
			}
		}
		chunk = rest
	}
}

// blankLine is findDoubleNewlineIndex: the index behind the first two line ends in a row from index from on, or -1.
func blankLine(b []byte, from int) int {
	for i := from; ; {
		n := lineEnd(b[i:])
		if n < 0 {
			return -1
		}
		i += n
		second := i + lineEndLength(b[i:])
		if n := lineEndLength(b[second:]); n > 0 {
			return second + n
		}
		i++
	}
}

// lineEndLength is the length of the line end that b begins with, 0 for none.
func lineEndLength(b []byte) int {
	switch {
	case len(b) == 0 || b[0] != '\n' && b[0] != '\r':
		return 0
	case b[0] == '\r' && len(b) > 1 && b[1] == '\n':
		return 2
	}
	return 1
}
