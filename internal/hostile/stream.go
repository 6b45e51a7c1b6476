// Package hostile builds the streams of fixtures/hostile, which are too large or too many to stand there in full, and
// says what is expected of each SDK on them. The folder's README has the format.
package hostile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"reassay/sdkemu"
	"reassay/wire"
)

// Stream is one hostile reply.
type Stream struct {
	Name     string // the file's, without its extension
	Fact     string
	API      sdkemu.API
	Body     []Part
	Chunking sdkemu.Chunking // how the transport cuts it; whole where nothing is said
	Request  wire.Value
	Parsed   bool
	Time     time.Duration     // the limit of one run for this stream; 0: the default
	Expect   map[string]string // by target, by SDK and version, or by SDK: what [Outcome] gives; by "check": the exit code and the verdict's worst
}

// Part is a piece of a body: a text, or parts that are repeated. In what is repeated {n} stands for the count, from 0.
type Part struct {
	Text   string
	Repeat string
	Times  int
}

// UnmarshalJSON reads a string, or an object with the members repeat and times.
func (p *Part) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte(`"`)) {
		return json.Unmarshal(text, &p.Text)
	}
	var r struct {
		Repeat *string `json:"repeat"`
		Times  *int    `json:"times"`
	}
	if err := strict(text, &r); err != nil {
		return err
	}
	if r.Repeat == nil || r.Times == nil || *r.Times < 1 {
		return errors.New("a part of the body lacks repeat or times")
	}
	p.Repeat, p.Times = *r.Repeat, *r.Times
	return nil
}

func strict(text []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	return dec.Decode(v)
}

// Read reads the streams of a folder, in the order of their names.
func Read(folder string) ([]Stream, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no hostile stream in %s", folder)
	}
	var out []Stream
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		s, err := read(text)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		s.Name = strings.TrimSuffix(filepath.Base(file), ".json")
		out = append(out, s)
	}
	return out, nil
}

func read(text []byte) (Stream, error) {
	var f struct {
		Fact     string            `json:"fact"`
		API      sdkemu.API        `json:"api"`
		Chunking sdkemu.Chunking   `json:"chunking"`
		Request  wire.Value        `json:"request"`
		Caller   map[string]string `json:"caller"`
		Time     string            `json:"time"`
		Body     []Part            `json:"body"`
		Expect   map[string]string `json:"expect"`
	}
	if err := strict(text, &f); err != nil {
		return Stream{}, err
	}
	if f.Fact == "" || f.API == "" || len(f.Body) == 0 {
		return Stream{}, errors.New("it lacks a fact, an API or a body")
	}
	s := Stream{Fact: f.Fact, API: f.API, Body: f.Body, Chunking: sdkemu.Whole, Request: f.Request,
		Parsed: f.Caller["response_format"] == "parsed", Expect: f.Expect}
	if f.Chunking != "" {
		s.Chunking = f.Chunking
	}
	if f.Time != "" {
		var err error
		if s.Time, err = time.ParseDuration(f.Time); err != nil {
			return Stream{}, err
		}
	}
	return s, nil
}

// Write puts what is expected into the stream's file in a folder, and leaves the rest of it as it is.
func (s Stream) Write(folder string) error {
	file := filepath.Join(folder, s.Name+".json")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, _, found := bytes.Cut(text, []byte(`  "expect": {`))
	if !found {
		return fmt.Errorf("%s has no member expect", file)
	}
	table, err := json.MarshalIndent(s.Expect, "  ", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, fmt.Appendf(head, "  \"expect\": %s\n}\n", table), 0o644)
}

// Bytes builds the body.
func (s Stream) Bytes() []byte {
	var b bytes.Buffer
	for _, p := range s.Body {
		b.WriteString(p.Text)
		before, after, counted := strings.Cut(p.Repeat, "{n}")
		if !counted {
			b.WriteString(strings.Repeat(p.Repeat, p.Times))
			continue
		}
		for n := range p.Times {
			count := strconv.Itoa(n)
			b.WriteString(before)
			b.WriteString(count)
			b.WriteString(strings.ReplaceAll(after, "{n}", count))
		}
	}
	return b.Bytes()
}

// Input is the reply as an SDK's client gets it.
func (s Stream) Input() (sdkemu.Input, error) {
	in := sdkemu.Input{ContentType: "text/event-stream", Body: s.Bytes(), Request: s.Request, Parsed: s.Parsed}
	var err error
	in.Cuts, err = s.Chunking.Cuts(in.Body)
	return in, err
}

// Want is what is expected of a target, by its own name, else its SDK's version's, else its SDK's.
func (s Stream) Want(t sdkemu.Target) (outcome string, told bool) {
	for _, name := range []string{t.Name(), t.SDK + "@" + t.Version, t.SDK} {
		if outcome, told = s.Expect[name]; told {
			return outcome, true
		}
	}
	return "", false
}

// maxMessage is how much of an exception's message is compared, in bytes.
const maxMessage = 160

// Outcome is a result in a word: "ok", "exception TypeError: message", "limit index".
func Outcome(r sdkemu.Result) string {
	switch {
	case r.Exception != nil:
		m := r.Exception.Message
		if len(m) > maxMessage {
			m = m[:maxMessage]
		}
		return "exception " + r.Exception.Class + ": " + strings.ToValidUTF8(m, "\uFFFD")
	case r.Outcome == sdkemu.Inconclusive && strings.HasPrefix(r.Reason, "limit "):
		limit, _, _ := strings.Cut(r.Reason, ":")
		return limit
	case r.Reason != "":
		return string(r.Outcome) + ": " + r.Reason
	}
	return string(r.Outcome)
}
