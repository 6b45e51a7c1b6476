package rules

import (
	"slices"
	"strconv"
	"strings"

	"reassay/assemble"
	"reassay/convir"
	"reassay/wire"
)

// faultEntry says what a fault that assembling met means: which field of the grammar rules on it, which rule names
// it, and which differences it is the cause of.
type faultEntry struct {
	Code      assemble.FaultCode
	Dialect   wire.Dialect     // "" for any
	In        string           // a part of the fault's path that tells the row from others of its code; "" for any
	Whole     bool             // In is the whole path
	Field     string           // of [convir.Grammar]
	Native    string           // the documented field or event, where Field is no name of one; {path}: the fault's own, {want}: the event that was due
	Cond      convir.Condition // "" to read it from what stood there: absent, null or empty
	Rule      string
	Construct convir.Construct
	Name      string
	Mechanism string
	Says      string   // what was seen and what was expected; {got} and {want} where those are no reply text
	Explains  []Aspect // differences that follow from it for a client
	// Readable: by the documents the content can be read all the same, so that a difference of the stream itself has
	// another cause.
	Readable bool
}

// fault is a leg's fault with its meaning: all of one cause together, the first in front.
type fault struct {
	entry   *faultEntry
	ruling  convir.Ruling
	all     []assemble.Fault
	named   *Finding
	excused bool
	of      *fault            // the fault whose other face it is, where that is one of the same call
	field   *convir.BodyField // the required field that a whole reply lacks; nil for a stream's fault
}

// finding is the finding that speaks for the fault, nil when none does.
func (f *fault) finding() *Finding {
	if f.named == nil && f.of != nil {
		return f.of.named
	}
	return f.named
}

// faultsOf reads a leg's faults by the table. Faults of one row, in one choice, are one cause.
func faultsOf(l *Leg) []fault {
	if !l.Streamed() {
		return bodyFaults(l)
	}
	var out []fault
	index := map[string]int{}
	for _, f := range l.Assembled.Faults {
		e := entryFor(l.Dialect, f)
		if e == nil {
			continue
		}
		ruling := rulingOn(l.Dialect, e, f)
		if ruling == convir.Legal {
			continue
		}
		key := strings.ReplaceAll(e.Mechanism, "{path}", anyIndex(f.Path)) + "\x00" + causeKey(f)
		if i, ok := index[key]; ok {
			out[i].all = append(out[i].all, f)
			continue
		}
		index[key] = len(out)
		out = append(out, fault{entry: e, ruling: ruling, all: []assemble.Fault{f}})
	}
	return out
}

// causeKey tells causes of one row apart: by choice, and where a call lacks what is its own, by call.
func causeKey(f assemble.Fault) string {
	switch f.Code {
	case assemble.CallIDMissing, assemble.CallIDEmpty, assemble.NameMissing:
		return f.Path
	}
	return choiceOf(f.Path)
}

// entryFor is the first row that fits the fault.
func entryFor(d wire.Dialect, f assemble.Fault) *faultEntry {
	for i := range faultTable {
		e := &faultTable[i]
		if e.Code == f.Code && (e.Dialect == "" || e.Dialect == d) && strings.Contains(f.Path, e.In) && (!e.Whole || f.Path == e.In) {
			return e
		}
	}
	return nil
}

// rulingOn asks the grammar. A field that it lacks is off-spec: the documents' reader put it down as a fault.
func rulingOn(d wire.Dialect, e *faultEntry, f assemble.Fault) convir.Ruling {
	row, ok := convir.GrammarOf(d, e.Field)
	if !ok {
		return convir.OffSpec
	}
	cond := e.Cond
	if cond == "" {
		cond = conditionOf(f.Got)
	}
	if r := row.On(cond); r != "" {
		return r
	}
	return convir.OffSpec
}

func conditionOf(got wire.Value) convir.Condition {
	switch {
	case !got.Exists():
		return convir.Absent
	case got.Kind() == wire.Null:
		return convir.NullValue
	case got.Kind() == wire.String && got.Str() == "", got.Kind() == wire.Array && len(got.Elems()) == 0:
		return convir.EmptyText
	}
	return convir.Invalid
}

// choiceOf is the part of a path that names the choice, "" in a dialect of one reply.
func choiceOf(path string) string {
	for _, prefix := range []string{"choices[", "candidates["} {
		if strings.HasPrefix(path, prefix) {
			if i := strings.IndexByte(path, ']'); i > 0 {
				return path[:i+1]
			}
		}
	}
	return ""
}

