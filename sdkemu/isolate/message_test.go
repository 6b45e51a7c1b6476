package isolate

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"

	"reassay/sdkemu"
	"reassay/wire"
)

// half is a lone surrogate half as the wire's strings hold it.
const half = "\xed\xa0\xbd"

func value(t testing.TB, text string) wire.Value {
	t.Helper()
	v, err := wire.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func inputs(t testing.TB) map[string]sdkemu.Input {
	return map[string]sdkemu.Input{
		"nothing": {},
		"all": {
			Status: 529, ContentType: "text/event-stream; x=\"é\"" + half,
			Headers: map[string][]string{"x-b": {"1", ""}, "x-a": {half}},
			Body:    []byte("data: \xff\x00\r\n"), Cuts: []int{1, 1, 5, 3}, Break: &sdkemu.Break{Message: "reset" + half},
			Request: value(t, `{"n":1.50,"a":"\ud83d","a":[null]}`), Parsed: true,
		},
		"an empty break":  {Break: &sdkemu.Break{}},
		"a null request":  {Request: wire.OfNull()},
		"no values":       {Headers: map[string][]string{"x": {}}},
		"a negative cut":  {Cuts: []int{-1, 1 << 40}},
		"a negative code": {Status: -1},
	}
}

func TestRequestsComeOver(t *testing.T) {
	for name, in := range inputs(t) {
		var pipe bytes.Buffer
		m, err := encodeRequest(target, in)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.write(&pipe); err != nil {
			t.Fatal(err)
		}
		gotTarget, got, err := readRequest(&pipe, 1<<20)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		// Where a value stood in its text is not told.
		if g, w := got.Request, in.Request; g.Exists() != w.Exists() || !bytes.Equal(g.JSON(), w.JSON()) {
			t.Errorf("%s: request %s, want %s", name, g.JSON(), w.JSON())
		}
		got.Request, in.Request = wire.Value{}, wire.Value{}
		if len(in.Body) == 0 {
			got.Body = in.Body
		}
		if gotTarget != target || !reflect.DeepEqual(got, in) {
			t.Errorf("%s: %+v, want %+v", name, got, in)
		}
	}
}

func results() map[string]sdkemu.Result {
	none := 0
	return map[string]sdkemu.Result{
		"ok":       {Outcome: sdkemu.OK, Assembled: []byte(`{"a":1}`)},
		"a limit":  {Outcome: sdkemu.Inconclusive, Reason: "limit time: x", Retryable: true},
		"refusal":  {Outcome: sdkemu.Failed, Reason: "no"},
		"no event": {Outcome: sdkemu.Exception, Exception: &sdkemu.ExceptionDetail{Class: "X", AtEvent: []byte("null"), Taken: &none, Unsent: true}},
		"causes": {Outcome: sdkemu.Exception, Assembled: []byte(`["\ud83d"]`), Exception: &sdkemu.ExceptionDetail{
			Class: "APIError", Message: half + "\x00", Thrown: "error", AtEvent: []byte(`"final"`),
			Cause: &sdkemu.ExceptionDetail{Class: "E", Cause: &sdkemu.ExceptionDetail{Message: "deep", Thrown: "value"}},
		}},
	}
}

func TestResultsComeOver(t *testing.T) {
	for name, want := range results() {
		var pipe bytes.Buffer
		if err := encodeResult(want).write(&pipe); err != nil {
			t.Fatal(err)
		}
		if got, err := readResult(&pipe, 1<<20); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v (%v), want %+v", name, got, err, want)
		}
	}
}

func TestBrokenMessages(t *testing.T) {
	m, err := encodeRequest(target, inputs(t)["all"])
	if err != nil {
		t.Fatal(err)
	}
	var pipe bytes.Buffer
	if err := m.write(&pipe); err != nil {
		t.Fatal(err)
	}
	for n := range pipe.Len() {
		want := io.ErrUnexpectedEOF
		if n == 0 {
			want = io.EOF
		}
		if _, _, err := readRequest(bytes.NewReader(pipe.Bytes()[:n]), 1<<20); !errors.Is(err, want) {
			t.Fatalf("after %d bytes: %v, want %v", n, err, want)
		}
	}
	if _, _, err := readRequest(&pipe, 10); err == nil {
		t.Error("a part over the limit was read")
	}
}

func FuzzReadRequest(f *testing.F) {
	for _, in := range inputs(f) {
		m, err := encodeRequest(target, in)
		if err != nil {
			f.Fatal(err)
		}
		var pipe bytes.Buffer
		if err := m.write(&pipe); err != nil {
			f.Fatal(err)
		}
		f.Add(pipe.Bytes())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		target, in, err := readRequest(bytes.NewReader(text), 1<<16)
		if err != nil {
			return
		}
		m, err := encodeRequest(target, in)
		if err != nil {
			t.Fatal(err)
		}
		var pipe bytes.Buffer
		if err := m.write(&pipe); err != nil {
			t.Fatal(err)
		}
		againTarget, again, err := readRequest(&pipe, 1<<20)
		if err != nil || againTarget != target || !bytes.Equal(again.Body, in.Body) || !reflect.DeepEqual(again.Cuts, in.Cuts) {
			t.Errorf("%+v comes over as %+v (%v)", in, again, err)
		}
	})
}

func FuzzReadResult(f *testing.F) {
	for _, r := range results() {
		var pipe bytes.Buffer
		if err := encodeResult(r).write(&pipe); err != nil {
			f.Fatal(err)
		}
		f.Add(pipe.Bytes())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		res, err := readResult(bytes.NewReader(text), 1<<16)
		if err != nil {
			return
		}
		var pipe bytes.Buffer
		if err := encodeResult(res).write(&pipe); err != nil {
			t.Fatal(err)
		}
		if again, err := readResult(&pipe, 1<<20); err != nil || !reflect.DeepEqual(again, res) {
			t.Errorf("%+v comes over as %+v (%v)", res, again, err)
		}
	})
}

func TestLastWords(t *testing.T) {
	for _, c := range []struct {
		written []string
		want    string
	}{
		{nil, ""},
		{[]string{"one\ntwo\n\n \n"}, "two"},
		{[]string{"o", "ne\nt", "wo"}, "two"},
		{[]string{"one\r\n", "\xff\n"}, "\uFFFD"},
		{[]string{"a\npanic: b\n\ngoroutine 1:\nmain.go:1\n"}, "panic: b"},
		{[]string{"fatal error: ", "c\nexit"}, "fatal error: c"},
	} {
		var l lastWords
		for _, w := range c.written {
			if n, err := l.Write([]byte(w)); n != len(w) || err != nil {
				t.Fatal(n, err)
			}
		}
		if got := l.String(); got != c.want {
			t.Errorf("%q: %q, want %q", c.written, got, c.want)
		}
	}
	var l lastWords
	for range 100 {
		l.Write(bytes.Repeat([]byte("x"), 100))
	}
	if got := len(l.String()); got != maxLine {
		t.Errorf("%d bytes are kept, want %d", got, maxLine)
	}
}
