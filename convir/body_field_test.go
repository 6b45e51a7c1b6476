package convir

import (
	"strings"
	"testing"

	"reassay/wire"
)

func TestBodyFieldsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range BodyFields {
		key := string(f.Dialect) + " " + f.Path() + " of " + f.Type
		if seen[key] {
			t.Errorf("%s stands twice", key)
		}
		seen[key] = true
		if f.Code == "" || f.Says == "" || f.Read == "" || !strings.Contains(f.Source, "https://") {
			t.Errorf("%s lacks a code, what the document says, or its source", key)
		}
		for _, r := range []Ruling{f.Absent, f.Empty} {
			if r != Legal && r != Tolerated && r != OffSpec {
				t.Errorf("%s is ruled %q", key, r)
			}
		}
	}
}

// Every row finds its own lack in a body that has its holder and nothing else.
func TestEveryBodyFieldIsMissed(t *testing.T) {
	for i := range BodyFields {
		f := &BodyFields[i]
		name := strings.Split(f.Name, ".")
		var holder []wire.Member
		if f.Type != "" {
			holder = append(holder, wire.Member{Key: "type", Value: wire.Of(strings.ReplaceAll(f.Type, "*", "web_search"))})
		}
		if len(name) > 1 {
			holder = append(holder, wire.Member{Key: name[0], Value: wire.Obj()})
		}
		body := wire.Obj(holder...)
		if f.Holder != "" {
			steps := strings.Split(f.Holder, ".")
			for k := len(steps) - 1; k >= 0; k-- {
				key, list := strings.CutSuffix(steps[k], "[]")
				if list {
					body = wire.Arr(body)
				}
				body = wire.Obj(wire.Member{Key: key, Value: body})
			}
		}
		want, found := strings.ReplaceAll(f.Path(), "[]", "[0]"), false
		for _, x := range Lacks(f.Dialect, body) {
			found = found || x.Field == f && x.Path == want && x.Ruling == f.Absent
		}
		if !found {
			t.Errorf("%s: the lack of %s (type %q) is not found in %s", f.Dialect, want, f.Type, body.JSON())
		}
	}
}
