package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"reassay/check"
	"reassay/wire"
)

// content is a policy on what a verdict shows of replies: `--content` (contract, section 3).
type content string

const (
	contentFull content = "full"
	contentHash content = "hash"
	contentNone content = "none"
)

var contents = []content{contentFull, contentHash, contentNone}

// contentKeyName is the variable that holds the key of the hashes, so that two runs' hashes can be compared.
const contentKeyName = "REASSAY_CONTENT_KEY"

// redaction carries out a content policy. Values of replies stand in a verdict's expected, got and assembled alone.
type redaction struct {
	content content
	key     []byte
}

func newRedaction(word string, getenv func(string) string) (redaction, error) {
	c := content(word)
	if !slices.Contains(contents, c) {
		return redaction{}, usage("--content: unknown policy %q, want %s", word, words(contents))
	}
	key := []byte(getenv(contentKeyName))
	if len(key) == 0 {
		key = make([]byte, sha256.Size)
		rand.Read(key)
	}
	return redaction{c, key}, nil
}

// apply returns v under the policy; v itself is not changed.
func (r redaction) apply(v check.Verdict) check.Verdict {
	if r.content == contentFull {
		return v
	}
	v.Findings = slices.Clone(v.Findings)
	for i := range v.Findings {
		f := &v.Findings[i]
		f.Expected, f.Got = r.value(f.Expected), r.value(f.Got)
	}
	v.SDKs = slices.Clone(v.SDKs)
	for i := range v.SDKs {
		s := &v.SDKs[i]
		if s.Assembled == nil {
			continue
		}
		if r.content == contentNone {
			s.Assembled = nil
		} else {
			s.Assembled = json.RawMessage(r.digest(s.Assembled).JSON())
		}
	}
	return v
}

func (r redaction) value(v *wire.Value) *wire.Value {
	if v == nil || r.content == contentNone {
		return nil
	}
	hashed := r.digest(v.JSON())
	return &hashed
}

// digest stands for a JSON text: its length in bytes and its HMAC-SHA-256.
func (r redaction) digest(text []byte) wire.Value {
	mac := hmac.New(sha256.New, r.key)
	mac.Write(text)
	return wire.Obj(
		wire.Member{Key: "bytes", Value: wire.OfInt(len(text))},
		wire.Member{Key: "hmac_sha256", Value: wire.Of(hex.EncodeToString(mac.Sum(nil)))},
	)
}
