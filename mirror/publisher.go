package mirror

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

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

// headerRoom is kept free of a message's max_payload for its headers, which the server counts too.
const headerRoom = 512

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
	gateway, exchange := GatewayToken(b.Gateway.Name), ExchangeToken(b.Run, b.ID)
	var sent []pending
	send := func(subject string, header nats.Header, data []byte) error {
		msg := &nats.Msg{Subject: subject, Header: header, Data: data}
		ack, err := p.js.PublishMsgAsync(msg)
		if err != nil {
			return fmt.Errorf("publish %s: %w", subject, err)
		}
		sent = append(sent, pending{subject, ack})
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
	// A later begin that adds legs is another message: the same words sent again are not.
	id := sha256.Sum256(begin)
	header := nats.Header{nats.MsgIdHdr: {exchange + "/begin/" + hex.EncodeToString(id[:8])}}
	if err := send(BeginSubject(gateway, exchange), header, begin); err != nil {
		return err
	}
	for _, leg := range legs {
		if err := p.leg(gateway, exchange, leg, send); err != nil {
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
func (p *Publisher) leg(gateway, exchange string, leg Leg, send func(string, nats.Header, []byte) error) error {
	subject := LegSubject(gateway, exchange, leg.Name)
	for seq, chunk := range leg.Chunks {
		parts := max(1, (len(chunk.Data)+p.part-1)/p.part)
		for k := range parts {
			data := chunk.Data[k*p.part : min(len(chunk.Data), (k+1)*p.part)]
			id := exchange + "/" + leg.Name + "/" + strconv.Itoa(seq)
			header := nats.Header{
				HeaderSeq: {strconv.Itoa(seq)},
				HeaderAt:  {strconv.FormatInt(chunk.AtMicros, 10)},
			}
			if parts > 1 {
				header.Set(HeaderPart, strconv.Itoa(k+1)+"/"+strconv.Itoa(parts))
				// A part of its own identity: the server drops a second message of one id.
				id += "/" + strconv.Itoa(k+1)
			}
			header.Set(nats.MsgIdHdr, id)
			if err := send(subject, header, data); err != nil {
				return err
			}
		}
	}
	end, err := p.marshal(manifest(leg))
	if err != nil {
		return fmt.Errorf("end of leg %s: %w", leg.Name, err)
	}
	return send(EndSubject(gateway, exchange, leg.Name), nats.Header{nats.MsgIdHdr: {exchange + "/" + leg.Name + "/end"}}, end)
}

// manifest counts what was given, not what was sent.
func manifest(leg Leg) End {
	sum := sha256.New()
	end := leg.End
	end.MirrorVersion = Version
	for _, chunk := range leg.Chunks {
		sum.Write(chunk.Data)
		end.Chunks++
		end.Bytes += int64(len(chunk.Data))
	}
	end.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return end
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
