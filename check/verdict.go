// Package check takes one exchange through parsing, the SDKs and the rules to a verdict. It is the one driver of the
// command line, the daemon and the tests.
package check

import (
	"encoding/json"
	"fmt"

	"reassay/rules"
	"reassay/wire"
)

// VerdictVersion is the version of [Verdict] that this program writes and the only one that it reads.
const VerdictVersion = 1

// Verdict is what reassay says about one exchange (contract, section 3).
type Verdict struct {
	VerdictVersion int                 `json:"verdict_version"`
	Exchange       string              `json:"exchange"`
	Gateway        Gateway             `json:"gateway"`
	Dialects       Dialects            `json:"dialects"`
	Population     string              `json:"population"`
	ObservedAt     string              `json:"observed_at,omitempty"`
	Labels         map[string]string   `json:"labels,omitempty"`
	Sample         float64             `json:"sample,omitempty"` // the share of exchanges that were mirrored; absent: all
	Interpretation Interpretation      `json:"interpretation"`
	Evidence       map[string]Evidence `json:"evidence"`
	Reference      string              `json:"reference"`
	Reason         string              `json:"reason,omitempty"`          // why worst stands apart: what is incomplete, who cancelled, ...
	UpstreamFailed bool                `json:"upstream_failed,omitempty"` // the model's API itself failed or was cut, so that its beginning is the reference
	Worst          Worst               `json:"worst"`
	WorstAny       Worst               `json:"worst_any"`
	Legs           map[string]Leg      `json:"legs"`
	MRS            MRS                 `json:"mr_s"`
	SDKs           []SDK               `json:"sdks"`
	Findings       []rules.Finding     `json:"findings"`
	Unread         []Unread            `json:"unread"`
	Rules          RulesRun            `json:"rules"`
}

// Gateway names the program that translated.
type Gateway struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Dialects are the two sides of an exchange; Upstream is "" where no upstream leg was captured.
type Dialects struct {
	Upstream wire.Dialect `json:"upstream,omitempty"`
	Caller   wire.Dialect `json:"caller"`
}

// Interpretation names everything but the exchange that a verdict depends on.
type Interpretation struct {
	ID            string            `json:"id"`
	Rules         string            `json:"rules"`
	CompletionMap int               `json:"completion_map"`
	SDKs          []string          `json:"sdks"`
	Runtimes      map[string]string `json:"runtimes"`
}

// Evidence identifies a leg's bytes. A request's are its body as the mirror carries it.
type Evidence struct {
	SHA256 string `json:"sha256"`
	Bytes  int    `json:"bytes"`
}

// Worst is the one word for an exchange.
type Worst string

// The words, worst first; those after clean stand apart and take the place of the others.
const (
	WorstException   Worst = "exception"
	WorstCorrupt     Worst = "corrupt"
	WorstChanged     Worst = "changed"
	WorstUnavoidable Worst = "unavoidable"
	WorstClean       Worst = "clean"
	WorstIncomplete  Worst = "incomplete"
	WorstCancelled   Worst = "cancelled"
	WorstRejected    Worst = "rejected"
	WorstSurfaced    Worst = "surfaced"
)

// Leg is one leg's canonical end.
type Leg struct {
	Transport    string `json:"transport"`  // ok, http_error, cut, none
	Generation   string `json:"generation"` // convir.Outcome
	StopRaw      string `json:"stop_raw"`
	FinishSeen   bool   `json:"finish_seen"`
	TerminalSeen bool   `json:"terminal_seen"`
	WellFormed   bool   `json:"well_formed"` // the body came whole and keeps its dialect's grammar
	ResponseID   string `json:"response_id"`
}

// MRS says whether the stream equals the non-stream reply.
type MRS struct {
	Status string `json:"status"` // holds, violated, not_applicable
	Reason string `json:"reason,omitempty"`
}

// SDKOutcome is the class of what an SDK did.
type SDKOutcome string

// The classes.
const (
	Clean         SDKOutcome = "clean"
	Unavoidable   SDKOutcome = "unavoidable"
	Surfaced      SDKOutcome = "surfaced"
	Corrupt       SDKOutcome = "corrupt"
	Exception     SDKOutcome = "exception"
	Rejected      SDKOutcome = "rejected"
	NotApplicable SDKOutcome = "not_applicable"
	Inconclusive  SDKOutcome = "inconclusive"
)

// SDK is one SDK run's result.
type SDK struct {
	SDK             string          `json:"sdk"`
	Version         string          `json:"version"`
	API             string          `json:"api"`
	Mode            string          `json:"mode"`
	Outcome         SDKOutcome      `json:"outcome"`
	Exception       *SDKException   `json:"exception,omitempty"`
	Reason          string          `json:"reason,omitempty"`
	Retryable       bool            `json:"retryable,omitempty"`
	Cause           rules.Cause     `json:"cause,omitempty"`
	Avoidable       *bool           `json:"avoidable,omitempty"`
	Unexplained     []string        `json:"unexplained,omitempty"`
	AssembledSHA256 string          `json:"assembled_sha256,omitempty"`
	Assembled       json.RawMessage `json:"assembled,omitempty"`
	Findings        []string        `json:"findings"`
}

// SDKException is what an SDK raised, to the letter.
type SDKException struct {
	Class   string          `json:"class"`
	Message string          `json:"message"`
	AtEvent json.RawMessage `json:"at_event"`
}

// MarshalJSON keeps lone surrogate halves of a message, which encoding/json would replace.
func (e SDKException) MarshalJSON() ([]byte, error) {
	out := wire.AppendString([]byte(`{"class":`), e.Class)
	out = wire.AppendString(append(out, `,"message":`...), e.Message)
	if len(e.AtEvent) > 0 {
		out = append(append(out, `,"at_event":`...), e.AtEvent...)
	} else {
		out = append(out, `,"at_event":null`...)
	}
	return append(out, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (e *SDKException) UnmarshalJSON(text []byte) error {
	v, err := wire.Parse(text)
	if err != nil {
		return fmt.Errorf("read an exception: %w", err)
	}
	*e = SDKException{Class: v.Get("class").Str(), Message: v.Get("message").Str(), AtEvent: v.Get("at_event").JSON()}
	return nil
}

// Unread counts a field that no parser knew.
type Unread struct {
	Leg   string `json:"leg"`
	Path  string `json:"path"`
	Count int    `json:"count"`
}

// RulesRun says which rules looked at the exchange, and why others did not.
type RulesRun struct {
	Ran           []string          `json:"ran"`
	NotApplicable map[string]string `json:"not_applicable"`
}
