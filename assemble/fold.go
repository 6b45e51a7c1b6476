package assemble

import (
	"encoding/base64"
	"strings"

	"reassay/wire"
)

// The pieces of a vendor's extra field are put together by what deltas are: they add up. Strings are concatenated,
// arrays appended, objects folded member by member; of anything else the last piece counts. A string that every
// piece repeats whole is a label (a format, a type) and stands once, except under the keys of textKeys, which name
// text that comes in pieces.

// textKeys are the members of vendor extras that hold text in pieces: OpenRouter's reasoning_details (text, summary,
// data), LiteLLM's thinking_blocks and Portkey's content_blocks (thinking, text, data).
var textKeys = map[string]bool{"text": true, "summary": true, "thinking": true, "data": true, "partial_json": true}

// labelKeys are the members of which the last piece that holds something counts.
var labelKeys = map[string]bool{"id": true, "type": true, "format": true, "index": true, "signature": true}

// fold puts the pieces of one field together.
func fold(key string, pieces []wire.Value) wire.Value {
	kept := pieces[:0:0]
	for _, p := range pieces {
		if p.Present() {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return last(pieces)
	}
	for _, p := range kept {
		if p.Kind() != kept[0].Kind() {
			return last(kept)
		}
	}
	switch kept[0].Kind() {
	case wire.String:
		return foldStrings(key, kept)
	case wire.Array:
		return foldArrays(kept)
	case wire.Object:
		return foldObjects(kept)
	}
	return last(kept)
}

func last(pieces []wire.Value) wire.Value {
	if len(pieces) == 0 {
		return wire.Value{}
	}
	return pieces[len(pieces)-1]
}

func foldStrings(key string, pieces []wire.Value) wire.Value {
	if labelKeys[key] {
		for i := len(pieces) - 1; i > 0; i-- {
			if pieces[i].Str() != "" {
				return pieces[i]
			}
		}
		return pieces[0]
	}
	same := !textKeys[key]
	var text joiner
	for _, p := range pieces {
		same = same && p.Str() == pieces[0].Str()
		text.add(p.Str())
	}
	if same {
		return pieces[0]
	}
	return wire.Of(text.String())
}

func foldObjects(pieces []wire.Value) wire.Value {
	if len(pieces) == 1 {
		return pieces[0]
	}
	var order []string
	byKey := map[string][]wire.Value{}
	for _, p := range pieces {
		for _, m := range p.Members() {
			if byKey[m.Key] == nil {
				order = append(order, m.Key)
			}
			byKey[m.Key] = append(byKey[m.Key], m.Value)
		}
	}
	members := make([]wire.Member, 0, len(order))
	for _, k := range order {
		members = append(members, wire.Member{Key: k, Value: fold(k, byKey[k])})
	}
	return wire.Obj(members...)
}

// foldArrays appends the arrays. Elements with one and the same index are pieces of one element, and so are
// neighbouring thinking pieces without an index, up to the one that brings the signature (LiteLLM).
func foldArrays(pieces []wire.Value) wire.Value {
	var groups [][]wire.Value
	byIndex := map[int]int{}
	for _, p := range pieces {
		for _, e := range p.Elems() {
			n, indexed := e.Get("index").Int()
			if g, ok := byIndex[n]; indexed && ok {
				groups[g] = append(groups[g], e)
				continue
			}
			if len(groups) > 0 && !indexed && continues(last(groups[len(groups)-1]), e) {
				groups[len(groups)-1] = append(groups[len(groups)-1], e)
				continue
			}
			if indexed {
				byIndex[n] = len(groups)
			}
			groups = append(groups, []wire.Value{e})
		}
	}
	elems := make([]wire.Value, 0, len(groups))
	for _, g := range groups {
		elems = append(elems, fold("", g))
	}
	return wire.Arr(elems...)
}

func continues(before, e wire.Value) bool {
	return before.Get("thinking").Kind() == wire.String && e.Get("thinking").Kind() == wire.String &&
		before.Get("signature").Str() == ""
}

// foldBase64 puts together Base64 text that came in pieces, each of which may be encoded for itself: where padding
// stands inside, the decoded bytes are encoded anew.
func foldBase64(pieces []string) string {
	inner := false
	for i, p := range pieces {
		inner = inner || i < len(pieces)-1 && len(p) > 0 && p[len(p)-1] == '='
	}
	joined := strings.Join(pieces, "")
	if !inner {
		return joined
	}
	var raw []byte
	for _, p := range pieces {
		b, err := base64.StdEncoding.DecodeString(p)
		if err != nil {
			return joined
		}
		raw = append(raw, b...)
	}
	return base64.StdEncoding.EncodeToString(raw)
}
