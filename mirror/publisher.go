package mirror

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Leg is one leg's bytes in its transport chunks, with everything that its manifest says but the counts.
type Leg struct {
	Name   string // "stream", "non_stream", "request", "upstream_request", "upstream.1", ..., "upstream_non_stream"
	Chunks []Chunk
	End    End // MirrorVersion, Chunks, Bytes and SHA256 are filled in
}

// Chunk is one chunk of a leg's transport.
type Chunk struct {
	AtMicros int64 // since the exchange began
	Data     []byte
}

// Publisher sends whole exchanges to the mirror and waits until the server has stored them. It is safe for
// concurrent use.
type Publisher struct {
	js   jetstream.JetStream
	part int
}

// NewPublisher publishes over js. The connection must be up: the size of a message is the server's to say.
func NewPublisher(js jetstream.JetStream) (*Publisher, error) {
	most := js.Conn().MaxPayload()
	if most <= 2*headerRoom {
		return nil, fmt.Errorf("the server's max_payload is %d bytes, want more than %d", most, 2*headerRoom)
	}
	return &Publisher{js: js, part: int(most) - headerRoom}, nil
}

// ErrTooLarge says that an exchange's begin or a leg's manifest does not fit into one message of the server. Other
// exchanges may.
var ErrTooLarge = errors.New("too large")

// Exchange publishes an exchange: its begin, then each leg's chunks and manifest. It returns when the server has
// acknowledged every message. A server that is full refuses; the error then says which message was lost.
func (p *Publisher) Exchange(ctx context.Context, b Begin, legs []Leg) error {
	b.MirrorVersion = Version
	to := addressOf(b)
	var sent []pending
	send := func(msg *nats.Msg) error {
		ack, err := p.js.PublishMsgAsync(msg)
		if err != nil {
			return fmt.Errorf("publish %s: %w", msg.Subject, err)
		}
		sent = append(sent, pending{msg.Subject, ack})
		if len(sent) < maxInFlight {
			return nil
		}
		err = settle(ctx, sent)
		sent = sent[:0]
		return err
	}
	begin, err := p.marshal(b)
	if err != nil {
		return fmt.Errorf("begin of exchange %q: %w", b.ID, err)
	}
	// Nothing is sent of an exchange that does not fit.
	for _, leg := range legs {
		if _, err := p.marshal(manifest(leg)); err != nil {
			return fmt.Errorf("end of leg %s: %w", leg.Name, err)
		}
	}
	if err := send(to.begin(begin)); err != nil {
		return err
	}
	for _, leg := range legs {
		if err := p.leg(to, leg, send); err != nil {
			return err
		}
	}
	return settle(ctx, sent)
}

// maxInFlight is how many messages may wait for their acknowledgement at once.
const maxInFlight = 256

type pending struct {
	subject string
	ack     jetstream.PubAckFuture
}

func settle(ctx context.Context, sent []pending) error {
	for _, m := range sent {
		select {
		case <-m.ack.Ok():
		case err := <-m.ack.Err():
			return fmt.Errorf("publish %s: %w", m.subject, err)
		case <-ctx.Done():
			return fmt.Errorf("publish %s: %w", m.subject, ctx.Err())
		}
	}
	return nil
}

// leg sends one leg: its chunks, then its manifest.
func (p *Publisher) leg(to address, leg Leg, send func(*nats.Msg) error) error {
	for seq, chunk := range leg.Chunks {
		for _, msg := range to.chunk(leg.Name, seq, chunk.AtMicros, chunk.Data, p.part) {
			if err := send(msg); err != nil {
				return err
			}
		}
	}
	end, err := p.marshal(manifest(leg))
	if err != nil {
		return fmt.Errorf("end of leg %s: %w", leg.Name, err)
	}
	return send(to.end(leg.Name, end))
}

// manifest counts what was given, not what was sent.
func manifest(leg Leg) End {
	t := newTally()
	for _, chunk := range leg.Chunks {
		t.add(chunk.Data)
	}
	return t.manifest(leg.End)
}

func (p *Publisher) marshal(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	if len(text) > p.part {
		return nil, fmt.Errorf("%w: %d bytes, but the server takes at most %d: shorten labels or headers, or raise max_payload", ErrTooLarge, len(text), p.part)
	}
	return text, nil
}
