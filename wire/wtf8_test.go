package wire

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func TestJoin(t *testing.T) {
	// unquote reads a JSON string's inside.
	unquote := func(s string) string {
		v, err := Parse([]byte(`"` + s + `"`))
		if err != nil {
			t.Fatal(err)
		}
		return v.Str()
	}
	for _, c := range []struct {
		parts []string
		want  string
	}{
		{nil, ``},
		{[]string{`a`, `b`}, `ab`},
		{[]string{`x\ud83d`, `\ude00y`}, `x😀y`},
		{[]string{`\ud83d`, ``, `\ude00`}, `😀`},
		{[]string{`\ud83d`, `\ud83d`, `\ude00`, `\ude00`}, `\ud83d😀\ude00`},
		{[]string{`\ude00`, `\ud83d`}, `\ude00\ud83d`},
		{[]string{`\ud83d`, `-`, `\ude00`}, `\ud83d-\ude00`},
		{[]string{`\ud83d`, `\ude00\ud83d`, `\ude01`}, `😀😁`},
		{[]string{`\ud83d\ude00`, `\ude00`}, `😀\ude00`},
	} {
		var parts []string
		for _, p := range c.parts {
			parts = append(parts, unquote(p))
		}
		got := Join(parts...)
		if got != unquote(c.want) {
			t.Errorf("Join(%q) = %+q, want %s", c.parts, got, c.want)
		}
		if LoneHalves(got) != strings.Contains(c.want, `\u`) || !Valid(got) {
			t.Errorf("Join(%q): lone halves %v, valid %v", c.parts, LoneHalves(got), Valid(got))
		}
	}
	if Valid("\xff") || !Valid("aé\xed\xa0\xbd") || LoneHalves("힣\xed\x9f\xbf") {
		t.Error("Valid or LoneHalves misjudges")
	}
}

// FuzzJoin holds Join to the concatenation of UTF-16 units, as JavaScript does it.
func FuzzJoin(f *testing.F) {
	f.Add([]byte{0xD8, 0x3D, 0xDE, 0x00, 0x00, 0x61}, 1)
	f.Add([]byte{0xDE, 0x00, 0xD8, 0x3D, 0xD8, 0x3D, 0xDE, 0x00, 0x20, 0xAC}, 3)
	f.Fuzz(func(t *testing.T, raw []byte, cut int) {
		units := make([]uint16, len(raw)/2)
		for i := range units {
			units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
		}
		if cut < 0 || cut > len(units) {
			cut = len(units) / 2
		}
		whole := fromUnits(units)
		if got := Join(fromUnits(units[:cut]), fromUnits(units[cut:])); got != whole {
			t.Fatalf("cut at %d: %+q, whole: %+q", cut, got, whole)
		}
		v, err := Parse(AppendString(nil, whole))
		if err != nil || v.Str() != whole || !Valid(whole) {
			t.Fatalf("%+q reads as %+q, %v", whole, v.Str(), err)
		}
	})
}

// fromUnits is UTF-16 in WTF-8.
func fromUnits(units []uint16) string {
	var b []byte
	for i := 0; i < len(units); i++ {
		if i+1 < len(units) {
			if r := utf16.DecodeRune(rune(units[i]), rune(units[i+1])); r != utf8.RuneError {
				b = utf8.AppendRune(b, r)
				i++
				continue
			}
		}
		if u := rune(units[i]); utf16.IsSurrogate(u) {
			b = append(b, 0xE0|byte(u>>12), 0x80|byte(u>>6)&0x3F, 0x80|byte(u)&0x3F)
		} else {
			b = utf8.AppendRune(b, u)
		}
	}
	return string(b)
}

func TestAppendString(t *testing.T) {
	for in, want := range map[string]string{
		"":                   `""`,
		"a\"b\\c/":           `"a\"b\\c/"`,
		"\n\r\t\b\f\x00\x1f": `"\n\r\t\u0008\u000c\u0000\u001f"`,
		"é\u2028😀\x7f":       "\"é\u2028😀\x7f\"",
		"x\xed\xa0\xbdy":     `"x\ud83dy"`,
		"x\xffy":             `"x�y"`,
	} {
		got := string(AppendString(nil, in))
		if got != want {
			t.Errorf("%+q: got %s, want %s", in, got, want)
		}
		if !json.Valid([]byte(got)) {
			t.Errorf("%s is not JSON", got)
		}
	}
}

// TestToUTF8 takes its rows from the Unicode Standard, section 3.9, tables 3-8 to 3-11: one U+FFFD for each maximal
// part of a character.
func TestToUTF8(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 😀":                            "plain é 😀",
		"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41": "��������A",
		"\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41": "��������A",
		"\xf4\x91\x92\x93\xff\x41\x80\xbf\x42": "�����A��B",
		"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41": "����A",
		"a\xe2\x82":                            "a�",
		"\xf0\x9f\x98":                         "�",
		"\xc3(":                                "�(",
	} {
		if got := string(ToUTF8([]byte(in))); got != want {
			t.Errorf("%+q: got %+q, want %+q", in, got, want)
		}
		v, err := Parse([]byte(`"` + in + `"`))
		if err != nil || v.Str() != want {
			t.Errorf("in a JSON string %+q: got %+q, %v, want %+q", in, v.Str(), err, want)
		}
		bad := InvalidUTF8([]byte(in))
		if (bad < 0) != utf8.ValidString(in) || bad >= 0 && !utf8.ValidString(in[:bad]) {
			t.Errorf("%+q: first bad byte at %d", in, bad)
		}
	}
}

func TestDialects(t *testing.T) {
	for _, d := range Dialects {
		if !d.Known() {
			t.Errorf("%s is not known", d)
		}
	}
	if Dialect("").Known() || Dialect("cohere").Known() {
		t.Error("an unknown dialect is known")
	}
}

func TestScalar(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "aé\U0001F600": "aé\U0001F600", "\xed\xa0\x80": "\uFFFD", "a\xed\xb0\x80\xed\xa0\x80b": "a\uFFFD\uFFFDb", "\xed\x95\x9c": "\uD55C",
	} {
		if got := Scalar(in); got != want {
			t.Errorf("Scalar(%q) = %q, want %q", in, got, want)
		}
	}
}
