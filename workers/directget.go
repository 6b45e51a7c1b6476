package workers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"reassay/mirror"
)

// stored is a message as the mirror's stream keeps it.
type stored struct {
	subject string
	seq     uint64
	time    time.Time
	header  nats.Header
	data    []byte
}

// directRequest is a batched direct get. Source: ADR-31 of nats-architecture-and-design, "Batched requests" and
// "Multi-subject requests".
type directRequest struct {
	Seq       uint64   `json:"seq,omitempty"`
	NextFor   string   `json:"next_by_subj,omitempty"`
	MultiLast []string `json:"multi_last,omitempty"`
	Batch     int      `json:"batch,omitempty"`
	MaxBytes  int      `json:"max_bytes,omitempty"`
}

const (
	batchMessages = 512
	batchBytes    = 8 << 20
	directTimeout = 10 * time.Second
)

// errNoMessages says that the stream holds nothing of what was asked.
var errNoMessages = errors.New("no messages")

// last returns the newest message of each subject that the filters match, oldest first.
func (s *streams) last(ctx context.Context, filters ...string) ([]stored, error) {
	var all []stored
	_, err := direct(ctx, s.js, mirror.Stream, directRequest{MultiLast: filters, MaxBytes: batchBytes}, func(m stored) { all = append(all, m) })
	return all, err
}

// all hands over every message of a subject filter in the mirror's order, in as many requests as it takes.
func (s *streams) all(ctx context.Context, filter string, yield func(stored) error) error {
	return directAll(ctx, s.js, mirror.Stream, filter, yield)
}

// directAll hands over every message of a subject filter in a stream's order.
func directAll(ctx context.Context, js jetstream.JetStream, stream, filter string, yield func(stored) error) error {
	seq := uint64(1)
	for {
		var failed error
		pending, err := direct(ctx, js, stream, directRequest{Seq: seq, NextFor: filter, Batch: batchMessages, MaxBytes: batchBytes}, func(m stored) {
			seq = m.seq + 1
			if failed == nil {
				failed = yield(m)
			}
		})
		if failed != nil {
			return failed
		}
		if err != nil || pending == 0 {
			return err
		}
	}
}

// holds asks the stream's leader, which alone knows, whether the mirror has a message.
func (s *streams) holds(ctx context.Context, seq uint64) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, directTimeout)
	defer cancel()
	body := fmt.Sprintf(`{"seq":%d}`, seq)
	msg, err := s.js.Conn().RequestWithContext(ctx, "$JS.API.STREAM.MSG.GET."+mirror.Stream, []byte(body))
	var answer struct {
		Error *jetstream.APIError `json:"error"`
	}
	if err == nil {
		err = json.Unmarshal(msg.Data, &answer)
	}
	switch {
	case err != nil:
		return false, fmt.Errorf("ask the stream %s for message %d: %w", mirror.Stream, seq, err)
	case answer.Error != nil && answer.Error.ErrorCode == jetstream.JSErrCodeMessageNotFound:
		return false, nil
	case answer.Error != nil:
		return false, fmt.Errorf("ask the stream %s for message %d: %w", mirror.Stream, seq, answer.Error)
	}
	return true, nil
}

// direct sends one request to a stream and hands over its answers. It returns how many messages the stream holds beyond
// them. What was handed over before an error is the beginning of the answer, without a hole.
func direct(ctx context.Context, js jetstream.JetStream, name string, req directRequest, yield func(stored)) (pending uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, directTimeout)
	defer cancel()
	body, err := json.Marshal(req)
	if err != nil {
		return 0, fmt.Errorf("ask the stream %s: %w", name, err)
	}
	nc := js.Conn()
	inbox := nc.NewRespInbox()
	sub, err := nc.SubscribeSync(inbox)
	if err != nil {
		return 0, fmt.Errorf("ask the stream %s: %w", name, err)
	}
	defer sub.Unsubscribe()
	if err := nc.PublishRequest("$JS.API.DIRECT.GET."+name, inbox, body); err != nil {
		return 0, fmt.Errorf("ask the stream %s: %w", name, err)
	}
	var before uint64
	// A connection that was lost meanwhile takes a part of the answer with it: each message, and the end, names the one
	// before it.
	whole := func(h nats.Header) error {
		if last := lastValue(h, "Nats-Last-Sequence"); last != strconv.FormatUint(before, 10) {
			return fmt.Errorf("read from the stream %s: a part of the answer did not come, between the messages %d and %s", name, before, last)
		}
		return nil
	}
	for {
		msg, err := sub.NextMsgWithContext(ctx)
		if err != nil {
			return 0, fmt.Errorf("read from the stream %s: %w", name, err)
		}
		// Only the server's own answers lack a sequence: a publisher may have put a Status on what is stored.
		status := ""
		if len(msg.Header[headerSequence]) == 0 {
			status = msg.Header.Get("Status")
		}
		switch status {
		case "":
		case "204":
			n, err := strconv.ParseUint(lastValue(msg.Header, "Nats-Num-Pending"), 10, 64)
			if err != nil {
				return 0, fmt.Errorf("read the end of a batch from the stream %s: %w", name, err)
			}
			return n, whole(msg.Header)
		case "404":
			return 0, errNoMessages
		default:
			return 0, fmt.Errorf("the stream %s answers %s %s", name, status, msg.Header.Get("Description"))
		}
		m := stored{subject: lastValue(msg.Header, "Nats-Subject"), header: msg.Header, data: msg.Data}
		if m.seq, err = strconv.ParseUint(lastValue(msg.Header, headerSequence), 10, 64); err != nil {
			return 0, fmt.Errorf("read a message's sequence from the stream %s: %w", name, err)
		}
		if m.time, err = time.Parse(time.RFC3339Nano, lastValue(msg.Header, "Nats-Time-Stamp")); err != nil {
			return 0, fmt.Errorf("read a message's time from the stream %s: %w", name, err)
		}
		if err := whole(msg.Header); err != nil {
			return 0, err
		}
		before = m.seq
		yield(m)
	}
}

// headerSequence is the header in which the server says which message of the stream it hands over.
const headerSequence = "Nats-Sequence"

// lastValue is the value that the server itself added: it stands behind any that a publisher sent under that name.
func lastValue(h nats.Header, name string) string {
	if values := h[name]; len(values) > 0 {
		return values[len(values)-1]
	}
	return ""
}
