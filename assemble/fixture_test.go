package assemble

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"reassay/internal/fixture"
	"reassay/sse"
	"reassay/wire"
)

// streamCase is one file of fixtures/assemble/<dialect>: a stream, and what it says when it is put together,
// written by hand from the vendor's documentation.
type streamCase struct {
	Doc     string       `json:"doc"`     // what the case shows
	Dialect wire.Dialect `json:"dialect"` // also the folder's name
	Stream  *string      `json:"stream"`  // the body's text; or
	Events  []wire.Value `json:"events"`  // the payloads, of which the harness makes the body as the vendor frames it
	Array   bool         `json:"array"`   // the payloads stand in a JSON array (Gemini without alt=sse)
	Want    wantStream   `json:"want"`
	Rows    []string     `json:"rows"` // the rows of eventTable that the stream has
}

// wantStream is all of [Assembled]; places alone may be left out, or name only some.
type wantStream struct {
	Body     wire.Value   `json:"body"`  // absent: no body
	Final    wire.Value   `json:"final"` // absent: no terminal object
	Error    wire.Value   `json:"error"` // absent: no error
	ErrorAt  int          `json:"error_frame"`
	Finish   bool         `json:"finish"`
	Terminal bool         `json:"terminal"`
	Faults   []wantFault  `json:"faults"` // all of them, ordered by frame, then byte, then code
	Places   []wantPlace  `json:"places"`
	Unread   []wantUnread `json:"unread"` // all of them, ordered by path
}

type wantFault struct {
	Code  FaultCode  `json:"code"`
	Path  string     `json:"path"`
	Frame int        `json:"frame"`
	Text  string     `json:"text"` // the body's text at the fault's byte begins with this; not compared where ""
	Got   wire.Value `json:"got"`  // not compared where absent
	Want  wire.Value `json:"want"` // not compared where absent
}

type wantPlace struct {
	Path  string `json:"path"`
	First int    `json:"first"` // frames
	Last  int    `json:"last"`
}

type wantUnread struct {
	Path  string `json:"path"`
	Count int    `json:"count"`
}

// streamFixtures are the cases' file names; none at all is a fault of the harness.
func streamFixtures(t testing.TB, dialect string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "fixtures", "assemble", dialect, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no fixtures in fixtures/assemble/%s", dialect)
	}
	sort.Strings(files)
	return files
}

func loadStreamCase(t testing.TB, file string) streamCase {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c streamCase
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if folder := filepath.Base(filepath.Dir(file)); string(c.Dialect) != folder {
		t.Fatalf("%s: dialect %q stands in folder %q", file, c.Dialect, folder)
	}
	if (c.Stream == nil) == (c.Events == nil) {
		t.Fatalf("%s: want either stream or events", file)
	}
	return c
}

// body is the case's stream: its text, or its payloads framed as the vendor frames them. A payload that is a string
// is written as it is (the end sentinel).
func (c streamCase) body() []byte {
	if c.Stream != nil {
		return []byte(*c.Stream)
	}
	return fixture.Body(c.Dialect, c.Events, c.Array)
}

func TestFixtures(t *testing.T) {
	for _, d := range wire.Dialects {
		t.Run(string(d), func(t *testing.T) { testDialect(t, d) })
	}
}

func testDialect(t *testing.T, d wire.Dialect) {
	for _, file := range streamFixtures(t, string(d)) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			c := loadStreamCase(t, file)
			body := c.body()
			compareStream(t, body, Assemble(d, sse.Parse(d, body)), c.Want)
			for _, row := range c.Rows {
				if !mentions(body, row) {
					t.Errorf("row %q is not in the stream", row)
				}
			}
		})
	}
}

