// Package report turns verdicts into the per-SDK corruption report and into sentences about single exchanges, for
// a terminal, for Markdown and as JSON. It judges nothing: every number is counted from verdicts.
package report

import (
	"reassay/check"
	"reassay/rules"
	"reassay/wire"
)

// Version is the version of [Report]'s JSON form.
const Version = 1

// Report is the corruption report over a set of verdicts (contract, section 5); its JSON form is the `json` format.
// One exchange is one observation: a verdict whose exchange, leg digests and interpretation were seen before is
// counted in Repeated and nowhere else.
type Report struct {
	ReportVersion  int                   `json:"report_version"`
	Interpretation check.Interpretation  `json:"interpretation"`
	Counting       Counting              `json:"counting"` // which causes the t1 lines and the mechanisms count
	Unit           string                `json:"unit"`
	Note           string                `json:"note"`
	Repeated       int                   `json:"repeated"`
	Populations    map[string]population `json:"populations"`
}

const (
	unit = "exchange: one reply on its way through one gateway"
	note = "Rates describe these exchanges, not traffic at large."
)

// population is the report over one population; populations are never added up.
type population struct {
	Exchanges  int         `json:"exchanges"`
	Families   []family    `json:"families"`
	Mechanisms []mechanism `json:"mechanisms"` // T1, ranked by exchanges hit; they overlap
	Notes      []mechanism `json:"notes"`      // T2, ranked likewise, reported apart
}

// family is one gateway version answering callers of one dialect; Upstreams split it by the dialect behind.
type family struct {
	Gateway   check.Gateway `json:"gateway"`
	Caller    wire.Dialect  `json:"caller"`
	figures                 // of the whole family
	Upstreams []part        `json:"upstreams"`
}

// part is the part of a family whose upstream spoke one dialect, "" where no upstream leg was captured.
type part struct {
	Dialect wire.Dialect `json:"dialect"`
	figures
}

// figures are what is counted over a set of exchanges.
type figures struct {
	Exchanges      int          `json:"exchanges"`
	SDKs           []streamRow  `json:"sdks"`            // mode stream
	UpstreamFailed failedTable  `json:"upstream_failed"` // mode stream, where the model's API itself failed
	Unions         []union      `json:"unions"`
	Iterate        []iterateRow `json:"iterate"`
	T1             t1           `json:"t1"`
}

// streamRow is what one SDK's stream helper did. N leaves out what Excluded lists by reason.
type streamRow struct {
	sdkVersion
	Mode     string    `json:"mode"`
	N        int       `json:"n"`
	Excluded []left    `json:"excluded"`
	Gateway  classRows `json:"gateway"`
	Caller   classRows `json:"caller"`
}

// left is how many exchanges were left out for one reason.
type left struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// classRows are one SDK's outcomes in one counting; the four counts add up to N.
type classRows struct {
	Exception   classRow `json:"exception"`
	Corrupt     classRow `json:"corrupt"`
	Unavoidable classRow `json:"unavoidable"`
	Clean       classRow `json:"clean"`
}

// classRow is one class; Avoidable of its exchanges need not have happened.
type classRow struct {
	share
	Avoidable int `json:"avoidable"`
}

// failedTable is what the stream helpers did where the model's API itself failed.
type failedTable struct {
	Exchanges int         `json:"exchanges"`
	SDKs      []failedRow `json:"sdks"`
}

// failedRow is one SDK's part: Surfaced (the caller can tell), Masked (it was handed a normal-looking message),
// Exception (the SDK's own code broke), Other (any other outcome of a run that took place).
type failedRow struct {
	sdkVersion
	N         int `json:"n"`
	Surfaced  int `json:"surfaced"`
	Masked    int `json:"masked"`
	Exception int `json:"exception"`
	Other     int `json:"other"`
}

// union is over the exchanges that are in the N of both SDKs. Only the union of a Headline pair in counting gateway
// may stand beside the paper's 36.4 %.
type union struct {
	SDKs     []string   `json:"sdks"`
	Headline bool       `json:"headline"`
	N        int        `json:"n"`
	Gateway  unionSplit `json:"gateway"`
	Caller   unionSplit `json:"caller"`
}

// unionSplit says how often at least one of two SDKs raised or was handed a corrupt message; Split adds up to
// Either's count. Avoidable of them need not have happened. Disagree counts the exchanges in which the two are in
// different classes among exception, corrupt and neither.
type unionSplit struct {
	Either    share `json:"either"`
	Avoidable int   `json:"avoidable"`
	Split     split `json:"split"`
	Disagree  share `json:"disagree"`
}

// split is the union in parts that do not overlap.
type split struct {
	BothRaise       int `json:"both_raise"`
	RaiseAndCorrupt int `json:"one_raises_other_corrupts"`
	RaiseOnly       int `json:"one_raises_other_neither"`
	BothCorrupt     int `json:"both_corrupt"`
	CorruptOnly     int `json:"one_corrupts_other_neither"`
}

// iterateRow is what a plain loop over one SDK's stream met; there is no accumulator of the SDK's, so nothing can be
// corrupt. N is every exchange with a run that took place, those whose upstream failed included.
type iterateRow struct {
	sdkVersion
	Mode    string      `json:"mode"`
	N       int         `json:"n"`
	Gateway iterateSums `json:"gateway"`
	Caller  iterateSums `json:"caller"`
}

// iterateSums are an [iterateRow]'s outcomes in one counting; they add up to N.
type iterateSums struct {
	Exception    share `json:"exception"`
	Surfaced     int   `json:"surfaced"`
	Inconclusive int   `json:"inconclusive"`
	Clean        int   `json:"clean"`
}

// t1 counts exchanges with a T1 finding, each once a line, over the N exchanges that were judged whole and whose
// upstream did not fail. Any, Avoidable and Strict count findings of the paper's scope; Ours counts the rest apart.
type t1 struct {
	N         int   `json:"n"`
	Any       share `json:"any"`
	AtMost    int   `json:"any_at_most"` // Any, and every exchange without a T1 finding in which a leg had unread fields
	Unread    int   `json:"unread"`      // how many those are
	Avoidable share `json:"avoidable"`
	Strict    share `json:"strict"` // one finding is avoidable, silent and visible, in a reply well-formed in its dialect
	// StrictAtMost is Strict, and every exchange whose headers were not captured and might have declared the change.
	StrictAtMost int   `json:"strict_at_most"`
	Unheard      int   `json:"unheard"` // how many those are; above 0 the rate of Strict is null
	MRS          share `json:"mr_s_violated"`
	Ours         share `json:"scope_ours"`
}

// mechanism is one way in which replies were changed, with the first exchange that shows it.
type mechanism struct {
	Mechanism string              `json:"mechanism"`
	Rule      string              `json:"rule"`
	Scope     string              `json:"scope,omitempty"`
	Exchanges share               `json:"exchanges"`
	Avoidable int                 `json:"avoidable"` // exchanges in which it was avoidable
	Causes    map[rules.Cause]int `json:"causes"`    // exchanges by cause
	Gateways  []string            `json:"gateways"`
	Example   example             `json:"example"`
}

// example names one finding and its place.
type example struct {
	Exchange string        `json:"exchange"`
	Gateway  check.Gateway `json:"gateway"`
	Leg      string        `json:"leg"`
	Path     string        `json:"path"`
	At       *rules.At     `json:"at,omitempty"`
	Message  string        `json:"message"`
}
