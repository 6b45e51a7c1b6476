package python

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"unicode/utf8"

	"reassay/sdkemu"
	"reassay/wire"
)

// environment is where make/python.mk puts the real package.
func (r *release) environment() string { return filepath.Join("../../.venvs", r.name()) }

// emulatedPython is the interpreter whose texts and limits are emulated.
const emulatedPython = "3.11"

// specimen is one reply for both sides: an input of the emulator and a line of the reference.
type specimen struct {
	name   string
	probe  string // the probe that it is one chunking of; "" for none
	target sdkemu.Target
	input  sdkemu.Input
	raw    []byte // the body as it was sent, where a content coding was undone for the emulator

	construct, value string   // instead of a reply: a class of the schema, and the JSON text that it is built of
	partial          []string // instead of a reply: a JSON text as it grows
}

// line is the specimen as `reassay sdk run` reads it; the transport's cuts are told as offsets.
func (s specimen) line() []byte {
	if s.construct != "" {
		return []byte(fmt.Sprintf(`{"id":%q,"construct":%q,"value":%s}`, s.name, s.construct, wire.AppendString(nil, s.value)))
	}
	if s.partial != nil {
		texts := make([]wire.Value, len(s.partial))
		for i, text := range s.partial {
			texts[i] = wire.Of(text)
		}
		return []byte(fmt.Sprintf(`{"id":%q,"partial":%s}`, s.name, wire.Arr(texts...).JSON()))
	}
	in := s.input
	line := map[string]any{
		"id": s.name, "sdk": s.target.SDK, "version": s.target.Version, "api": s.target.API, "mode": s.target.Mode,
		"status": in.Status, "content_type": in.ContentType, "headers": in.Headers,
	}
	body := in.Body
	if s.raw != nil {
		body = s.raw
	}
	if utf8.Valid(body) {
		line["body"] = string(body)
	} else {
		line["body_base64"] = base64.StdEncoding.EncodeToString(body)
	}
	if len(in.Cuts) > 0 {
		line["cuts"] = in.Cuts
	}
	if in.Break != nil {
		line["error"] = map[string]string{"by": "upstream", "message": in.Break.Message}
	}
	if in.Request.Exists() {
		line["request"] = in.Request
	}
	if in.Parsed {
		line["caller"] = map[string]string{"response_format": "parsed"}
	}
	text, err := json.Marshal(line)
	if err != nil {
		panic(err) // never: strings, numbers and JSON values
	}
	return text
}

// outcome is a run's result in the form that is compared.
type outcome struct {
	Outcome   sdkemu.Outcome
	Exception *sdkemu.ExceptionDetail
	Assembled wire.Value
	Reason    string

	seconds float64 // of the processor's time that the package took
}

// address is what CPython prints of an object's identity.
var address = regexp.MustCompile(`0x[0-9a-f]{6,16}`)

func (o *outcome) maskAddresses() {
	if o.Exception != nil {
		o.Exception.Message = address.ReplaceAllString(o.Exception.Message, "0x")
	}
}

func (o outcome) told() string {
	if o.Exception == nil {
		return o.Reason
	}
	return fmt.Sprintf("%s %q at %s", o.Exception.Class, o.Exception.Message, o.Exception.AtEvent)
}

// difference is where two outcomes differ, "" when they are equal.
func (o outcome) difference(want outcome) string {
	switch {
	case o.Outcome != want.Outcome:
		return fmt.Sprintf("outcome %s %s, want %s %s", o.Outcome, o.told(), want.Outcome, want.told())
	case (o.Exception == nil) != (want.Exception == nil):
		return "one has an exception"
	}
	if g, w := o.Exception, want.Exception; g != nil {
		if g.Class != w.Class || g.Message != w.Message || string(g.AtEvent) != string(w.AtEvent) || g.Thrown != w.Thrown {
			return fmt.Sprintf("exception %s, want %s", o.told(), want.told())
		}
	}
	return valueDifference("", o.Assembled, want.Assembled)
}

