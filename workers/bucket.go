package workers

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// bucket is an object store of JetStream, as every client of NATS reads it (ADR-20 of nats-architecture-and-design).
// The client's own leaves a goroutine behind with each object that it puts, until its connection ends (nats.go v1.55.0,
// jetstream/publish.go, resetPendingAcksOnReconnect), which a daemon cannot afford; and it cannot erase what it removes.
type bucket struct {
	js     jetstream.JetStream
	name   string
	stream jetstream.Stream
	age    time.Duration // how long an object is kept; 0: for good
}

// errNoObject says that a bucket has no object of a name.
var errNoObject = errors.New("no such object")

// errBucketFull says that a bucket holds as many bytes as it may.
var errBucketFull = errors.New("the bucket is full")

func bucketStream(name string) string { return "OBJ_" + name }

// bindBucket opens a bucket that is there.
func bindBucket(ctx context.Context, js jetstream.JetStream, name string) (*bucket, error) {
	stream, err := js.Stream(ctx, bucketStream(name))
	if err != nil {
		return nil, err
	}
	return &bucket{js, name, stream, stream.CachedInfo().Config.MaxAge}, nil
}

func (b *bucket) metaSubject(name string) string {
	return "$O." + b.name + ".M." + base64.URLEncoding.EncodeToString([]byte(name))
}

func (b *bucket) chunkSubject(nuid string) string { return "$O." + b.name + ".C." + nuid }

// object is what a bucket says of one object.
type object struct {
	jetstream.ObjectInfo
	seq uint64 // of the message that says it
}

// info looks an object up. The error wraps errNoObject where there is none.
func (b *bucket) info(ctx context.Context, name string) (object, error) {
	m, err := b.stream.GetLastMsgForSubject(ctx, b.metaSubject(name))
	var o object
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return o, fmt.Errorf("look for %s in the bucket %s: %w", name, b.name, errNoObject)
	case err == nil:
		err = json.Unmarshal(m.Data, &o.ObjectInfo)
	}
	if err != nil {
		return o, fmt.Errorf("look for %s in the bucket %s: %w", name, b.name, err)
	}
	o.seq, o.ModTime = m.Sequence, m.Time
	if o.Deleted || o.NUID == "" {
		return o, fmt.Errorf("look for %s in the bucket %s: %w", name, b.name, errNoObject)
	}
	return o, nil
}

// objectChunk is the object store's own default.
const objectChunk = 128 << 10

// put keeps data under a name; what was kept under it before is gone then. An object of the same bytes is left alone
// unless it is old: whoever refers to it now needs it for the bucket's whole age, nearly.
func (b *bucket) put(ctx context.Context, name string, data []byte) error {
	old, err := b.info(ctx, name)
	if err != nil && !errors.Is(err, errNoObject) {
		return err
	}
	digest := objectDigest(data)
	if err == nil && old.Digest == digest && (b.age == 0 || time.Since(old.ModTime) < b.age/10) {
		return nil
	}
	if err := b.write(ctx, name, data, digest, old); err != nil {
		return fmt.Errorf("keep %d bytes in the bucket %s: %w", len(data), b.name, err)
	}
	return nil
}

func objectDigest(data []byte) string {
	sum := sha256.Sum256(data)
	return "SHA-256=" + base64.URLEncoding.EncodeToString(sum[:])
}

// write publishes an object's chunks and then what says that they are there: a reader never meets half an object.
func (b *bucket) write(ctx context.Context, name string, data []byte, digest string, old object) error {
	chunk := int(min(objectChunk, b.js.Conn().MaxPayload()/2))
	o := jetstream.ObjectInfo{Bucket: b.name, NUID: nuid.Next(), Size: uint64(len(data)), Digest: digest, ObjectMeta: jetstream.ObjectMeta{
		Name: name, Opts: &jetstream.ObjectMetaOptions{ChunkSize: uint32(chunk)},
	}}
	chunks := b.chunkSubject(o.NUID)
	for rest := data; len(rest) > 0; o.Chunks++ {
		n := min(chunk, len(rest))
		if _, err := b.js.Publish(ctx, chunks, rest[:n]); err != nil {
			return errors.Join(fullOr(err), b.stream.Purge(ctx, jetstream.WithPurgeSubject(chunks)))
		}
		rest = rest[n:]
	}
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	meta := &nats.Msg{Subject: b.metaSubject(name), Data: text, Header: nats.Header{jetstream.MsgRollup: {jetstream.MsgRollupSubject}}}
	_, err = b.js.PublishMsg(ctx, meta, jetstream.WithExpectLastSequenceForSubject(old.seq, meta.Subject))
	switch {
	case isWrongLast(err):
		// Somebody else has just put the same name, which holds the same bytes or newer ones.
		return b.stream.Purge(ctx, jetstream.WithPurgeSubject(chunks))
	case err != nil:
		return errors.Join(fullOr(err), b.stream.Purge(ctx, jetstream.WithPurgeSubject(chunks)))
	case old.NUID != "":
		return b.stream.Purge(ctx, jetstream.WithPurgeSubject(b.chunkSubject(old.NUID)))
	}
	return nil
}