// atEnd reports whether a difference can come of an end that is missing: the end itself, or what would have come last.
func atEnd(d *Difference) bool {
	switch d.Aspect {
	case Content:
		return strings.HasPrefix(d.Want.Str(), d.Have.Str())
	case Arguments:
		return d.Ref != nil && d.Got != nil && (emptyArgs(d.Got) || !d.Got.Args.Value.Exists() || strings.HasPrefix(d.Ref.Args.Raw, d.Got.Args.Raw))
	case Presence:
		return d.Lost()
	}
	return true
}

// inBody reports whether a fault's path is a place in the whole reply, and not a field of an event.
func inBody(path string) bool {
	for _, list := range []string{"choices[", "candidates[", "content[", "output["} {
		if strings.HasPrefix(path, list) {
			return true
		}
	}
	return false
}

// message words the fault for a person: observed, then expected.
func (f *fault) message() string {
	s, first := f.entry.Says, f.all[0]
	if f.field != nil {
		s = "{path} is {got}; the dialect requires it"
	}
	if !first.Want.Exists() {
		for _, wish := range []string{", want {want}", "; want {want}"} {
			s = strings.ReplaceAll(s, wish, "")
		}
	}
	s = strings.ReplaceAll(s, "{got}", shown(first.Got))
	s = strings.ReplaceAll(s, "{path}", first.Path)
	return strings.ReplaceAll(s, "{want}", shown(first.Want))
}

// mechanism is the row's, with the field that it is about where the row is of any field.
func (f *fault) mechanism() string {
	return strings.ReplaceAll(f.entry.Mechanism, "{path}", anyIndex(f.all[0].Path))
}

// nativeField is the documented field or event that keeping to the grammar would have taken.
func (f *fault) nativeField() string {
	first := f.all[0]
	switch {
	case f.field != nil:
		return f.field.Path()
	case f.entry.Native == "{path}" && first.Path != "":
		return anyIndex(first.Path)
	case f.entry.Native == "{want}" && first.Want.Str() != "":
		return first.Want.Str()
	case f.entry.Native == "" || strings.HasPrefix(f.entry.Native, "{"):
		return f.entry.Field
	}
	return f.entry.Native
}

// anyIndex writes a path with [] for every index.
func anyIndex(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		b.WriteByte(path[i])
		if path[i] == '[' {
			for i+1 < len(path) && path[i+1] != ']' {
				i++
			}
		}
	}
	return b.String()
}

func shown(v wire.Value) string {
	if !v.Exists() {
		return "absent"
	}
	text := string(v.JSON())
	if len(text) > maxShown {
		return "a " + v.Kind().String() + " of " + strconv.Itoa(len(text)) + " bytes"
	}
	return text
}

// maxShown is how long a value may be that a message shows, in bytes: longer than any index or word of a dialect.
const maxShown = 64

// explains reports whether a difference follows from the fault: it is of an aspect that the fault garbles, in the same
// choice, and of the same construct or inside the fault's own path.
func (f *fault) explains(d *Difference) bool { return f.entry.explains(f.all, d) }

func (e *faultEntry) explains(all []assemble.Fault, d *Difference) bool {
	aspect := false
	for _, a := range e.Explains {
		aspect = aspect || a == d.Aspect
	}
	if !aspect {
		return false
	}
	if e.Code == assemble.WrongType && d.Aspect == Content {
		// A text that is no text shifts the place of what is left of it.
		for _, x := range all {
			if strings.HasSuffix(x.Path, ".text") && choiceOf(x.Path) == choiceOf(d.Path) {
				return true
			}
		}
	}
	if e.Construct == convir.CStop && !atEnd(d) {
		return false
	}
	for _, x := range all {
		if e.Construct == convir.CStop && choiceOf(x.Path) == choiceOf(d.Path) {
			return true
		}
		if e.Construct == convir.CStream && (!inBody(x.Path) || within(x.Path, d.Path)) {
			return true
		}
		if e.Construct == convir.CStop && choiceOf(x.Path) == "" {
			return true
		}
		if choiceOf(x.Path) == choiceOf(d.Path) && (e.Construct == d.Construct || within(x.Path, d.Path)) {
			return true
		}
	}
	return false
}

// Mechanisms are the faults of a stream's own grammar that a rule names, each once.
func Mechanisms(rule string) []string {
	var out []string
	for _, e := range faultTable {
		if e.Rule == rule && !slices.Contains(out, e.Mechanism) {
			out = append(out, e.Mechanism)
		}
	}
	return out
}
