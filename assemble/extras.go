package assemble

import "reassay/wire"

// extras are fields that are carried over without being understood, in the order in which they came.
type extras struct {
	order  []string
	pieces map[string][]wire.Value
}

// add keeps a further piece of a field that comes in pieces.
func (x *extras) add(key string, v wire.Value) {
	if x.pieces == nil {
		x.pieces = map[string][]wire.Value{}
	}
	if x.pieces[key] == nil {
		x.order = append(x.order, key)
	}
	x.pieces[key] = append(x.pieces[key], v)
}

// set keeps the newest value of a field that describes the whole.
func (x *extras) set(key string, v wire.Value) {
	if old := x.pieces[key]; old != nil {
		old[0] = v
		return
	}
	x.add(key, v)
}

// members are the fields, each put together.
func (x *extras) members() []wire.Member {
	members := make([]wire.Member, 0, len(x.order))
	for _, key := range x.order {
		members = append(members, wire.Member{Key: key, Value: fold(key, x.pieces[key])})
	}
	return members
}
