package check

import (
	"strconv"

	"reassay/capture"
	"reassay/rules"
	"reassay/wire"
)

// exchange is one exchange on its way to a verdict.
type exchange struct {
	in    *capture.Exchange
	legs  []*leg // in the order of the contract, those that were captured
	named map[string]*leg
	c     rules.Case

	reference string // the stream's, or the whole reply's where there is no stream
	refLeg    *rules.Leg
	mrs       MRS
}

// read lays the captured legs out.
func (c *Checker) read(in *capture.Exchange) *exchange {
	x := &exchange{in: in, named: map[string]*leg{}}
	x.c = rules.Case{Gateway: in.Gateway, Request: in.Request, UpstreamRequest: in.UpstreamRequest}
	add := func(name string, l *capture.Leg) *rules.Leg {
		if l == nil {
			return nil
		}
		read := c.readLeg(name, l)
		x.legs = append(x.legs, read)
		x.named[name] = read
		if read.unread != "" {
			return nil
		}
		return read.Leg
	}
	x.c.Stream = add(rules.StreamLeg, in.Stream)
	x.c.NonStream = add(rules.NonStreamLeg, in.NonStream)
	for i, attempt := range in.Upstream {
		if i < len(in.Upstream)-1 {
			if l := add(rules.UpstreamLeg+"."+strconv.Itoa(i+1), attempt); l != nil {
				x.c.Attempts = append(x.c.Attempts, l)
			}
			continue
		}
		x.c.Upstream = add(rules.UpstreamLeg, attempt)
	}
	x.c.UpstreamWhole = add(rules.UpstreamWholeLeg, in.UpstreamNonStream)
	x.c.Cancelled = in.Stream != nil && in.Stream.Error != nil && in.Stream.Error.By == "caller"
	return x
}

// lost says what the mirror lost, "" when nothing: then nothing is judged.
func (x *exchange) lost() string {
	for _, l := range x.legs {
		if b := l.captured.Error; b != nil && b.By == "mirror" {
			return "leg " + l.Name + ": " + b.Message
		}
	}
	return ""
}

// lay chooses the references, compares, and says whether MR-S applies.
func (x *exchange) lay() {
	c := &x.c
	for _, l := range []*rules.Leg{c.Upstream, c.UpstreamWhole, c.Stream, c.NonStream} {
		c.ReadForced(l)
	}
	c.UpstreamState = rules.StateOf(c.Upstream)
	if c.Upstream == nil && c.UpstreamWhole != nil {
		c.UpstreamState = rules.StateOf(c.UpstreamWhole)
	}
	if ref := x.streamReference(); ref != nil {
		x.reference, x.refLeg = ref.Name, ref
		c.StreamComparison = rules.Compare(ref, c.Stream, c.Broken() || c.Cancelled)
	}
	if ref := x.wholeReference(); ref != nil {
		c.WholeComparison = rules.Compare(ref, c.NonStream, false)
		if x.reference == "" {
			x.reference = ref.Name
		}
	}
	if x.reference == "" {
		x.reference = "self"
	}
	x.equivalence()
}

// streamReference is what the stream is compared with (contract, reference), nil when only itself.
func (x *exchange) streamReference() *rules.Leg {
	c := &x.c
	switch {
	case c.Stream == nil:
		return nil
	case c.Upstream != nil && c.UpstreamState == rules.OffSpec && c.UpstreamWhole != nil && !c.UpstreamWhole.ErrorTold().Exists():
		return c.UpstreamWhole
	case c.Upstream != nil:
		return c.Upstream
	case c.UpstreamWhole != nil && x.in.SameContent:
		return c.UpstreamWhole
	case c.NonStream != nil && (x.in.SameContent || x.noUpstream()) && !c.NonStream.ErrorTold().Exists() && len(c.NonStream.Reply.Choices) > 0:
		return c.NonStream
	}
	return nil
}

// wholeReference is what the non-stream reply is compared with. Another request's streamed answer is no reference
// unless the capture says that both carry one content.
func (x *exchange) wholeReference() *rules.Leg {
	c := &x.c
	switch {
	case c.NonStream == nil:
		return nil
	case c.UpstreamWhole != nil:
		return c.UpstreamWhole
	case c.Upstream != nil && (x.in.SameContent || c.Stream == nil) && c.UpstreamState == rules.Sound:
		return c.Upstream
	}
	return nil
}

func (x *exchange) noUpstream() bool { return len(x.in.Upstream) == 0 && x.in.UpstreamNonStream == nil }

// equivalence says whether the stream equals the non-stream reply.
func (x *exchange) equivalence() {
	c := &x.c
	reason := ""
	switch {
	case c.Stream == nil:
		reason = x.missing(rules.StreamLeg)
	case c.NonStream == nil:
		reason = x.missing(rules.NonStreamLeg)
	case c.Cancelled:
		reason = "the caller broke the stream off"
	case !x.fixed():
		reason = "content not fixed"
	}
	if reason != "" {
		x.mrs = MRS{Status: "not_applicable", Reason: reason}
		return
	}
	c.Equivalence = rules.Compare(c.NonStream, c.Stream, false)
	x.mrs = MRS{Status: "holds"}
	if why := c.Stream.Garbled(); why != "" {
		x.mrs = MRS{Status: "violated", Reason: why}
	}
	if !c.Equivalence.Equal() {
		x.mrs = MRS{Status: "violated", Reason: c.Equivalence.Differences[0].Says("the whole reply")}
	}
}

func (x *exchange) missing(name string) string {
	if l := x.named[name]; l != nil {
		return l.unread
	}
	return "no " + name + " leg"
}

// fixed reports whether both legs of the caller are of one content: the model's two legs are equal, or the capture
// says so, or nothing was captured of the model and nothing is said to the contrary.
func (x *exchange) fixed() bool {
	c := &x.c
	if x.in.SameContent || x.noUpstream() {
		return true
	}
	if c.Upstream == nil || c.UpstreamWhole == nil || c.Broken() {
		return false
	}
	return rules.Compare(c.UpstreamWhole, c.Upstream, false).Equal()
}

// callerDialect is the dialect that the caller reads.
func (x *exchange) callerDialect() wire.Dialect {
	switch {
	case x.in.Stream != nil:
		return x.in.Stream.Dialect
	case x.in.NonStream != nil:
		return x.in.NonStream.Dialect
	case x.in.Request != nil:
		return x.in.Request.Dialect
	}
	return ""
}

func (x *exchange) upstreamDialect() wire.Dialect {
	if n := len(x.in.Upstream); n > 0 {
		return x.in.Upstream[n-1].Dialect
	}
	if x.in.UpstreamNonStream != nil {
		return x.in.UpstreamNonStream.Dialect
	}
	return ""
}
