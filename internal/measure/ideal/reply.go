// Package ideal writes replies as the vendors' documents have them, and their ideal translations into the other
// dialects. It was written from those documents alone and shares no code with the packages that read replies
// (assemble, convir, rules): what the measurement plants its faults in must not be able to repeat their mistakes.
package ideal

import (
	"slices"

	"reassay/wire"
)

// Reply is what a model says, in no dialect's terms.
type Reply struct {
	ID      string
	Model   string
	Choices []Choice
	Usage   Usage
}

// Choice is one candidate answer.
type Choice struct {
	Pieces   []Piece
	Stop     Stop
	Sequence string // the stop sequence that matched, where Stop is [StopSequence]
	Role     string // instead of the dialect's own word for the author; "" in an ideal reply
	Word     string // instead of the dialect's own word for Stop; "" in an ideal reply
}

// Stop is why a choice ended.
type Stop int

// The ends of a reply.
const (
	End          Stop = iota // it was done
	Calls                    // it waits for the results of calls
	Length                   // the token limit was hit
	Window                   // the context window was full
	Filter                   // a filter cut it
	Refused                  // the model or its classifiers declined
	StopSequence             // a stop sequence of the request matched
	Pause                    // the turn is to be continued (Messages alone)
	Malformed                // the model wrote a call that cannot be read (Gemini alone)
	Unsaid                   // no reason at all; in no ideal reply
)

// Kind says what a piece is.
type Kind int

// The kinds of piece.
const (
	Text Kind = iota
	Reasoning
	Redacted // reasoning that only the vendor can read
	Refusal
	Call
	Custom // a call whose input is free text
	Search // a web search that the vendor ran, with its result (Messages)
	Code   // code that the vendor ran, with its output
	Media  // an image
)

// Piece is one part of a choice, in order.
type Piece struct {
	Kind      Kind
	Text      []string // in the pieces that a stream brings it in: text, reasoning, arguments as JSON text, input, code
	ID        string   // of a call; "" where the vendor gives none
	Name      string   // of a call
	Signature string   // the vendor's integrity token
	Cites     []Cite   // of text
	Logprobs  bool     // each piece of Text is a token whose log probability was asked for
	Output    string   // of Code: what it printed; of Search: the error code, "" where results came; of Redacted: the data
	MIME      string   // of Media
	Data      string   // of Media: base64
}

// Cite is a source of a text.
type Cite struct {
	URL, Title string
	Start, End int    // the cited part of the text, in code points
	Quote      string // what the source says
	Document   bool   // a document of the request instead of a page
	Token      string // Messages' encrypted_index
}

// Usage counts tokens: Input with the cached ones, Output with those of the reasoning.
type Usage struct{ Input, Cached, Output, Reasoning int }

// clone copies r so that nothing is shared.
func (r Reply) clone() Reply {
	r.Choices = slices.Clone(r.Choices)
	for i := range r.Choices {
		c := &r.Choices[i]
		c.Pieces = slices.Clone(c.Pieces)
		for k := range c.Pieces {
			p := &c.Pieces[k]
			p.Text, p.Cites = slices.Clone(p.Text), slices.Clone(p.Cites)
		}
	}
	return r
}

// Whole is the piece's text in one.
func (p Piece) Whole() string {
	all := ""
	for _, t := range p.Text {
		all += t
	}
	return all
}

// Has reports whether some choice has a piece of one of the kinds.
func (r Reply) Has(kinds ...Kind) bool {
	for _, c := range r.Choices {
		for _, p := range c.Pieces {
			if slices.Contains(kinds, p.Kind) {
				return true
			}
		}
	}
	return false
}

// Ask is what the caller asked for: what of a request a judge of replies looks at.
type Ask struct {
	Tools      []Tool
	Forced     string // the tool that must be called
	Format     string // "", "json_object", "json_schema"
	Schema     string // of json_schema, as JSON text
	Candidates int
	Logprobs   bool
}

// Tool is a tool that the request declares.
type Tool struct {
	Name   string
	Custom bool
}

// Case is one reply on its way through one pair of dialects.
type Case struct {
	Shape    string
	From, To wire.Dialect
	Up, Down Reply // what the model's API says, and what the caller is to get
	Ask      Ask
	Losses   []string // the constructs that To has no documented place for, left out
}

// Clone copies c so that nothing is shared.
func (c Case) Clone() Case {
	c.Up, c.Down = c.Up.clone(), c.Down.clone()
	c.Ask.Tools = slices.Clone(c.Ask.Tools)
	c.Losses = slices.Clone(c.Losses)
	return c
}
