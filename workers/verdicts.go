package workers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"reassay/check"
)

// verdictKey is what one verdict is stored under: an exchange under one interpretation.
type verdictKey struct{ gateway, exchange, interpretation string }

func (k verdictKey) subject(worst check.Worst) string {
	return verdictPrefix + k.gateway + "." + k.exchange + "." + k.interpretation + "." + string(worst)
}

func (k verdictKey) filter() string { return k.subject("*") }

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
	msg := &nats.Msg{Subject: k.subject(v.Worst), Header: nats.Header{}, Data: text}
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
		jetstream.WithMsgID(fmt.Sprintf("%s/%s/%d", k.exchange, k.interpretation, replaces)))
	var api *jetstream.APIError
	switch {
	case errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence:
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
	if _, err := s.evidence.GetInfo(ctx, name); err == nil {
		return name, nil
	}
	meta := jetstream.ObjectMeta{
		Name: name,
		Opts: &jetstream.ObjectMetaOptions{ChunkSize: uint32(min(objectChunk, s.js.Conn().MaxPayload()/2))},
	}
	if _, err := s.evidence.Put(ctx, meta, strings.NewReader(string(data))); err != nil {
		return "", fmt.Errorf("keep %d bytes in the bucket %s: %w", len(data), evidenceBucket, err)
	}
	return name, nil
}

// objectChunk is the object store's own default.
const objectChunk = 128 << 10

// verdictText is a stored verdict as it was written, from its message or from the bucket.
func (s *streams) verdictText(ctx context.Context, h nats.Header, data []byte) ([]byte, error) {
	name := h.Get(headerObject)
	if name == "" {
		return data, nil
	}
	var err error
	for range objectTries {
		if data, err = s.object(ctx, name); err == nil || ctx.Err() != nil || errors.Is(err, jetstream.ErrObjectNotFound) {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read a verdict from the bucket %s: %w", evidenceBucket, err)
	}
	return data, nil
}

const (
	// objectTries is how often an object is asked for: a server that is busy storing may not answer in time.
	objectTries = 5
	// objectTimeout bounds one try. Without a deadline of the caller's the client gives up after five seconds.
	objectTimeout = 30 * time.Second
)

// object reads an object of the evidence bucket.
func (s *streams) object(ctx context.Context, name string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, objectTimeout)
	defer cancel()
	return s.evidence.GetBytes(ctx, name)
}
