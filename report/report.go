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
	Populations    map[string]Population `json:"populations"`
}

const (
	unit = "exchange: one reply on its way through one gateway"
	note = "Rates describe these exchanges, not traffic at large."
)

// Population is the report over one population; populations are never added up.
type Population struct {
	Exchanges  int         `json:"exchanges"`
	Families   []Family    `json:"families"`
	Mechanisms []Mechanism `json:"mechanisms"` // T1, ranked by exchanges hit; they overlap
	Notes      []Mechanism `json:"notes"`      // T2, ranked likewise, reported apart
}

// Family is one gateway version answering callers of one dialect; Upstreams split it by the dialect behind.
type Family struct {
	Gateway   check.Gateway `json:"gateway"`
	Caller    wire.Dialect  `json:"caller"`
	Numbers                 // of the whole family
	Upstreams []Upstream    `json:"upstreams"`
}

// Upstream is the part of a family whose upstream spoke one dialect, "" where no upstream leg was captured.
type Upstream struct {
	Dialect wire.Dialect `json:"dialect"`
	Numbers
}

// Numbers are what is counted over a set of exchanges.
type Numbers struct {
	Exchanges      int            `json:"exchanges"`
	SDKs           []StreamRow    `json:"sdks"`            // mode stream
	UpstreamFailed UpstreamFailed `json:"upstream_failed"` // mode stream, where the model's API itself failed
	Unions         []Union        `json:"unions"`
	Iterate        []IterateRow   `json:"iterate"`
	T1             T1             `json:"t1"`
}

// StreamRow is what one SDK's stream helper did. N leaves out what Excluded lists by reason.
type StreamRow struct {
	sdkVersion
	Mode     string    `json:"mode"`
	N        int       `json:"n"`
	Excluded []Left    `json:"excluded"`
	Gateway  ClassRows `json:"gateway"`
	Caller   ClassRows `json:"caller"`
}

// Left is how many exchanges were left out for one reason.
type Left struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// ClassRows are one SDK's outcomes in one counting; the four counts add up to N.
type ClassRows struct {
	Exception   ClassRow `json:"exception"`
	Corrupt     ClassRow `json:"corrupt"`
	Unavoidable ClassRow `json:"unavoidable"`
	Clean       ClassRow `json:"clean"`
}

// ClassRow is one class; Avoidable of its exchanges need not have happened.
type ClassRow struct {
	Share
	Avoidable int `json:"avoidable"`
}

// UpstreamFailed is what the stream helpers did where the model's API itself failed.
type UpstreamFailed struct {
	Exchanges int         `json:"exchanges"`
	SDKs      []FailedRow `json:"sdks"`
}

// FailedRow is one SDK's part: Surfaced (the caller can tell), Masked (it was handed a normal-looking message),
// Exception (the SDK's own code broke), Other (any other outcome of a run that took place).
type FailedRow struct {
	sdkVersion
	N         int `json:"n"`
	Surfaced  int `json:"surfaced"`
	Masked    int `json:"masked"`
	Exception int `json:"exception"`
	Other     int `json:"other"`
}

// Union is over the exchanges that are in the N of both SDKs. Only the union of a Headline pair in counting gateway
// may stand beside the paper's 36.4 %.
type Union struct {
	SDKs     []string   `json:"sdks"`
	Headline bool       `json:"headline"`
	N        int        `json:"n"`
	Gateway  UnionSplit `json:"gateway"`
	Caller   UnionSplit `json:"caller"`
}

// UnionSplit says how often at least one of two SDKs raised or was handed a corrupt message; Split adds up to
// Either's count. Avoidable of them need not have happened. Disagree counts the exchanges in which the two are in
// different classes among exception, corrupt and neither.
type UnionSplit struct {
	Either    Share `json:"either"`
	Avoidable int   `json:"avoidable"`
	Split     Split `json:"split"`
	Disagree  Share `json:"disagree"`
}

// Split is the union in parts that do not overlap.
type Split struct {
	BothRaise       int `json:"both_raise"`
	RaiseAndCorrupt int `json:"one_raises_other_corrupts"`
	RaiseOnly       int `json:"one_raises_other_neither"`
	BothCorrupt     int `json:"both_corrupt"`
	CorruptOnly     int `json:"one_corrupts_other_neither"`
}

// IterateRow is what a plain loop over one SDK's stream met; there is no accumulator of the SDK's, so nothing can be
// corrupt. N is every exchange with a run that took place, those whose upstream failed included.
type IterateRow struct {
	sdkVersion
	Mode    string      `json:"mode"`
	N       int         `json:"n"`
	Gateway IterateSums `json:"gateway"`
	Caller  IterateSums `json:"caller"`
}

// IterateSums are an [IterateRow]'s outcomes in one counting; they add up to N.
type IterateSums struct {
	Exception    Share `json:"exception"`
	Surfaced     int   `json:"surfaced"`
	Inconclusive int   `json:"inconclusive"`
	Clean        int   `json:"clean"`
}

// T1 counts exchanges with a T1 finding, each once a line, over the N exchanges that were judged whole and whose
// upstream did not fail. Any, Avoidable and Strict count findings of the paper's scope; Ours counts the rest apart.
type T1 struct {
	N         int   `json:"n"`
	Any       Share `json:"any"`
	AtMost    int   `json:"any_at_most"` // Any, and every exchange without a T1 finding in which a leg had unread fields
	Unread    int   `json:"unread"`      // how many those are
	Avoidable Share `json:"avoidable"`
	Strict    Share `json:"strict"` // one finding is avoidable, silent and visible, in a reply well-formed in its dialect
	MRS       Share `json:"mr_s_violated"`
	Ours      Share `json:"scope_ours"`
}

// Mechanism is one way in which replies were changed, with the first exchange that shows it.
type Mechanism struct {
	Mechanism string              `json:"mechanism"`
	Rule      string              `json:"rule"`
	Scope     string              `json:"scope,omitempty"`
	Exchanges Share               `json:"exchanges"`
	Avoidable int                 `json:"avoidable"` // exchanges in which it was avoidable
	Causes    map[rules.Cause]int `json:"causes"`    // exchanges by cause
	Gateways  []string            `json:"gateways"`
	Example   Example             `json:"example"`
}

// Example names one finding and its place.
type Example struct {
	Exchange string        `json:"exchange"`
	Gateway  check.Gateway `json:"gateway"`
	Leg      string        `json:"leg"`
	Path     string        `json:"path"`
	At       *rules.At     `json:"at,omitempty"`
	Message  string        `json:"message"`
}
