package python

// arena holds the objects of one event, so that those of the next can take their place: most events of a stream leave
// nothing behind but text. A nil arena allocates each object by itself.
type arena struct {
	values slab[value]
	keys   slab[string]
	dicts  slab[dict]
	models slab[model]
	lists  slab[list]
}

// slab hands out pieces of a block of memory, and asks for another block when it is used up.
type slab[T any] struct {
	block []T
	used  int
}

// slabSize is how many objects a block has; an event has some dozens.
const slabSize = 128

// take is n zero objects, with no room behind them.
func (s *slab[T]) take(n int) []T {
	if n > slabSize/4 {
		return make([]T, n)
	}
	if s.used+n > len(s.block) {
		s.block, s.used = make([]T, slabSize), 0
	}
	out := s.block[s.used : s.used+n : s.used+n]
	s.used += n
	return out
}

// recycle gives what was handed out of the block to the next event.
func (s *slab[T]) recycle() {
	clear(s.block[:s.used])
	s.used = 0
}

// recycle makes the objects handed out so far available again: nobody may hold one. What is to be kept is owned.
func (a *arena) recycle() {
	a.values.recycle()
	a.keys.recycle()
	a.dicts.recycle()
	a.models.recycle()
	a.lists.recycle()
}

func (a *arena) list(elems []value) *list {
	if a == nil {
		return &list{elems: elems}
	}
	l := &a.lists.take(1)[0]
	l.elems = elems
	return l
}

// elems is room for up to n elements.
func (a *arena) elems(n int) []value {
	if a == nil {
		return make([]value, 0, n)
	}
	return a.values.take(n)[:0]
}

// dict is an empty dict with room for n keys.
func (a *arena) dict(n int) *dict {
	if a == nil {
		return newDict(n)
	}
	d := &a.dicts.take(1)[0]
	d.keys, d.vals = a.keys.take(n)[:0], a.values.take(n)[:0]
	return d
}

func (a *arena) model(c *class) *model {
	if a == nil {
		return newModel(c)
	}
	m := &a.models.take(1)[0]
	m.class, m.vals = c, a.values.take(len(c.fields))
	return m
}

// owned is a copy of v that holds nothing of an arena.
func owned(v value) value {
	switch v.kind {
	case kindList:
		elems := make([]value, len(v.list().elems))
		for i, e := range v.list().elems {
			elems[i] = owned(e)
		}
		return ofList(&list{elems: elems})
	case kindDict:
		return ofDict(ownedDict(v.dict()))
	case kindModel:
		return ofModel(ownedModel(v.model()))
	}
	return v
}

func ownedDict(d *dict) *dict {
	out := newDict(d.size())
	for i, k := range d.keys {
		out.set(k, owned(d.vals[i]))
	}
	return out
}

func ownedModel(m *model) *model {
	out := &model{class: m.class, vals: make([]value, len(m.vals)), set: m.set, oddSet: m.oddSet}
	for i, v := range m.vals {
		out.vals[i] = owned(v)
	}
	if m.extra != nil {
		out.extra = ownedDict(m.extra)
	}
	return out
}
