package capture

import (
	"fmt"
	"strconv"
	"strings"

	"reassay/wire"
)

// Role names a leg, as the mirror does (contract, section 2).
type Role string

// The roles. The gateway's attempts upstream are numbered from 1, see [UpstreamRole].
const (
	RoleStream            Role = "stream"
	RoleNonStream         Role = "non_stream"
	RoleRequest           Role = "request"
	RoleUpstreamRequest   Role = "upstream_request"
	RoleUpstreamNonStream Role = "upstream_non_stream"
)

const upstreamPrefix = "upstream."

// UpstreamRole is the role of the gateway's n-th attempt, counted from 1.
func UpstreamRole(n int) Role { return Role(upstreamPrefix + strconv.Itoa(n)) }

// attempt is the number in an upstream role, or 0.
func (r Role) attempt() int {
	digits, ok := strings.CutPrefix(string(r), upstreamPrefix)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || strconv.Itoa(n) != digits {
		return 0
	}
	return n
}

// RoleLeg is a leg with its role.
type RoleLeg struct {
	Role Role
	Leg  *Leg
}

// Legs lists the legs that are there, in the order of the contract's table of roles. A request is shown as a leg
// whose body is its JSON.
func (x *Exchange) Legs() []RoleLeg {
	var legs []RoleLeg
	add := func(r Role, l *Leg) {
		if l != nil {
			legs = append(legs, RoleLeg{r, l})
		}
	}
	add(RoleStream, x.Stream)
	add(RoleNonStream, x.NonStream)
	add(RoleRequest, x.Request.leg())
	add(RoleUpstreamRequest, x.UpstreamRequest.leg())
	for i, l := range x.Upstream {
		add(UpstreamRole(i+1), l)
	}
	add(RoleUpstreamNonStream, x.UpstreamNonStream)
	return legs
}

func (r *Request) leg() *Leg {
	if r == nil {
		return nil
	}
	return &Leg{Dialect: r.Dialect, ContentType: "application/json", Body: r.Body.JSON()}
}

// Served is the attempt upstream whose reply the gateway handed on: the last. It is nil when none was captured.
func (x *Exchange) Served() *Leg {
	if len(x.Upstream) == 0 {
		return nil
	}
	return x.Upstream[len(x.Upstream)-1]
}

// Cuts lists the byte offsets in Body at which the transport's chunks end, ascending, without 0 and the body's end.
// Chunks of no bytes and those past the body's end cut nothing.
func (l *Leg) Cuts() []int {
	var cuts []int
	at := 0
	for _, c := range l.Chunks {
		if c.Bytes <= 0 {
			continue
		}
		if c.Bytes >= len(l.Body)-at {
			break
		}
		at += c.Bytes
		cuts = append(cuts, at)
	}
	return cuts
}

// Set puts a leg, as the mirror brings it, into its place. Attempts upstream may come in any order: those between are
// nil until they are set. A request whose body is not JSON, and an unknown role, is an error.
func (x *Exchange) Set(role Role, l *Leg) error {
	switch role {
	case RoleStream:
		x.Stream = l
	case RoleNonStream:
		x.NonStream = l
	case RoleUpstreamNonStream:
		x.UpstreamNonStream = l
	case RoleRequest, RoleUpstreamRequest:
		body, err := wire.Parse(l.Body)
		if err != nil {
			return fmt.Errorf("read leg %s: %w", role, err)
		}
		r := &Request{Dialect: l.Dialect, Body: WithoutKeys(body)}
		if role == RoleRequest {
			x.Request = r
		} else {
			x.UpstreamRequest = r
		}
	default:
		n := role.attempt()
		if n == 0 || n > maxAttempts {
			return fmt.Errorf("%q is no leg of an exchange", cut(string(role)))
		}
		for len(x.Upstream) < n {
			x.Upstream = append(x.Upstream, nil)
		}
		x.Upstream[n-1] = l
	}
	return nil
}

// maxAttempts bounds the number in an upstream role.
const maxAttempts = 64
