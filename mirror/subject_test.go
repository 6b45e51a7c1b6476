package mirror

import (
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	for name, want := range map[string]string{
		"portkey":               "portkey",
		"new-api":               "new-api",
		"one.api v2":            "one_api_v2",
		"gâteway":               "g__teway",
		"":                      "_",
		"*":                     "_",
		strings.Repeat("x", 70): strings.Repeat("x", 64),
	} {
		if got := GatewayToken(name); got != want {
			t.Errorf("GatewayToken(%q) = %q, want %q", name, got, want)
		}
	}
	a, b := ExchangeToken("run", "id"), ExchangeToken("runi", "d")
	if len(a) != 32 || a == b {
		t.Errorf("tokens %q and %q: want 32 digits, and different", a, b)
	}
}

func TestSubjectsComeApart(t *testing.T) {
	for subject, want := range map[string]Subject{
		BeginSubject("g", "e"):              {"g", "e", KindBegin, ""},
		LegSubject("g", "e", "upstream.12"): {"g", "e", KindLeg, "upstream.12"},
		EndSubject("g", "e", "non_stream"):  {"g", "e", KindEnd, "non_stream"},
	} {
		got, err := ParseSubject(subject)
		if err != nil || got != want {
			t.Errorf("ParseSubject(%q) = %+v, %v; want %+v", subject, got, err, want)
		}
	}
	for _, subject := range []string{"", "reassay.mirror", "reassay.mirror.g.e", "reassay.mirror.g.e.begin.x",
		"reassay.mirror.g..begin", "reassay.mirror.g.e.other.x", "reassay.verdict.g.e.begin"} {
		if got, err := ParseSubject(subject); err == nil {
			t.Errorf("ParseSubject(%q) = %+v, want an error", subject, got)
		}
	}
}
