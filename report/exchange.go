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
	groups := grouped(v.Findings)
	for _, g := range groups {
		if g[0].Tier == rules.T1 {
			e.finding(g)
		}
	}
	if v.MRS.Status == "violated" && v.MRS.Reason != "" {
		e.line("    ", "MR-S is violated: "+v.MRS.Reason, plain)
	}
	for _, g := range groups {
		if g[0].Tier == rules.T2 {
			e.line("    ", "note  "+g[0].Rule+" "+g[0].Name+": "+g[0].Message, quiet)
		}
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
	word, name, way := strings.ToUpper(string(worst)), printable(v.Exchange), printable(gatewayName(v.Gateway)+", "+way)
	between := "  "
	if columns(word+between+name+between+way) > e.style.width() {
		between = "\n  "
	}
	fmt.Fprintf(e.out, "%s  %s%s%s\n", e.style.paint(word, worstTones[worst]), e.style.paint(name, strong), between,
		e.style.paint(way, quiet))
	sentence := apart[worst]
	if worst == check.WorstSurfaced && slices.ContainsFunc(e.verdict.SDKs, func(run check.SDK) bool { return run.Outcome == check.Corrupt }) {
		sentence = "The model's API itself failed; not every SDK lets its caller tell."
	}
	if sentence != "" {
		e.line("  ", sentence, plain)
	}
}

// apart explains the words that stand apart from the scale.
var apart = map[check.Worst]string{
	check.WorstIncomplete: "Not all of it could be read, so nothing is blamed on the gateway.",
	check.WorstCancelled:  "The caller ended the stream; only what had arrived is judged.",
	check.WorstRejected:   "The gateway answered with an error status although the model's API had not failed.",
	check.WorstSurfaced:   "The model's API itself failed, and the caller can tell.",
	check.WorstChanged:    "The reply was changed on its way, and what the SDKs did does not show it.",
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
	var ids []string
	for _, g := range grouped(e.verdict.Findings) {
		if g[0].Tier == rules.T1 && slices.ContainsFunc(g, func(f rules.Finding) bool { return slices.Contains(run.Findings, f.ID) }) {
			ids = append(ids, g[0].ID)
		}
	}
	return ids
}
