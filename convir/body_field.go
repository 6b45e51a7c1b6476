package convir

import (
	"strconv"
	"strings"

	"reassay/wire"
)

// BodyField is the grammar of a field that a dialect's document requires of a whole reply. [BodyFields] lists them. What
// the parsers themselves need to read a body (choices, message, output, content) and the stop reasons, which have
// rules of their own, are not among them.
type BodyField struct {
	Dialect wire.Dialect
	Holder  string    // path of the objects that must have the field, "" for the body itself: "choices[].message"
	Type    string    // the type word of those objects that must, "" for all; * in front stands for any beginning
	Name    string    // the field; of an object in the holder with a dot: "function.name"
	Absent  Ruling    // on a field that is absent or null
	Empty   Ruling    // on "" where the field is a name or a word; Legal where it may be empty
	Code    FaultCode // what its lack is
	Source  string    // document and section
	Says    string    // what it says, paraphrased
	Read    string    // the day it was read
}

// Path is where the field stands, with [] for any index.
func (f BodyField) Path() string { return under(f.Holder, f.Name) }

func under(holder, name string) string {
	if holder == "" {
		return name
	}
	return holder + "." + name
}

// Lack is a required field that a body lacks.
type Lack struct {
	Field  *BodyField
	Path   string     // where it should stand
	Got    wire.Value // Missing, null or ""
	Ruling Ruling
}

// Lacks lists the required fields that a whole body of the dialect lacks and that the documents do not let it lack.
func Lacks(d wire.Dialect, body wire.Value) []Lack {
	var out []Lack
	for i := range BodyFields {
		f := &BodyFields[i]
		if f.Dialect != d {
			continue
		}
		eachHolder(body, "", f.Holder, func(path string, holder wire.Value) {
			if !typeFits(f.Type, holder.Get("type").Str()) {
				return
			}
			keys := strings.Split(f.Name, ".")
			for _, k := range keys[:len(keys)-1] {
				if holder = holder.Get(k); holder.Kind() != wire.Object {
					return // a holder that is not there at all is said once, as such
				}
			}
			got, ruling := holder.Get(keys[len(keys)-1]), Legal
			switch {
			case !got.Present():
				ruling = f.Absent
			case got.Kind() == wire.String && got.Str() == "":
				ruling = f.Empty
			}
			if ruling != Legal {
				out = append(out, Lack{Field: f, Path: under(path, f.Name), Got: got, Ruling: ruling})
			}
		})
	}
	return out
}

// eachHolder calls do with every object that holder names.
func eachHolder(v wire.Value, at, holder string, do func(path string, v wire.Value)) {
	if holder == "" {
		if v.Kind() == wire.Object {
			do(at, v)
		}
		return
	}
	step, rest, _ := strings.Cut(holder, ".")
	key, list := strings.CutSuffix(step, "[]")
	next := v.Get(key)
	if !list {
		eachHolder(next, under(at, key), rest, do)
		return
	}
	for i, e := range next.Elems() {
		eachHolder(e, under(at, key)+"["+strconv.Itoa(i)+"]", rest, do)
	}
}

func typeFits(want, got string) bool {
	if end, any := strings.CutPrefix(want, "*"); any {
		return strings.HasSuffix(got, end)
	}
	return want == "" || want == got
}
