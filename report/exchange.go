package report

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"reassay/check"
	"reassay/rules"
	"reassay/wire"
)

// Exchange writes what a gateway's maintainer needs about one exchange: what a caller of each SDK would see, what the
// model's API really said, and where it went wrong; and what each SDK assembled where the verdict holds it. It writes
// nothing about an exchange that is clean under c, unless something assembled is to be shown.
func Exchange(w io.Writer, v check.Verdict, c Counting, s Style) error {
	worst := c.Worst(v)
	if worst == check.WorstClean && !slices.ContainsFunc(v.SDKs, func(run check.SDK) bool { return run.Assembled != nil }) {
		return nil
	}
	out := bufio.NewWriter(w)
	e := exchangeText{out: out, style: s, verdict: v}
	e.title(worst)
	e.runs()
	e.assembled()
	notes := 0
	for _, g := range grouped(v.Findings) {
		switch g.first.Tier {
		case rules.T1:
			e.finding(g)
		case rules.T2:
			notes++
		}
	}
	if v.MRS.Status == "violated" && v.MRS.Reason != "" {
		e.line("    ", "MR-S is violated: "+v.MRS.Reason, plain)
	}
	if notes > 0 {
		e.notes()
	}
	out.WriteString("\n")
	return out.Flush()
}

// exchangeText writes one exchange.
type exchangeText struct {
	out     *bufio.Writer
	style   Style
	verdict check.Verdict
}

// line writes text behind indent, later lines four columns further in.
func (e *exchangeText) line(indent, text string, t tone) {
	e.style.wrap(e.out, indent, indent+"    ", text, t)
}

var worstTones = map[check.Worst]tone{
	check.WorstException: bad, check.WorstCorrupt: bad, check.WorstChanged: bad, check.WorstUnavoidable: doubtful,
	check.WorstClean: good, check.WorstIncomplete: doubtful, check.WorstCancelled: quiet, check.WorstRejected: doubtful, check.WorstSurfaced: doubtful,
}

func (e *exchangeText) title(worst check.Worst) {
	v := e.verdict
	way := string(v.Dialects.Caller)
	if v.Dialects.Upstream != "" {
		way = string(v.Dialects.Upstream) + " → " + way
	}
	fmt.Fprintf(e.out, "%s  %s  %s\n", e.style.paint(strings.ToUpper(string(worst)), worstTones[worst]),
		e.style.paint(printable(v.Exchange), strong),
		e.style.paint(printable(gatewayName(v.Gateway)+", "+way), quiet))
	if sentence := apart[worst]; sentence != "" {
		e.line("  ", sentence, plain)
	}
}

// apart explains the words that stand apart from the scale.
var apart = map[check.Worst]string{
	check.WorstIncomplete: "The recording has holes, so nothing is blamed on the gateway.",
	check.WorstCancelled:  "The caller ended the stream; only what had arrived is judged.",
	check.WorstRejected:   "The gateway answered with an error status although the model's API had not failed.",
	check.WorstSurfaced:   "The model's API itself failed, and the caller can tell.",
	check.WorstChanged:    "No SDK run shows it, but the reply was changed on its way.",
}

// runs says what the caller of each SDK would see; SDKs of which the same is to be said share a sentence. The plain
// loop is named only where it breaks.
func (e *exchangeText) runs() {
	type saying struct {
		names    []string
		sentence string
		tone     tone
	}
	var sayings []saying
	for _, run := range e.verdict.SDKs {
		if run.Outcome == check.NotApplicable || (run.Mode == modeIterate && run.Outcome != check.Exception) {
			continue
		}
		name := run.SDK + " " + run.Version
		if run.Mode == modeIterate {
			name += " (plain loop)"
		}
		sentence, t := e.sees(run)
		if run.Cause == rules.BySDK && (run.Outcome == check.Exception || run.Outcome == check.Corrupt) {
			sentence += "; the SDK's own doing"
		}
		if ids := e.shown(run); len(ids) > 0 {
			sentence += " (" + strings.Join(ids, ", ") + ")"
		}
		i := slices.IndexFunc(sayings, func(s saying) bool { return s.sentence == sentence })
		if i < 0 {
			i = len(sayings)
			sayings = append(sayings, saying{sentence: sentence, tone: t})
		}
		sayings[i].names = append(sayings[i].names, name)
	}
	for _, s := range sayings {
		e.line("  ", "The caller of "+series(s.names)+" "+s.sentence+".", s.tone)
	}
}

// assembled writes what each SDK handed over, whole.
func (e *exchangeText) assembled() {
	for _, run := range e.verdict.SDKs {
		if run.Assembled != nil {
			e.line("    ", fmt.Sprintf("%s %s, mode %s, assembled %s", run.SDK, run.Version, run.Mode, run.Assembled), quiet)
		}
	}
}

