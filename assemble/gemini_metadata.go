package assemble

import "reassay/wire"

// inPieces are the fields of a candidate of which several chunks may each bring a piece, put together by [continued].
// No document says how; the vendor's client libraries keep the last chunk's value, and so lose what an earlier chunk
// alone said. Of every other field the last chunk's value counts here too.
// Sources: python-aiplatform, vertexai/generative_models/_generative_models.py, _append_gapic_candidate;
// @google/generative-ai 0.24.1, dist/index.js, aggregateResponses.
var inPieces = set("citationMetadata", "groundingMetadata", "urlContextMetadata", "logprobsResult")

// everyPiece are the fields among them whose lists have one entry a token, so that an entry equal to an earlier one
// is another token.
var everyPiece = set("logprobsResult")

// pieces collects the pieces of fields.
type pieces struct {
	keys  []string
	byKey map[string][]wire.Value
}

func (p *pieces) add(key string, v wire.Value) {
	if p.byKey == nil {
		p.byKey = map[string][]wire.Value{}
	}
	if p.byKey[key] == nil {
		p.keys = append(p.keys, key)
	}
	p.byKey[key] = append(p.byKey[key], v)
}

// value is an object of all fields put together.
func (p *pieces) value() wire.Value {
	members := make([]wire.Member, len(p.keys))
	for i, k := range p.keys {
		members[i] = wire.Member{Key: k, Value: continued(p.byKey[k], everyPiece[k])}
	}
	return wire.Obj(members...)
}

// continued puts the pieces of one value together: objects member by member, lists one after the other, of anything
// else the last that is not null. No document says whether a chunk repeats what came before it; a list that begins
// with all of the list so far is therefore read as that list grown, unless each is a list of its own (every).
func continued(pieces []wire.Value, every bool) wire.Value {
	kept := pieces[:0:0]
	for _, p := range pieces {
		if p.Present() {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return pieces[len(pieces)-1]
	}
	kind := kept[0].Kind()
	for _, p := range kept {
		if p.Kind() != kind {
			return kept[len(kept)-1]
		}
	}
	switch kind {
	case wire.Object:
		return continuedObject(kept, every)
	case wire.Array:
		var list []wire.Value
		for _, p := range kept {
			if !every && beginsWith(p.Elems(), list) {
				list = list[:0:0]
			}
			list = append(list, p.Elems()...)
		}
		return wire.Arr(list...)
	}
	return kept[len(kept)-1]
}

func continuedObject(kept []wire.Value, every bool) wire.Value {
	if len(kept) == 1 {
		return kept[0]
	}
	var p pieces
	for _, o := range kept {
		for _, m := range o.Members() {
			p.add(m.Key, m.Value)
		}
	}
	members := make([]wire.Member, len(p.keys))
	for i, k := range p.keys {
		members[i] = wire.Member{Key: k, Value: continued(p.byKey[k], every)}
	}
	return wire.Obj(members...)
}

func beginsWith(list, head []wire.Value) bool {
	if len(head) > len(list) {
		return false
	}
	for i := range head {
		if !wire.Equal(list[i], head[i]) {
			return false
		}
	}
	return true
}
