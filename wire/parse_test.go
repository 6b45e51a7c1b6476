package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		text  string
		at    int
		msg   string
		ended bool
		limit bool
	}{
		{``, 0, "the text ends where a value should begin", true, false},
		{" \n", 2, "the text ends where a value should begin", true, false},
		{`{`, 1, "the text ends: want a key in double quotes", true, false},
		{`{"a"`, 4, "the text ends: want ':' after a key", true, false},
		{`{"a":1`, 6, "the text ends: want ',' or '}'", true, false},
		{`{"a":1,}`, 7, "want a key in double quotes", false, false},
		{`{a:1}`, 1, "want a key in double quotes", false, false},
		{`{"a" 1}`, 5, "want ':' after a key", false, false},
		{`[1,]`, 3, "not a JSON value", false, false},
		{`[1 2]`, 3, "want ',' or ']'", false, false},
		{`[`, 1, "the text ends where a value should begin", true, false},
		{`tru`, 3, "the text ends inside true", true, false},
		{`trux`, 0, "not a JSON value", false, false},
		{`nul`, 3, "the text ends inside null", true, false},
		{`NaN`, 0, "not a JSON value", false, false},
		{`01`, 1, "text after the value", false, false},
		{`-`, 1, "the text ends: want a digit", true, false},
		{`-x`, 1, "want a digit", false, false},
		{`1.`, 2, "the text ends: want a digit after the point", true, false},
		{`1.e`, 2, "want a digit after the point", false, false},
		{`1e+`, 3, "the text ends: want a digit in the exponent", true, false},
		{`"a`, 2, "the text ends inside a string", true, false},
		{`"a\`, 3, "the text ends inside a string", true, false},
		{`"\u12`, 5, "the text ends inside a string", true, false},
		{`"\u12x4"`, 1, "a \\u escape needs four hex digits", false, false},
		{`"\x"`, 1, "an unknown escape in a string", false, false},
		{"\"a\nb\"", 2, "a control character in a string", false, false},
		{"\"é\nb\"", 3, "a control character in a string", false, false},
		{`{} {}`, 3, "text after the value", false, false},
		{"\uFEFF{}", 0, "not a JSON value", false, false},
		{strings.Repeat("[", MaxDepth+1), MaxDepth + 1, "nested deeper than 10000", false, true},
		{strings.Repeat(`{"":`, 40000), 4*MaxDepth + 1, "nested deeper than 10000", false, true},
		{"[" + strings.Repeat("0,", MaxValues), 2*MaxValues - 1, "more than 4194304 values", false, true},
	} {
		_, err := Parse([]byte(c.text))
		want := &SyntaxError{Offset: c.at, Msg: c.msg, Ended: c.ended, Limit: c.limit}
		if !reflect.DeepEqual(err, want) {
			t.Errorf("Parse(%.40q) = %#v, want %#v", c.text, err, want)
		}
	}
	if _, err := Parse([]byte(strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth))); err != nil {
		t.Errorf("nested %d deep: %v", MaxDepth, err)
	}
}

