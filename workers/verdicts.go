package workers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"reassay/check"
)

// ExchangeKey names one observation of an exchange on its server: the tokens of its gateway and of itself, which its
// subjects have.
type ExchangeKey struct{ Gateway, Exchange string }

// String is "<gateway>.<exchange>".
func (k ExchangeKey) String() string { return k.Gateway + "." + k.Exchange }

// verdictKey is what one verdict is stored under: an exchange under one interpretation.
type verdictKey struct{ gateway, exchange, interpretation string }

func (k verdictKey) subject(worst check.Worst) string {
	return verdictPrefix + k.gateway + "." + k.exchange + "." + k.interpretation + "." + string(worst)
}

func (k verdictKey) filter() string { return k.subject("*") }

// headerExchange is by what an exchange's verdicts are found that is known by its true id: see idDigest.
const headerExchange = "Reassay-Exchange"

// headerObject names the object that holds a verdict larger than one message may be.
const headerObject = "Reassay-Verdict-Object"

// errStored says that a verdict of this key is there already: the work was done by someone else.
var errStored = errors.New("a verdict is stored already")

// existing returns the stored verdict's worst word and sequence, "" and 0 where there is none.
func (s *streams) existing(ctx context.Context, k verdictKey) (worst string, seq uint64, err error) {
	m, err := s.verdicts.GetLastMsgForSubject(ctx, k.filter())
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return "", 0, nil
	case err != nil:
		return "", 0, fmt.Errorf("look for the verdict on exchange %s: %w", k.exchange, err)
	}
	return m.Subject[strings.LastIndexByte(m.Subject, '.')+1:], m.Sequence, nil
}

// store publishes a verdict. The server itself refuses a second one of the same key, however late; only a verdict
// that replaces the incomplete one at sequence replaces is let through, and that one is then deleted.
func (s *streams) store(ctx context.Context, k verdictKey, v check.Verdict, replaces uint64) error {
	text := v.JSON()
	msg := &nats.Msg{Subject: k.subject(v.Worst), Header: nats.Header{headerExchange: {idDigest(v.Exchange)}}, Data: text}
	if int64(len(text)) > s.js.Conn().MaxPayload()-verdictRoom {
		name, err := s.putObject(ctx, text)
		if err != nil {
			return err
		}
		msg.Data = nil
		msg.Header.Set(headerObject, name)
	}
	_, err := s.js.PublishMsg(ctx, msg,
		jetstream.WithExpectLastSequenceForSubject(replaces, k.filter()),
		jetstream.WithMsgID(fmt.Sprintf("%s.%s/%s/%d", k.gateway, k.exchange, k.interpretation, replaces)))
	switch {
	case isWrongLast(err):
		return errStored
	case err != nil:
		return fmt.Errorf("store the verdict on exchange %s: %w", k.exchange, err)
	}
	if replaces > 0 {
		// A crash before this leaves an outdated verdict beside the new one; the newest on the filter counts.
		if err := s.verdicts.DeleteMsg(ctx, replaces); err != nil && !errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
			return fmt.Errorf("delete the incomplete verdict on exchange %s: %w", k.exchange, err)
		}
	}
	return nil
}

// verdictRoom is kept free of max_payload for a verdict's headers.
const verdictRoom = 1024

// putObject keeps bytes in the evidence bucket under their sha256.
func (s *streams) putObject(ctx context.Context, data []byte) (name string, err error) {
	sum := sha256.Sum256(data)
	name = hex.EncodeToString(sum[:])
	return name, s.evidence.put(ctx, name, data)
}

// verdictText is a stored verdict as it was written, from its message or from the bucket.
func (s *streams) verdictText(ctx context.Context, h nats.Header, data []byte) ([]byte, error) {
	name := h.Get(headerObject)
	if name == "" {
		return data, nil
	}
	data, err := s.evidence.get(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("read a verdict: %w", err)
	}
	return data, nil
}
