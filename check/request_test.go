package check

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reassay/capture"
	"reassay/mirror"
	"reassay/wire"
)

// Of live requests only the judged fields are mirrored (mirror/judged_fields.json): every fixture must be judged by them
// as by its whole requests.
func TestJudgedFieldsAreAllThatIsJudged(t *testing.T) {
	k := newChecker(t, Config{})
	reduced := 0
	for file, whole := range verdicts(t) {
		exchanges, err := readExchanges(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range exchanges {
			y := *x
			y.Request, y.UpstreamRequest = judgedOnly(t, x.Request), judgedOnly(t, x.UpstreamRequest)
			if sameRequest(x.Request, y.Request) && sameRequest(x.UpstreamRequest, y.UpstreamRequest) {
				continue
			}
			reduced++
			got, err := k.Exchange(t.Context(), &y)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := apartFromRequests(whole[i]), apartFromRequests(got); !bytes.Equal(a, b) {
				t.Errorf("%s, %s: by the whole request\n%s\nby the judged fields\n%s", file, x.ID, a, b)
			}
		}
	}
	if reduced < 300 {
		t.Errorf("%d exchanges have requests with more than the judged fields, want many", reduced)
	}
}

// judgedOnly is a request as a publisher mirrors it.
func judgedOnly(t *testing.T, r *capture.Request) *capture.Request {
	t.Helper()
	if r == nil {
		return nil
	}
	text, err := mirror.JudgedRequest(string(r.Dialect), r.Body.JSON())
	if err != nil {
		t.Fatal(err)
	}
	body, err := wire.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return &capture.Request{Dialect: r.Dialect, Body: body}
}

func sameRequest(a, b *capture.Request) bool { return a == nil || wire.Equal(a.Body, b.Body) }

// apartFromRequests is a verdict without the digests of the requests.
func apartFromRequests(v Verdict) []byte {
	v.Evidence = maps.Clone(v.Evidence)
	delete(v.Evidence, string(capture.RoleRequest))
	delete(v.Evidence, string(capture.RoleUpstreamRequest))
	return v.JSON()
}

// What nothing is judged by has no place in the table: each field decides some fixture's verdict.
func TestEveryJudgedFieldDecides(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "mirror", "judged_fields.json"))
	if err != nil {
		t.Fatal(err)
	}
	var table map[wire.Dialect][]struct{ Path string }
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	k := newChecker(t, Config{})
	all := verdicts(t)
	for _, dialect := range slices.Sorted(maps.Keys(table)) {
		for _, f := range table[dialect] {
			if !decides(t, k, all, dialect, strings.Split(f.Path, ".")) {
				t.Errorf("%s of a request in %s: no fixture's verdict depends on it", f.Path, dialect)
			}
		}
	}
}

// decides reports whether a fixture is judged otherwise without a field of its requests.
func decides(t *testing.T, k *Checker, all map[string][]Verdict, dialect wire.Dialect, path []string) bool {
	t.Helper()
	for _, file := range slices.Sorted(maps.Keys(all)) {
		exchanges, err := readExchanges(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range exchanges {
			y := *x
			y.Request, y.UpstreamRequest = withoutField(x.Request, dialect, path), withoutField(x.UpstreamRequest, dialect, path)
			if sameRequest(x.Request, y.Request) && sameRequest(x.UpstreamRequest, y.UpstreamRequest) {
				continue
			}
			got, err := k.Exchange(t.Context(), &y)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(apartFromRequests(all[file][i]), apartFromRequests(got)) {
				return true
			}
		}
	}
	return false
}

func withoutField(r *capture.Request, dialect wire.Dialect, path []string) *capture.Request {
	if r == nil || r.Dialect != dialect {
		return r
	}
	return &capture.Request{Dialect: dialect, Body: without(r.Body, path)}
}

// without is v without what stands at a path; a name that ends in [] is that of an array, all of whose elements it means.
func without(v wire.Value, path []string) wire.Value {
	name, array := strings.CutSuffix(path[0], "[]")
	at := v.Get(name)
	switch {
	case !at.Exists():
		return v
	case len(path) == 1:
		return v.With(name, wire.Value{})
	case !array:
		return v.With(name, without(at, path[1:]))
	case at.Kind() != wire.Array:
		return v
	}
	var elems []wire.Value
	for _, e := range at.Elems() {
		elems = append(elems, without(e, path[1:]))
	}
	return v.With(name, wire.Arr(elems...))
}
