package sse

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"
	"testing/iotest"

	"reassay/wire"
)

// fixture is a file of fixtures/sse. Adding a case is adding a file.
type fixture struct {
	About        string  `json:"about"`
	Source       string  `json:"source"`
	ContentType  string  `json:"content_type"`
	Stream       *string `json:"stream"`
	StreamBase64 *string `json:"stream_base64"`
	Want         struct {
		Frames           []wantFrame     `json:"frames"`
		Dispatched       []dispatchEvent `json:"dispatched"`
		LastEventID      string          `json:"last_event_id"`
		ReconnectionTime *int            `json:"reconnection_time"`
	} `json:"want"`
}

type wantFrame struct {
	Start    int      `json:"start"`
	End      int      `json:"end"`
	Event    string   `json:"event"`
	Data     *string  `json:"data"`
	ID       *string  `json:"id"`
	Retry    string   `json:"retry"`
	Comments []string `json:"comments"`
	Fields   [][4]any `json:"fields"` // name, value, offset, offset of the value
	Faults   []string `json:"faults"` // code@offset
}

// dispatchEvent is what a browser would hand to its page.
type dispatchEvent struct {
	Type        string `json:"type"`
	Data        string `json:"data"`
	LastEventID string `json:"last_event_id"`
}

func loadFixture(t *testing.T, file string) (fixture, []byte) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var f fixture
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		t.Fatal(err)
	}
	if f.About == "" || f.Source == "" || (f.Stream == nil) == (f.StreamBase64 == nil) {
		t.Fatal("want about, source, and one of stream and stream_base64")
	}
	if f.Stream != nil {
		return f, []byte(*f.Stream)
	}
	stream, err := base64.StdEncoding.DecodeString(*f.StreamBase64)
	if err != nil {
		t.Fatal(err)
	}
	return f, stream
}

func describe(f Frame) wantFrame {
	w := wantFrame{Start: f.Start, End: f.End, Event: f.Event, Retry: f.Retry, Comments: f.Comments}
	if f.HasData {
		s := string(f.Data)
		w.Data = &s
	}
	if f.HasID {
		w.ID = &f.ID
	}
	for _, x := range f.Fields {
		w.Fields = append(w.Fields, [4]any{x.Name, x.Value, float64(x.Offset), float64(x.ValueOffset)})
	}
	for _, x := range f.Faults {
		w.Faults = append(w.Faults, fmt.Sprintf("%s@%d", x.Code, x.Offset))
	}
	return w
}

// dispatch does with frames what WHATWG HTML, section 9.2.6, tells a browser to do.
func dispatch(frames []Frame) (events []dispatchEvent, lastID string, retry *int) {
	events = []dispatchEvent{}
	for _, f := range frames {
		if ms, err := strconv.Atoi(f.Retry); err == nil {
			retry = &ms
		}
		if f.HasID && !f.Has(NoBlankLine) {
			lastID = f.ID
		}
		if f.Dispatches() {
			e := dispatchEvent{Type: f.Event, Data: string(f.Data), LastEventID: lastID}
			if e.Type == "" {
				e.Type = "message"
			}
			events = append(events, e)
		}
	}
	return events, lastID, retry
}

func TestFixtures(t *testing.T) {
	files, err := filepath.Glob("../fixtures/sse/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if filepath.Ext(file) != ".json" {
				t.Fatalf("%s is no fixture", file)
			}
			f, stream := loadFixture(t, file)
			for name, r := range map[string]*Reader{
				"whole":    NewReader(bytes.NewReader(stream)),
				"one byte": NewReader(iotest.OneByteReader(bytes.NewReader(stream))),
				"random":   NewReader(&randomReads{stream, rand.New(rand.NewSource(1))}),
			} {
				frames, err := readAll(r)
				if err != nil {
					t.Fatal(err)
				}
				got := []wantFrame{}
				for _, x := range frames {
					got = append(got, describe(x))
				}
				if !reflect.DeepEqual(got, f.Want.Frames) {
					t.Errorf("%s: got frames\n%s\nwant\n%s", name, inJSON(got), inJSON(f.Want.Frames))
				}
				events, id, retry := dispatch(frames)
				if !reflect.DeepEqual(events, f.Want.Dispatched) || id != f.Want.LastEventID || !reflect.DeepEqual(retry, f.Want.ReconnectionTime) {
					t.Errorf("%s: dispatched %s, last id %q, reconnection time %s, want %s", name, inJSON(events), id, inJSON(retry), inJSON(f.Want))
				}
			}
			if s := Parse(wire.OpenAIChat, stream); len(f.Want.Dispatched) > 0 && s.Form != FormSSE {
				t.Errorf("Parse takes the stream for %s", s.Form)
			}
		})
	}
}

func inJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// TestEveryFormatTestOfTheBrowsers demands a case file for each format-* test of the Web Platform Tests' eventsource
// folder, as it stood in 2026.
func TestEveryFormatTestOfTheBrowsers(t *testing.T) {
	for _, name := range []string{
		"format-bom.any.js", "format-bom-2.any.js", "format-comments.any.js", "format-data-before-final-empty-line.any.js",
		"format-field-data.any.js", "format-field-event-empty.any.js", "format-field-event.any.js", "format-field-id.any.js",
		"format-field-id-2.any.js", "format-field-id-3.window.js", "format-field-id-null.window.js", "format-field-parsing.any.js",
		"format-field-retry-bogus.any.js", "format-field-retry-empty.any.js", "format-field-retry.any.js", "format-field-unknown.any.js",
		"format-leading-space.any.js", "format-mime-bogus.any.js", "format-mime-trailing-semicolon.any.js",
		"format-mime-valid-bogus.any.js", "format-newlines.any.js", "format-null-character.any.js", "format-utf-8.any.js",
	} {
		base, _, _ := bytes.Cut([]byte(name), []byte("."))
		f, _ := loadFixture(t, filepath.Join("../fixtures/sse", string(base)+".json"))
		if !bytes.Contains([]byte(f.Source), []byte("eventsource/"+name+";")) {
			t.Errorf("%s.json does not name %s as its source", base, name)
		}
	}
}
