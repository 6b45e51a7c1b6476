package rules

import (
	"strings"

	"reassay/capture"
	"reassay/convir"
	"reassay/wire"
)

// S08F checks that a reply keeps the output format that the request asked for.
var S08F = &Rule{
	ID:    "S08-F",
	Title: "output format asked for",
	Doc: `The request asked for JSON, or for JSON that keeps a schema, and the reply ends complete with a text that is not:
it cannot be parsed, or breaks the schema. Where the gateway's own request to the model's API shows that it left the
format out or weakened it, the loss is the gateway's, and counted. Where the API was asked for the same format, or
its request was not captured, the model may have failed by itself: that is noted and not counted. So is a format that
the gateway left out although this reply happens to keep it.

A caller who asked for a schema parses the text without a net, and breaks on the first reply that holds prose.

Ask the model's API for the same format in its own field, or by a tool that it must call; where it has neither, refuse
the request or declare what was left out.`,
	Source: "https://platform.openai.com/docs/guides/structured-outputs; https://json-schema.org/draft/2020-12/json-schema-validation; isloss, Table 10, V08",
	Tier:   T1,
	Since:  "2",
	Needs:  []string{NeedsReply, NeedsRequest},
	Rank:   9,
	First:  formatTools,
	Check:  checkS08F,
}

// responseFormat is the construct of a finding about the output format.
const responseFormat = "response_format"

func checkS08F(p *Pass) {
	asked := formatOf(p.Case.Request)
	if !asked.json {
		return
	}
	for _, l := range p.legs {
		if l.OfSDK() || !l.OK() || l.ErrorTold().Exists() {
			continue
		}
		for i := range l.Reply.Choices {
			text, events := plainAnswer(&l.Reply.Choices[i])
			if text == "" {
				continue
			}
			breach, known := asked.breach(text)
			if known && breach == "" && p.formatLost(l, asked, events[0].Path) {
				break
			}
			if breach != "" && !p.namedText(l, text, asked) {
				p.downgrade(l, asked, text, breach, events[0].Path)
				break
			}
		}
		p.emptyDeclaration(l)
	}
}

// plainAnswer is a choice's text where it is a complete answer of text alone, else "".
func plainAnswer(ch *convir.Choice) (string, []*convir.Event) {
	if ch.Stop.Outcome != convir.Complete {
		return "", nil
	}
	for _, e := range ch.Events {
		if e.Kind == convir.ToolCall || e.Kind == convir.Refusal {
			return "", nil
		}
	}
	return joined(ch, convir.Text)
}

// namedText reports whether another rule already says that the gateway changed a text which the model gave as asked.
func (p *Pass) namedText(l *Leg, text string, asked format) bool {
	c := p.comparison(l)
	if c == nil {
		return false
	}
	for i := range c.Ref.Reply.Choices {
		ref, _ := joined(&c.Ref.Reply.Choices[i], convir.Text)
		if ref == text {
			return false
		}
		if breach, known := asked.breach(ref); ref != "" && known && breach == "" {
			return true
		}
	}
	return false
}

func (p *Pass) downgrade(l *Leg, asked format, text, breach, path string) {
	f := Finding{Name: "format downgrade", Construct: responseFormat, Path: path, At: l.Place(path), Field: Control, Scope: ScopePaper,
		Tier: T2, Support: Borderline, Cause: Undetermined, Mechanism: "text does not keep the format asked for",
		Message: "the request asked for " + asked.words() + " and the text " + breach}
	got := wire.Of(text)
	f.Got = cutValue(got)
	if sent := p.Case.UpstreamRequest; sent != nil {
		lost := asked.lostIn(sent)
		if lost == "" && sentFormat(sent).lets(text) {
			lost = "schema weakened in the request to the model's API"
		}
		if lost == "" {
			f.Message += "; the model's API was asked for the same"
			p.finding(l, f)
			return
		}
		f.Mechanism = lost
		f.Tier, f.Cause, f.Support, f.NativeField = T1, ByGateway, Avoidable, formatFields[sent.Dialect]
		if asked.object && sent.Dialect == wire.AnthropicMessages {
			f.Support, f.NativeField = Borderline, "" // its format is a schema's: JSON of any shape can be asked for by a tool alone
		}
		f.Message += "; " + f.Mechanism
	}
	kept := p.finding(l, f)
	if where := degradation(l); where != "" {
		silent := false
		kept.Rule, kept.Tier, kept.DeclaredBy, kept.Silent = D01.ID, D01.Tier, where, &silent
		kept.Fingerprint = p.judge.fingerprint(*kept)
	}
}

