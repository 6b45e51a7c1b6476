package python

import "sync"

// workspace is the memory that a run reads events in. What it holds may not outlive the run: what is kept of an event is
// owned.
type workspace struct {
	reader jsonReader
	mould  mould
}

var workspaces = sync.Pool{New: func() any {
	return &workspace{reader: jsonReader{arena: &arena{}}, mould: mould{arena: &arena{}}}
}}

// keptRoom is how much room a workspace may keep for the next run: for values and for bytes.
const keptRoom = 4096

// release hands the workspace on to another run.
func (w *workspace) release() {
	w.mould.forget()
	w.mould.arena.recycle()
	r := w.reader
	r.arena.recycle()
	clear(r.keys[:cap(r.keys)])
	clear(r.vals[:cap(r.vals)])
	clear(r.numbers[:cap(r.numbers)])
	w.reader = jsonReader{arena: r.arena}
	if cap(w.mould.text) > keptRoom {
		w.mould.text = nil
	}
	if cap(r.vals) <= keptRoom {
		w.reader.keys, w.reader.vals, w.reader.numbers = r.keys[:0], r.vals[:0], r.numbers[:0]
	}
	workspaces.Put(w)
}
