package main

import (
	"strings"
	"testing"

	"reassay/check"
	"reassay/rules"
	"reassay/wire"
)

// What is stored of a verdict holds no word of the reply unless the policy lets it: by default not of live traffic.
func TestStoredContent(t *testing.T) {
	const secret = "Top secret"
	value := wire.Of(secret)
	verdict := func(population string) check.Verdict {
		return check.Verdict{
			Population: population,
			Findings:   []rules.Finding{{ID: "f1", Expected: &value, Got: &value, Message: "the text is lost"}},
			SDKs: []check.SDK{{SDK: "openai-node", Assembled: value.JSON(), Exception: &check.SDKException{
				Class: "SyntaxError", Message: `Unexpected token 'T', "` + secret + `" is not valid JSON`, AtEvent: []byte("2")}}},
		}
	}
	for _, c := range []struct {
		flag, population string
		shown            bool
	}{
		{"", "live", false}, {"", "captured", true}, {"", "probed", true},
		{"full", "live", true}, {"hash", "captured", false}, {"none", "live", false}, {"none", "probed", false},
	} {
		f := contentFlags{c.flag}
		redact, err := f.policy(func(string) string { return "key" })
		if err != nil {
			t.Fatal(err)
		}
		before := verdict(c.population)
		text := string(redact(before).JSON())
		if strings.Contains(text, secret) != c.shown {
			t.Errorf("--content %q of %s traffic stores\n%s", c.flag, c.population, text)
		}
		if !strings.Contains(text, `"class":"SyntaxError"`) || !strings.Contains(text, "the text is lost") {
			t.Errorf("--content %q takes more than values: %s", c.flag, text)
		}
		if hashed := strings.Count(text, "hmac_sha256"); !c.shown && (hashed == 4) == (c.flag == "none") {
			t.Errorf("--content %q of %s traffic has %d digests", c.flag, c.population, hashed)
		}
		if !strings.Contains(string(before.JSON()), secret) {
			t.Fatal("the verdict itself was changed")
		}
	}
	if _, err := (&contentFlags{"some"}).policy(func(string) string { return "" }); err == nil {
		t.Error("an unknown policy is taken")
	}
}