// formatLost notes that the format did not reach the model's API although this reply happens to keep it, and reports
// whether it did not.
func (p *Pass) formatLost(l *Leg, asked format, path string) bool {
	sent := p.Case.UpstreamRequest
	if sent == nil || degradation(l) != "" || asked.object && sent.Dialect == wire.AnthropicMessages {
		return false
	}
	lost := asked.lostIn(sent)
	if lost == "" {
		return false
	}
	p.finding(l, Finding{Name: "format downgrade", Construct: responseFormat, Path: path, At: l.Place(path), Field: Control, Scope: ScopePaper,
		Tier: T2, Support: Avoidable, NativeField: formatFields[sent.Dialect], Cause: ByGateway, Mechanism: lost,
		Message: "the request asked for " + asked.words() + " and the text happens to keep it; " + lost})
	return true
}

// lostIn says what a gateway's own request shows to have been left out of the format, "" where it shows nothing.
func (f format) lostIn(sent *capture.Request) string {
	switch kept := sentFormat(sent); {
	case !kept.json:
		return "format left out of the request to the model's API"
	case !kept.forced && f.schema.Present() && !kept.schema.Present():
		return "schema left out of the request to the model's API"
	}
	return ""
}

// lets reports whether a format that was sent on in its own field allows a text.
func (f format) lets(text string) bool {
	breach, known := f.breach(text)
	return !f.forced && known && breach == ""
}

func (f format) words() string {
	if f.schema.Present() {
		return "JSON that keeps a schema"
	}
	return "JSON"
}

// formatDeclaration is a word of the gateway about the format.
type formatDeclaration struct {
	where string
	value wire.Value
}

// degrades reports whether the declaration says that less was served than asked for.
func (d formatDeclaration) degrades() bool {
	if !d.value.Present() {
		return false
	}
	requested, served := d.value.Get("requested"), d.value.Get("served")
	return !requested.Exists() || !wire.Equal(requested, served)
}

// formatDeclarations are what a leg says about its format: in a header, at the top of its body, on any chunk.
func formatDeclarations(l *Leg) []formatDeclaration {
	var found []formatDeclaration
	for _, d := range headerDeclarations(l) {
		if d.names("format") || d.names("json") || d.names("schema") || strings.Contains(strings.ToLower(d.where), "format") {
			found = append(found, formatDeclaration{d.where, wire.Of(d.says)})
		}
	}
	bodies := []wire.Value{l.Assembled.Body}
	for _, e := range l.Events {
		bodies = append(bodies, e.Data)
	}
	seen := map[string]bool{}
	for _, body := range bodies {
		for _, m := range body.Members() {
			if key := strings.ToLower(m.Key); declares(key) && strings.Contains(key, "format") && !seen[key] {
				seen[key] = m.Value.Present()
				found = append(found, formatDeclaration{"body " + m.Key, m.Value})
			}
		}
	}
	return found
}

// emptyDeclaration notes a declaration that names nothing that was lost.
func (p *Pass) emptyDeclaration(l *Leg) {
	for _, d := range formatDeclarations(l) {
		if d.degrades() {
			continue
		}
		f := Finding{Tier: T2, Name: "declaration of nothing", Mechanism: "format declaration without a difference", Construct: responseFormat,
			Path: strings.TrimPrefix(d.where, "body "), Message: d.where + " declares a format, and no difference between what was asked for and what was served"}
		kept := p.finding(l, f)
		kept.Rule = D06.ID
		kept.Fingerprint = p.judge.fingerprint(*kept)
		return
	}
}

// declaredOnOneLeg reports a format downgrade that only one of the two legs tells of: callers of the other are not told.
func (p *Pass) declaredOnOneLeg() {
	stream, whole := p.Case.Stream, p.Case.NonStream
	if !formatOf(p.Case.Request).json || stream == nil || whole == nil || !stream.OK() || !whole.OK() {
		return
	}
	told, untold := degradation(stream), whole
	if told == "" {
		told, untold = degradation(whole), stream
	}
	if told == "" || degradation(untold) != "" {
		return
	}
	p.finding(untold, Finding{Name: "declared on one leg only", Mechanism: "format downgrade declared on one leg only", Construct: responseFormat, Path: strings.TrimPrefix(told, "body "),
		Cause: ByGateway, Support: Avoidable, NativeField: told, Field: Control, Scope: ScopePaper, Message: "the other leg declares a format downgrade and this one does not"})
}

// degradation is where a leg declares that less was served than asked for, "" when it does not.
func degradation(l *Leg) string {
	for _, d := range formatDeclarations(l) {
		if d.degrades() {
			return d.where
		}
	}
	return ""
}
