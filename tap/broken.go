package tap

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"regexp"
	"syscall"
)

// Words for how a connection broke. They are all that is mirrored of an error: no address, no URL.
const (
	wentAway   = "went away"
	tapStopped = "the tap was stopped"
)

// h2Code finds the code in the errors of net/http's HTTP/2, whose types are not exported.
var h2Code = regexp.MustCompile(`(?:stream error|GOAWAY|connection error).*?\b([A-Z][A-Z0-9]*_[A-Z0-9_]+|CANCEL)\b`)

// how says in a few words how a connection broke.
func how(err error) string {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var timeout net.Error
	switch {
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection reset"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.As(err, &dns):
		return "host not found"
	case errors.As(err, &certificate):
		return "certificate not trusted"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "connection closed before the end"
	case errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "timed out"
	}
	if code := h2Code.FindStringSubmatch(err.Error()); code != nil {
		return "stream reset: " + code[1]
	}
	return "broken off"
}

// unreachable reports whether a request failed before anything of it was sent.
func unreachable(err error) bool {
	var op *net.OpError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	return errors.As(err, &op) && op.Op == "dial" || errors.As(err, &certificate) || errors.As(err, &record) || errors.As(err, &alert)
}