// Codes of the server for a stream, an account or a disk that takes no more. Source: JSStreamStoreFailedF,
// JSInsufficientResourcesErr, JSAccountResourcesExceededErr and JSStorageResourcesExceededErr in nats-server's server/errors.json.
var fullCodes = map[jetstream.ErrorCode]bool{10077: true, 10023: true, 10002: true, errStorageExceeded: true}

func fullOr(err error) error {
	var refused *jetstream.APIError
	if errors.As(err, &refused) && fullCodes[refused.ErrorCode] {
		return fmt.Errorf("%w: %w", errBucketFull, err)
	}
	return err
}

const (
	// objectTries is how often an object is asked for: a server that is busy storing may not answer in time, and a
	// cluster's may not have come as far as the one that stored it.
	objectTries = 5
	// objectTimeout bounds one try.
	objectTimeout = 30 * time.Second
	objectDelay   = 100 * time.Millisecond
)

// get reads an object. The error wraps errNoObject where there is none.
func (b *bucket) get(ctx context.Context, name string) (data []byte, err error) {
	for range objectTries {
		if data, err = b.read(ctx, name); err == nil || errors.Is(err, errNoObject) {
			return data, err
		}
		select {
		case <-time.After(objectDelay):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return nil, err
}

func (b *bucket) read(ctx context.Context, name string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, objectTimeout)
	defer cancel()
	o, err := b.info(ctx, name)
	if err != nil {
		return nil, err
	}
	var data []byte
	if o.Size > 0 {
		err = directAll(ctx, b.js, bucketStream(b.name), b.chunkSubject(o.NUID), func(m stored) error {
			data = append(data, m.data...)
			return nil
		})
	}
	switch {
	case err != nil && !errors.Is(err, errNoMessages):
		return nil, fmt.Errorf("read %s from the bucket %s: %w", name, b.name, err)
	case uint64(len(data)) != o.Size || objectDigest(data) != o.Digest:
		return nil, fmt.Errorf("read %s from the bucket %s: %d bytes came, not the %d that were kept", name, b.name, len(data), o.Size)
	}
	return data, nil
}

// erase removes an object and writes over its bytes.
func (b *bucket) erase(ctx context.Context, name string) error {
	o, err := b.info(ctx, name)
	if errors.Is(err, errNoObject) {
		return nil
	}
	if err != nil {
		return err
	}
	// First what says that the object is there: a reader finds nothing, or all of it.
	if err := erase(ctx, b.stream, b.metaSubject(name)); err != nil {
		return err
	}
	return erase(ctx, b.stream, b.chunkSubject(o.NUID))
}

// names lists the objects whose names have a prefix.
func (b *bucket) names(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		metas := "$O." + b.name + ".M."
		for m, err := range scan(ctx, b.stream, scanning{filter: metas + ">", headers: true}) {
			name, undecoded := base64.URLEncoding.DecodeString(strings.TrimPrefix(m.subject, metas))
			switch {
			case err != nil:
				yield("", err)
				return
			case undecoded != nil, !strings.HasPrefix(string(name), prefix):
				continue
			}
			if !yield(string(name), nil) {
				return
			}
		}
	}
}

// erase removes every message of a subject filter and writes over its bytes in the server's files.
func erase(ctx context.Context, stream jetstream.Stream, filter string) error {
	var seqs []uint64
	for m, err := range scan(ctx, stream, scanning{filter: filter, headers: true}) {
		if err != nil {
			return err
		}
		seqs = append(seqs, m.seq)
	}
	return eraseAll(ctx, stream, seqs)
}

func eraseAll(ctx context.Context, stream jetstream.Stream, seqs []uint64) error {
	for _, seq := range seqs {
		if err := stream.SecureDeleteMsg(ctx, seq); err != nil && !errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
			return fmt.Errorf("erase message %d of the stream %s: %w", seq, stream.CachedInfo().Config.Name, err)
		}
	}
	return nil
}

func isWrongLast(err error) bool {
	var refused *jetstream.APIError
	return errors.As(err, &refused) && refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence
}
