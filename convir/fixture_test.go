package convir

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"reassay/wire"
)

// bodyCase is one file of fixtures/convir/<dialect>: a whole reply, and what it says in ConvIR, written by hand.
//
// Want is the Reply in a compact form, whose members are left out where they would be "", 0, false or empty:
//
//	{"id", "model", "error", "echo",
//	 "choices": [{"index", "role", "path",
//	              "stop": {"raw", "given", "outcome", "sequence", "known", "path"},
//	              "events": [{"kind", "text", "id", "type", "name", "args": {"raw", "value"}, "signature", "is_error",
//	                          "data", "extension", "path"}]}],
//	 "usage": {"input", "output", "total", "cache_read", "reasoning"},     numbers, present where given (also 0)
//	 "unread": [{"path", "count"}], "faults": [{"code", "path", "got", "want"}]}
//
// args stands there where the reply gave arguments at all, its value where they are JSON. Data of an event is left
// out of the comparison where the want has "data": "*".
type bodyCase struct {
	Doc     string       `json:"doc"`
	Dialect wire.Dialect `json:"dialect"`
	Body    wire.Value   `json:"body"`
	Want    wire.Value   `json:"want"`
	Rows    []string     `json:"rows"` // the rows of partTable that the body has
}

func bodyFixtures(t testing.TB, dialect string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "fixtures", "convir", dialect, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no fixtures in fixtures/convir/%s", dialect)
	}
	sort.Strings(files)
	return files
}

func loadBodyCase(t testing.TB, file string) bodyCase {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c bodyCase
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if folder := filepath.Base(filepath.Dir(file)); string(c.Dialect) != folder {
		t.Fatalf("%s: dialect %q stands in folder %q", file, c.Dialect, folder)
	}
	if !c.Want.Exists() {
		t.Fatalf("%s: no want", file)
	}
	return c
}

func TestFixtures(t *testing.T) {
	for _, d := range wire.Dialects {
		t.Run(string(d), func(t *testing.T) { testDialect(t, d) })
	}
}

func testDialect(t *testing.T, d wire.Dialect) {
	for _, file := range bodyFixtures(t, string(d)) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			c := loadBodyCase(t, file)
			got := Parse(d, c.Body)
			if got.Dialect != d {
				t.Errorf("dialect %q, want %q", got.Dialect, d)
			}
			compact := maskData(compactReply(got), c.Want)
			if !wire.Equal(compact, c.Want) {
				t.Errorf("reply\n got %s\nwant %s", compact.JSON(), c.Want.JSON())
			}
			for _, row := range c.Rows {
				if !mentions(c.Body.JSON(), row) {
					t.Errorf("row %q is not in the body", row)
				}
			}
		})
	}
}

// mentions reports whether the body has the row's name as a word, or each key of the path that it is.
func mentions(body []byte, row string) bool {
	if bytes.Contains(body, []byte(`"`+row+`"`)) {
		return true
	}
	for _, key := range strings.FieldsFunc(row, func(r rune) bool { return r == '.' || r == '/' || r == ' ' }) {
		key = strings.TrimSuffix(key, "[]")
		if !bytes.Contains(body, []byte(`"`+key+`"`)) {
			return false
		}
	}
	return true
}

// TestPartTable holds the table to its fixtures in both directions.
func TestPartTable(t *testing.T) {
	for _, d := range wire.Dialects {
		t.Run(string(d), func(t *testing.T) { testTable(t, d) })
	}
}

func testTable(t *testing.T, d wire.Dialect) {
	covered := map[string]bool{}
	for _, file := range bodyFixtures(t, string(d)) {
		for _, row := range loadBodyCase(t, file).Rows {
			covered[row] = true
		}
	}
	seen := map[string]bool{}
	for _, r := range partTable[d] {
		if seen[r.Name] {
			t.Errorf("%s: row %q stands twice", d, r.Name)
		}
		seen[r.Name] = true
		if r.Name == "" || r.Doc == "" || !strings.HasPrefix(r.URL, "https://") {
			t.Errorf("%s: incomplete row %+v", d, r)
		}
		if !covered[r.Name] {
			t.Errorf("%s: no fixture for row %q", d, r.Name)
		}
	}
	for row := range covered {
		if !seen[row] {
			t.Errorf("%s: a fixture names row %q, which the table lacks", d, row)
		}
	}
	if len(seen) == 0 {
		t.Errorf("%s: the table is empty", d)
	}
}

