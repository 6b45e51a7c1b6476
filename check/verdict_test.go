package check

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"reassay/capture"
	"reassay/rules"
	"reassay/wire"
)

func newChecker(t testing.TB, c Config) *Checker {
	t.Helper()
	k, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// The same capture under the same interpretation gives the same bytes, and reading them gives them back.
func TestVerdictsAreDeterministic(t *testing.T) {
	first := verdicts(t)
	again, err := judgeFixtures()
	if err != nil {
		t.Fatal(err)
	}
	for file, vs := range first {
		for i, v := range vs {
			a, b := v.JSON(), again[file][i].JSON()
			if !bytes.Equal(a, b) {
				t.Errorf("%s %s: two judgings differ:\n%s\n%s", file, v.Exchange, a, b)
			}
			if bytes.ContainsAny(a, "\n") {
				t.Errorf("%s %s: the verdict is more than one line", file, v.Exchange)
			}
			read, err := DecodeVerdict(a)
			if err != nil {
				t.Errorf("%s %s: %v", file, v.Exchange, err)
			} else if !bytes.Equal(read.JSON(), a) {
				t.Errorf("%s %s: reading changes the verdict:\n%s\n%s", file, v.Exchange, a, read.JSON())
			}
		}
	}
}

// What an exchange is judged by is its evidence: the same reply to another request, or after another failed attempt, is
// another observation.
func TestEvidenceNamesAllThatIsJudged(t *testing.T) {
	k := newChecker(t, Config{})
	reply := func(text string) *capture.Leg {
		return &capture.Leg{Dialect: wire.OpenAIChat, Status: 200, Body: []byte(`{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"` + text + `"},"finish_reason":"stop"}]}`)}
	}
	asked := func(model string) *capture.Request {
		return &capture.Request{Dialect: wire.OpenAIChat, Body: wire.Obj(wire.Member{Key: "model", Value: wire.Of(model)})}
	}
	evidenceOf := func(model string, first *capture.Leg) map[string]Evidence {
		v, err := k.Exchange(context.Background(), &capture.Exchange{ID: "a", Request: asked(model), UpstreamRequest: asked("u"),
			Upstream: []*capture.Leg{first, reply("Yes.")}, NonStream: reply("Yes.")})
		if err != nil {
			t.Fatal(err)
		}
		return v.Evidence
	}
	a, b, c := evidenceOf("m", reply("No.")), evidenceOf("n", reply("No.")), evidenceOf("m", reply("Nay."))
	for _, leg := range []string{"request", "upstream_request", "upstream.1", "upstream", "non_stream"} {
		if a[leg].SHA256 == "" {
			t.Errorf("no evidence of %s in %v", leg, a)
		}
	}
	if len(a) != 5 {
		t.Errorf("evidence of %d legs, want 5: %v", len(a), a)
	}
	if a["request"] == b["request"] || a["upstream.1"] == c["upstream.1"] || a["request"] != c["request"] {
		t.Errorf("evidence does not follow the bytes: %v, %v, %v", a, b, c)
	}
}

func TestDecodeVerdictRefusesWhatItDoesNotKnow(t *testing.T) {
	for text, want := range map[string]string{
		`{"verdict_version":2}`:                 "verdict_version 2, this program reads 1",
		`{"exchange":"a"}`:                      "no verdict_version",
		`{"verdict_version":1`:                  "read verdict",
		`[1]`:                                   "read verdict",
		`{"verdict_version":1,"findings":"no"}`: "read verdict",
	} {
		if _, err := DecodeVerdict([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one that says %q", text, err, want)
		}
	}
	if v, err := DecodeVerdict([]byte(`{"verdict_version":1,"exchange":"a","later":true}`)); err != nil || v.Exchange != "a" {
		t.Errorf("an unknown member is not passed over: %v", err)
	}
}

func FuzzDecodeVerdict(f *testing.F) {
	f.Add([]byte(`{"verdict_version":1,"exchange":"a","findings":[{"id":"f1","at":{"leg":"stream","frame":1,"byte":2}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := DecodeVerdict(text)
		if err == nil {
			v.JSON()
		}
	})
}

// Whatever the bytes are, a verdict comes out and nothing panics.
func FuzzExchange(f *testing.F) {
	for _, v := range []string{"", "data: [DONE]\n\n", "{}", "[{}]", "event: x\n\n", "data: {\"choices\":[{\"index\":-1,\"delta\":{\"tool_calls\":[{}]}}]}\n\n"} {
		f.Add([]byte(v), []byte(v), uint8(0))
	}
	k := newChecker(f, Config{SDKs: []string{}})
	f.Fuzz(func(t *testing.T, upstream, stream []byte, pair uint8) {
		d := wire.Dialects
		x := &capture.Exchange{ID: "fuzz", Upstream: []*capture.Leg{{Dialect: d[pair%4], Body: upstream}}, Stream: &capture.Leg{Dialect: d[pair/4%4], Body: stream},
			NonStream: &capture.Leg{Dialect: d[pair/4%4], Body: upstream}}
		v, err := k.Exchange(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := DecodeVerdict(v.JSON()); err != nil {
			t.Fatal(err)
		}
	})
}

func TestUnknownSDKIsNamed(t *testing.T) {
	_, err := New(Config{SDKs: []string{"openai-node@1.0.0"}})
	if err == nil || !strings.Contains(err.Error(), "openai-node@1.0.0") || !strings.Contains(err.Error(), "openai-node@5.23.2") {
		t.Errorf("error %v, want one that names what was asked for and what is built in", err)
	}
}

func TestIncomplete(t *testing.T) {
	k := newChecker(t, Config{SDKs: []string{}})
	x := &capture.Exchange{ID: "a", Stream: &capture.Leg{Dialect: wire.OpenAIChat, Body: []byte("data: {}\n\n"), Error: &capture.Break{By: "mirror", Message: "chunk 3 is missing"}}}
	v, err := k.Exchange(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	if v.Worst != WorstIncomplete || v.WorstAny != WorstIncomplete || !strings.Contains(v.Reason, "chunk 3") || len(v.Findings) != 0 || len(v.Rules.Ran) != 0 {
		t.Errorf("what the mirror lost is judged: %s", v.JSON())
	}
	if len(v.Rules.NotApplicable) != len(rules.Catalogue) {
		t.Errorf("%d rules say why they did not look, want all %d", len(v.Rules.NotApplicable), len(rules.Catalogue))
	}
}

func TestEndedContextIsAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := newChecker(t, Config{SDKs: []string{}}).Exchange(ctx, &capture.Exchange{ID: "a"}); err == nil || !strings.Contains(err.Error(), "judge exchange a") {
		t.Errorf("error %v, want one that names the exchange", err)
	}
}

// A rule whose legs are missing is not applicable, never passed.
func TestMissingLegsAreNotApplicable(t *testing.T) {
	k := newChecker(t, Config{})
	v, err := k.Exchange(context.Background(), &capture.Exchange{ID: "a", NonStream: &capture.Leg{Dialect: wire.OpenAIChat, Status: 200,
		Body: []byte(`{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Yes."},"finish_reason":"stop"}]}`)}})
	if err != nil {
		t.Fatal(err)
	}
	if v.MRS.Status != "not_applicable" || v.MRS.Reason != "no stream leg" || v.Reference != "self" {
		t.Errorf("MR-S %+v with reference %s", v.MRS, v.Reference)
	}
	for id, want := range map[string]string{"S05": "no reference", "S08": "no request leg", "S11": "no request leg", "D02": "it is about requests"} {
		if got := v.Rules.NotApplicable[id]; got != want {
			t.Errorf("%s is not applicable because %q, want %q", id, got, want)
		}
	}
	for _, s := range v.SDKs {
		if s.Outcome != NotApplicable || s.Reason != "no stream leg" {
			t.Errorf("%s is %s: %s", s.SDK, s.Outcome, s.Reason)
		}
	}
	if len(v.SDKs) != 2*len(DefaultSDKs) {
		t.Errorf("%d runs, want every SDK in both modes", len(v.SDKs))
	}
}

func TestDialectThatAnSDKDoesNotRead(t *testing.T) {
	v, err := newChecker(t, Config{SDKs: []string{"openai-go"}}).Exchange(context.Background(), &capture.Exchange{ID: "a",
		Stream: &capture.Leg{Dialect: wire.GeminiGenerate, Body: []byte(`data: {"candidates":[{"content":{"parts":[{"text":"Yes."}],"role":"model"},"finishReason":"STOP","index":0}]}` + "\n\n")}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range v.SDKs {
		if s.Outcome != NotApplicable || s.Reason != "openai-go does not read gemini-generate" {
			t.Errorf("%s is %s: %s", s.SDK, s.Outcome, s.Reason)
		}
	}
}

// An exception's text is the SDK's to the letter, also where it holds half of a surrogate pair.
func TestExceptionKeepsLoneSurrogates(t *testing.T) {
	v := Verdict{VerdictVersion: VerdictVersion, SDKs: []SDK{{Exception: &SDKException{Class: "E", Message: "half \xed\xa0\xbd <&> \u2028", AtEvent: []byte("3")}}}}
	text := v.JSON()
	if !strings.Contains(string(text), `half \ud83d <&>`) {
		t.Errorf("written as %s", text)
	}
	back, err := DecodeVerdict(text)
	if err != nil || back.SDKs[0].Exception.Message != v.SDKs[0].Exception.Message || string(back.JSON()) != string(text) {
		t.Errorf("came back as %s (%v)", back.JSON(), err)
	}
}
