package rules

import (
	"reassay/assemble"
	"reassay/convir"
	"reassay/sse"
)

// missingInBody is what the lack of a required field means that no row of [faultTable] is about: at the top of the body,
// and in a part of it, whose content may be lost with it.
var (
	missingAtTop  = faultEntry{Code: assemble.MissingField, Rule: "S13", Construct: convir.CStream, Name: "field missing", Mechanism: "required field missing: {path}", Readable: true}
	missingInPart = faultEntry{Code: assemble.MissingField, Rule: "S13", Construct: convir.CStream, Name: "field missing", Mechanism: "required field missing: {path}", Explains: ofAll}
)

// bodyFaults are the required fields that a reply lacks which came whole. Each is a cause of its own.
func bodyFaults(l *Leg) []fault {
	if !l.OK() || l.ErrorTold().Exists() || l.Form != sse.FormObject {
		return nil
	}
	var out []fault
	index := map[string]int{}
	for _, x := range convir.Lacks(l.Dialect, l.Assembled.Body) {
		f := assemble.Fault{Code: assemble.FaultCode(x.Field.Code), Path: x.Path, Got: x.Got}
		e := &missingInPart
		switch {
		case f.Code != assemble.MissingField:
			e = entryFor(l.Dialect, f)
		case !inBody(x.Path):
			e = &missingAtTop
		}
		key := x.Field.Path() + "\x00" + x.Field.Type + "\x00" + causeKey(f)
		if i, ok := index[key]; ok {
			out[i].all = append(out[i].all, f)
			continue
		}
		index[key] = len(out)
		out = append(out, fault{entry: e, field: x.Field, ruling: x.Ruling, all: []assemble.Fault{f}})
	}
	return out
}

// lacksToo reports whether a whole reply of the model's API lacks the same field.
func lacksToo(up *Leg, f *fault) bool {
	for _, x := range bodyFaults(up) {
		if x.field == f.field {
			return true
		}
	}
	return false
}