// series is "a, b and c".
func series(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// sees is what the caller of this run's SDK gets, as the predicate of a sentence.
func (e *exchangeText) sees(run check.SDK) (string, tone) {
	switch run.Outcome {
	case check.Exception:
		return raised(run), bad
	case check.Corrupt:
		sentence := "gets a wrong message without any error"
		if names := e.names(run); names != "" {
			sentence += ": " + names
		}
		return sentence, bad
	case check.Unavoidable:
		return "gets all that " + string(e.verdict.Dialects.Caller) + " can carry; the rest has no place in it", doubtful
	case check.Surfaced:
		if run.Exception != nil {
			return "can tell that the model's API failed: it " + raised(run), plain
		}
		return "can tell that the model's API failed", plain
	case check.Rejected:
		return "gets the gateway's error status", doubtful
	case check.Inconclusive:
		return "would get what could not be told: " + run.Reason, doubtful
	}
	return "gets the message intact", good
}

// raised is "gets TypeError after 7 events: ...".
func raised(run check.SDK) string {
	x := run.Exception
	if x == nil {
		return "gets an exception"
	}
	what := "gets " + x.Class
	if x.Class == "Hang" {
		what = "waits forever (Hang)"
	}
	switch at := string(bytes.TrimSpace(x.AtEvent)); at {
	case "":
	case "null":
		what += " before the first event"
	case `"final"`:
		what += " in the final call"
	case "1":
		what += " after 1 event"
	default:
		what += " after " + at + " events"
	}
	if x.Message != "" {
		what += ": " + quoted(x.Message)
	}
	return what
}

// names are the names of what makes run's message wrong, without repeats.
func (e *exchangeText) names(run check.SDK) string {
	var names []string
	seen := map[string]bool{}
	for _, f := range findingsOf(e.verdict, run) {
		if f.Tier == rules.T1 && f.Support != rules.Unavoidable && !seen[f.Name] {
			seen[f.Name] = true
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, ", ")
}

// shown are the ids under which run's T1 findings are written out below.
func (e *exchangeText) shown(run check.SDK) []string {
	of := map[string]bool{}
	for _, id := range run.Findings {
		of[id] = true
	}
	var ids []string
	for _, g := range grouped(e.verdict.Findings) {
		if g.first.Tier != rules.T1 {
			continue
		}
		for _, id := range g.ids {
			if of[id] {
				ids = append(ids, g.first.ID)
				break
			}
		}
	}
	return ids
}

// group is a finding together with those that say the same of other legs.
type group struct {
	first rules.Finding
	ids   []string
	legs  []string
}

// grouped puts findings together that differ in nothing but their leg.
func grouped(findings []rules.Finding) []group {
	type key struct{ rule, mechanism, path, message, expected, got string }
	var out []group
	at := map[key]int{}
	for _, f := range findings {
		k := key{f.Rule, f.Mechanism, f.Path, f.Message, jsonOf(f.Expected), jsonOf(f.Got)}
		i, found := at[k]
		if !found {
			i = len(out)
			at[k] = i
			out = append(out, group{first: f})
		}
		out[i].ids = append(out[i].ids, f.ID)
		out[i].legs = append(out[i].legs, f.Leg)
	}
	return out
}

func jsonOf(v *wire.Value) string {
	if v == nil {
		return ""
	}
	return string(v.JSON())
}

// finding writes one T1 finding.
func (e *exchangeText) finding(g group) {
	f := g.first
	head := f.ID + "  " + f.Rule + " " + f.Name
	if f.Mechanism != "" && f.Mechanism != f.Name {
		head += ": " + f.Mechanism
	}
	e.line("    ", head, strong)
	e.line("        ", f.Message, plain)
	if f.Expected != nil && f.Expected.Exists() {
		e.labelled(e.source(f), e.value(*f.Expected))
	}
	if f.Got != nil && f.Got.Exists() {
		label := "the caller gets:"
		if strings.HasPrefix(f.Leg, "sdk:") {
			label = "the SDK gives:"
		}
		e.labelled(label, e.value(*f.Got))
	}
	e.labelled("where:", where(g))
	for _, at := range f.Related {
		e.labelled("compare:", fmt.Sprintf("frame %d, byte %d of %s", at.Frame, at.Byte, legName(at.Leg)))
	}
	e.line("        ", weight(f), quiet)
	for _, c := range f.Consequences {
		e.line("        ", c, quiet)
	}
}

// where is the place of a finding: "frame 4, byte 812 of the gateway's stream, choices[0].message".
func where(g group) string {
	legs := make([]string, len(g.legs))
	for i, leg := range g.legs {
		legs[i] = legName(leg)
	}
	place := strings.Join(legs, ", ")
	if at := g.first.At; at != nil {
		place = fmt.Sprintf("frame %d, byte %d of %s", at.Frame, at.Byte, legName(at.Leg))
	}
	if g.first.Path != "" {
		place += ", " + g.first.Path
	}
	return place
}

// labelled writes text in a column behind a label.
func (e *exchangeText) labelled(label, text string) {
	const indent = "        "
	label = fmt.Sprintf("%s%-22s ", indent, label)
	e.style.wrap(e.out, label, strings.Repeat(" ", columns(label)), text, plain)
}

// source names who said what a finding expected: the reference, or the dialect's grammar.
func (e *exchangeText) source(f rules.Finding) string {
	if grammarRules[f.Rule] {
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

// value is v as JSON, cut to about two lines.
func (e *exchangeText) value(v wire.Value) string {
	return shorten(string(v.JSON()), 2*(e.style.width()-36))
}

// weight says what the finding means: whose doing, whether it could have been avoided, whether anybody was told.
func weight(f rules.Finding) string {
	var parts []string
	switch f.Support {
	case rules.Avoidable:
		s := "avoidable"
		if f.NativeField != "" {
			s += " (" + f.NativeField + " can carry it)"
		}
		parts = append(parts, s)
	case rules.Unavoidable:
		parts = append(parts, "unavoidable: the caller's dialect has no place for it")
	case rules.Borderline:
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
	if f.Scope == scopeOurs {
		parts = append(parts, "outside the paper's scope")
	}
	return strings.Join(parts, "; ")
}

// notes writes the T2 findings, one line each.
func (e *exchangeText) notes() {
	for _, g := range grouped(e.verdict.Findings) {
		if g.first.Tier == rules.T2 {
			e.line("    ", "note  "+g.first.Rule+" "+g.first.Name+": "+g.first.Message, quiet)
		}
	}
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
