package workers

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"reassay/capture"
	"reassay/mirror"
	"reassay/wire"
)

// incoming is an exchange as it is read back from the mirror, message by message in the stream's order.
type incoming struct {
	begin    *mirror.Begin // all begins together
	legs     map[string]*incomingLeg
	first    time.Time // the first begin's
	last     time.Time // the newest message's
	newest   uint64    // its sequence in the stream
	bytes    int64
	messages int64
	maxBody  int64
}

// incomingLeg is one leg's chunks and manifest.
type incomingLeg struct {
	end    *mirror.End
	chunks map[int]*incomingChunk // by Reassay-Seq
}

// incomingChunk is one transport chunk, in the parts that it was sent in.
type incomingChunk struct {
	atMicros int64
	parts    [][]byte // nil where a part has not come
}

// errPoison marks an exchange that no later message can mend: it goes to the dead letters.
var errPoison = errors.New("cannot be judged")

func newIncoming(maxBody int64) *incoming {
	return &incoming{legs: map[string]*incomingLeg{}, maxBody: maxBody}
}

// add takes one message in. The error wraps errPoison where the message itself is broken.
func (in *incoming) add(m stored) error {
	s, err := mirror.ParseSubject(m.subject)
	if err != nil {
		return fmt.Errorf("%w: %w", errPoison, err)
	}
	in.note(m)
	switch s.Kind {
	case mirror.KindBegin:
		return in.addBegin(m)
	case mirror.KindEnd:
		end, err := decodeEnd(m.data)
		if err != nil {
			return fmt.Errorf("%w: end of leg %s: %w", errPoison, s.Leg, err)
		}
		// The first end stands: what a second one says cannot take back what was judged by the first.
		if leg := in.leg(s.Leg); leg.end == nil {
			leg.end = end
		}
		return nil
	}
	leg := in.leg(s.Leg)
	if seq, err := headerInt(m, mirror.HeaderSeq); err == nil && leg.end != nil && !leg.end.Dropped && seq >= leg.end.Chunks {
		return nil // sent after the end, which does not count it: whether it has come yet may not change a verdict
	}
	if err := in.addChunk(leg, m); err != nil {
		return fmt.Errorf("%w: leg %s, message %d: %w", errPoison, s.Leg, m.seq, err)
	}
	return nil
}

// note keeps what every message tells, whatever is in it.
func (in *incoming) note(m stored) {
	in.last = later(in.last, m.time)
	in.newest = max(in.newest, m.seq)
	in.messages++
}

// glance takes in one message of those that are the newest of their subjects: a leg's newest chunk says nothing but
// when it came.
func (in *incoming) glance(m stored) error {
	if s, err := mirror.ParseSubject(m.subject); err == nil && s.Kind == mirror.KindLeg {
		in.note(m)
		return nil
	}
	return in.add(m)
}

// claimed is what the manifests say that the exchange holds, with the begins and ends that were seen.
func (in *incoming) claimed() (bytes, messages int64) {
	for _, l := range in.legs {
		if l.end != nil {
			bytes += min(max(l.end.Bytes, 0), in.maxBody)
			messages += int64(min(max(l.end.Chunks, 0), maxClaim))
		}
	}
	return min(bytes, in.maxBody), min(messages, maxClaim) + in.messages
}

// maxClaim bounds how many messages a manifest is believed to count.
const maxClaim = 1 << 20

func (in *incoming) leg(name string) *incomingLeg {
	l := in.legs[name]
	if l == nil {
		l = &incomingLeg{chunks: map[int]*incomingChunk{}}
		in.legs[name] = l
	}
	return l
}

