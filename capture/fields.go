package capture

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"reassay/wire"
)

// Limits of the format itself (contract, section 1).
const (
	maxID     = 512 // bytes
	maxLabels = 16
)

// Bounds of what the format leaves open. What they bound travels in one message of the mirror.
const (
	MaxAttempts = 64   // how many attempts of the gateway an exchange may have
	maxName     = 512  // bytes of a gateway's name or version, and of a label's name
	maxLabel    = 4096 // bytes of a label
)

// populations lists what [Exchange].Population may be.
var populations = []string{"probed", "captured", "live"}

// parties lists what [Break].By may be.
var parties = []string{"caller", "gateway", "upstream", "mirror", "unknown"}

// fields reads an exchange from its JSON value and keeps the first fault.
type fields struct{ err *FieldError }

// exchange reads v, which holds one exchange. The error, if any, is a *FieldError.
func exchange(v wire.Value) (*Exchange, error) {
	var f fields
	x := f.exchange(v)
	if f.err != nil {
		return nil, f.err
	}
	return x, nil
}

func (f *fields) fail(at wire.Value, field, format string, args ...any) {
	if f.err == nil {
		f.err = &FieldError{Field: field, Msg: fmt.Sprintf(format, args...), at: at.Offset()}
	}
}

func (f *fields) exchange(v wire.Value) *Exchange {
	if !f.is(v, wire.Object, "exchange") {
		return nil
	}
	// The version comes first: nothing may be said about the fields of a format that is not known.
	switch version := v.Get("capture_version"); {
	case !version.Present():
		f.fail(v, "capture_version", "missing, want %d", Version)
	case version.Num() != fmt.Sprint(Version):
		f.fail(version, "capture_version", "%s is not known, this program reads %d", cut(string(version.JSON())), Version)
	}
	if f.err != nil {
		return nil
	}
	x := &Exchange{
		ID:          f.text(v, "", "id", true),
		Population:  f.oneOf(v, "", "population", populations, "captured"),
		SameContent: f.flag(v, "same_content"),
		Meta:        withoutCredentials(v.Get("meta")),
		ObservedAt:  f.text(v, "", "observed_at", false),
		Labels:      f.labels(v.Get("labels")),
		Sample:      f.sample(v.Get("sample")),
	}
	f.atMost(v.Get("id"), "id", maxID)
	if x.ObservedAt != "" {
		if _, err := time.Parse(time.RFC3339, x.ObservedAt); err != nil {
			f.fail(v.Get("observed_at"), "observed_at", "%q is not an RFC 3339 time", cut(x.ObservedAt))
		}
	}
	if g := v.Get("gateway"); f.need(v, g, wire.Object, "gateway") {
		x.Gateway = Gateway{Name: f.text(g, "gateway.", "name", true), Version: f.text(g, "gateway.", "version", false)}
		f.atMost(g.Get("name"), "gateway.name", maxName)
		f.atMost(g.Get("version"), "gateway.version", maxName)
	}
	x.Request = f.request(v.Get("request"), "request")
	if c := v.Get("caller"); c.Present() && f.is(c, wire.Object, "caller") {
		x.Parsed = f.oneOf(c, "caller.", "response_format", []string{"plain", "parsed"}, "plain") == "parsed"
	}
	x.UpstreamRequest = f.request(v.Get("upstream_request"), "upstream_request")
	x.Upstream = f.attempts(v.Get("upstream"))
	x.UpstreamNonStream = f.upstreamNonStream(v.Get("upstream_non_stream"), x)
	x.Stream = f.leg(v.Get("stream"), "stream")
	x.NonStream = f.leg(v.Get("non_stream"), "non_stream")
	if x.Stream == nil && x.NonStream == nil {
		f.fail(v, "stream, non_stream", "both missing: an exchange needs at least one reply of the gateway")
	}
	return x
}

func (f *fields) is(v wire.Value, want wire.Kind, field string) bool {
	if v.Kind() == want {
		return true
	}
	article := "a"
	if want == wire.Object || want == wire.Array {
		article = "an"
	}
	f.fail(v, field, "%s, want %s %s", v.Kind(), article, want)
	return false
}

// need is like is, for a field that must be there; parent gives the place of one that is not.
func (f *fields) need(parent, v wire.Value, want wire.Kind, field string) bool {
	if !v.Present() {
		f.fail(parent, field, "missing")
		return false
	}
	return f.is(v, want, field)
}

// atMost holds a string to a length in bytes.
func (f *fields) atMost(v wire.Value, field string, most int) {
	if n := len(v.Str()); n > most {
		f.fail(v, field, "%d bytes long, at most %d are allowed", n, most)
	}
}

