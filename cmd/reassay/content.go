package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

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

// redaction carries out a content policy. Values of replies stand in a verdict's expected, got and assembled, and in the
// messages of exceptions, which SDKs and runtimes word as they like: Node's JSON.parse quotes the text that it fails on.
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
		s.Assembled, s.Exception = r.assembled(s.Assembled), r.exception(s.Exception)
	}
	return v
}

func (r redaction) assembled(text json.RawMessage) json.RawMessage {
	if text == nil || r.content == contentNone {
		return nil
	}
	return json.RawMessage(r.digest(text).JSON())
}

// exception keeps what was raised and where, and hides what it says.
func (r redaction) exception(x *check.SDKException) *check.SDKException {
	if x == nil || x.Message == "" {
		return x
	}
	hidden := *x
	if hidden.Message = ""; r.content == contentHash {
		hidden.Message = fmt.Sprintf("%d bytes, hmac_sha256 %s", len(x.Message), r.mac([]byte(x.Message)))
	}
	return &hidden
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
	return wire.Obj(
		wire.Member{Key: "bytes", Value: wire.OfInt(len(text))},
		wire.Member{Key: "hmac_sha256", Value: wire.Of(r.mac(text))},
	)
}

func (r redaction) mac(text []byte) string {
	mac := hmac.New(sha256.New, r.key)
	mac.Write(text)
	return hex.EncodeToString(mac.Sum(nil))
}

// contentFlags are those of commands that store verdicts on a server, where traffic that passed live and exchanges from
// files lie side by side.
type contentFlags struct{ content string }

func (f *contentFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.content, "content", "", "what stored verdicts show of replies: full, hash (length and keyed sha256, the key being $"+contentKeyName+
		"\nor else random for each run) or none; unless told, hash on live traffic and full on exchanges that were captured or probed")
}

// policy is what is done to a verdict before it is stored; the error is one of usage.
func (f *contentFlags) policy(getenv func(string) string) (func(check.Verdict) check.Verdict, error) {
	word := f.content
	if word == "" {
		word = string(contentHash)
	}
	redact, err := newRedaction(word, getenv)
	if err != nil || f.content != "" {
		return redact.apply, err
	}
	return func(v check.Verdict) check.Verdict {
		if v.Population != populationLive {
			return v
		}
		return redact.apply(v)
	}, nil
}

// populationLive is the population of exchanges that a gateway mirrored while it served them.
const populationLive = "live"
