package workers

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"reassay/mirror"
)

// Headers of a dead letter (contract, section 2).
const (
	headerReason     = "Reassay-Reason"
	headerSubject    = "Reassay-Subject"
	headerDeliveries = "Reassay-Deliveries"
	headerPayload    = "Reassay-Payload-Object" // names the object of the evidence bucket that holds a payload which leaves no room for the others
)

// DeadLetter is a message of the mirror that no worker could judge.
type DeadLetter struct {
	ID         uint64 // its place in the stream of dead letters
	Stored     time.Time
	Reason     string
	Subject    string // that it came under
	Deliveries int    // how often it was tried
	Payload    []byte // as it came
}

// ErrNoDeadLetter says that there is no dead letter of an ID: it was tried again, forgotten, or has grown too old.
var ErrNoDeadLetter = errors.New("there is no such dead letter")

// bury stores a dead letter: the payload as it came, with why, whence and how often it was delivered. One message of
// the mirror that is handed out again before it is terminated is buried once, so far as the server remembers.
func (s *streams) bury(ctx context.Context, msg jetstream.Msg, why error) error {
	deliveries, id := uint64(1), ""
	if meta, err := msg.Metadata(); err == nil {
		deliveries = meta.NumDelivered
		id = fmt.Sprintf("%s/%d", msg.Subject(), meta.Sequence.Stream)
	}
	dead := &nats.Msg{Subject: deadPrefix + gatewayOf(msg.Subject()), Data: msg.Data(), Header: nats.Header{
		headerReason:     {oneLine(why.Error())},
		headerSubject:    {msg.Subject()},
		headerDeliveries: {strconv.FormatUint(deliveries, 10)},
	}}
	if int64(len(dead.Data)) > s.js.Conn().MaxPayload()-deadRoom {
		name, err := s.putObject(ctx, dead.Data)
		if err != nil {
			return fmt.Errorf("store the dead letter: %w", err)
		}
		dead.Header.Set(headerPayload, name)
		dead.Data = nil
	}
	var options []jetstream.PublishOpt
	if id != "" {
		options = append(options, jetstream.WithMsgID(id))
	}
	if _, err := s.js.PublishMsg(ctx, dead, options...); err != nil {
		return fmt.Errorf("store the dead letter: %w", err)
	}
	return nil
}

const (
	// maxReason bounds a reason, which travels in a header.
	maxReason = 1000
	// deadRoom is kept free of max_payload for a dead letter's headers: its reason, its subject twice.
	deadRoom = 2048
)

// oneLine makes an error fit for a header.
func oneLine(text string) string {
	out := []byte(text[:min(len(text), maxReason)])
	for i, c := range out {
		if c < ' ' {
			out[i] = ' '
		}
	}
	return string(out)
}

// DeadLetters are all that there are, oldest first.
func (s *Stores) DeadLetters(ctx context.Context) iter.Seq2[DeadLetter, error] {
	return func(yield func(DeadLetter, error) bool) {
		for m, err := range scan(ctx, s.streams.dead, scanning{filter: deadSubjects}) {
			if err == nil {
				m.data, err = s.streams.deadPayload(ctx, m)
			}
			if !yield(deadLetterOf(m), err) {
				return
			}
		}
	}
}

func deadLetterOf(m stored) DeadLetter {
	deliveries, _ := strconv.Atoi(m.header.Get(headerDeliveries)) // 0 where somebody else wrote it
	return DeadLetter{
		ID: m.seq, Stored: m.time, Payload: m.data, Deliveries: deliveries,
		Reason: m.header.Get(headerReason), Subject: m.header.Get(headerSubject),
	}
}

// DeadLetter is the one of an ID. The error wraps [ErrNoDeadLetter] where there is none.
func (s *Stores) DeadLetter(ctx context.Context, id uint64) (DeadLetter, error) {
	m, err := s.streams.dead.GetMsg(ctx, id)
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return DeadLetter{}, fmt.Errorf("dead letter %d: %w", id, ErrNoDeadLetter)
	case err != nil:
		return DeadLetter{}, fmt.Errorf("read dead letter %d: %w", id, err)
	}
	letter := stored{m.Subject, m.Sequence, m.Time, m.Header, m.Data}
	letter.data, err = s.streams.deadPayload(ctx, letter)
	return deadLetterOf(letter), err
}

// deadPayload is what a dead letter's message came with, from the letter itself or from the bucket.
func (s *streams) deadPayload(ctx context.Context, m stored) ([]byte, error) {
	name := m.header.Get(headerPayload)
	if name == "" {
		return m.data, nil
	}
	data, err := s.evidence.get(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("read the payload of dead letter %d: %w", m.seq, err)
	}
	return data, nil
}

// Retry gives a dead letter back to the mirror under its own subject and removes it. The exchange is then judged anew
// from what the mirror holds of it; what still cannot be judged becomes a dead letter of another ID. A crash in between
// leaves the dead letter, and retrying it once more is harmless.
func (s *Stores) Retry(ctx context.Context, id uint64) error {
	letter, err := s.DeadLetter(ctx, id)
	if err != nil {
		return err
	}
	subject, err := mirror.ParseSubject(letter.Subject)
	if err != nil {
		return fmt.Errorf("retry dead letter %d: it was no message of the mirror: %w", id, err)
	}
	if subject.Kind == mirror.KindLeg {
		return fmt.Errorf("retry dead letter %d: it is a leg's chunk, which no worker takes by itself", id)
	}
	if _, err := s.streams.js.Publish(ctx, letter.Subject, letter.Payload); err != nil {
		return fmt.Errorf("retry dead letter %d: %w", id, err)
	}
	if err := s.streams.dead.DeleteMsg(ctx, id); err != nil && !errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
		return fmt.Errorf("remove dead letter %d, which was given back to the mirror: %w", id, err)
	}
	return nil
}
