package python

// dumping is how model_dump is asked for.
type dumping struct {
	unset   bool // fields that were never set are given too
	aliases bool // keys are the API's, not the attributes' names
	skip    func(c *class, field int) bool
}

// toDict is m.to_dict(): the fields that were set, under the API's keys, and all extras.
func toDict(m *model) (*dict, error) { return dumping{aliases: true}.model(m) }

// value is what model_dump makes of a field's value: models become dicts. A value of another type than its field
// declares is kept as it is; pydantic only warns. Where pydantic copies a container that holds no model, the result
// shares it: whoever has a model dumped gives the model up, or only reads the result.
func (o dumping) value(v value) (value, error) {
	switch v.kind {
	case kindModel:
		d, err := o.model(v.model())
		return ofDict(d), err
	case kindList:
		if !holdsModels(v) {
			return v, nil
		}
		elems := make([]value, len(v.list().elems))
		for i, e := range v.list().elems {
			e, err := o.value(e)
			if err != nil {
				return none, err
			}
			elems[i] = e
		}
		return ofList(&list{elems: elems}), nil
	}
	return v, nil
}

// holdsModels reports whether a model is in v, which may be a list of lists. No dict holds one: no field is declared
// as a dict of objects, and what is not declared stays as JSON gave it.
func holdsModels(v value) bool {
	if v.kind == kindList {
		for _, e := range v.list().elems {
			if holdsModels(e) {
				return true
			}
		}
	}
	return v.kind == kindModel
}

func (o dumping) model(m *model) (*dict, error) {
	n := len(m.vals)
	if m.extra != nil {
		n += m.extra.size()
	}
	d := newDict(n)
	for i, v := range m.vals {
		if !o.unset && !m.set.has(i) || o.skip != nil && o.skip(m.class, i) {
			continue
		}
		v, err := o.value(v)
		if err != nil {
			return nil, err
		}
		key := m.class.fields[i].name
		if o.aliases {
			key = m.class.fields[i].key
		}
		d.set(key, v)
	}
	if m.extra == nil {
		return d, nil
	}
	for i, k := range m.extra.keys {
		if err := encodable(k); err != nil {
			return nil, err
		}
		d.set(k, m.extra.vals[i])
	}
	return d, nil
}
