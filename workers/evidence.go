package workers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"

	"go.uber.org/zap"

	"reassay/capture"
	"reassay/check"
	"reassay/mirror"
)

// manifest says what was kept of one exchange, in the mirror's own words: its begin, and each leg with its end, its
// transport's cuts, and by the end's sha256 the name of the object that holds its bytes.
type manifest struct {
	EvidenceVersion int           `json:"evidence_version"`
	Begin           mirror.Begin  `json:"begin"`
	Incomplete      string        `json:"incomplete,omitempty"` // what the mirror lost of the exchange
	Legs            []manifestLeg `json:"legs"`
}

// manifestLeg is one leg of a manifest.
type manifestLeg struct {
	Leg    string          `json:"leg"`
	SHA256 string          `json:"sha256"`
	Bytes  int64           `json:"bytes"`
	End    *mirror.End     `json:"end,omitempty"` // absent where none came
	Chunks []manifestChunk `json:"chunks,omitempty"`
}

// manifestChunk is one of the transport's cuts.
type manifestChunk struct {
	AtMicros int64 `json:"at_us"`
	Bytes    int   `json:"bytes"`
}

// evidenceVersion is the version of the manifests that this program writes and the only one that it reads.
const evidenceVersion = 1

// manifestPrefix begins the name of a manifest in the evidence bucket; the exchange's key follows.
const manifestPrefix = "exchange/"

func (k ExchangeKey) manifest() string { return manifestPrefix + k.String() }

// wanted reports whether a verdict's evidence is kept: that of every one that is not clean, or that is not final.
func wanted(v check.Verdict) bool {
	if v.Worst != check.WorstClean || v.WorstAny != check.WorstClean {
		return true
	}
	for _, s := range v.SDKs {
		if s.Outcome == check.Inconclusive || s.Outcome == check.Exception || s.Outcome == check.Corrupt {
			return true
		}
	}
	return false
}

// manifestOf describes what is kept of an exchange, and hands over the bytes of each leg by their sha256. What a capture
// never holds (credentials) is in neither.
func manifestOf(begin mirror.Begin, x *capture.Exchange, lost string) (m manifest, bodies map[string][]byte) {
	m = manifest{EvidenceVersion: evidenceVersion, Begin: begin, Incomplete: lost}
	bodies = map[string][]byte{}
	_, legs := outgoing(x, "")
	for i, l := range x.Legs() {
		sum := sha256.Sum256(l.Leg.Body)
		kept := manifestLeg{Leg: string(l.Role), SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(l.Leg.Body))}
		bodies[kept.SHA256] = l.Leg.Body
		for _, c := range legs[i].Chunks {
			kept.Chunks = append(kept.Chunks, manifestChunk{c.AtMicros, len(c.Data)})
		}
		if end := legs[i].End; end.Dialect != "" {
			end.MirrorVersion, end.Chunks, end.Bytes, end.SHA256 = mirror.Version, len(kept.Chunks), kept.Bytes, kept.SHA256
			kept.End = &end
		}
		m.Legs = append(m.Legs, kept)
	}
	return m, bodies
}

// keep keeps an exchange's evidence. The manifest comes before the bytes that it names: whoever forgets another exchange
// with the same bytes in this moment sees by it that they are still needed, or removes them before they are asked for here.
func (s *streams) keep(ctx context.Context, key ExchangeKey, begin mirror.Begin, x *capture.Exchange, lost string) error {
	if lost != "" {
		// Another worker may have judged the whole exchange since.
		if m, err := s.readManifest(ctx, key); err == nil && m.Incomplete == "" {
			return nil
		}
	}
	m, bodies := manifestOf(begin, x, lost)
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("keep the evidence of exchange %s: %w", key, err)
	}
	if err := s.evidence.put(ctx, key.manifest(), text); err != nil {
		return fmt.Errorf("keep the evidence of exchange %s: %w", key, err)
	}
	for _, l := range m.Legs {
		if err := s.evidence.put(ctx, l.SHA256, bodies[l.SHA256]); err != nil {
			return fmt.Errorf("keep leg %s of exchange %s: %w", l.Leg, key, err)
		}
	}
	return nil
}

