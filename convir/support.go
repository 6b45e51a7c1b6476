package convir

import "reassay/wire"

// SupportVersion names the state of [SupportTable] and [OwnTable] in a verdict's interpretation. Raise it with every change.
const SupportVersion = 3

// Standing says whether a dialect's documentation lets it carry a construct.
type Standing string

// The standings of a construct in a dialect.
const (
	Native    Standing = "native"    // a documented field carries it
	Lacking   Standing = "none"      // documented, and no field carries it
	Unsettled Standing = "unsettled" // documentation is silent or contradicts itself
)

// Construct names something that a reply can say. Findings carry it.
type Construct string

// The constructs.
const (
	CText            Construct = "text"
	CRole            Construct = "role"
	CReasoning       Construct = "reasoning"
	CSignature       Construct = "signature"          // of reasoning: thinking signature, encrypted_content
	CPartSignature   Construct = "thought_signature"  // of a text or other part (Gemini)
	CCallSignature   Construct = "call_signature"     // of a tool call (Gemini)
	CRedacted        Construct = "redacted_reasoning" // reasoning that only the vendor can read
	CRefusal         Construct = "refusal"
	CToolCall        Construct = "tool_call"
	CCustomCall      Construct = "custom_tool_call" // a call whose input is free text
	CServerToolCall  Construct = "server_tool_call"
	CServerToolReply Construct = "server_tool_result"
	CURLCitation     Construct = "url_citation"
	CDocCitation     Construct = "document_citation"
	CMedia           Construct = "media"
	CCode            Construct = "code"
	CCodeResult      Construct = "code_result"
	CLogprobs        Construct = "logprobs"
	CChoice          Construct = "choice" // a second candidate
	CStop            Construct = "stop_reason"
	CStopTruncated   Construct = "stop_truncated"
	CStopFiltered    Construct = "stop_filtered"
	CStopRefused     Construct = "stop_refused"
	CStopPaused      Construct = "stop_paused"
	CStopSequence    Construct = "stop_sequence"
	CError           Construct = "error" // the generation failed after it began
	CUsage           Construct = "usage"
	CModel           Construct = "model"
	CStream          Construct = "stream" // the stream's own order and framing
	COpaque          Construct = "opaque"
)

// Cell is what one dialect's documentation says about one construct.
type Cell struct {
	Construct Construct
	Dialect   wire.Dialect
	Standing  Standing
	Field     string // where a whole reply carries it; set where Standing is Native
	// Streamed overrides Standing for streams where the chunk's documentation differs from the whole reply's.
	Streamed Standing
	Source   string // document and section
	Says     string // what it says, paraphrased
	Read     string // the day it was read
}

// In is the standing for a streamed or a whole reply, and the native field where there is one.
func (c Cell) In(streamed bool) (Standing, string) {
	s := c.Standing
	if streamed && c.Streamed != "" {
		s = c.Streamed
	}
	if s != Native {
		return s, ""
	}
	return s, c.Field
}

// Supports looks a construct up. A pair that the table lacks is unsettled: nothing may be called avoidable without
// a row that names the field.
func Supports(c Construct, d wire.Dialect) Cell {
	if i, ok := supportIndex[supportKey{c, d}]; ok {
		return SupportTable[i]
	}
	return Cell{Construct: c, Dialect: d, Standing: Unsettled}
}

// SupportsOwn looks a construct up for a value that came in the same dialect, as a reply does that is passed on: what is
// unsettled for another vendor's value may be documented for the dialect's own.
func SupportsOwn(c Construct, d wire.Dialect) Cell {
	for _, own := range OwnTable {
		if own.Construct == c && own.Dialect == d {
			return own
		}
	}
	return Supports(c, d)
}

type supportKey struct {
	construct Construct
	dialect   wire.Dialect
}

var supportIndex = indexSupport()

func indexSupport() map[supportKey]int {
	m := make(map[supportKey]int, len(SupportTable))
	for i, c := range SupportTable {
		m[supportKey{c.Construct, c.Dialect}] = i
	}
	return m
}
