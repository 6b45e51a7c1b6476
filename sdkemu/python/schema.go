package python

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// class is one of the package's reply classes, as its schema file tells it (written by schema.py). Every class keeps
// keys that it does not declare (pydantic's extra="allow").
type class struct {
	name   string // __name__
	origin string // the generic class that it is a form of, or itself
	fields []field
	names  []string       // of the fields, while they are few
	places map[string]int // field name -> place

	aliased bool // a field's key is not its name
	tag     int  // the place of its required literal field "type", by which most objects are told apart; -1 for none
}

// field is one declared field of a class.
type field struct {
	name     string // the attribute's name
	key      string // the key that the API uses for it: the alias where there is one
	typ      *typ
	required bool
	undumped bool // dumping leaves it out (pydantic's Field(exclude=True))
}

// place is where the class keeps the field of that name.
func (c *class) place(name string) (int, bool) {
	for i, n := range c.names {
		if n == name {
			return i, true
		}
	}
	if c.names != nil {
		return 0, false
	}
	i, ok := c.places[name]
	return i, ok
}

// declares reports whether a field of the class has that key.
func (c *class) declares(key string) bool {
	if !c.aliased {
		_, ok := c.place(key)
		return ok
	}
	for i := range c.fields {
		if c.fields[i].key == key {
			return true
		}
	}
	return false
}

// at is the place of a field that the class is known to have.
func (c *class) at(name string) int {
	i, ok := c.place(name)
	if !ok {
		panic("the schema's class " + c.name + " lacks " + name) // never: newSchema asks for every such field
	}
	return i
}

// typ is a type annotation.
type typ struct {
	kind    typeKind
	class   *class
	words   []string // literal: what it allows
	item    *typ     // list: of the elements; dict: of the values
	members []*typ   // union: in order
	tag     string   // union: the key whose value chooses among members that do not validate; "" for none
	tagged  map[string]*typ
	byType  map[string][]*typ // union of classes with tags: those that a dict with that type can be; nil for other unions
	listed  []*typ            // union: the members that a list which does not validate is tried on, where they are not all

	repr     string // union: how Python prints it, where it can happen that no member takes a value
	optional bool   // union: None is a member
	only     *typ   // union: its one member besides None, if there is but one
}

type typeKind uint8

const (
	typeAny typeKind = iota
	typeNone
	typeStr
	typeInt
	typeFloat
	typeBool
	typeTime
	typeLiteral
	typeList
	typeDict
	typeClass
	typeUnion
)

// schema holds the classes of one version of the package.
type schema struct {
	roots   map[string]*typ
	classes map[string]*class
	unions  map[string]*union
	every   []*typ            // union type
	errors  map[string]string // exception classes by status, "429", and by status and error code, "429 code"
}

// union is a union type that stands in several places, under a name.
type union struct {
	text json.RawMessage
	typ  *typ // nil until it is met
}