// keepEvidence keeps what stands behind a verdict before the verdict is stored. A bucket that is full costs the evidence,
// not the verdict: kept is false then, and the legs stay in the mirror.
func (p *pool) keepEvidence(ctx context.Context, key ExchangeKey, j judgement, replaces bool) (kept bool, err error) {
	// What takes the place of an incomplete verdict takes the place of its evidence too.
	if !p.config.KeepEvidence || !wanted(j.verdict) && !replaces {
		return true, nil
	}
	err = p.streams.keep(ctx, key, *j.in.begin, j.exchange, j.lost)
	if errors.Is(err, errBucketFull) {
		p.config.Log.Warn("no room for evidence, the verdict is stored without it", zap.String("exchange", key.String()), zap.Error(err))
		return false, nil
	}
	return true, err
}

// Evidence is what was kept of an exchange.
type Evidence struct {
	Exchange *capture.Exchange
	Lost     string // what the mirror lost of it, so that it cannot be judged; "" when it is whole
}

// ErrNoEvidence says that nothing is kept of an exchange: its verdict is clean, it has grown too old, or it was forgotten.
var ErrNoEvidence = errors.New("no evidence is kept")

// Kept lists the exchanges of which there is evidence, in no order.
func (s *Stores) Kept(ctx context.Context) iter.Seq2[ExchangeKey, error] {
	return func(yield func(ExchangeKey, error) bool) {
		for name, err := range s.streams.evidence.names(ctx, manifestPrefix) {
			gateway, exchange, ok := strings.Cut(strings.TrimPrefix(name, manifestPrefix), ".")
			if err == nil && !ok {
				continue // not ours
			}
			if !yield(ExchangeKey{gateway, exchange}, err) {
				return
			}
		}
	}
}

// Evidence reads what is kept of an exchange. The error wraps [ErrNoEvidence] where nothing is.
func (s *Stores) Evidence(ctx context.Context, key ExchangeKey) (Evidence, error) {
	m, err := s.streams.readManifest(ctx, key)
	if err != nil {
		return Evidence{}, err
	}
	in := newIncoming(DefaultMaxBody)
	in.begin = &m.Begin
	for _, l := range m.Legs {
		body, err := s.streams.evidence.get(ctx, l.SHA256)
		if errors.Is(err, errNoObject) {
			err = fmt.Errorf("%w: %w", ErrNoEvidence, err)
		}
		if err != nil {
			return Evidence{}, fmt.Errorf("read leg %s of exchange %s: %w", l.Leg, key, err)
		}
		in.legs[l.Leg] = l.incoming(body)
	}
	x, holes, err := in.exchange()
	if err != nil {
		return Evidence{}, fmt.Errorf("read the evidence of exchange %s: %w", key, err)
	}
	if m.Incomplete == "" {
		m.Incomplete = holes
	}
	return Evidence{x, m.Incomplete}, nil
}

func (s *streams) readManifest(ctx context.Context, key ExchangeKey) (manifest, error) {
	var m manifest
	text, err := s.evidence.get(ctx, key.manifest())
	switch {
	case errors.Is(err, errNoObject):
		return m, fmt.Errorf("exchange %s: %w", key, ErrNoEvidence)
	case err == nil:
		err = json.Unmarshal(text, &m)
	}
	if err == nil && m.EvidenceVersion != evidenceVersion {
		err = fmt.Errorf("evidence_version is %d, this reassay reads %d", m.EvidenceVersion, evidenceVersion)
	}
	if err != nil {
		return m, fmt.Errorf("read the evidence of exchange %s: %w", key, err)
	}
	return m, nil
}

// incoming is a leg as the mirror brought it.
func (l manifestLeg) incoming(body []byte) *incomingLeg {
	in := &incomingLeg{end: l.End, chunks: map[int]*incomingChunk{}}
	for i, c := range l.Chunks {
		n := min(max(c.Bytes, 0), len(body))
		in.chunks[i] = &incomingChunk{atMicros: c.AtMicros, parts: [][]byte{body[:n]}}
		body = body[n:]
	}
	return in
}
