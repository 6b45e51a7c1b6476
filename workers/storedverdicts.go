package workers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"time"

	"reassay/check"
)

// StoredVerdict is a verdict as it lies in its stream.
type StoredVerdict struct {
	Key     ExchangeKey
	Stored  time.Time
	Verdict check.Verdict
	seq     uint64
}

// ErrNoExchange says that no verdict is stored on an exchange.
var ErrNoExchange = errors.New("there is no verdict on it")

// idDigest stands for an exchange's id, which is free text, in a header.
func idDigest(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:])[:32]
}

var (
	keyText   = regexp.MustCompile(`^([A-Za-z0-9_-]{1,64})\.([0-9a-f]{32})$`)
	tokenText = regexp.MustCompile(`^[0-9a-f]{32}$`)
)

// Find returns the exchanges with verdicts that a text names: "<gateway>.<exchange>" as in a verdict's subject, the
// exchange's token alone, or the exchange's id, which several exchanges may have (each replay of a file is one) and for
// which the headers of all verdicts are read. The error wraps [ErrNoExchange] where there is none.
func (s *Stores) Find(ctx context.Context, name string) ([]ExchangeKey, error) {
	filters := []string{verdictSubjects}
	if key := keyText.FindStringSubmatch(name); key != nil {
		filters = []string{verdictKey{key[1], key[2], "*"}.filter(), verdictSubjects}
	} else if tokenText.MatchString(name) {
		filters = []string{verdictKey{"*", name, "*"}.filter(), verdictSubjects}
	}
	for _, filter := range filters {
		var found []ExchangeKey
		for m, err := range scan(ctx, s.streams.verdicts, scanning{filter: filter, headers: true}) {
			if err != nil {
				return nil, fmt.Errorf("look for the exchange %q: %w", name, err)
			}
			key, ok := verdictKeyOf(m.subject)
			if ok && (filter != verdictSubjects || m.header.Get(headerExchange) == idDigest(name)) && !slices.Contains(found, key.of()) {
				found = append(found, key.of())
			}
		}
		if len(found) > 0 {
			return found, nil
		}
	}
	return nil, fmt.Errorf("exchange %q: %w", name, ErrNoExchange)
}

// verdictKeyOf takes a verdict's subject apart.
func verdictKeyOf(subject string) (k verdictKey, ok bool) {
	t := strings.Split(strings.TrimPrefix(subject, verdictPrefix), ".")
	if len(t) != 4 {
		return k, false
	}
	return verdictKey{t[0], t[1], t[2]}, true
}

func (k verdictKey) of() ExchangeKey { return ExchangeKey{k.gateway, k.exchange} }

// Verdicts are those on one exchange, one an interpretation, the newest last.
func (s *Stores) Verdicts(ctx context.Context, key ExchangeKey) ([]StoredVerdict, error) {
	var all []StoredVerdict
	for v, err := range s.verdicts(ctx, scanning{filter: verdictKey{key.Gateway, key.Exchange, "*"}.filter()}) {
		if err != nil {
			return nil, fmt.Errorf("read the verdicts on exchange %s: %w", key, err)
		}
		all = slices.DeleteFunc(all, func(older StoredVerdict) bool {
			return older.Verdict.Interpretation.ID == v.Verdict.Interpretation.ID
		})
		all = append(all, v)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("exchange %s: %w", key, ErrNoExchange)
	}
	return all, nil
}

// VerdictsSince are all that were stored since then, oldest first. One whose place another has taken is left out.
func (s *Stores) VerdictsSince(ctx context.Context, since time.Time) iter.Seq2[StoredVerdict, error] {
	return func(yield func(StoredVerdict, error) bool) {
		for v, err := range s.verdicts(ctx, scanning{filter: verdictSubjects, since: since}) {
			if err == nil && !final(v.Verdict) {
				var newest uint64
				_, newest, err = s.streams.existing(ctx, verdictKey{v.Key.Gateway, v.Key.Exchange, v.Verdict.Interpretation.ID})
				if err == nil && newest != v.seq {
					continue
				}
			}
			if !yield(v, err) {
				return
			}
		}
	}
}

// final reports whether nothing may take a verdict's place.
func final(v check.Verdict) bool { return v.Worst != check.WorstIncomplete && !Retryable(v) }

// Retryable reports whether a verdict says what depended on the machine's load: an SDK that took more time or memory
// than it may, three times over.
func Retryable(v check.Verdict) bool {
	return slices.ContainsFunc(v.SDKs, func(s check.SDK) bool { return s.Retryable })
}

func (s *Stores) verdicts(ctx context.Context, what scanning) iter.Seq2[StoredVerdict, error] {
	return func(yield func(StoredVerdict, error) bool) {
		for m, err := range scan(ctx, s.streams.verdicts, what) {
			var v StoredVerdict
			if err == nil {
				v, err = s.storedVerdict(ctx, m)
			}
			if !yield(v, err) {
				return
			}
		}
	}
}

func (s *Stores) storedVerdict(ctx context.Context, m stored) (StoredVerdict, error) {
	key, ok := verdictKeyOf(m.subject)
	if !ok {
		return StoredVerdict{}, fmt.Errorf("the subject %s is no verdict's", m.subject)
	}
	v := StoredVerdict{Key: key.of(), Stored: m.time, seq: m.seq}
	text, err := s.streams.verdictText(ctx, m.header, m.data)
	if err == nil {
		v.Verdict, err = check.DecodeVerdict(text)
	}
	if err != nil {
		return v, fmt.Errorf("read the verdict on exchange %s: %w", v.Key, err)
	}
	return v, nil
}

// Judged stores a verdict that was reached anew beside those that there are, and reports whether it did: one of its
// interpretation is there already, and stands, unless it was retryable and this one is not.
func (s *Stores) Judged(ctx context.Context, key ExchangeKey, v check.Verdict) (bool, error) {
	var replaces uint64
	old, err := s.Verdicts(ctx, key)
	if err != nil && !errors.Is(err, ErrNoExchange) {
		return false, err
	}
	for _, o := range old {
		if o.Verdict.Interpretation.ID == v.Interpretation.ID {
			if !Retryable(o.Verdict) || Retryable(v) {
				return false, nil
			}
			replaces = o.seq
		}
	}
	err = s.streams.store(ctx, verdictKey{key.Gateway, key.Exchange, v.Interpretation.ID}, v, replaces)
	if errors.Is(err, errStored) {
		return false, nil
	}
	return err == nil, err
}