// TestShortAndLongTextsReadAlike holds the two ways in which strings get their memory to each other.
func TestShortAndLongTextsReadAlike(t *testing.T) {
	short := []byte(`{"k\n":["a","é","😀\ud83d\ude00\ud83d",-1.5e3,true,null,{},[]],"z":"` + "\xff\"}")
	long := append(bytes.Repeat([]byte(" "), shareBytes), short...)
	a, erra := Parse(short)
	b, errb := Parse(long)
	if erra != nil || errb != nil || !Equal(a, b) || string(a.JSON()) != string(b.JSON()) {
		t.Fatalf("%s, %v\n%s, %v", a.JSON(), erra, b.JSON(), errb)
	}
	if got, want := string(a.JSON()), `{"k\n":["a","é","😀😀\ud83d",-1.5e3,true,null,{},[]],"z":"�"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestOffsets(t *testing.T) {
	text := []byte(` {"a": [1, "two", {"b" :null}], "c":true } `)
	v, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		v    Value
		want string
	}{
		{v, `{"a": [`}, {v.Get("a"), `[1, `}, {v.Get("a").At(0), `1, `}, {v.Get("a").At(1), `"two"`},
		{v.Get("a").At(2), `{"b"`}, {v.Get("a").At(2).Get("b"), `null`}, {v.Get("c"), `true`},
	} {
		if !bytes.HasPrefix(text[c.v.Offset():], []byte(c.want)) {
			t.Errorf("offset %d of %s shows %.8q, want %q", c.v.Offset(), c.v.JSON(), text[c.v.Offset():], c.want)
		}
	}
}

func TestParsePrefixWalksValues(t *testing.T) {
	text := []byte(` {"a":1} [2]"x" 3`)
	var got []string
	for pos := 0; pos < len(text); {
		v, n, err := ParsePrefix(text[pos:])
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(v.JSON()))
		pos += n
	}
	if want := []string{`{"a":1}`, `[2]`, `"x"`, `3`}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestLookUps(t *testing.T) {
	v, err := Parse([]byte(`{"a":{"b":[10,null]},"a":{"b":[20]},"n":1.5,"big":9223372036854775808,"e":1e2}`))
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := v.Path("a", "b").At(0).Int(); n != 20 || !ok {
		t.Errorf("of doubled keys the last counts: got %d, %v", n, ok)
	}
	for _, m := range []Value{v.Get("x"), v.Path("a", "b", "c"), v.At(0), v.Path("a", "b").At(1), v.Path("a", "b").At(-1), Value{}.Get("a")} {
		if m.Exists() || m.Present() || m.Str() != "" || m.Num() != "" || m.True() || m.Elems() != nil || m.Members() != nil {
			t.Errorf("%s should be missing", m.JSON())
		}
	}
	for _, key := range []string{"n", "big", "e", "a", "x"} {
		if n, ok := v.Get(key).Int(); ok || n != 0 {
			if key != "big" {
				t.Errorf("%s is no int, got %d, %v", key, n, ok)
			} else if ok {
				t.Errorf("%s does not fit, got %d", key, n)
			}
		}
	}
	if null := v.Members()[0].Value.Get("b").At(1); !null.Exists() || null.Present() || null.Kind() != Null {
		t.Error("null exists and is not present")
	}
}

func TestWith(t *testing.T) {
	parse := func(s string) Value {
		v, err := Parse([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range []struct {
		from, key string
		val       Value
		want      string
	}{
		{`{"a":1,"b":2}`, "a", OfNull(), `{"a":null,"b":2}`},
		{`{"a":1,"b":2,"a":3}`, "a", Of("x"), `{"a":1,"b":2,"a":"x"}`},
		{`{"a":1,"b":2,"a":3}`, "a", Value{}, `{"b":2}`},
		{`{"a":1}`, "c", OfBool(true), `{"a":1,"c":true}`},
		{`{}`, "c", Value{}, `{}`},
		{`[1]`, "c", OfInt(-7), `{"c":-7}`},
	} {
		v := parse(c.from)
		if got := string(v.With(c.key, c.val).JSON()); got != c.want {
			t.Errorf("%s with %s: got %s, want %s", c.from, c.key, got, c.want)
		}
		if got := string(v.JSON()); got != c.from {
			t.Errorf("With changed its receiver to %s", got)
		}
	}
	if got := string(Obj(Member{"a", Value{}}, Member{"b", Arr()}).JSON()); got != `{"b":[]}` {
		t.Errorf("got %s", got)
	}
}

func TestInEncodingJSON(t *testing.T) {
	in := []byte(`{"v":{"a":1.50,"a":"\ud83d"},"w":null}`)
	var s struct {
		V Value `json:"v"`
		W Value `json:"w"`
	}
	if err := json.Unmarshal(in, &s); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(s)
	if err != nil || !bytes.Equal(out, in) {
		t.Errorf("got %s, %v", out, err)
	}
	var bad *SyntaxError
	if err := new(Value).UnmarshalJSON([]byte("{")); !errors.As(err, &bad) {
		t.Errorf("got %v", err)
	}
}

// plain is v as encoding/json gives it, which replaces lone surrogate halves.
func plain(v Value) any {
	switch v.Kind() {
	case Bool:
		return v.True()
	case Number:
		return json.Number(v.Num())
	case String:
		return withoutHalves(v.Str())
	case Array:
		out := []any{}
		for _, e := range v.Elems() {
			out = append(out, plain(e))
		}
		return out
	case Object:
		out := map[string]any{}
		for _, m := range v.Members() {
			out[withoutHalves(m.Key)] = plain(m.Value)
		}
		return out
	}
	return nil
}

func withoutHalves(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if _, ok := halfAt(s, i); ok {
			b.WriteRune(utf8.RuneError)
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,-2.5e+10,"x\u00e9\ud83d\ude00\ud83dz\ude00",null,true,{}],"a":false}`, ` [ ] `, `"\ud83d\ud83d\ude00"`, `"` + "\xe2\x82" + `"`,
		`1e-999999999`, `[[[[`, `{"k":`, `"\ude00\ud83d"`, "\"\xed\xa0\x80\"", `123abc`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := Parse(text)
		if valid := json.Valid(text); valid != (err == nil) {
			t.Fatalf("encoding/json finds it valid: %v, we: %v", valid, err)
		}
		if err != nil {
			if at := err.(*SyntaxError); at.Offset < 0 || at.Offset > len(text) || at.Ended && at.Offset != len(text) {
				t.Fatalf("%+v lies outside the text of %d bytes", at, len(text))
			}
			return
		}
		if utf8.Valid(text) {
			d := json.NewDecoder(bytes.NewReader(text))
			d.UseNumber()
			var want any
			if err := d.Decode(&want); err != nil {
				t.Fatal(err)
			}
			if got := plain(v); !reflect.DeepEqual(got, want) {
				t.Fatalf("got %#v, encoding/json has %#v", got, want)
			}
		}
		out := v.JSON()
		if !utf8.Valid(out) {
			t.Fatalf("%q is not UTF-8", out)
		}
		again, err := Parse(out)
		if err != nil || !Equal(v, again) || !Equal(again, v) || !bytes.Equal(again.JSON(), out) {
			t.Fatalf("%s reads as %s, %v", out, again.JSON(), err)
		}
		w, n, err := ParsePrefix(append(text[:len(text):len(text)], " ,"...))
		if err != nil || n > len(text) || !bytes.Equal(w.JSON(), out) {
			t.Fatalf("ParsePrefix took %d of %d bytes and got %s, %v", n, len(text), w.JSON(), err)
		}
	})
}

var chunk = []byte(`{"id":"chatcmpl-9x","object":"chat.completion.chunk","created":1764500000,"model":"demo-large","choices":[{"index":0,"delta":{"content":" birch"},"logprobs":null,"finish_reason":null}]}`)

func BenchmarkParseChunk(b *testing.B) {
	b.SetBytes(int64(len(chunk)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(chunk); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseChunkEncodingJSON(b *testing.B) {
	b.SetBytes(int64(len(chunk)))
	b.ReportAllocs()
	for b.Loop() {
		var v any
		if err := json.Unmarshal(chunk, &v); err != nil {
			b.Fatal(err)
		}
	}
}
