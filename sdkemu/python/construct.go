package python

// construct is construct_type(value=v, type_=t) of openai 2.54.0, _models.py: it builds the reply classes without
// refusing anything. The error is an exception that a reply can provoke all the same.
func construct(t *typ, v value) (value, error) { return (*arena)(nil).construct(t, v) }

// construct builds the classes in the arena.
func (a *arena) construct(t *typ, v value) (value, error) {
	switch t.kind {
	case typeUnion:
		return a.constructUnion(t, v)
	case typeDict:
		return a.constructDict(t, v)
	case typeClass:
		return a.constructClass(t.class, v)
	case typeList:
		return a.constructList(t, v)
	case typeFloat:
		if v.isInt() {
			f, same, err := exactFloat(v)
			if err != nil || !same {
				return v, err
			}
			return ofFloat(f), nil
		}
	case typeTime:
		return timeOf(v), nil
	}
	return v, nil
}

// constructUnion takes the validated form if the value validates, else the member that the value's tag names, else the
// first member whose construction does not raise.
func (a *arena) constructUnion(t *typ, v value) (value, error) {
	if t.only != nil && t.only.kind == typeStr && v.kind == kindStr {
		return v, nil
	}
	if out, ok := a.validated(t, v); ok {
		return out, nil
	}
	if t.tag != "" && v.kind == kindDict {
		if name, ok := v.dict().get(t.tag); ok && name.kind == kindStr && t.tagged[name.text] != nil {
			return a.construct(t.tagged[name.text], v)
		}
	}
	members := t.members
	if v.kind == kindList && t.listed != nil {
		members = t.listed
	}
	for _, m := range members {
		out, err := a.construct(m, v)
		if _, ok := err.(*raised); ok {
			continue
		}
		return out, err
	}
	return none, raise("RuntimeError", "Could not convert data into a valid instance of %s", t.repr)
}

func (a *arena) constructDict(t *typ, v value) (value, error) {
	if v.kind != kindDict {
		return v, nil
	}
	from := v.dict()
	to := a.dict(from.size())
	for i, k := range from.keys {
		e, err := a.construct(t.item, from.vals[i])
		if err != nil {
			return none, err
		}
		to.set(k, e)
	}
	return ofDict(to), nil
}

func (a *arena) constructList(t *typ, v value) (value, error) {
	if v.kind != kindList {
		return v, nil
	}
	elems := a.elems(len(v.list().elems))
	for _, e := range v.list().elems {
		e, err := a.construct(t.item, e)
		if err != nil {
			return none, err
		}
		elems = append(elems, e)
	}
	return ofList(a.list(elems)), nil
}

// constructClass builds a class of a dict; of a list, one of each dict in it.
func (a *arena) constructClass(c *class, v value) (value, error) {
	switch v.kind {
	case kindDict:
		m, err := a.constructModel(c, v.dict())
		if err != nil {
			return none, err
		}
		return ofModel(m), nil
	case kindList:
		elems := a.elems(len(v.list().elems))
		for _, e := range v.list().elems {
			if e.kind == kindDict {
				m, err := a.constructModel(c, e.dict())
				if err != nil {
					return none, err
				}
				e = ofModel(m)
			}
			elems = append(elems, e)
		}
		return ofList(a.list(elems)), nil
	}
	return v, nil
}

// Two keys of a JSON object are parameters of BaseModel.construct, to which the object is given as keyword arguments.
const (
	fieldsSetKey = "_fields_set"
	ownClassKey  = "_BaseModel__cls" // the parameter __cls as the compiler mangles it
)

// constructModel is cls.construct(**d): BaseModel.construct.
func (a *arena) constructModel(c *class, d *dict) (*model, error) {
	var fieldsSet value
	if d.underscored {
		if _, ok := d.get(ownClassKey); ok {
			return nil, raise("TypeError", "BaseModel.construct() got multiple values for argument '%s'", ownClassKey)
		}
		fieldsSet, _ = d.get(fieldsSetKey)
	}
	m := a.model(c)
	taken := 0
	for i := range c.fields {
		f := &c.fields[i]
		given, ok := d.get(f.key)
		if !ok || f.key == fieldsSetKey {
			continue
		}
		taken++
		if !given.isNone() {
			out, err := a.construct(f.typ, given)
			if err != nil {
				return nil, err
			}
			m.vals[i] = out
		}
		if !fieldsSet.isNone() {
			return nil, noAttribute(fieldsSet, "add")
		}
		m.set.add(i)
	}
	if !fieldsSet.isNone() {
		odd := fieldsSet
		m.oddSet = &odd
	}
	if taken == d.size() && !c.aliased {
		return m, nil
	}
	for i, k := range d.keys {
		if _, ok := c.place(k); !ok && k != fieldsSetKey {
			if m.extra == nil {
				m.extra = a.dict(d.size() - taken)
			}
			m.extra.set(k, d.vals[i])
		}
	}
	return m, nil
}

// setExtra keeps a key that the class does not declare.
func (m *model) setExtra(key string, v value) {
	if m.extra == nil {
		m.extra = newDict(1)
	}
	m.extra.set(key, v)
}
