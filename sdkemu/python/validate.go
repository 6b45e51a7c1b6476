package python

// validation is pydantic's lax validation of one value against one type (pydantic-core 2.46, src/validators). Only
// whether it succeeds and what it makes of the value matter: the SDK swallows the errors.
type validation struct {
	arena     *arena
	exactness exactness
	counted   bool // a class was built
	fields    int  // how many of their fields the classes were given
}

func (s *validation) floor(e exactness) {
	if e < s.exactness {
		s.exactness = e
	}
}

// validated is the value in the form that validation gives it.
func (a *arena) validated(t *typ, v value) (value, bool) {
	s := validation{arena: a, exactness: exact}
	return s.value(t, v)
}

func (s *validation) value(t *typ, v value) (out value, ok bool) {
	e := exact
	switch t.kind {
	case typeAny:
		out, e, ok = v, strict, true // better than what had to be bent
	case typeNone:
		out, ok = v, v.isNone()
	case typeStr:
		out, ok = v, v.kind == kindStr
	case typeInt:
		out, e, ok = coerceInt(v)
	case typeFloat:
		out, e, ok = coerceFloat(v)
	case typeBool:
		out, e, ok = coerceBool(v)
	case typeTime:
		out, e, ok = coerceTime(v)
	case typeLiteral:
		out, ok = v, t.allows(v)
	case typeList:
		return s.list(t.item, v)
	case typeDict:
		return s.dict(t.item, v)
	case typeClass:
		return s.class(t.class, v)
	case typeUnion:
		return s.union(t, v)
	}
	s.floor(e)
	return out, ok
}

// allows reports whether v is one of the literals.
func (t *typ) allows(v value) bool {
	if v.kind != kindStr {
		return false
	}
	for _, w := range t.words {
		if v.text == w {
			return true
		}
	}
	return false
}

func (s *validation) list(item *typ, v value) (value, bool) {
	if v.kind != kindList {
		return none, false
	}
	elems := s.arena.elems(len(v.list().elems))
	for _, e := range v.list().elems {
		e, ok := s.value(item, e)
		if !ok {
			return none, false
		}
		elems = append(elems, e)
	}
	return ofList(s.arena.list(elems)), true
}

func (s *validation) dict(item *typ, v value) (value, bool) {
	if v.kind != kindDict {
		return none, false
	}
	from := v.dict()
	to := s.arena.dict(from.size())
	for i, k := range from.keys {
		e, ok := s.value(item, from.vals[i])
		if !ok {
			return none, false
		}
		to.set(k, e)
	}
	return ofDict(to), true
}

func (s *validation) class(c *class, v value) (value, bool) {
	if v.kind == kindModel {
		return s.instance(c, v)
	}
	if v.kind != kindDict {
		return none, false
	}
	d := v.dict()
	if c.tag >= 0 {
		if name, ok := d.get("type"); !ok || !c.fields[c.tag].typ.allows(name) {
			return none, false
		}
	}
	m := s.arena.model(c)
	s.floor(strict)
	given := 0
	for i := range c.fields {
		f := &c.fields[i]
		x, ok := d.get(f.key)
		if !ok {
			if f.required {
				return none, false
			}
			continue
		}
		if m.vals[i], ok = s.value(f.typ, x); !ok {
			return none, false
		}
		m.set.add(i)
		given++
	}
	s.counted = true
	s.fields += given
	if given == d.size() {
		return ofModel(m), true
	}
	for i, k := range d.keys {
		if at, _ := surrogateAt(k); at >= 0 {
			return none, false
		}
		if !c.declares(k) {
			if m.extra == nil {
				m.extra = s.arena.dict(d.size() - given)
			}
			m.extra.set(k, d.vals[i])
		}
	}
	return ofModel(m), true
}

// instance takes an instance of the class as it is. One of another form of the same generic class is validated anew,
// from all its fields and extras, and keeps its set of fields.
func (s *validation) instance(c *class, v value) (value, bool) {
	old := v.model()
	if old.class == c {
		return v, true
	}
	if old.class.origin != c.origin {
		return none, false
	}
	d := newDict(len(old.vals))
	for i, f := range old.class.fields {
		d.set(f.key, old.vals[i])
	}
	if old.extra != nil {
		for i, k := range old.extra.keys {
			d.set(k, old.extra.vals[i])
		}
	}
	out, ok := s.class(c, ofDict(d))
	if ok {
		out.model().set = old.set
	}
	return out, ok
}

// union takes the member that fits best: pydantic's smart mode (src/validators/union.rs).
func (s *validation) union(t *typ, v value) (value, bool) {
	if v.isNone() && t.optional {
		return v, true
	}
	if t.only != nil {
		return s.value(t.only, v)
	}
	members := t.members
	if t.byType != nil && v.kind == kindDict {
		name, _ := v.dict().get("type")
		members = t.byType[name.text] // of a str alone
	}
	var best value
	var bestOf validation
	found := false
	for _, m := range members {
		if m.kind == typeNone {
			continue
		}
		try := validation{arena: s.arena, exactness: exact}
		out, ok := try.value(m, v)
		if !ok {
			continue
		}
		if try.exactness == exact && !try.counted {
			return out, true
		}
		if !found || try.fitsBetterThan(bestOf) {
			best, bestOf, found = out, try, true
		}
	}
	if found {
		s.floor(bestOf.exactness)
		s.counted = s.counted || bestOf.counted
		s.fields += bestOf.fields
	}
	return best, found
}

func (s validation) fitsBetterThan(other validation) bool {
	if s.counted && other.counted && s.fields != other.fields {
		return s.fields > other.fields
	}
	return s.exactness > other.exactness
}
