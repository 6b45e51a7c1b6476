package mirror

import (
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Bounds of what is on its way to the server at once. The connection copies it, so these bytes come on top of the
// buffer's.
const (
	batchItems = 256
	batchBytes = 1 << 20
)

const (
	// maxSilences is how often a message may go without an acknowledgement before its exchange is broken off.
	maxSilences = 3
	// retryPause is how long the sending rests when a message is to be sent again.
	retryPause = 100 * time.Millisecond
	// connectionPause is how often a connection that is down is looked at.
	connectionPause = 20 * time.Millisecond
)

// parcel is an item on its way, in the messages that it was made into.
type parcel struct {
	item
	of *Exchange
}

// letter is one message on its way.
type letter struct {
	parcel
	msg      *nats.Msg
	silences int
}

// run sends what waits until the sender is closed and everything is sent, or the connection is closed for good.
func (s *Sender) run() {
	defer close(s.done)
	for s.connected() {
		batch := s.take()
		if batch == nil {
			return
		}
		s.send(batch)
	}
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	if s.nc.IsClosed() {
		s.abandon()
	}
}

// connected waits until the connection is up. It is false when that will not be.
func (s *Sender) connected() bool {
	for {
		select {
		case <-s.abort:
			return false
		default:
		}
		switch {
		case s.nc.IsConnected():
			return true
		case s.nc.IsClosed():
			return false
		}
		if !s.rest(connectionPause) {
			return false
		}
	}
}

// rest waits; it is false when the sender is to give up.
func (s *Sender) rest(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-s.abort:
		return false
	}
}

// take waits for something to send. It is nil when nothing more comes, or the connection is down.
func (s *Sender) take() []parcel {
	for {
		s.mu.Lock()
		batch := s.batch()
		closed := s.closed
		s.mu.Unlock()
		if batch != nil || closed {
			return batch
		}
		select {
		case <-s.wake:
		case <-s.abort:
			return nil
		}
	}
}

// batch takes from the exchanges in turn, at least one item where any waits.
func (s *Sender) batch() []parcel {
	var out []parcel
	var size int64
	for s.ready.Len() > 0 && len(out) < batchItems && size < batchBytes {
		x := s.ready.Remove(s.ready.Front()).(*Exchange)
		x.place, x.handed = nil, true
		n := 0
		for n < len(x.items) && len(out) < batchItems && (size < batchBytes || len(out) == 0) {
			out = append(out, parcel{x.items[n], x})
			size += x.items[n].cost()
			n++
		}
		if x.items = x.items[n:]; len(x.items) > 0 {
			x.place = s.ready.PushBack(x)
		} else {
			x.items = nil
		}
	}
	return out
}

// send delivers a batch. The ends come last, each when everything before it is stored: an exchange is judged when its
// legs have ended, and a chunk that came later would be missing from the verdict.
func (s *Sender) send(batch []parcel) {
	part := max(1, int(s.nc.MaxPayload())-headerRoom)
	var letters, ends []*letter
	for _, p := range batch {
		switch {
		case p.end != nil:
			end := p.leg.tally.manifest(*p.end)
			if text := textOf(end); len(text) <= part {
				ends = append(ends, &letter{parcel: p, msg: p.of.to.end(p.leg.name, text)})
			} else {
				s.breakOff(p.of, ReasonTooLarge)
			}
		case p.leg == nil && len(p.text) > part:
			s.breakOff(p.of, ReasonTooLarge)
		case p.leg == nil:
			letters = append(letters, &letter{parcel: p, msg: p.of.to.begin(p.text)})
		case p.leg.judged:
			// Of a body that is no JSON nothing is mirrored, as if it had been empty: nothing in it is judged.
			if text, err := JudgedRequest(p.dialect, p.text); err == nil {
				p.leg.tally.add(text)
				letters = append(letters, lettersOf(p, text, part)...)
			}
		default:
			p.leg.tally.add(p.text)
			letters = append(letters, lettersOf(p, p.text, part)...)
		}
	}
	s.deliver(letters)
	s.deliver(ends)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range batch {
		p.of.hold(-p.cost())
	}
	for _, p := range batch {
		p.of.settle()
	}
}

// lettersOf are the messages of a chunk.
func lettersOf(p parcel, text []byte, part int) []*letter {
	var letters []*letter
	for _, msg := range p.of.to.chunk(p.leg.name, p.seq, p.atMicros, text, part) {
		letters = append(letters, &letter{parcel: p, msg: msg})
	}
	return letters
}

func (s *Sender) breakOff(x *Exchange, why Reason) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x.breakOff(why)
}

// deliver publishes until every letter is stored or given up. A message that is sent twice is stored once, or read once:
// it has the same id and the same number.
func (s *Sender) deliver(letters []*letter) {
	for len(letters) > 0 && s.connected() {
		letters = s.round(letters)
		if len(letters) > 0 && !s.rest(retryPause) {
			return
		}
	}
}

// round publishes each letter once and returns those that are to be sent again.
func (s *Sender) round(letters []*letter) (again []*letter) {
	acks := make([]jetstream.PubAckFuture, len(letters))
	failed := make([]error, len(letters))
	for i, l := range letters {
		if s.wanted(l) {
			// The sender itself tries again, and counts.
			acks[i], failed[i] = s.js.PublishMsgAsync(l.msg, jetstream.WithRetryAttempts(0))
		}
	}
	for i, l := range letters {
		err := failed[i]
		if ack := acks[i]; ack != nil {
			select {
			case <-ack.Ok():
			case err = <-ack.Err():
			case <-s.abort:
				return nil
			}
		} else if err == nil {
			continue // given up
		}
		if s.again(l, err) {
			again = append(again, l)
		}
	}
	return again
}

// wanted reports whether a letter is still to be sent: of an exchange that was broken off only the ends are that say so.
func (s *Sender) wanted(l *letter) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !l.of.broken || l.last
}

// again takes down what became of a letter and reports whether it is to be sent again.
func (s *Sender) again(l *letter, err error) bool {
	up := s.nc.IsConnected() // never asked with the mutex held: a gateway would wait for the connection
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.stats.Messages++
		s.stats.Bytes += int64(len(l.msg.Data))
		if l.end != nil {
			l.leg.told = true
		}
		return false
	}
	s.stats.Failures++
	var refusal *jetstream.APIError
	switch {
	case errors.As(err, &refusal) && refusal.Code != tooManyRequests:
		s.paused = time.Now().Add(refusedPause)
		l.of.breakOff(ReasonRefused)
		return false
	case errors.Is(err, nats.ErrMaxPayload):
		// The connection went to a server that takes less since the message was made.
		l.of.breakOff(ReasonTooLarge)
		return false
	case errors.Is(err, jetstream.ErrAsyncPublishTimeout) && up:
		if l.silences++; l.silences >= maxSilences {
			l.of.breakOff(ReasonNoAck)
			return false
		}
	}
	return true // the connection was cut, or there is no stream yet
}

// tooManyRequests is the code of a server that is only busy.
const tooManyRequests = 429