// text reads the string v[key]; prefix and key make its path. An absent one is "". Half of a surrogate pair, which is
// no text, becomes U+FFFD.
func (f *fields) text(v wire.Value, prefix, key string, required bool) string {
	s := v.Get(key)
	if !s.Present() && !required {
		return ""
	}
	if f.need(v, s, wire.String, prefix+key) && required && s.Str() == "" {
		f.fail(s, prefix+key, "empty")
	}
	return wire.Scalar(s.Str())
}

func (f *fields) oneOf(v wire.Value, prefix, key string, known []string, absent string) string {
	s := f.text(v, prefix, key, false)
	if !v.Get(key).Present() {
		return absent
	}
	for _, k := range known {
		if s == k {
			return s
		}
	}
	f.fail(v.Get(key), prefix+key, "%q is not known, want one of %s", cut(s), strings.Join(known, ", "))
	return s
}

func (f *fields) flag(v wire.Value, key string) bool {
	b := v.Get(key)
	return b.Present() && f.is(b, wire.Bool, key) && b.True()
}

func (f *fields) labels(v wire.Value) map[string]string {
	if !v.Present() || !f.is(v, wire.Object, "labels") {
		return nil
	}
	out := make(map[string]string, len(v.Members()))
	for _, m := range v.Members() {
		if n := len(m.Key); n > maxName {
			f.fail(m.Value, "labels", "a label's name is %d bytes long, at most %d are allowed", n, maxName)
			return nil
		}
		f.atMost(m.Value, "labels."+m.Key, maxLabel)
		if f.is(m.Value, wire.String, "labels."+m.Key) && !credential(m.Key) {
			out[wire.Scalar(m.Key)] = redactKeys(wire.Scalar(m.Value.Str()))
		}
	}
	if len(out) > maxLabels {
		f.fail(v, "labels", "%d labels, at most %d are allowed", len(out), maxLabels)
	}
	return out
}

// sample reads the rate of a sample. A rate of 1, which is no sample, is the same as none.
func (f *fields) sample(v wire.Value) float64 {
	if !v.Present() || !f.is(v, wire.Number, "sample") {
		return 0
	}
	rate, err := strconv.ParseFloat(v.Num(), 64)
	if err != nil || !(rate > 0 && rate <= 1) {
		f.fail(v, "sample", "%s is no share of exchanges, want a number over 0 and up to 1", cut(v.Num()))
	}
	if rate == 1 {
		return 0
	}
	return rate
}

func (f *fields) dialect(v wire.Value, field string) wire.Dialect {
	d := wire.Dialect(f.text(v, field+".", "dialect", true))
	if f.err == nil && !d.Known() {
		var known []string
		for _, k := range wire.Dialects {
			known = append(known, string(k))
		}
		f.fail(v.Get("dialect"), field+".dialect", "%q is not known, want one of %s", cut(string(d)), strings.Join(known, ", "))
	}
	return d
}

func (f *fields) request(v wire.Value, field string) *Request {
	if !v.Present() || !f.is(v, wire.Object, field) {
		return nil
	}
	body := v.Get("body")
	if !body.Exists() {
		f.fail(v, field+".body", "missing")
	}
	return &Request{Dialect: f.dialect(v, field), Body: WithoutKeys(body)}
}

func (f *fields) attempts(v wire.Value) []*Leg {
	if v.Kind() != wire.Array {
		if leg := f.leg(v, "upstream"); leg != nil {
			return []*Leg{leg}
		}
		return nil
	}
	if n := len(v.Elems()); n > MaxAttempts {
		f.fail(v, "upstream", "%d attempts, at most %d are allowed", n, MaxAttempts)
		return nil
	}
	var legs []*Leg
	for i, e := range v.Elems() {
		field := fmt.Sprintf("upstream[%d]", i)
		if f.is(e, wire.Object, field) {
			legs = append(legs, f.leg(e, field))
		}
	}
	return legs
}

// upstreamNonStream reads a leg, or a bare reply object as status 200 in the dialect of the upstream.
func (f *fields) upstreamNonStream(v wire.Value, x *Exchange) *Leg {
	const field = "upstream_non_stream"
	if !v.Present() || v.Get("dialect").Exists() || v.Get("body").Exists() || v.Get("body_base64").Exists() {
		return f.leg(v, field)
	}
	if !f.is(v, wire.Object, field) {
		return nil
	}
	leg := &Leg{Status: 200, ContentType: "application/json", Body: v.JSON()}
	switch served := x.Served(); {
	case served != nil:
		leg.Dialect = served.Dialect
	case x.UpstreamRequest != nil:
		leg.Dialect = x.UpstreamRequest.Dialect
	default:
		f.fail(v, field, "a bare reply object, and no upstream leg tells its dialect")
	}
	return leg
}