// newSchema reads a schema file.
func newSchema(text []byte) (*schema, error) {
	var file struct {
		Roots   map[string]json.RawMessage
		Unions  map[string]json.RawMessage
		Errors  map[string]string
		Classes map[string]struct {
			Fields []struct {
				Name, Alias string
				Type        json.RawMessage
				Required    bool
				Undumped    bool
			}
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("read the schema file: %w", err)
	}
	s := &schema{roots: map[string]*typ{}, classes: map[string]*class{}, unions: map[string]*union{}, errors: file.Errors}
	for name, text := range file.Unions {
		s.unions[name] = &union{text: text}
	}
	for key := range file.Classes {
		_, name, _ := strings.Cut(key, ".")
		origin, _, _ := strings.Cut(key, "[")
		s.classes[key] = &class{name: name, origin: origin, tag: -1}
	}
	for key, shape := range file.Classes {
		c := s.classes[key]
		if len(shape.Fields) > maxFields {
			return nil, fmt.Errorf("class %s has %d fields, at most %d are provided for", key, len(shape.Fields), maxFields)
		}
		c.places = make(map[string]int, len(shape.Fields))
		for i, f := range shape.Fields {
			t, err := s.typ(f.Type)
			if err != nil {
				return nil, fmt.Errorf("class %s, field %s: %w", key, f.Name, err)
			}
			apiKey := f.Name
			if f.Alias != "" {
				apiKey, c.aliased = f.Alias, true
			}
			c.fields = append(c.fields, field{name: f.Name, key: apiKey, typ: t, required: f.Required, undumped: f.Undumped})
			c.places[f.Name] = i
			if len(shape.Fields) <= scanned {
				c.names = append(c.names, f.Name)
			}
			if f.Name == "type" && f.Required && t.kind == typeLiteral {
				c.tag = i
			}
		}
	}
	for name, raw := range file.Roots {
		t, err := s.typ(raw)
		if err != nil {
			return nil, fmt.Errorf("root %s: %w", name, err)
		}
		s.roots[name] = t
	}
	for _, t := range s.every {
		t.sortByType()
	}
	return s, nil
}

// sortByType makes byType, once all classes have their fields.
func (t *typ) sortByType() {
	byType := map[string][]*typ{}
	for _, m := range t.members {
		switch {
		case m.kind == typeNone:
		case m.kind != typeClass || m.class.tag < 0:
			return
		default:
			for _, w := range m.class.fields[m.class.tag].typ.words {
				byType[w] = append(byType[w], m)
			}
		}
	}
	t.byType = byType
}

var scalarTypes = map[string]typeKind{"any": typeAny, "none": typeNone, "str": typeStr, "int": typeInt, "float": typeFloat, "bool": typeBool, "datetime": typeTime}

func (s *schema) typ(raw json.RawMessage) (*typ, error) {
	var name string
	if json.Unmarshal(raw, &name) == nil {
		if k, ok := scalarTypes[name]; ok {
			return &typ{kind: k}, nil
		}
		if u := s.unions[name]; u != nil {
			var err error
			if u.typ == nil {
				u.typ, err = s.typ(u.text)
			}
			return u.typ, err
		}
		c := s.classes[strings.TrimPrefix(name, "@")]
		if c == nil {
			return nil, fmt.Errorf("unknown type %s", raw)
		}
		return &typ{kind: typeClass, class: c}, nil
	}
	var shape struct {
		Literal []string
		List    json.RawMessage
		Dict    json.RawMessage
		Union   []json.RawMessage
		Listed  []json.RawMessage
		By      string
		Repr    string
		To      map[string]json.RawMessage
	}
	if err := json.Unmarshal(raw, &shape); err != nil {
		return nil, fmt.Errorf("type %s: %w", raw, err)
	}
	t := &typ{words: shape.Literal, tag: shape.By, repr: shape.Repr}
	var err error
	switch {
	case shape.List != nil:
		t.kind = typeList
		t.item, err = s.typ(shape.List)
	case shape.Dict != nil:
		t.kind = typeDict
		t.item, err = s.typ(shape.Dict)
	case shape.Union != nil:
		t.kind = typeUnion
		s.every = append(s.every, t)
		err = s.members(t, shape.Union, shape.To)
		for _, raw := range shape.Listed {
			m, merr := s.typ(raw)
			t.listed, err = append(t.listed, m), errors.Join(err, merr)
		}
	case shape.Literal != nil:
		t.kind = typeLiteral
	default:
		err = fmt.Errorf("unknown type %s", raw)
	}
	return t, err
}

func (s *schema) members(t *typ, members []json.RawMessage, tagged map[string]json.RawMessage) error {
	for _, raw := range members {
		m, err := s.typ(raw)
		if err != nil {
			return err
		}
		t.members = append(t.members, m)
		if m.kind == typeNone {
			t.optional = true
		}
	}
	if t.optional && len(t.members) == 2 {
		t.only = t.members[0]
		if t.only.kind == typeNone {
			t.only = t.members[1]
		}
	}
	if len(tagged) > 0 {
		t.tagged = make(map[string]*typ, len(tagged))
	}
	for tag, raw := range tagged {
		m, err := s.typ(raw)
		if err != nil {
			return err
		}
		t.tagged[tag] = m
	}
	return nil
}
