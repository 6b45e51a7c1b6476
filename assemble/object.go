package assemble

import "reassay/wire"

// object is a JSON object that is still being written: members in the order in which they first came, look-up in
// constant time. The zero object is empty.
type object struct {
	keys   []string
	values map[string]wire.Value
}

// lay sets every member of v, as later members of one object do.
func (o *object) lay(v wire.Value) {
	for _, m := range v.Members() {
		o.set(m.Key, m.Value)
	}
}

func (o *object) set(key string, v wire.Value) {
	if o.values == nil {
		o.values = map[string]wire.Value{}
	}
	if _, had := o.values[key]; !had {
		o.keys = append(o.keys, key)
	}
	o.values[key] = v
}

// get is the value of key, or Missing.
func (o *object) get(key string) wire.Value { return o.values[key] }

func (o *object) empty() bool { return len(o.keys) == 0 }

func (o *object) value() wire.Value {
	members := make([]wire.Member, len(o.keys))
	for i, k := range o.keys {
		members[i] = wire.Member{Key: k, Value: o.values[k]}
	}
	return wire.Obj(members...)
}
