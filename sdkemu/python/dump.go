package python

// dumping is how model_dump is asked for.
type dumping struct {
	unset   bool // fields that were never set are given too
	aliases bool // keys are the API's, not the attributes' names
}

// exclusion says what model_dump leaves out, as its parameter exclude does: a field, or a part of what is in it.
type exclusion struct {
	fields map[string]*exclusion // of a model
	items  *exclusion            // of a list: each of its elements
}

func (e *exclusion) field(name string) *exclusion {
	if e == nil {
		return nil
	}
	return e.fields[name]
}

func (e *exclusion) item() *exclusion {
	if e == nil {
		return nil
	}
	return e.items
}

// excluded leaves out the whole.
var excluded = &exclusion{}

// toDict is m.to_dict(): the fields that were set, under the API's keys, and all extras.
func toDict(m *model) (*dict, error) { return dumping{aliases: true}.model(m, nil) }

// value is what model_dump makes of a field's value: models become dicts. A value of another type than its field
// declares is kept as it is; pydantic only warns. Where pydantic copies a container that holds no model, the result
// shares it: whoever has a model dumped gives the model up, or only reads the result.
func (o dumping) value(v value, without *exclusion) (value, error) {
	switch v.kind {
	case kindModel:
		d, err := o.model(v.model(), without)
		return ofDict(d), err
	case kindList:
		if !holdsModels(v) {
			return v, nil
		}
		elems := make([]value, len(v.list().elems))
		for i, e := range v.list().elems {
			e, err := o.value(e, without.item())
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

func (o dumping) model(m *model, without *exclusion) (*dict, error) {
	if !o.unset && m.oddSet != nil {
		return nil, notASet(*m.oddSet)
	}
	n := len(m.vals)
	if m.extra != nil {
		n += m.extra.size()
	}
	d := newDict(n)
	for i, v := range m.vals {
		key := m.class.fields[i].name
		part := without.field(key)
		if !o.unset && !m.set.has(i) || part == excluded || m.class.fields[i].undumped {
			continue
		}
		v, err := o.value(v, part)
		if err != nil {
			return nil, err
		}
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

func notASet(v value) error {
	return raise("TypeError", "'%s' object is not an instance of 'set'", v.className())
}

// dumps is what dumping v would raise.
func dumps(v value) error {
	switch v.kind {
	case kindList:
		for _, e := range v.list().elems {
			if err := dumps(e); err != nil {
				return err
			}
		}
	case kindModel:
		return dumpsModel(v.model())
	}
	return nil
}

func dumpsModel(m *model) error {
	if m.oddSet != nil {
		return notASet(*m.oddSet)
	}
	for i, v := range m.vals {
		if !m.set.has(i) {
			continue
		}
		if err := dumps(v); err != nil {
			return err
		}
	}
	if m.extra == nil {
		return nil
	}
	for _, k := range m.extra.keys {
		if err := encodable(k); err != nil {
			return err
		}
	}
	return nil
}
