package mirror

import (
	"bytes"
	_ "embed" // judged_fields.json
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// judgedFieldsText is what of a request is judged, by dialect: the path of each field ("a[].b": b of every element of
// a), the rules that read it, and where its vendor describes it. Publishers in other languages read the same file.
//
//go:embed judged_fields.json
var judgedFieldsText []byte

// judgedField is one line of the table.
type judgedField struct {
	Path     string `json:"path"`
	JudgedBy string `json:"judged_by"`
	Source   string `json:"source"`
}

// kept is a part of a request that is kept: whole, or some members of an object, or parts of an array's elements.
type kept struct {
	whole   bool
	members map[string]*kept
	each    *kept
}

// judgedFields is the table by dialect, laid out as the request is.
var judgedFields = sync.OnceValue(func() map[string]*kept {
	var table map[string][]judgedField
	if err := json.Unmarshal(judgedFieldsText, &table); err != nil {
		panic("mirror: judged_fields.json: " + err.Error()) // never: the tests read it
	}
	out := map[string]*kept{}
	for dialect, fields := range table {
		root := &kept{}
		for _, f := range fields {
			root.add(f.Path)
		}
		out[dialect] = root
	}
	return out
})

// add keeps what stands at a path.
func (k *kept) add(path string) {
	name, rest, deeper := strings.Cut(path, ".")
	name, array := strings.CutSuffix(name, "[]")
	if k.members == nil {
		k.members = map[string]*kept{}
	}
	next := k.members[name]
	if next == nil {
		next = &kept{}
		k.members[name] = next
	}
	if array {
		if next.each == nil {
			next.each = &kept{}
		}
		next = next.each
	}
	if deeper {
		next.add(rest)
	} else {
		next.whole = true
	}
}

// JudgedRequest is a request's body with the fields alone that are judged, each spelt as it was; what else it said, above
// all the conversation, is left out. A body that is no JSON object, or of an unknown dialect, is an error, and there
// is nothing of it to mirror.
func JudgedRequest(dialect string, body []byte) ([]byte, error) {
	root := judgedFields()[dialect]
	switch {
	case root == nil:
		return nil, fmt.Errorf("which fields of a request are judged is not known of the dialect %q", dialect)
	case !json.Valid(body):
		return nil, fmt.Errorf("the request's body of %d bytes is not JSON", len(body))
	case bytes.TrimLeft(body, " \t\r\n")[0] != '{':
		return nil, fmt.Errorf("the request's body of %d bytes is no JSON object", len(body))
	}
	if out := root.of(body); out != nil {
		return out, nil
	}
	return []byte("{}"), nil
}

// of is the part of a valid JSON text that is kept, nil where nothing is.
func (k *kept) of(text json.RawMessage) json.RawMessage {
	if k.whole {
		return text
	}
	open := byte('{')
	if k.each != nil {
		open = '['
	}
	if text[0] != open && bytes.TrimLeft(text, " \t\r\n")[0] != open {
		return nil
	}
	out := []byte{open}
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return nil
	}
	for d.More() {
		key, part := k.next(d)
		if part == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(out, key...), part...)
	}
	if len(out) == 1 {
		return nil
	}
	return append(out, open+2) // '{' and '}', '[' and ']' are two apart
}

// next reads an object's next member or an array's next element: its key with the colon, and what is kept of it.
func (k *kept) next(d *json.Decoder) (key string, part json.RawMessage) {
	of := k.each
	if of == nil {
		token, _ := d.Token() // the text is valid
		name, _ := token.(string)
		if of = k.members[name]; of != nil {
			key = `"` + name + `":` // a name of the table: nothing in it is to be escaped
		}
	}
	var value json.RawMessage
	if err := d.Decode(&value); err != nil || of == nil {
		return "", nil
	}
	return key, of.of(value)
}
