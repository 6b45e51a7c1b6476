package node

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"testing"
	"unicode/utf8"

	"github.com/dop251/goja"

	"reassay/wire"
)

// parserFor gives a parser with a runtime of its own.
func parserFor(t testing.TB) (*jsonParser, *jsRuntime) {
	t.Helper()
	rt := &jsRuntime{vm: goja.New(), runState: runState{limits: DefaultLimits}}
	if err := rt.helpers(); err != nil {
		t.Fatal(err)
	}
	return &jsonParser{vm: rt.vm, define: rt.define, nesting: DefaultLimits.Nesting, index: DefaultLimits.Index}, rt
}

var jsonSeeds = []string{
	`{"a":1,"b":[true,false,null],"c":{"d":"x\u00e9\n"},"e":-1.5e3}`, `[1,2,{"x":"y"}]`, `"str\ud83d\ude00"`,
	`{"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":"héllo 🎉"},"finish_reason":null}]}`, `-0.0`,
	`  {"a" : [ ] , "b" : { } }  `, `null`, `true`, `{"k":"\\\"\/\b\f\t"}`, `[0.1,1e21,1e-7,5e-324,1e400,-1e400,123456789012345678901234567890]`,
	`{"2":1,"1":2,"b":3,"a":4,"01":5,"-1":6,"__proto__":7,"\ud800":8}`, `undefined`, `[object Object]`, `NaN`, `Infinity`,
}

var jsonPieces = []string{
	`{`, `}`, `[`, `]`, `"`, `,`, `:`, `\`, `/`, `0`, `7`, `.`, `e`, `E`, `+`, `-`, `u`, `n`, `t`, `r`, `f`, ` `, "\t", "\n", "\r", "\x01", "\x7f", "é", "🎉",
	"\xED\xA0\xBD", "\xED\xB8\x80", "\uFEFF", "\u00a0", "N", "I", "'", "x", `\u`, `\ud83d`, `null`, `true`,
}

func mutatedJSON(r *rand.Rand) string {
	s := jsonSeeds[r.IntN(len(jsonSeeds))]
	for range r.IntN(4) {
		at := r.IntN(len(s) + 1)
		for at > 0 && at < len(s) && s[at]&0xC0 == 0x80 {
			at-- // not into a character
		}
		_, n := utf8.DecodeRuneInString(s[at:])
		switch r.IntN(4) {
		case 0:
			s = s[:at] + s[at+n:]
		case 1:
			s = s[:at] + jsonPieces[r.IntN(len(jsonPieces))] + s[at:]
		case 2:
			s = s[:at] + jsonPieces[r.IntN(len(jsonPieces))] + s[at+n:]
		default:
			s = s[:at]
		}
	}
	return fromUnits(toUnits(s))
}

// TestJSONParseIsV8s gives the same texts to Node's JSON.parse: values and messages must be the same.
func TestJSONParseIsV8s(t *testing.T) {
	needSDKs(t)
	r := rand.New(rand.NewPCG(1, 2))
	texts := append([]string{""}, jsonSeeds...)
	for range 30_000 {
		texts = append(texts, mutatedJSON(r))
	}
	var in bytes.Buffer
	for _, s := range texts {
		in.Write(wire.AppendString(nil, s))
		in.WriteByte('\n')
	}
	cmd := exec.CommandContext(t.Context(), "node", "js/parse.mjs")
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	p, rt := parserFor(t)
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	n, refused := 0, 0
	for ; lines.Scan(); n++ {
		want, err := wire.Parse(lines.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		v := p.parse(texts[n])
		got := p.message
		if v != nil {
			got = string(rt.render(v))
		} else {
			refused++
		}
		if nodeMajor() != emulatedNode && v == nil && want.Get("message").Exists() {
			continue
		}
		if got != want.Get("value").Str()+want.Get("message").Str() {
			t.Errorf("%q gives %s, want %s", texts[n], got, lines.Bytes())
		}
	}
	if n != len(texts) || refused < n/10 || refused > n*9/10 {
		t.Errorf("%d texts of %d, %d refused", n, len(texts), refused)
	}
}

// FuzzJSONParse holds the parser to encoding/json: what one takes the other takes.
func FuzzJSONParse(f *testing.F) {
	for _, s := range jsonSeeds {
		f.Add(s)
	}
	p, _ := parserFor(f)
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return // JavaScript has no such strings
		}
		v := p.parse(s)
		if p.over != nil {
			return
		}
		if valid := json.Valid([]byte(s)); (v != nil) != valid || (p.message == "") != valid {
			t.Errorf("%q: value %v, message %q, want valid %v", s, v != nil, p.message, valid)
		}
	})
}

func FuzzDecodeUTF8(f *testing.F) {
	f.Add([]byte("a\xFF\xF0\x9F\x98b\xED\xA0\x80\xC0\x80\uFEFF"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got := decodeUTF8(b)
		if !utf8.ValidString(got) {
			t.Errorf("%x decodes to %q", b, got)
		}
		if rest := bytes.TrimPrefix(b, []byte("\uFEFF")); utf8.Valid(b) && got != string(rest) {
			t.Errorf("%x is well-formed and decodes to %q", b, got)
		}
	})
}

func TestDecodeUTF8(t *testing.T) {
	for in, want := range map[string]string{
		"":                         "",
		"\uFEFFa":                  "a",
		"\uFEFF\uFEFF":             "\uFEFF",
		"\xFF":                     "\uFFFD",
		"\xC0\x80":                 "\uFFFD\uFFFD",
		"\xE0\x80\x80":             "\uFFFD\uFFFD\uFFFD",
		"\xED\xA0\x80":             "\uFFFD\uFFFD\uFFFD",
		"\xF0\x9F\x98x":            "\uFFFDx",
		"\xF0\x9F\x98":             "\uFFFD",
		"\xF4\x90\x80\x80":         "\uFFFD\uFFFD\uFFFD\uFFFD",
		"\xE2\x82(\xE2\x82\xAC":    "\uFFFD(€",
		"\xF1\x80\x80\xE1\x80\xC2": "\uFFFD\uFFFD\uFFFD",
	} {
		if got := decodeUTF8([]byte(in)); got != want {
			t.Errorf("%x decodes to %q, want %q", in, got, want)
		}
	}
}
