package convir

import "reassay/wire"

// GrammarVersion names the state of [Grammar] in a verdict's interpretation. Raise it with every change.
const GrammarVersion = 2

// Ruling says what a dialect's documentation makes of a field that is absent, null, empty or repeated.
type Ruling string

// The rulings. A client that stumbles over what is legal or tolerated is itself at fault; over what is off-spec, the
// sender is.
const (
	Legal     Ruling = "legal"     // documented, or a client must expect it
	Tolerated Ruling = "tolerated" // not documented, common, and readable without guessing: a note
	OffSpec   Ruling = "off-spec"  // contradicts the documentation: a finding of its own
)

// Condition is what can be said of a field in a stream.
type Condition string

// The conditions.
const (
	Absent    Condition = "absent"    // the member is not there where a chunk of its kind has it
	NullValue Condition = "null"      // it is there and null
	EmptyText Condition = "empty"     // "" or []
	Repeated  Condition = "repeated"  // it comes again after it was settled
	Invalid   Condition = "invalid"   // another JSON type, out of range, or a word outside the vocabulary
	Misplaced Condition = "misplaced" // it comes where the dialect's order has no place for it
)

// FieldRule is the grammar of one field or event of a dialect's stream. A condition whose ruling is "" cannot occur
// for the field, or is not this field's to rule on.
type FieldRule struct {
	Dialect   wire.Dialect
	Field     string // in the stream's own terms: "choices[].delta.role"; an event by its name: "message_stop"
	Absent    Ruling
	Null      Ruling
	Empty     Ruling
	Repeated  Ruling
	Invalid   Ruling
	Misplaced Ruling
	Source    string // document and section
	Says      string // what it says, paraphrased
	Read      string // the day it was read
}

// On is the ruling for one condition.
func (f FieldRule) On(c Condition) Ruling {
	switch c {
	case Absent:
		return f.Absent
	case NullValue:
		return f.Null
	case EmptyText:
		return f.Empty
	case Repeated:
		return f.Repeated
	case Invalid:
		return f.Invalid
	case Misplaced:
		return f.Misplaced
	}
	return ""
}

// GrammarOf looks a field of a dialect's stream up. ok is false for a field that the table lacks.
func GrammarOf(d wire.Dialect, field string) (f FieldRule, ok bool) {
	i, ok := grammarIndex[grammarKey{d, field}]
	if !ok {
		return FieldRule{}, false
	}
	return Grammar[i], true
}

type grammarKey struct {
	dialect wire.Dialect
	field   string
}

var grammarIndex = indexGrammar()

func indexGrammar() map[grammarKey]int {
	m := make(map[grammarKey]int, len(Grammar))
	for i, f := range Grammar {
		m[grammarKey{f.Dialect, f.Field}] = i
	}
	return m
}

// EmptyHead lists the fields of a chunk's own head that stand there as "" where the grammar tolerates it, in
// the order of the chunk.
func EmptyHead(d wire.Dialect, chunk wire.Value) []string {
	var fields []string
	for _, m := range chunk.Members() {
		if m.Value.Kind() == wire.String && m.Value.Str() == "" && mayBeEmpty[d][m.Key] {
			fields = append(fields, m.Key)
		}
	}
	return fields
}

// mayBeEmpty are the fields that the grammar tolerates empty, by dialect.
var mayBeEmpty = func() map[wire.Dialect]map[string]bool {
	m := map[wire.Dialect]map[string]bool{}
	for _, f := range Grammar {
		if f.Empty == Tolerated {
			if m[f.Dialect] == nil {
				m[f.Dialect] = map[string]bool{}
			}
			m[f.Dialect][f.Field] = true
		}
	}
	return m
}()

// StopWord is the first word of a dialect's completion map for an outcome, "" where it has none.
func StopWord(d wire.Dialect, o Outcome) string {
	for _, r := range StopReasons {
		if r.Dialect == d && r.Outcome == o {
			return r.Word
		}
	}
	return ""
}
