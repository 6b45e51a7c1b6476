package convir

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"reassay/wire"
)

// stopReasonsDigest is the table's digest at [CompletionMapVersion]. A changed table needs a new version: change
// both lines together.
const (
	digestVersion     = 3
	stopReasonsDigest = "680ff4489e5c476c"
)

func TestStopReasonsVersion(t *testing.T) {
	h := sha256.New()
	for _, r := range StopReasons {
		fmt.Fprintf(h, "%s|%s|%s|%s\n", r.Dialect, r.Field, r.Word, r.Outcome)
	}
	got := hex.EncodeToString(h.Sum(nil))[:16]
	if CompletionMapVersion != digestVersion || got != stopReasonsDigest {
		t.Errorf("completion map version %d has digest %s, recorded: version %d, digest %s", CompletionMapVersion, got, digestVersion, stopReasonsDigest)
	}
}

func TestStopReasonsTable(t *testing.T) {
	seen := map[string]bool{}
	covered := map[wire.Dialect]bool{}
	for _, r := range StopReasons {
		key := fmt.Sprint(r.Dialect, r.Field, r.Word)
		if seen[key] {
			t.Errorf("%s %s %q stands twice", r.Dialect, r.Field, r.Word)
		}
		seen[key] = true
		covered[r.Dialect] = true
		if !r.Dialect.Known() || r.Word == "" || r.Field == "" {
			t.Errorf("incomplete row %+v", r)
		}
		if !strings.HasPrefix(r.Source, "https://") && !strings.Contains(r.Source, "@") {
			t.Errorf("%s %q: source %q names no page and no versioned file", r.Dialect, r.Word, r.Source)
		}
		switch r.Outcome {
		case Complete, ToolCalls, Truncated, Filtered, Refused, Paused, Failed, Unknown:
		default:
			t.Errorf("%s %q: outcome %q is none of a word", r.Dialect, r.Word, r.Outcome)
		}
		look := StopOutcome
		if r.Field == blockReasonField {
			look = func(_ wire.Dialect, raw string) (Outcome, bool) { return blockOutcome(raw) }
		}
		if o, known := look(r.Dialect, r.Word); o != r.Outcome || !known {
			t.Errorf("%s %s %q looks up as %s, %t, want %s", r.Dialect, r.Field, r.Word, o, known, r.Outcome)
		}
	}
	for _, d := range wire.Dialects {
		if !covered[d] {
			t.Errorf("no stop reason of %s", d)
		}
	}
}

func TestStopOutcome(t *testing.T) {
	for _, c := range []struct {
		d     wire.Dialect
		raw   string
		want  Outcome
		known bool
	}{
		{wire.OpenAIChat, "stop", Complete, true},
		{wire.OpenAIChat, "end_turn", Unknown, false}, // another vendor's word
		{wire.OpenAIChat, "STOP", Unknown, false},     // words are case-sensitive
		{wire.OpenAIChat, "", None, false},
		{wire.AnthropicMessages, "end_turn", Complete, true},
		{wire.AnthropicMessages, "stop", Unknown, false},
		{wire.OpenAIResponses, "incomplete", Unknown, true},
		{wire.OpenAIResponses, "max_output_tokens", Truncated, true},
		{wire.GeminiGenerate, "STOP", Complete, true},
		{wire.GeminiGenerate, "OTHER", Unknown, true}, // as a finish reason; as a block reason it is Filtered
		{wire.GeminiGenerate, "JAILBREAK", Unknown, false},
		{wire.GeminiGenerate, "SUCCESS", Unknown, false},
		{"no-such-dialect", "stop", Unknown, false},
	} {
		if o, known := StopOutcome(c.d, c.raw); o != c.want || known != c.known {
			t.Errorf("StopOutcome(%s, %q) = %s, %t, want %s, %t", c.d, c.raw, o, known, c.want, c.known)
		}
	}
	if o, known := blockOutcome("OTHER"); o != Filtered || !known {
		t.Errorf("blockOutcome(OTHER) = %s, %t, want filtered, true", o, known)
	}
}
