package check

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sort"
	"strings"

	"reassay/assemble"
	"reassay/capture"
	"reassay/convir"
	"reassay/rules"
	"reassay/sse"
	"reassay/wire"
)

// leg is a captured reply that was read.
type leg struct {
	*rules.Leg
	captured *capture.Leg
	body     []byte // after content-encoding was undone
	unread   string // why it could not be read, "" when it was
	limit    bool   // because of a limit
}

// readLeg decodes, parses and assembles one captured reply.
func (c *Checker) readLeg(name string, in *capture.Leg) *leg {
	l := &leg{Leg: &rules.Leg{Name: name, Dialect: in.Dialect, Status: in.Status, Headers: in.Headers, Broken: in.Error}, captured: in}
	if l.Status == 0 {
		l.Status = 200
	}
	body, err := in.PlainUpTo(c.maxBody())
	var unknown *capture.CodingError
	var large *capture.TooLargeError
	switch {
	case errors.As(err, &unknown):
		l.unread = fmt.Sprintf("leg %s: %v", name, err)
		return l
	case errors.As(err, &large):
		l.unread, l.limit = fmt.Sprintf("leg %s: limit bytes: %v", name, err), true
		return l
	case err != nil && l.Broken == nil:
		l.Broken = &capture.Break{By: "unknown", Message: "the content-encoding ends early"}
	}
	l.body = body
	l.read()
	return l
}

func (l *leg) read() {
	s := sse.Parse(l.Dialect, l.body)
	if s.Err != nil {
		l.unread, l.limit = fmt.Sprintf("leg %s: limit events: %v", l.Name, s.Err), true
		return
	}
	l.Form, l.Frames, l.Events = s.Form, s.Frames, s.Events
	l.Assembled = assemble.Assemble(l.Dialect, s)
	l.Reply = convir.Parse(l.Dialect, l.Assembled.Body)
	if over := overParts(l.Reply); over != "" {
		l.unread, l.limit = fmt.Sprintf("leg %s: limit %s", l.Name, over), true
		l.Assembled, l.Reply = assemble.Assembled{}, convir.Reply{}
		return
	}
	if !l.OK() && !l.ErrorTold().Exists() {
		l.Reply.Error = wire.Obj(wire.Member{Key: "status", Value: wire.OfInt(l.Status)})
	}
}

// canonical is the leg's end in the words that all dialects share (contract, section 3, legs).
func (l *leg) canonical() Leg {
	out := Leg{Transport: "ok", Generation: string(convir.None), ResponseID: l.Reply.ID}
	switch {
	case l.Form == sse.FormEmpty && l.Broken != nil && l.captured.Status == 0:
		out.Transport = "none"
	case !l.OK():
		out.Transport = "http_error"
	case l.Broken != nil || l.cutVisibly():
		out.Transport = "cut"
	}
	if l.unread != "" || l.Form == sse.FormEmpty && l.OK() {
		return out
	}
	out.WellFormed = rules.WellFormed(l.Leg)
	outcome, raw, given := ending(l.Reply.Choices)
	out.StopRaw, out.FinishSeen = raw, given
	switch {
	case !l.OK() || l.ErrorTold().Exists():
		outcome = convir.Failed
	case outcome == convir.None || !given:
		outcome = convir.Unknown
	}
	out.Generation = string(outcome)
	if l.Streamed() {
		out.FinishSeen, out.TerminalSeen = l.Assembled.Finish, l.Assembled.Terminal
	} else {
		out.TerminalSeen = out.FinishSeen
	}
	return out
}

// cutVisibly reports a body that ends inside a frame or an array.
func (l *leg) cutVisibly() bool {
	for _, f := range l.Assembled.Faults {
		if f.Code == assemble.CutFrame && !l.Assembled.Terminal {
			return true
		}
	}
	return len(l.Events) > 0 && errors.Is(l.Events[len(l.Events)-1].Err, sse.ErrCut)
}

// ending is how the choices ended: the first that did not end well, else the first. given tells whether all said so.
func ending(choices []convir.Choice) (o convir.Outcome, raw string, given bool) {
	o, given = convir.None, len(choices) > 0
	for i, ch := range choices {
		given = given && ch.Stop.Given
		if i == 0 || success(o) && !success(ch.Stop.Outcome) {
			o, raw = ch.Stop.Outcome, ch.Stop.Raw
		}
	}
	return o, raw, given
}

func success(o convir.Outcome) bool {
	return o == convir.Complete || o == convir.ToolCalls || o == convir.Empty
}

// evidence identifies the bytes as they were captured.
func evidence(in *capture.Leg) Evidence {
	sum := sha256.Sum256(in.Body)
	return Evidence{SHA256: hex.EncodeToString(sum[:]), Bytes: len(in.Body)}
}

// addBesides adds the legs that are judged by but are no reply of their own: the requests, and attempts that were not
// served. Another request makes another observation of the same reply.
func addBesides(e map[string]Evidence, in *capture.Exchange) {
	served := capture.UpstreamRole(len(in.Upstream))
	for _, l := range in.Legs() {
		switch l.Role {
		case capture.RoleStream, capture.RoleNonStream, capture.RoleUpstreamNonStream, served:
		default:
			e[string(l.Role)] = evidence(l.Leg)
		}
	}
}

// unreadOf counts the fields and types of a leg that no parser knew, each once: a field that assembling passed over
// is not there for the reader of the whole body to pass over again.
func unreadOf(l *leg) []Unread {
	counts := map[string]int{}
	seen := map[string]bool{}
	for _, u := range l.Assembled.Unread {
		counts[u.Path] += u.Count
		seen[lastStep(u.Path)] = true
	}
	for _, u := range l.Reply.Unread {
		if !l.Streamed() || !seen[lastStep(u.Path)] {
			counts[u.Path] += u.Count
		}
	}
	out := make([]Unread, 0, len(counts))
	for path, n := range counts {
		out = append(out, Unread{Leg: l.Name, Path: path, Count: n})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out
}

func lastStep(path string) string { return path[strings.LastIndexAny(path, ".]")+1:] }
