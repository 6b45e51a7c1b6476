package mirror

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

func TestJudgedRequest(t *testing.T) {
	for _, c := range []struct{ name, dialect, body, want string }{
		{"conversation left out", "openai-chat", `{"model":"m","messages":[{"role":"user","content":"my secret"}],"user":"me","stream":true}`, `{"model":"m"}`},
		{"spelt as it was", "openai-chat", `{ "tools" : [ {"type":"function", "function":{"name":"\ud83d","n":1.0e2}} ] , "x":1}`, `{"tools":[ {"type":"function", "function":{"name":"\ud83d","n":1.0e2}} ]}`},
		{"a member of an object", "openai-chat", `{"stream_options":{"a":1,"include_usage":true}}`, `{"stream_options":{"include_usage":true}}`},
		{"two members of one object", "openai-responses", `{"text":{"format":{"type":"text"},"x":1,"verbosity":"low"},"input":"secret"}`, `{"text":{"format":{"type":"text"},"verbosity":"low"}}`},
		{"ids of earlier calls", "anthropic-messages", `{"messages":[{"role":"user","content":"secret"},{"role":"assistant","content":[{"type":"text","text":"secret"},{"id":"srvtoolu_1","input":{"q":"secret"}}]}]}`, `{"messages":[{"content":[{"id":"srvtoolu_1"}]}]}`},
		{"the same name twice", "openai-chat", `{"model":"a","model":"b"}`, `{"model":"a","model":"b"}`},
		{"an escaped name", "openai-chat", `{"mod\u0065l":"a"}`, `{"model":"a"}`},
		{"nothing judged", "gemini-generate", `{"contents":[{"parts":[{"text":"secret"}]}],"generationConfig":{"topK":1}}`, `{}`},
		{"other kinds than described", "anthropic-messages", `{"messages":{"content":"secret"},"thinking":"secret","output_config":["secret"]}`, `{}`},
		{"empty", "gemini-generate", " {} ", `{}`},
		{"a broken character", "openai-chat", "{\"model\":\"\xff\",\"user\":\"\xff\"}", "{\"model\":\"\xff\"}"},
	} {
		got, err := JudgedRequest(c.dialect, []byte(c.body))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v; want %s", c.name, got, err, c.want)
		}
	}
	for _, c := range []struct{ dialect, body, want string }{
		{"openai-chat", "", "not JSON"},
		{"openai-chat", `{"model":"m"`, "not JSON"},
		{"openai-chat", `{"model":"m"}{}`, "not JSON"},
		{"openai-chat", "\x1f\x8b\x08", "not JSON"},
		{"openai-chat", ` ["model"]`, "no JSON object"},
		{"openai-chat", strings.Repeat(`{"model":`, 20_000), "not JSON"},
		{"other", `{}`, "not known"},
	} {
		got, err := JudgedRequest(c.dialect, []byte(c.body))
		if err == nil || !strings.Contains(err.Error(), c.want) || got != nil {
			t.Errorf("%s of %.20q: %s, %v; want an error with %q", c.dialect, c.body, got, err, c.want)
		}
	}
}

// Publishers in other languages read the file: what stands in it is what they can rely on.
func TestJudgedFieldsAreDescribed(t *testing.T) {
	d := json.NewDecoder(bytes.NewReader(judgedFieldsText))
	d.DisallowUnknownFields()
	var table map[string][]judgedField
	if err := d.Decode(&table); err != nil {
		t.Fatal(err)
	}
	if len(table) != 4 {
		t.Errorf("%d dialects, want 4", len(table))
	}
	for dialect, fields := range table {
		seen := map[string]bool{}
		for _, f := range fields {
			if u, err := url.Parse(f.Source); err != nil || u.Scheme != "https" || f.JudgedBy == "" {
				t.Errorf("%s, %s: source %q, judged by %q", dialect, f.Path, f.Source, f.JudgedBy)
			}
			if seen[f.Path] || strings.Trim(f.Path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.[]") != "" {
				t.Errorf("%s: the path %q stands twice or is spelt oddly", dialect, f.Path)
			}
			seen[f.Path] = true
		}
	}
}

// What is kept of any text is JSON, is in the text, and is all that is kept of what is kept.
func FuzzJudgedRequest(f *testing.F) {
	f.Add("anthropic-messages", []byte(`{"messages":[{"content":[{"id":"srvtoolu_1","text":"s"}]}],"thinking":{"type":"disabled"}}`))
	f.Add("openai-chat", []byte(`{"model":"m","tools":[],"stream_options":{"include_usage":true}}`))
	f.Fuzz(func(t *testing.T, dialect string, body []byte) {
		got, err := JudgedRequest(dialect, body)
		if err != nil {
			return
		}
		again, err := JudgedRequest(dialect, got)
		if err != nil || !bytes.Equal(got, again) {
			t.Errorf("%s of %q is %q, and of that %q, %v", dialect, body, got, again, err)
		}
	})
}
