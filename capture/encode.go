package capture

import (
	"encoding/base64"
	"sort"
	"strconv"
	"unicode/utf8"

	"reassay/wire"
)

// Encode is x as one line of a capture file, without a line end: members in the order of the contract, absent ones
// left out, a body that is not UTF-8 in base64. [Decode] makes the same exchange of it.
func Encode(x *Exchange) []byte {
	m := func(key string, v wire.Value) wire.Member { return wire.Member{Key: key, Value: v} }
	var same, parsed, sample wire.Value
	if x.SameContent {
		same = wire.OfBool(true)
	}
	if x.Parsed {
		parsed = wire.Obj(m("response_format", wire.Of("parsed")))
	}
	if x.Sample > 0 {
		sample = wire.OfNum(strconv.FormatFloat(x.Sample, 'g', -1, 64))
	}
	var upstream wire.Value
	switch len(x.Upstream) {
	case 0:
	case 1:
		upstream = encodeLeg(x.Upstream[0])
	default:
		legs := make([]wire.Value, len(x.Upstream))
		for i, l := range x.Upstream {
			legs[i] = encodeLeg(l)
		}
		upstream = wire.Arr(legs...)
	}
	return wire.Obj(
		m("capture_version", wire.OfInt(Version)),
		m("id", wire.Of(x.ID)),
		m("gateway", wire.Obj(m("name", wire.Of(x.Gateway.Name)), m("version", ofText(x.Gateway.Version)))),
		m("population", ofText(x.Population)),
		m("same_content", same),
		m("meta", x.Meta),
		m("observed_at", ofText(x.ObservedAt)),
		m("labels", encodeLabels(x.Labels)),
		m("sample", sample),
		m("request", encodeRequest(x.Request)),
		m("caller", parsed),
		m("upstream_request", encodeRequest(x.UpstreamRequest)),
		m("upstream", upstream),
		m("upstream_non_stream", encodeLeg(x.UpstreamNonStream)),
		m("stream", encodeLeg(x.Stream)),
		m("non_stream", encodeLeg(x.NonStream)),
	).JSON()
}

// ofText is Missing for the empty string.
func ofText(s string) wire.Value {
	if s == "" {
		return wire.Value{}
	}
	return wire.Of(s)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func encodeLabels(labels map[string]string) wire.Value {
	if labels == nil {
		return wire.Value{}
	}
	var members []wire.Member
	for _, k := range sortedKeys(labels) {
		members = append(members, wire.Member{Key: k, Value: wire.Of(labels[k])})
	}
	return wire.Obj(members...)
}

func encodeRequest(r *Request) wire.Value {
	if r == nil {
		return wire.Value{}
	}
	return wire.Obj(wire.Member{Key: "dialect", Value: wire.Of(string(r.Dialect))}, wire.Member{Key: "body", Value: r.Body})
}

func encodeLeg(l *Leg) wire.Value {
	if l == nil {
		return wire.Value{}
	}
	body := wire.Member{Key: "body", Value: wire.Of(string(l.Body))}
	if !utf8.Valid(l.Body) {
		body = wire.Member{Key: "body_base64", Value: wire.Of(base64.StdEncoding.EncodeToString(l.Body))}
	}
	var broken, chunks wire.Value
	if l.Error != nil {
		broken = wire.Obj(
			wire.Member{Key: "by", Value: wire.Of(l.Error.By)},
			wire.Member{Key: "message", Value: wire.Of(l.Error.Message)},
		)
	}
	if l.Chunks != nil {
		list := make([]wire.Value, len(l.Chunks))
		for i, c := range l.Chunks {
			list[i] = wire.Obj(
				wire.Member{Key: "at_us", Value: wire.OfInt(int(c.AtMicros))},
				wire.Member{Key: "bytes", Value: wire.OfInt(c.Bytes)},
			)
		}
		chunks = wire.Arr(list...)
	}
	return wire.Obj(
		wire.Member{Key: "dialect", Value: wire.Of(string(l.Dialect))},
		wire.Member{Key: "status", Value: wire.OfInt(l.Status)},
		wire.Member{Key: "content_type", Value: ofText(l.ContentType)},
		wire.Member{Key: "headers", Value: encodeHeaders(l.Headers)},
		wire.Member{Key: "trailers", Value: encodeHeaders(l.Trailers)},
		body,
		wire.Member{Key: "error", Value: broken},
		wire.Member{Key: "chunks", Value: chunks},
	)
}

func encodeHeaders(h map[string][]string) wire.Value {
	if h == nil {
		return wire.Value{}
	}
	var members []wire.Member
	for _, name := range sortedKeys(h) {
		values := make([]wire.Value, len(h[name]))
		for i, s := range h[name] {
			values[i] = wire.Of(s)
		}
		members = append(members, wire.Member{Key: name, Value: wire.Arr(values...)})
	}
	return wire.Obj(members...)
}