// valueDifference compares to the key, numbers by their text: 1 and 1.0 are an int and a float.
func valueDifference(path string, got, want wire.Value) string {
	if got.Kind() != want.Kind() {
		return fmt.Sprintf("assembled%s is %.200s, want %.200s", path, text(got), text(want))
	}
	switch got.Kind() {
	case wire.Array:
		if len(got.Elems()) != len(want.Elems()) {
			return fmt.Sprintf("assembled%s has %d elements, want %d", path, len(got.Elems()), len(want.Elems()))
		}
		for i := range got.Elems() {
			if d := valueDifference(fmt.Sprintf("%s[%d]", path, i), got.At(i), want.At(i)); d != "" {
				return d
			}
		}
	case wire.Object:
		for _, m := range got.Members() {
			if d := valueDifference(path+"."+m.Key, m.Value, want.Get(m.Key)); d != "" {
				return d
			}
		}
		for _, m := range want.Members() {
			if !got.Get(m.Key).Exists() {
				return fmt.Sprintf("assembled%s.%s is missing, want %.200s", path, m.Key, text(m.Value))
			}
		}
		if len(got.Members()) != len(want.Members()) {
			return fmt.Sprintf("assembled%s doubles a key", path)
		}
	default:
		if text(got) != text(want) {
			return fmt.Sprintf("assembled%s is %.200s, want %.200s", path, text(got), text(want))
		}
	}
	return ""
}

func text(v wire.Value) string {
	if !v.Exists() {
		return "missing"
	}
	return string(v.JSON())
}

// emulated is what the emulator makes of the specimen.
func emulated(t *testing.T, e *Emulator, s specimen) outcome {
	t.Helper()
	r := e.Run(t.Context(), s.target, s.input)
	out := outcome{Outcome: r.Outcome, Exception: r.Exception, Reason: r.Reason}
	if len(r.Assembled) > 0 {
		v, err := wire.Parse(r.Assembled)
		if err != nil {
			t.Fatalf("%s: assembled is not JSON: %v\n%.300s", s.name, err, r.Assembled)
		}
		out.Assembled = v
	}
	out.maskAddresses()
	return out
}

// reference is a process that runs the real package.
type reference struct {
	in  io.WriteCloser
	out *bufio.Reader
}

// startReference starts the real package of a release, or fails with what to do.
func startReference(t testing.TB, r *release) *reference {
	t.Helper()
	venv := r.environment()
	python := filepath.Join(venv, "bin", "python")
	pinned, err := os.ReadFile("requirements-" + r.name() + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	if installed, err := os.ReadFile(filepath.Join(venv, "installed")); err != nil || !bytes.Equal(installed, pinned) {
		t.Fatalf("the real %s %s is not installed in %s: run `make python-venvs` first", r.sdk, r.version, venv)
	}
	if version, err := exec.Command(python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])").Output(); err != nil || string(version) != emulatedPython+"\n" {
		t.Fatalf("%s holds Python %s (%v); the texts of CPython %s are emulated: run `make -B python-venvs PYTHON=python%s`", venv, bytes.TrimSpace(version), err, emulatedPython, emulatedPython)
	}
	cmd := exec.CommandContext(t.Context(), python, "-B", "reference.py")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	return &reference{in: in, out: bufio.NewReaderSize(out, 1<<16)}
}

// each asks for every specimen and hands over the answers in order; f's false ends it early.
func (r *reference) each(t testing.TB, specimens []specimen, f func(s specimen, want outcome)) {
	t.Helper()
	sent := make(chan error, 1)
	go func() {
		w := bufio.NewWriter(r.in)
		var err error
		for _, s := range specimens {
			if _, werr := w.Write(append(s.line(), '\n')); werr != nil {
				err = errors.Join(err, werr)
			}
		}
		sent <- errors.Join(err, w.Flush())
	}()
	for _, s := range specimens {
		answer, err := r.out.ReadBytes('\n')
		if err != nil {
			t.Fatalf("%s: the reference ended: %v", s.name, err)
		}
		f(s, readAnswer(t, s, answer))
	}
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
}

func readAnswer(t testing.TB, s specimen, answer []byte) outcome {
	t.Helper()
	var line struct {
		ID        string
		Outcome   sdkemu.Outcome
		Exception *sdkemu.ExceptionDetail
		Reason    string
		Seconds   float64
	}
	if err := json.Unmarshal(answer, &line); err != nil || line.ID != s.name {
		t.Fatalf("%s: the reference answered %.300s (%v)", s.name, answer, err)
	}
	v, err := wire.Parse(answer)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	out := outcome{Outcome: line.Outcome, Exception: line.Exception, Assembled: v.Get("assembled"), Reason: line.Reason, seconds: line.Seconds}
	if e := v.Path("exception", "message"); e.Exists() {
		out.Exception.Message = e.Str()
	}
	out.maskAddresses()
	return out
}
