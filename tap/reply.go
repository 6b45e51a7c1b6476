package tap

import (
	"io"
	"net/http"
)

// reply is a reply's body on its way from the upstream to the caller. A piece is mirrored when the next one is asked
// for: the caller has it by then, and never waits for the mirror.
type reply struct {
	io.ReadCloser
	visit *visit
	of    *http.Response
	piece []byte // the last one read, in the reader's own buffer
	err   error  // that reading ended in; io.EOF at a reply's own end
	over  bool
}

// Read reads the next piece.
func (r *reply) Read(buf []byte) (int, error) {
	r.mirror()
	n, err := r.ReadCloser.Read(buf)
	r.piece, r.err = buf[:n], err
	if n == 0 && err != nil && err != io.EOF {
		_ = r.visit.back.FlushError() // a head that came before the break reaches the caller before it, too
	}
	return n, err
}

func (r *reply) mirror() {
	if len(r.piece) > 0 {
		r.visit.passage.mirror(r.piece)
		r.piece = nil
	}
}

// Close ends the leg. A body that is closed before its end, or whose last piece was not taken, was broken off by the
// caller.
func (r *reply) Close() error {
	err := r.ReadCloser.Close()
	if r.over {
		return err
	}
	r.over = true
	p := r.visit.passage
	switch {
	case r.err == nil || r.visit.back.gone():
		p.ended(r.of, p.brokenByCaller())
	case r.err == io.EOF:
		r.mirror()
		p.ended(r.of, nil)
	default:
		r.mirror()
		p.ended(r.of, p.broken(r.err))
	}
	return err
}