// TestKnownFields holds every set of known fields to a document.
func TestKnownFields(t *testing.T) {
	for _, d := range wire.Dialects {
		if len(knownFields[d]) == 0 {
			t.Errorf("%s: no known fields", d)
		}
		for shape, sets := range knownFields[d] {
			for _, s := range sets {
				if strings.TrimSpace(s.Keys) == "" || !strings.HasPrefix(s.Source, "https://") && !strings.Contains(s.Source, "@") {
					t.Errorf("%s %s: set %q with source %q names no page and no versioned file", d, shape, s.Keys, s.Source)
				}
			}
		}
	}
}

func compactReply(r Reply) wire.Value {
	var choices []wire.Value
	for _, c := range r.Choices {
		choices = append(choices, compactChoice(c))
	}
	var unread, faults []wire.Value
	for _, u := range r.Unread {
		unread = append(unread, wire.Obj(memberText("path", u.Path), memberInt("count", u.Count)))
	}
	for _, f := range r.Faults {
		faults = append(faults, wire.Obj(memberText("code", string(f.Code)), memberText("path", f.Path), member("got", f.Got), member("want", f.Want)))
	}
	return wire.Obj(
		memberText("id", r.ID), memberText("model", r.Model), memberList("choices", choices),
		member("usage", compactUsage(r.Usage)), member("error", r.Error), member("echo", r.Echo),
		memberList("unread", unread), memberList("faults", faults),
	)
}

func compactChoice(c Choice) wire.Value {
	var events []wire.Value
	for _, e := range c.Events {
		events = append(events, compactEvent(e))
	}
	stop := wire.Obj(
		memberText("raw", c.Stop.Raw), memberBool("given", c.Stop.Given), memberText("outcome", string(c.Stop.Outcome)),
		memberText("sequence", c.Stop.Sequence), memberBool("known", c.Stop.Known), memberText("path", c.Stop.Path),
	)
	return wire.Obj(memberInt("index", c.Index), memberText("role", c.Role), memberText("path", c.Path), member("stop", stop), memberList("events", events))
}

func compactEvent(e Event) wire.Value {
	var args wire.Value
	if e.Args.Given {
		args = wire.Obj(member("raw", wire.Of(e.Args.Raw)), member("value", e.Args.Value))
	}
	return wire.Obj(
		memberText("kind", string(e.Kind)), memberText("text", e.Text), memberText("id", e.ID), memberText("type", e.Type), memberText("name", e.Name),
		member("args", args), memberText("signature", e.Signature), memberBool("is_error", e.IsError), member("data", e.Data),
		memberText("extension", e.Extension), memberText("path", e.Path),
	)
}

func compactUsage(u Usage) wire.Value {
	count := func(key string, c Count) wire.Member {
		if !c.Given {
			return wire.Member{}
		}
		return member(key, wire.OfInt(c.N))
	}
	v := wire.Obj(count("input", u.Input), count("output", u.Output), count("total", u.Total),
		count("cache_read", u.CacheRead), count("reasoning", u.Reasoning))
	if len(v.Members()) == 0 {
		return wire.Value{}
	}
	return v
}

// maskData puts "*" over the data of every event whose want has it.
func maskData(got, want wire.Value) wire.Value {
	choices := append([]wire.Value(nil), got.Get("choices").Elems()...)
	for i, c := range choices {
		events := append([]wire.Value(nil), c.Get("events").Elems()...)
		for j, e := range events {
			if e.Get("data").Exists() && want.Get("choices").At(i).Get("events").At(j).Get("data").Str() == "*" {
				events[j] = e.With("data", wire.Of("*"))
			}
		}
		if len(events) > 0 {
			choices[i] = c.With("events", wire.Arr(events...))
		}
	}
	if len(choices) == 0 {
		return got
	}
	return got.With("choices", wire.Arr(choices...))
}

func member(key string, v wire.Value) wire.Member { return wire.Member{Key: key, Value: v} }

func memberText(key, s string) wire.Member {
	if s == "" {
		return wire.Member{}
	}
	return member(key, wire.Of(s))
}

func memberInt(key string, n int) wire.Member {
	if n == 0 {
		return wire.Member{}
	}
	return member(key, wire.OfInt(n))
}

func memberBool(key string, b bool) wire.Member {
	if !b {
		return wire.Member{}
	}
	return member(key, wire.OfBool(true))
}

func memberList(key string, elems []wire.Value) wire.Member {
	if len(elems) == 0 {
		return wire.Member{}
	}
	return member(key, wire.Arr(elems...))
}
