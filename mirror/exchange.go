package mirror

import (
	"container/list"
	"slices"
	"time"
)

// Exchange is one exchange that is being mirrored. Its methods never wait. A nil *Exchange is one that is not mirrored:
// its methods do nothing.
type Exchange struct {
	sender *Sender
	to     address
	words  Begin // what each begin says, but for the legs
	began  time.Time

	// Below here the sender's mutex guards.
	legs    []*LegWriter
	items   []item        // waiting, in order
	place   *list.Element // in sender.ready; nil: not there
	held    int64         // bytes of what waits and of what is on its way
	charged int64         // of the sender's buffer
	handed  bool          // something was handed to the connection
	broken  bool
	over    bool // stored, dropped or broken off to the end: nothing more comes
}

// LegWriter mirrors one leg. Its methods never wait. A nil *LegWriter is a leg of an exchange that is not mirrored: its
// methods do nothing.
type LegWriter struct {
	of    *Exchange
	name  string
	next  int  // the next chunk's number
	ended bool // End was called
	told  bool // the server has acknowledged the end
	tally *tally

	judged bool   // only the judged fields are sent, see [JudgedRequest]
	body   []byte // of such a leg, until it ends
	begun  int64  // when its first chunk came, in microseconds since the exchange began
}

// item is one thing to send, as its exchange keeps it until it is acknowledged.
type item struct {
	leg      *LegWriter // nil: a begin
	seq      int
	atMicros int64
	text     []byte // a chunk's bytes, a begin's JSON; nil at an end
	dialect  string // of a judged leg's body
	end      *End   // nil: no end
	last     bool   // an end that tells of the exchange being broken off
}

// itemCost is what an item takes beside its own bytes, roughly; a million empty chunks are not free.
const itemCost = 256

func (i item) cost() int64 {
	n := int64(itemCost + len(i.text))
	if i.end != nil {
		n += int64(len(i.end.ContentType))
		for _, fields := range []map[string][]string{i.end.Headers, i.end.Trailers} {
			for name, values := range fields {
				n += int64(len(name))
				for _, v := range values {
					n += int64(len(v))
				}
			}
		}
	}
	return n
}

// ID is the exchange's id, "" for one that is not mirrored.
func (x *Exchange) ID() string {
	if x == nil {
		return ""
	}
	return x.words.ID
}

// Add names further legs that this publisher will send, such as the next attempt upstream, in a begin of their own. It
// must come before the last of the others ends: when all have ended the exchange may be judged, and Add does nothing.
func (x *Exchange) Add(legs ...string) {
	if x == nil {
		return
	}
	x.sender.mu.Lock()
	defer x.sender.mu.Unlock()
	x.add(legs)
}

func (x *Exchange) add(legs []string) {
	var added []string
	for _, name := range legs {
		if x.find(name) == nil && !slices.Contains(added, name) {
			added = append(added, name)
		}
	}
	if len(added) == 0 || x.over || x.broken || len(x.legs) > 0 && x.ended() {
		x.recharge()
		return
	}
	b := x.words
	b.Legs = added
	i := item{text: textOf(b)}
	if !x.takes(i.cost()) {
		return
	}
	for _, name := range added {
		x.legs = append(x.legs, &LegWriter{of: x, name: name, tally: newTally(), judged: isRequest(name) && !x.sender.config.FullRequests})
	}
	x.push(i)
}

// isRequest reports whether a leg holds what was asked, by a caller or by the gateway.
func isRequest(leg string) bool { return leg == "request" || leg == "upstream_request" }

func (x *Exchange) find(name string) *LegWriter {
	for _, l := range x.legs {
		if l.name == name {
			return l
		}
	}
	return nil
}

// Leg is the leg of this name. One that no begin has named is added first.
func (x *Exchange) Leg(name string) *LegWriter {
	if x == nil {
		return nil
	}
	x.sender.mu.Lock()
	defer x.sender.mu.Unlock()
	x.add([]string{name})
	return x.find(name)
}

// Close says that nothing more comes. Legs that have not ended are ended as dropped. An exchange whose legs have all
// ended needs no Close, and bears one.
func (x *Exchange) Close() {
	if x == nil {
		return
	}
	x.sender.mu.Lock()
	defer x.sender.mu.Unlock()
	if !x.ended() {
		x.breakOff(ReasonUnended)
	}
}

