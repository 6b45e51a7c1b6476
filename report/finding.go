package report

import (
	"fmt"
	"strings"

	"reassay/rules"
	"reassay/wire"
)

// grouped puts findings together that say the same of several legs, in the order of the first of each.
func grouped(findings []rules.Finding) [][]rules.Finding {
	type key struct{ rule, mechanism, path, expected, got string }
	var out [][]rules.Finding
	at := map[key]int{}
	for _, f := range findings {
		k := key{f.Rule, f.Mechanism, f.Path, jsonOf(f.Expected), jsonOf(f.Got)}
		i, found := at[k]
		if !found {
			i = len(out)
			at[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], f)
	}
	return out
}

func jsonOf(v *wire.Value) string {
	if v == nil {
		return ""
	}
	return string(v.JSON())
}

const findingIndent = "        "

// finding writes one T1 finding with every leg on which it stands. What an SDK did by itself takes no more than its
// sentence and its place.
func (e *exchangeText) finding(g []rules.Finding) {
	f := g[0]
	head := f.ID + "  " + f.Rule + " " + f.Name
	if f.Mechanism != "" && f.Mechanism != f.Name {
		head += ": " + f.Mechanism
	}
	e.line("    ", head, strong)
	// The sentence may end in the place, which has a line of its own here.
	sentence := f.Message
	if f.At != nil {
		sentence = strings.TrimSuffix(sentence, fmt.Sprintf(" (frame %d, byte %d)", f.At.Frame, f.At.Byte))
	}
	e.line(findingIndent, sentence, plain)
	if raw := e.stopWord(f); raw != "" {
		e.labelled("the model's API said:", e.value(wire.Of(raw)))
	}
	if f.Expected != nil && f.Expected.Present() {
		e.labelled(e.source(f), e.value(*f.Expected))
	}
	if f.Got != nil && f.Got.Present() {
		label := "the caller gets:"
		if strings.HasPrefix(f.Leg, "sdk:") {
			label = "the SDK gives:"
		}
		e.labelled(label, e.value(*f.Got))
	}
	for i, same := range g {
		label := "where:"
		if i > 0 {
			label = "and:"
		}
		e.labelled(label, where(same))
	}
	for _, at := range f.Related {
		e.labelled("compare:", fmt.Sprintf("frame %d, byte %d of %s", at.Frame, at.Byte, legName(at.Leg)))
	}
	e.line(findingIndent, weight(f), quiet)
	for _, c := range consequences(f.Consequences) {
		e.line(findingIndent, "so: "+c, quiet)
	}
}

// consequences puts the SDKs together of which the same is told: "a call is lost (openai-node 5.23.2, openai-go 3.99.0)".
func consequences(told []string) []string {
	var order []string
	sdks := map[string][]string{}
	for _, c := range told {
		what := c
		target, rest, _ := strings.Cut(c, " ")
		name, _, _ := strings.Cut(strings.TrimSuffix(target, ":"), "/")
		isSDK := strings.Contains(name, "@")
		if isSDK {
			what = rest
		}
		if _, known := sdks[what]; !known {
			order = append(order, what)
			sdks[what] = nil
		}
		if isSDK {
			sdks[what] = append(sdks[what], parseSDKVersion(name).String())
		}
	}
	for i, what := range order {
		if names := sdks[what]; len(names) > 0 {
			order[i] = what + " (" + strings.Join(names, ", ") + ")"
		}
	}
	return order
}

// where is the place of a finding: "frame 4, byte 812 of the gateway's stream, choices[0].message".
func where(f rules.Finding) string {
	place := legName(f.Leg)
	if f.At != nil {
		place = fmt.Sprintf("frame %d, byte %d of %s", f.At.Frame, f.At.Byte, legName(f.At.Leg))
	}
	if f.Path != "" {
		place += ", " + f.Path
	}
	return place
}

// labelled writes text in a column behind a label.
func (e *exchangeText) labelled(label, text string) {
	label = fmt.Sprintf("%s%-22s ", findingIndent, label)
	e.style.wrap(e.out, label, strings.Repeat(" ", columns(label)), text, plain)
}

// stopRule is the rule about stop reasons: what it expects is the caller's dialect's word, not the one that was said.
const stopRule = "S12"

// stopWord is the word with which the model's API ended, for a finding about that; "" where none was captured.
func (e *exchangeText) stopWord(f rules.Finding) string {
	if f.Rule != stopRule || !strings.HasPrefix(e.verdict.Reference, "upstream") {
		return ""
	}
	return e.verdict.Legs[e.verdict.Reference].StopRaw
}

// ofDialect are the rules whose expectation is the dialect's and was said by no model's API: references (S06), stop
// words (S12) and a stream's ledger (S13).
var ofDialect = map[string]bool{"S06": true, stopRule: true, "S13": true}

// source names who said what a finding expected: the reference, or the dialect's grammar.
func (e *exchangeText) source(f rules.Finding) string {
	if ofDialect[f.Rule] {
		return "expected:"
	}
	switch e.verdict.Reference {
	case "upstream", "upstream_non_stream":
		return "the model's API said:"
	case "non_stream":
		return "the whole reply says:"
	}
	return "expected:"
}

// value is v as JSON on one line, cut to the width; the verdict has it whole.
func (e *exchangeText) value(v wire.Value) string {
	return shorten(printable(string(v.JSON())), e.style.width()-len(findingIndent)-23)
}

// weight says what the finding means: whose doing, whether it could have been avoided, whether anybody was told.
func weight(f rules.Finding) string {
	var parts []string
	switch {
	case f.Cause == rules.BySDK:
	case f.Support == rules.Avoidable:
		s := "avoidable"
		if f.NativeField != "" {
			s += " (" + f.NativeField + " can carry it)"
		}
		parts = append(parts, s)
	case f.Support == rules.Unavoidable:
		parts = append(parts, "unavoidable: the caller's dialect has no place for it")
	case f.Support == rules.Borderline:
		parts = append(parts, "borderline: the documentation does not say whether it can be carried")
	}
	switch {
	case f.DeclaredBy != "":
		parts = append(parts, "declared by "+f.DeclaredBy)
	case f.Silent != nil && *f.Silent:
		parts = append(parts, "silent")
	}
	switch f.Cause {
	case rules.ByGateway:
		parts = append(parts, "the gateway's doing")
	case rules.BySDK:
		parts = append(parts, "the SDK's own doing")
	case rules.ByUpstream:
		parts = append(parts, "the model's API's own doing")
	case rules.Undetermined:
		parts = append(parts, "whose doing is not determined by what was captured")
	}
	if f.Scope == rules.ScopeOurs {
		parts = append(parts, "outside the paper's scope")
	}
	return strings.Join(parts, "; ")
}

// legName is a leg as a sentence names it.
func legName(leg string) string {
	switch leg {
	case "stream":
		return "the gateway's stream"
	case "non_stream":
		return "the gateway's whole reply"
	case "upstream":
		return "the upstream reply"
	case "upstream_non_stream":
		return "the upstream's whole reply"
	}
	return strings.TrimPrefix(leg, "sdk:")
}

// quoted is text in quotation marks, on one line.
func quoted(s string) string { return `"` + strings.Join(strings.Fields(s), " ") + `"` }

// shorten cuts s to n columns, saying so.
func shorten(s string, n int) string {
	if columns(s) <= n {
		return s
	}
	head, _ := cut(s, n-2)
	return head + " …"
}