func (f *fields) leg(v wire.Value, field string) *Leg {
	if !v.Present() || !f.is(v, wire.Object, field) {
		return nil
	}
	l := &Leg{
		Dialect:     f.dialect(v, field),
		ContentType: f.text(v, field+".", "content_type", false),
		Headers:     f.headers(v.Get("headers"), field+".headers"),
		Trailers:    f.headers(v.Get("trailers"), field+".trailers"),
		Error:       f.broken(v.Get("error"), field+".error"),
		Chunks:      f.chunks(v.Get("chunks"), field+".chunks"),
	}
	l.Status = f.status(v, field, l.Error)
	l.Body = f.body(v, field, l.Error)
	if l.ContentType == "" && len(l.Headers["content-type"]) > 0 {
		l.ContentType = l.Headers["content-type"][0]
	}
	return l
}

// status reads the HTTP status. Where the transport broke before a status came, there is none: zero.
func (f *fields) status(v wire.Value, field string, broken *Break) int {
	s := v.Get("status")
	if !s.Present() && broken != nil {
		return 0
	}
	if !f.need(v, s, wire.Number, field+".status") {
		return 0
	}
	n, ok := s.Int()
	if !ok || n > 999 || n < 100 && (n != 0 || broken == nil) {
		f.fail(s, field+".status", "%s is not an HTTP status", cut(s.Num()))
	}
	return n
}

func (f *fields) body(v wire.Value, field string, broken *Break) []byte {
	plain, coded := v.Get("body"), v.Get("body_base64")
	switch {
	case plain.Present() && coded.Present():
		f.fail(coded, field, "both body and body_base64")
	case plain.Present():
		if !f.is(plain, wire.String, field+".body") {
			break
		}
		if wire.LoneHalves(plain.Str()) {
			f.fail(plain, field+".body", "half of a surrogate pair, which is no text; want body_base64")
		}
		return []byte(plain.Str())
	case coded.Present():
		if !f.is(coded, wire.String, field+".body_base64") {
			break
		}
		b, err := base64.StdEncoding.DecodeString(coded.Str())
		if err != nil {
			f.fail(coded, field+".body_base64", "%v", err)
		}
		return b
	case broken == nil:
		f.fail(v, field+".body", "missing; an empty reply is \"\"")
	}
	return []byte{}
}

func (f *fields) broken(v wire.Value, field string) *Break {
	if !v.Present() {
		return nil
	}
	if v.Kind() == wire.String {
		return &Break{By: "unknown", Message: redactKeys(wire.Scalar(v.Str()))}
	}
	if !f.is(v, wire.Object, field) {
		return nil
	}
	return &Break{
		By:      f.oneOf(v, field+".", "by", parties, "unknown"),
		Message: redactKeys(f.text(v, field+".", "message", false)),
	}
}

func (f *fields) chunks(v wire.Value, field string) []Chunk {
	if !v.Present() || !f.is(v, wire.Array, field) {
		return nil
	}
	out := make([]Chunk, len(v.Elems()))
	for i, e := range v.Elems() {
		at := fmt.Sprintf("%s[%d]", field, i)
		if !f.is(e, wire.Object, at) {
			return nil
		}
		out[i] = Chunk{AtMicros: int64(f.count(e, at+".", "at_us")), Bytes: f.count(e, at+".", "bytes")}
	}
	return out
}

func (f *fields) count(v wire.Value, prefix, key string) int {
	n := v.Get(key)
	if !f.need(v, n, wire.Number, prefix+key) {
		return 0
	}
	i, ok := n.Int()
	if !ok || i < 0 {
		f.fail(n, prefix+key, "%s is not a count", cut(n.Num()))
	}
	return i
}

func (f *fields) headers(v wire.Value, field string) map[string][]string {
	if !v.Present() || !f.is(v, wire.Object, field) {
		return nil
	}
	out := make(map[string][]string)
	for _, m := range v.Members() {
		name := strings.ToLower(m.Key)
		values := []wire.Value{m.Value}
		if m.Value.Kind() == wire.Array {
			values = m.Value.Elems()
		}
		for _, s := range values {
			if f.is(s, wire.String, field+"."+m.Key) && keptHeader(name) {
				out[wire.Scalar(name)] = append(out[wire.Scalar(name)], redactKeys(wire.Scalar(s.Str())))
			}
		}
	}
	return out
}

// cut shortens a value from the file for an error text.
func cut(s string) string {
	const most = 64
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