func (in *incoming) addBegin(m stored) error {
	b, err := decodeBegin(m.data)
	if err != nil {
		return fmt.Errorf("%w: begin: %w", errPoison, err)
	}
	if in.begin == nil {
		in.begin, in.first = b, m.time
		return nil
	}
	if b.ID != in.begin.ID {
		return fmt.Errorf("%w: two begins with the ids %q and %q", errPoison, in.begin.ID, b.ID)
	}
	for _, leg := range b.Legs {
		if !contains(in.begin.Legs, leg) {
			in.begin.Legs = append(in.begin.Legs, leg)
		}
	}
	return nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func (in *incoming) addChunk(l *incomingLeg, m stored) error {
	seq, err := headerInt(m, mirror.HeaderSeq)
	if err != nil {
		return err
	}
	k, n, err := headerPart(m)
	if err != nil {
		return err
	}
	in.bytes += int64(len(m.data))
	if in.bytes > in.maxBody {
		return fmt.Errorf("the exchange holds more than %d bytes", in.maxBody)
	}
	c := l.chunks[seq]
	if c == nil {
		c = &incomingChunk{parts: make([][]byte, n)}
		l.chunks[seq] = c
	}
	if len(c.parts) != n {
		return fmt.Errorf("chunk %d comes in %d parts and in %d", seq, len(c.parts), n)
	}
	if c.parts[k-1] == nil {
		c.parts[k-1] = m.data
		if m.data == nil {
			c.parts[k-1] = []byte{}
		}
		if at, err := strconv.ParseInt(m.header.Get(mirror.HeaderAt), 10, 64); err == nil {
			c.atMicros = at
		}
	}
	return nil
}

func headerInt(m stored, name string) (int, error) {
	n, err := strconv.Atoi(m.header.Get(name))
	if err != nil || n < 0 {
		return 0, fmt.Errorf("header %s is %q, want a number", name, m.header.Get(name))
	}
	return n, nil
}

// maxParts bounds how many parts one chunk may claim to have.
const maxParts = 1 << 16

func headerPart(m stored) (k, n int, err error) {
	text := m.header.Get(mirror.HeaderPart)
	if text == "" {
		return 1, 1, nil
	}
	a, b, _ := strings.Cut(text, "/")
	k, errK := strconv.Atoi(a)
	n, errN := strconv.Atoi(b)
	if errK != nil || errN != nil || k < 1 || k > n || n > maxParts {
		return 0, 0, fmt.Errorf("header %s is %q, want k/n", mirror.HeaderPart, text)
	}
	return k, n, nil
}

// complete reports whether every leg that the begin names has ended.
func (in *incoming) complete() bool { return in.begin != nil && len(in.open()) == 0 }

// lacks reports whether a chunk that a manifest counts has not come, nor a part of one. It may be on its way: nothing
// says that messages of different subjects are stored in the order in which they were sent.
func (in *incoming) lacks() bool {
	for _, name := range in.begin.Legs {
		l := in.legs[name]
		if l == nil || l.end == nil || l.end.Dropped {
			continue
		}
		if len(l.chunks) < l.end.Chunks {
			return true
		}
		for _, c := range l.chunks {
			if slices.ContainsFunc(c.parts, func(part []byte) bool { return part == nil }) {
				return true
			}
		}
	}
	return false
}

// open names the legs that have not ended, in the begin's order.
func (in *incoming) open() []string {
	var open []string
	for _, name := range in.begin.Legs {
		if l := in.legs[name]; l == nil || l.end == nil {
			open = append(open, name)
		}
	}
	return open
}

// exchange puts the legs together. holes says what the manifests count and the mirror does not hold, "" when nothing
// is missing: such a loss is the mirror's, and no leg of it may be blamed on the gateway.
func (in *incoming) exchange() (x *capture.Exchange, holes string, err error) {
	b := in.begin
	x = &capture.Exchange{
		ID:          b.ID,
		Gateway:     capture.Gateway(b.Gateway),
		Population:  b.Population,
		ObservedAt:  b.ObservedAt,
		Labels:      b.Labels,
		Sample:      sampleOf(b),
		SameContent: b.SameContent,
		Parsed:      b.Caller != nil && b.Caller.ResponseFormat == "parsed",
	}
	var missing []string
	for _, name := range b.Legs {
		l := in.legs[name]
		if l == nil || l.end == nil {
			missing = append(missing, fmt.Sprintf("leg %s has no end", name))
			if l == nil {
				continue
			}
		}
		body, chunks, hole := l.body()
		if hole != "" {
			missing = append(missing, fmt.Sprintf("leg %s: %s", name, hole))
		}
		if l.saysNothing(capture.Role(name)) {
			continue
		}
		leg, err := legOf(l.end, body, chunks)
		if err != nil {
			return nil, "", fmt.Errorf("%w: leg %s: %w", errPoison, name, err)
		}
		if err := x.Set(capture.Role(name), leg); err != nil && len(missing) == 0 {
			return nil, "", fmt.Errorf("%w: %w", errPoison, err)
		}
	}
	for i, attempt := range x.Upstream {
		if attempt == nil && len(missing) == 0 {
			return nil, "", fmt.Errorf("%w: leg %s is named by no begin, but a later attempt is", errPoison, capture.UpstreamRole(i+1))
		}
	}
	if x.Stream == nil && x.NonStream == nil && len(missing) == 0 {
		return nil, "", fmt.Errorf("%w: neither a stream leg nor a non_stream leg", errPoison)
	}
	return x, strings.Join(missing, "; "), nil
}

// saysNothing reports whether a request's body came whole and is empty: its publisher found no JSON in it. That is a
// request that was not captured, and no reason to leave its reply unjudged.
func (l *incomingLeg) saysNothing(role capture.Role) bool {
	isRequest := role == capture.RoleRequest || role == capture.RoleUpstreamRequest
	return isRequest && l.end != nil && !l.end.Dropped && l.end.Chunks == 0 && len(l.chunks) == 0
}

// sampleOf is the rate that a begin tells, 0 where it mirrors all.
func sampleOf(b *mirror.Begin) float64 {
	if b.Sample == nil || *b.Sample == 1 {
		return 0
	}
	return *b.Sample
}

// body joins the chunks and compares them with the manifest.
func (l *incomingLeg) body() (body []byte, chunks []capture.Chunk, hole string) {
	seqs := make([]int, 0, len(l.chunks))
	for seq := range l.chunks {
		seqs = append(seqs, seq)
	}
	sort.Ints(seqs)
	body = []byte{}
	for i, seq := range seqs {
		if seq != i && hole == "" {
			hole = fmt.Sprintf("chunk %d is missing", i)
		}
		data := bytes.Join(l.chunks[seq].parts, nil)
		for k, part := range l.chunks[seq].parts {
			if part == nil && hole == "" {
				hole = fmt.Sprintf("chunk %d lacks part %d", seq, k+1)
			}
		}
		body = append(body, data...)
		chunks = append(chunks, capture.Chunk{AtMicros: l.chunks[seq].atMicros, Bytes: len(data)})
	}
	if l.end == nil || hole != "" {
		return body, chunks, hole
	}
	sum := sha256.Sum256(body)
	switch {
	case l.end.Dropped:
		hole = "the publisher dropped it"
	case l.end.Chunks != len(seqs):
		hole = fmt.Sprintf("its manifest counts %d chunks, %d came", l.end.Chunks, len(seqs))
	case l.end.Bytes != int64(len(body)):
		hole = fmt.Sprintf("its manifest counts %d bytes, %d came", l.end.Bytes, len(body))
	case l.end.SHA256 != hex.EncodeToString(sum[:]):
		hole = "its bytes are not those that its manifest hashed"
	}
	return body, chunks, hole
}

// legOf is a leg with what its manifest says, which is nil where the manifest never came. One that says that the leg was
// dropped knows of no reply.
func legOf(end *mirror.End, body []byte, chunks []capture.Chunk) (*capture.Leg, error) {
	if end == nil || end.Dropped {
		return &capture.Leg{Body: body, Chunks: chunks}, nil
	}
	dialect := wire.Dialect(end.Dialect)
	if !dialect.Known() {
		return nil, fmt.Errorf("unknown dialect %q", end.Dialect)
	}
	l := &capture.Leg{
		Dialect:     dialect,
		Status:      end.Status,
		ContentType: end.ContentType,
		Headers:     capture.KeptHeaders(end.Headers),
		Trailers:    capture.KeptHeaders(end.Trailers),
		Body:        body,
		Chunks:      chunks,
	}
	if end.Error != nil {
		l.Error = &capture.Break{By: end.Error.By, Message: end.Error.Message}
	}
	return l, nil
}

// Bounds of a begin (contract, section 1).
const (
	maxID     = 512
	maxLabels = 16
	maxLegs   = capture.MaxAttempts + 5 // the attempts, the two replies, the two requests, the model's whole reply
)

func decodeBegin(data []byte) (*mirror.Begin, error) {
	var b mirror.Begin
	if err := json.Unmarshal(data, &b); err != nil {
		return nil, err
	}
	if b.MirrorVersion != mirror.Version {
		return nil, fmt.Errorf("mirror_version is %d, this reassay reads %d", b.MirrorVersion, mirror.Version)
	}
	if b.ID == "" {
		return nil, errors.New("no id")
	}
	switch {
	case len(b.ID) > maxID:
		return nil, fmt.Errorf("the id has %d bytes, want at most %d", len(b.ID), maxID)
	case len(b.Legs) == 0 || len(b.Legs) > maxLegs:
		return nil, fmt.Errorf("%d legs, want 1 to %d", len(b.Legs), maxLegs)
	case len(b.Labels) > maxLabels:
		return nil, fmt.Errorf("%d labels, want at most %d", len(b.Labels), maxLabels)
	}
	if b.Sample != nil && !(*b.Sample > 0 && *b.Sample <= 1) {
		return nil, fmt.Errorf("sample is %v, want a share over 0 and up to 1", *b.Sample)
	}
	switch b.Population {
	case "":
		b.Population = "live"
	case "live", "captured", "probed":
	default:
		return nil, fmt.Errorf("population is %q, want live, captured or probed", b.Population)
	}
	return &b, nil
}

func decodeEnd(data []byte) (*mirror.End, error) {
	var e mirror.End
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, err
	}
	if e.MirrorVersion != mirror.Version {
		return nil, fmt.Errorf("mirror_version is %d, this reassay reads %d", e.MirrorVersion, mirror.Version)
	}
	return &e, nil
}
