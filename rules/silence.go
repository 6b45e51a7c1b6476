package rules

import (
	"sort"
	"strings"

	"reassay/wire"
)

// declaration is a place where a gateway tells its caller that it changed something.
type declaration struct {
	where string
	says  string // in lower case
}

// declaringWords mark a header or field by which a gateway tells of a degradation.
var declaringWords = []string{"degrad", "downgrad", "dropped", "unsupported", "negotiation", "warning"}

// silent answers whether the gateway told its caller, and where: nil where headers were not captured and the body
// declares nothing.
func (j *judge) silent(l *Leg) (silent *bool, where string) {
	if j.declared == nil {
		j.declared = map[*Leg][]declaration{}
	}
	found, looked := j.declared[l]
	if !looked {
		found = declarations(l)
		j.declared[l] = found
	}
	answer := len(found) == 0
	switch {
	case !answer:
		return &answer, found[0].where
	case l.Headers == nil:
		return nil, ""
	}
	return &answer, ""
}

// declarations lists what a leg declares in headers and in the top level of its body.
func declarations(l *Leg) []declaration {
	found := headerDeclarations(l)
	for _, m := range l.Assembled.Body.Members() {
		if declares(m.Key) && m.Value.Present() && m.Value.Kind() != wire.Bool {
			found = append(found, declaration{"body " + m.Key, strings.ToLower(string(m.Value.JSON()))})
		}
	}
	return found
}

func headerDeclarations(l *Leg) []declaration {
	var found []declaration
	names := make([]string, 0, len(l.Headers))
	for name := range l.Headers {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if declares(name) && len(l.Headers[name]) > 0 {
			found = append(found, declaration{"header " + name, strings.ToLower(strings.Join(l.Headers[name], " "))})
		}
	}
	return found
}

// names reports whether the declaration names a construct, however the words are joined.
func (d declaration) names(construct string) bool {
	for _, joint := range []string{"_", "-", " ", ""} {
		if strings.Contains(d.says, strings.ReplaceAll(construct, "_", joint)) {
			return true
		}
	}
	return false
}

// declaredBy is where the gateway names the very construct that a finding is about, "" when it does not.
func (j *judge) declaredBy(l *Leg, construct string) string {
	j.silent(l)
	for _, d := range j.declared[l] {
		if construct != "" && d.names(construct) {
			return d.where
		}
	}
	return ""
}

func declares(name string) bool {
	name = strings.ToLower(name)
	for _, w := range declaringWords {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}