// Write mirrors one chunk of the leg's transport as it came, at the time of the call. It copies chunk, and is an
// io.Writer that takes everything: the count is len(chunk) and the error nil, whatever becomes of it.
func (l *LegWriter) Write(chunk []byte) (int, error) {
	if l == nil {
		return len(chunk), nil
	}
	x := l.of
	at := time.Since(x.began).Microseconds()
	x.sender.mu.Lock()
	defer x.sender.mu.Unlock()
	switch {
	case l.ended:
	case l.judged:
		l.collect(chunk, at)
	case x.takes(itemCost + int64(len(chunk))):
		x.push(item{leg: l, seq: l.next, atMicros: at, text: append(make([]byte, 0, len(chunk)), chunk...)})
		l.next++
	}
	return len(chunk), nil
}

// collect keeps a chunk of a request until all of it is there to look for the judged fields in.
func (l *LegWriter) collect(chunk []byte, at int64) {
	if !l.of.takes(int64(len(chunk))) {
		return
	}
	if l.body == nil {
		l.begun = at
	}
	l.body = append(l.body, chunk...)
	l.of.hold(int64(len(chunk)))
}

// End mirrors the leg's manifest: e with the chunks, bytes and hash counted. Headers and trailers that are not on the
// allow-list are left out, see [KeptHeader]. The first End of a leg stands.
func (l *LegWriter) End(e End) {
	if l == nil {
		return
	}
	e.Headers, e.Trailers = keptHeaders(e.Headers), keptHeaders(e.Trailers)
	x := l.of
	x.sender.mu.Lock()
	defer x.sender.mu.Unlock()
	if l.ended {
		return
	}
	i := item{leg: l, end: &e}
	if !x.takes(i.cost() + itemCost) {
		return
	}
	l.ended = true
	if l.judged {
		x.push(item{leg: l, atMicros: l.begun, text: l.release(), dialect: e.Dialect})
	}
	x.push(i)
}

// release takes the request that was collected out of the account.
func (l *LegWriter) release() []byte {
	body := l.body
	l.body = nil
	l.of.hold(-int64(len(body)))
	return body
}

// ended reports whether every leg that was named has ended.
func (x *Exchange) ended() bool {
	for _, l := range x.legs {
		if !l.ended {
			return false
		}
	}
	return len(x.legs) > 0
}

// takes reports whether the exchange goes on and has room for n more bytes. One without room is broken off.
func (x *Exchange) takes(n int64) bool {
	if x.over || x.broken {
		return false
	}
	s := x.sender
	if s.charged-x.charged+max(x.held+n, s.config.Reserve) > s.config.Buffer {
		x.breakOff(ReasonFull)
		return false
	}
	return true
}

// push puts an item in the exchange's queue, and the exchange in the sender's.
func (x *Exchange) push(i item) {
	x.items = append(x.items, i)
	x.hold(i.cost())
	if x.place == nil {
		x.place = x.sender.ready.PushBack(x)
	}
	x.sender.signal()
}

// hold counts n bytes more, or less, of the buffer as held.
func (x *Exchange) hold(n int64) {
	x.held += n
	x.sender.held += n
	x.recharge()
}

// recharge puts down in the sender's account what the exchange takes of the buffer: what it holds, and its reserve as
// long as more may come.
func (x *Exchange) recharge() {
	take := x.held
	if !x.over && !x.broken && !x.ended() {
		take = max(take, x.sender.config.Reserve)
	}
	x.sender.charged += take - x.charged
	x.charged = take
}

// discard forgets what waits.
func (x *Exchange) discard() {
	for _, i := range x.items {
		x.hold(-i.cost())
	}
	x.items = nil
	for _, l := range x.legs {
		l.release()
	}
	if x.place != nil {
		x.sender.ready.Remove(x.place)
		x.place = nil
	}
}

// breakOff stops mirroring the exchange. One of which nothing has been sent leaves no trace; the ends of another say
// that it was dropped, so that it is at once known to be incomplete, and no hole is blamed on the gateway.
func (x *Exchange) breakOff(why Reason) {
	if x.over || x.broken {
		return
	}
	x.broken = true
	x.discard()
	if !x.handed {
		x.sender.stats.Dropped[why]++
		x.leave()
		return
	}
	x.sender.stats.BrokenOff[why]++
	for _, l := range x.legs {
		if !l.told {
			x.push(item{leg: l, end: &End{Dropped: true}, last: true})
		}
	}
	x.settle()
}

// settle takes the exchange off the sender's hands once everything of it has been sent or given up.
func (x *Exchange) settle() {
	if x.over || x.held > 0 || !x.broken && !x.ended() {
		x.recharge()
		return
	}
	if !x.broken {
		x.sender.stats.Stored++
	}
	x.leave()
}

func (x *Exchange) leave() {
	x.over = true
	delete(x.sender.live, x)
	x.recharge()
}
