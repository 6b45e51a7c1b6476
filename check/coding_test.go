package check

import (
	"bytes"
	"compress/gzip"
	"context"
	"strings"
	"testing"

	"reassay/capture"
	"reassay/sse"
	"reassay/wire"
)

func TestLimitHoldsForWhatIsUnpacked(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	v, err := newChecker(t, Config{SDKs: []string{"openai-go"}, MaxBody: 1000}).Exchange(context.Background(), &capture.Exchange{ID: "a",
		Stream: &capture.Leg{Dialect: wire.OpenAIChat, Status: 200, Body: b.Bytes(), Headers: map[string][]string{"content-encoding": {"gzip"}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range v.SDKs {
		if s.Outcome != Inconclusive || !strings.Contains(s.Reason, "limit bytes") {
			t.Errorf("%s: %s %q, want inconclusive with the limit named", s.Mode, s.Outcome, s.Reason)
		}
	}
}

// A stream over the reader's own limits is inconclusive too, and nothing of it is judged.
func TestLimitOfTheEventStream(t *testing.T) {
	v, err := newChecker(t, Config{SDKs: []string{"openai-go"}}).Exchange(context.Background(), &capture.Exchange{ID: "a",
		Stream: &capture.Leg{Dialect: wire.OpenAIChat, Status: 200, Body: bytes.Repeat([]byte(":\n\n"), sse.MaxFrames+1)}})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Findings) != 0 || v.SDKs[0].Outcome != Inconclusive || !strings.Contains(v.SDKs[0].Reason, "limit") {
		t.Errorf("judged all the same: %s", v.JSON())
	}
}

func TestUnknownCodingIsNotApplicable(t *testing.T) {
	v, err := newChecker(t, Config{SDKs: []string{"openai-go"}}).Exchange(context.Background(), &capture.Exchange{ID: "a",
		Stream: &capture.Leg{Dialect: wire.OpenAIChat, Status: 200, Body: []byte("x"), Headers: map[string][]string{"content-encoding": {"sparkle"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Findings) != 0 || v.MRS.Status != "not_applicable" || !strings.Contains(v.MRS.Reason, "sparkle") || v.SDKs[0].Outcome != NotApplicable || !strings.Contains(v.SDKs[0].Reason, "sparkle") {
		t.Errorf("an unknown coding is judged: %s", v.JSON())
	}
}