// mentions reports whether the stream has the row's name, or each key of the path that it is.
func mentions(body []byte, row string) bool {
	if bytes.Contains(body, []byte(row)) {
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

// TestEventTable holds the table to its fixtures in both directions.
func TestEventTable(t *testing.T) {
	for _, d := range wire.Dialects {
		t.Run(string(d), func(t *testing.T) { testTable(t, d) })
	}
}

func testTable(t *testing.T, d wire.Dialect) {
	covered := map[string]bool{}
	for _, file := range streamFixtures(t, string(d)) {
		for _, row := range loadStreamCase(t, file).Rows {
			covered[row] = true
		}
	}
	seen := map[string]bool{}
	for _, r := range eventTable[d] {
		if seen[r.Name] {
			t.Errorf("%s: row %q stands twice", d, r.Name)
		}
		seen[r.Name] = true
		if r.Name == "" || r.Into == "" || r.Doc == "" || !strings.HasPrefix(r.URL, "https://") {
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

func compareStream(t *testing.T, body []byte, got Assembled, want wantStream) {
	t.Helper()
	compareValue(t, "body", got.Body, want.Body)
	compareValue(t, "final", got.Final, want.Final)
	compareValue(t, "error", got.Error, want.Error)
	if got.Error.Exists() && got.ErrorAt.Frame != want.ErrorAt {
		t.Errorf("error in frame %d, want %d", got.ErrorAt.Frame, want.ErrorAt)
	}
	if got.Finish != want.Finish {
		t.Errorf("finish %t, want %t", got.Finish, want.Finish)
	}
	if got.Terminal != want.Terminal {
		t.Errorf("terminal %t, want %t", got.Terminal, want.Terminal)
	}
	compareFaults(t, body, got.Faults, want.Faults)
	places := map[string]Place{}
	for _, p := range got.Places {
		if _, twice := places[p.Path]; twice {
			t.Errorf("place %q stands twice", p.Path)
		}
		if p.First.Frame > p.Last.Frame || p.First.Byte > p.Last.Byte {
			t.Errorf("place %q ends before it begins: %+v", p.Path, p)
		}
		places[p.Path] = p
	}
	for _, w := range want.Places {
		if p, ok := places[w.Path]; !ok || p.First.Frame != w.First || p.Last.Frame != w.Last {
			t.Errorf("place %q in frames %d to %d (found: %t), want %d to %d", w.Path, p.First.Frame, p.Last.Frame, ok, w.First, w.Last)
		}
	}
	unread := make([]wantUnread, 0, len(got.Unread))
	for _, u := range got.Unread {
		unread = append(unread, wantUnread{u.Path, u.Count})
	}
	if a, b := fmt.Sprint(unread), fmt.Sprint(want.Unread); a != b {
		t.Errorf("unread\n got %s\nwant %s", a, b)
	}
}

func compareFaults(t *testing.T, body []byte, got []Fault, want []wantFault) {
	t.Helper()
	for i := 0; i < len(got) || i < len(want); i++ {
		if i >= len(want) {
			t.Errorf("unwanted fault %s", showFault(got[i]))
			continue
		}
		w := want[i]
		if i >= len(got) {
			t.Errorf("missing fault %s at %q in frame %d", w.Code, w.Path, w.Frame)
			continue
		}
		g := got[i]
		if g.Code != w.Code || g.Path != w.Path || g.At.Frame != w.Frame {
			t.Errorf("fault %d: got %s, want %s at %q in frame %d", i, showFault(g), w.Code, w.Path, w.Frame)
			continue
		}
		if g.At.Byte < 0 || g.At.Byte > len(body) {
			t.Errorf("fault %s: byte outside a body of %d", showFault(g), len(body))
		} else if !strings.HasPrefix(string(body[g.At.Byte:]), w.Text) {
			t.Errorf("fault %s: at its byte stands %.40q, want %q", showFault(g), body[g.At.Byte:], w.Text)
		}
		if w.Got.Exists() && !wire.Equal(g.Got, w.Got) {
			t.Errorf("fault %s: want got %s", showFault(g), w.Got.JSON())
		}
		if w.Want.Exists() && !wire.Equal(g.Want, w.Want) {
			t.Errorf("fault %s: want want %s", showFault(g), w.Want.JSON())
		}
	}
}

func showFault(f Fault) string {
	return fmt.Sprintf("%s at %q in frame %d, byte %d (got %s, want %s)", f.Code, f.Path, f.At.Frame, f.At.Byte, jsonText(f.Got), jsonText(f.Want))
}

func jsonText(v wire.Value) string {
	if !v.Exists() {
		return "nothing"
	}
	return string(v.JSON())
}

func compareValue(t *testing.T, what string, got, want wire.Value) {
	t.Helper()
	if !wire.Equal(got, want) {
		t.Errorf("%s\n got %s\nwant %s", what, jsonText(got), jsonText(want))
	}
}
