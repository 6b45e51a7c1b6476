package check

import (
	"errors"
	"fmt"

	"reassay/convir"
	"reassay/wire"
)

// maxParts is how many choices, calls, citations, media and the like a reply may have that is judged. Rules compare
// them with one another; the largest replies seen have some hundred.
const maxParts = 2048

// overParts names the limit that a reply is over, "" when it is within them all.
func overParts(r convir.Reply) string {
	n := len(r.Choices)
	for _, ch := range r.Choices {
		for _, e := range ch.Events {
			n++
			if e.Args.Given && !e.Args.Value.Exists() {
				// Arguments that our own reader cannot hold are not broken for that.
				var bad *wire.SyntaxError
				if _, err := wire.Parse([]byte(e.Args.Raw)); errors.As(err, &bad) && bad.Limit {
					return fmt.Sprintf("nesting: the arguments of a call at %s: %v", e.Path, err)
				}
			}
		}
	}
	if n > maxParts {
		return fmt.Sprintf("parts: %d choices and parts, at most %d are compared", n, maxParts)
	}
	return ""
}

// The bounds of what a verdict says about one exchange, so that no stream makes it larger than a person or a message
// of the server can take.
const (
	maxText  = 4 << 10 // bytes of one text that comes from the reply: a path, an id, an exception's message
	maxPaths = 200     // paths in one list
)

// bound cuts what is too long.
func (v *Verdict) bound() {
	for name, l := range v.Legs {
		l.StopRaw, l.ResponseID = short(l.StopRaw), short(l.ResponseID)
		v.Legs[name] = l
	}
	v.MRS.Reason, v.Reason = short(v.MRS.Reason), short(v.Reason)
	v.Unread = boundUnread(v.Unread)
	for i := range v.SDKs {
		s := &v.SDKs[i]
		s.Reason = short(s.Reason)
		if s.Exception != nil {
			s.Exception.Class, s.Exception.Message = short(s.Exception.Class), cutText(s.Exception.Message)
		}
		if more := len(s.Unexplained) - maxPaths; more > 0 {
			s.Unexplained = append(s.Unexplained[:maxPaths:maxPaths], fmt.Sprintf("and %d more", more))
		}
		for k, path := range s.Unexplained {
			s.Unexplained[k] = short(path)
		}
	}
	for i := range v.Findings {
		f := &v.Findings[i]
		f.Path, f.Mechanism, f.Message = short(f.Path), short(f.Mechanism), short(f.Message)
		for k, c := range f.Consequences {
			f.Consequences[k] = short(c)
		}
	}
}

// boundUnread keeps the first paths of each leg and counts the rest under one.
func boundUnread(all []Unread) []Unread {
	kept := all[:0]
	of := map[string]int{}
	rest := map[string]int{} // leg to the index in kept of what counts its rest
	for _, u := range all {
		u.Path = short(u.Path)
		if of[u.Leg]++; of[u.Leg] <= maxPaths {
			kept = append(kept, u)
			continue
		}
		i, ok := rest[u.Leg]
		if !ok {
			i = len(kept)
			rest[u.Leg] = i
			kept = append(kept, Unread{Leg: u.Leg, Path: "others"})
		}
		kept[i].Count += u.Count
	}
	return kept
}

// short is s, or where it is too long its beginning and length. A lone surrogate half becomes U+FFFD: only an
// exception's message is kept to the unit.
func short(s string) string { return cutText(wire.Scalar(s)) }

func cutText(s string) string {
	if len(s) <= maxText {
		return s
	}
	n := maxText
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return fmt.Sprintf("%s… (%d bytes)", s[:n], len(s))
}
