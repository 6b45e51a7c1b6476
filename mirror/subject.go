// Package mirror is the publishing side of reassay's NATS mirror: what a gateway or a tap sends so that workers can
// judge its replies. It imports nats.go alone, so that a gateway can require it without reassay's own dependencies.
//
// The wire format is version 1 of the mirror (the contract, section 2).
package mirror

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Version is the mirror format's version.
const Version = 1

// The JetStream stream that buffers the mirror, and the subjects that it takes.
const (
	Stream   = "REASSAY_MIRROR"
	Subjects = "reassay.mirror.>"
)

const prefix = "reassay.mirror."

// The kinds of message.
const (
	KindBegin = "begin"
	KindLeg   = "leg"
	KindEnd   = "end"
)

// Subject is a mirror subject taken apart.
type Subject struct {
	Gateway  string // token
	Exchange string // token
	Kind     string // KindBegin, KindLeg or KindEnd
	Leg      string // the leg's own name, "upstream.1"; "" for begin
}

// maxGatewayToken is how long a gateway's token may be.
const maxGatewayToken = 64

// GatewayToken is a gateway's name as a subject token: every byte outside [A-Za-z0-9_-] becomes "_", cut to 64
// bytes. A gateway without a name is "_".
func GatewayToken(name string) string {
	if name == "" {
		return "_"
	}
	token := []byte(name)
	if len(token) > maxGatewayToken {
		token = token[:maxGatewayToken]
	}
	for i, c := range token {
		if !(c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-') {
			token[i] = '_'
		}
	}
	return string(token)
}

// ExchangeToken is the first 32 hex digits of sha256(run, id). The run is the publisher's own: the same file replayed
// twice never mixes. The two parts are kept apart by a zero byte.
func ExchangeToken(run, id string) string {
	sum := sha256.Sum256([]byte(run + "\x00" + id))
	return hex.EncodeToString(sum[:])[:32]
}

// Of is the common part of an exchange's subjects, "reassay.mirror.<gateway>.<exchange>", from its tokens.
func Of(gateway, exchange string) string { return prefix + gateway + "." + exchange }

// BeginSubject is where an exchange is announced.
func BeginSubject(gateway, exchange string) string { return Of(gateway, exchange) + "." + KindBegin }

// LegSubject is where a leg's bytes go.
func LegSubject(gateway, exchange, leg string) string {
	return Of(gateway, exchange) + "." + KindLeg + "." + legToken(leg)
}

// EndSubject is where a leg's manifest goes.
func EndSubject(gateway, exchange, leg string) string {
	return Of(gateway, exchange) + "." + KindEnd + "." + legToken(leg)
}

func legToken(leg string) string { return strings.ReplaceAll(leg, ".", "-") }

// ParseSubject takes a mirror subject apart.
func ParseSubject(subject string) (Subject, error) {
	rest, ok := strings.CutPrefix(subject, prefix)
	if !ok {
		return Subject{}, fmt.Errorf("subject %q is not below %s", subject, strings.TrimSuffix(prefix, "."))
	}
	t := strings.Split(rest, ".")
	for _, token := range t {
		if token == "" {
			return Subject{}, fmt.Errorf("subject %q has an empty token", subject)
		}
	}
	switch {
	case len(t) == 3 && t[2] == KindBegin:
		return Subject{t[0], t[1], KindBegin, ""}, nil
	case len(t) == 4 && (t[2] == KindLeg || t[2] == KindEnd):
		return Subject{t[0], t[1], t[2], strings.ReplaceAll(t[3], "-", ".")}, nil
	}
	return Subject{}, fmt.Errorf("subject %q is no begin, leg or end", subject)
}
