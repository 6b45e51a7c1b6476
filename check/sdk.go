package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"reassay/convir"
	"reassay/rules"
	"reassay/sdkemu"
	"reassay/wire"
)

// reads says which API of an SDK a caller of a dialect uses. A dialect that no vendor's SDK here reads has no entry.
var reads = map[string]map[wire.Dialect]sdkemu.API{
	"openai-node":      {wire.OpenAIChat: sdkemu.Chat, wire.OpenAIResponses: sdkemu.Responses},
	"openai-python":    {wire.OpenAIChat: sdkemu.Chat, wire.OpenAIResponses: sdkemu.Responses},
	"openai-go":        {wire.OpenAIChat: sdkemu.Chat, wire.OpenAIResponses: sdkemu.Responses},
	"anthropic-node":   {wire.AnthropicMessages: sdkemu.AnthropicMessages},
	"anthropic-python": {wire.AnthropicMessages: sdkemu.AnthropicMessages},
	"anthropic-go":     {wire.AnthropicMessages: sdkemu.AnthropicMessages},
}

// Reads reports whether callers of dialect d use this SDK at all.
func Reads(sdk string, d wire.Dialect) bool { return reads[sdk][d] != "" }

// apiNames are what a verdict calls the API of a dialect, read or not.
var apiNames = map[wire.Dialect]string{
	wire.OpenAIChat: string(sdkemu.Chat), wire.OpenAIResponses: string(sdkemu.Responses),
	wire.AnthropicMessages: string(sdkemu.AnthropicMessages), wire.GeminiGenerate: string(wire.GeminiGenerate),
}

// release is an SDK version that runs.
type release struct {
	sdk, version string
	emulator     sdkemu.Emulator
}

// releasesOf resolves names such as "openai-node@5.23.2", "openai-node" for the version that an emulator names first,
// "openai-node@all" for each of its versions, and "all".
func releasesOf(names []string, emulators []sdkemu.Emulator) ([]release, error) {
	var out []release
	for _, name := range names {
		sdk, version, _ := strings.Cut(name, "@")
		if name == allReleases {
			sdk, version = "", allReleases
		}
		found := false
		for _, e := range emulators {
			for _, t := range e.Targets() {
				all := version == allReleases && (sdk == "" || t.SDK == sdk)
				one := t.SDK == sdk && (version == "" || t.Version == version) && !found
				if !all && !one {
					continue
				}
				found = true
				r := release{t.SDK, t.Version, e}
				if !slices.ContainsFunc(out, func(o release) bool { return o.sdk == r.sdk && o.version == r.version }) {
					out = append(out, r)
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("SDK %q is not built in; built in are %s", name, strings.Join(builtIn(emulators), ", "))
		}
	}
	return out, nil
}

// allReleases stands for every version that is built in.
const allReleases = "all"

func builtIn(emulators []sdkemu.Emulator) []string {
	var names []string
	for _, e := range emulators {
		for _, t := range e.Targets() {
			if n := t.SDK + "@" + t.Version; !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names
}

// sdkRun is one SDK run on its way into the verdict; run is nil where none took place.
type sdkRun struct {
	out SDK
	run *rules.Run
}

// runSDKs lets every SDK of the set read the stream, in both modes.
func (c *Checker) runSDKs(ctx context.Context, x *exchange) ([]*sdkRun, error) {
	var runs []*sdkRun
	d := x.callerDialect()
	for _, r := range c.releases {
		for _, mode := range []sdkemu.Mode{sdkemu.ModeStream, sdkemu.ModeIterate} {
			s := &sdkRun{out: SDK{SDK: r.sdk, Version: r.version, API: apiNames[d], Mode: string(mode), Findings: []string{}}}
			runs = append(runs, s)
			t := sdkemu.Target{SDK: r.sdk, Version: r.version, API: reads[r.sdk][d], Mode: mode}
			if reason := c.cannotRun(x, r, t); reason != "" {
				s.out.Outcome, s.out.Reason = NotApplicable, reason
				if l := x.named[rules.StreamLeg]; l != nil && l.limit && t.API != "" {
					s.out.Outcome = Inconclusive
				}
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			result := r.emulator.Run(ctx, t, x.input())
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if e := result.Exception; e != nil && e.Unsent {
				s.out.Outcome, s.out.Reason = NotApplicable, fmt.Sprintf("the SDK does not send this request: %s: %s", e.Class, e.Message)
				continue
			}
			s.run = &rules.Run{Target: t, Result: result}
			x.handedOver(s.run)
			x.c.Runs = append(x.c.Runs, s.run)
		}
	}
	return runs, nil
}

// cannotRun says why an SDK has nothing to read here, "" when it has.
func (c *Checker) cannotRun(x *exchange, r release, t sdkemu.Target) string {
	d := x.callerDialect()
	switch {
	case x.c.Stream == nil:
		return x.missing(rules.StreamLeg)
	case x.c.Cancelled:
		return "the caller broke the stream off"
	case t.API == "":
		return fmt.Sprintf("%s does not read %s", r.sdk, d)
	case !slices.Contains(r.emulator.Targets(), t):
		return fmt.Sprintf("mode %s of the API %s of %s %s is not built in", t.Mode, t.API, r.sdk, r.version)
	}
	return ""
}

// input is the stream leg as the SDK's client gets it.
func (x *exchange) input() sdkemu.Input {
	l := x.named[rules.StreamLeg]
	in := sdkemu.Input{Status: l.captured.Status, ContentType: l.captured.ContentType, Headers: l.captured.Headers, Body: l.body, Parsed: x.in.Parsed}
	if l.Broken != nil {
		in.Break = &sdkemu.Break{Message: l.Broken.Message}
	}
	if x.in.Request != nil && x.in.Request.Dialect == l.Dialect {
		in.Request = x.in.Request.Body
	}
	if !l.captured.Coded() {
		end := 0
		for _, chunk := range l.captured.Chunks {
			if end += chunk.Bytes; end > 0 && end < len(l.body) {
				in.Cuts = append(in.Cuts, end)
			}
		}
	}
	return in
}

// handedOver reads the message that the SDK assembled and lays it beside the reference: the stream's, or where there
// is none the stream itself, as its dialect says it is to be read.
func (x *exchange) handedOver(r *rules.Run) {
	if r.Target.Mode != sdkemu.ModeStream || r.Result.Outcome != sdkemu.OK {
		return
	}
	body, err := wire.Parse(r.Result.Assembled)
	if err != nil {
		return
	}
	r.Leg = &rules.Leg{Name: rules.SDKLeg(r.Target.Name()), Dialect: x.c.Stream.Dialect, Status: 200, Reply: convir.Parse(x.c.Stream.Dialect, body)}
	if spellsZero[r.Target.SDK] {
		r.Leg.Reply = convir.Parse(x.c.Stream.Dialect, withoutZero(body))
	}
	x.c.ReadForced(r.Leg)
	ref := x.refLeg
	if ref == nil {
		ref = x.c.Stream
	}
	r.Comparison = rules.Compare(ref, r.Leg, x.c.Broken() || x.c.Cancelled)
}

// spellsZero are the SDKs whose rendering spells fields that were never set: a Go struct has no absent field, and its
// caller cannot tell one from a zero. Source: encoding/json, and openai-go@v3.99.0 chatcompletion.go, whose response
// types have no omitempty.
var spellsZero = map[string]bool{"openai-go": true, "anthropic-go": true}

// withoutZero takes out of a value's objects the members that hold nothing but zeros.
func withoutZero(v wire.Value) wire.Value {
	switch v.Kind() {
	case wire.Array:
		elems := make([]wire.Value, len(v.Elems()))
		for i, e := range v.Elems() {
			elems[i] = withoutZero(e)
		}
		return wire.Arr(elems...)
	case wire.Object:
		var members []wire.Member
		for _, m := range v.Members() {
			if m.Value.Kind() != wire.Object || !allZero(m.Value) {
				members = append(members, wire.Member{Key: m.Key, Value: withoutZero(m.Value)})
			}
		}
		return wire.Obj(members...)
	}
	return v
}

func allZero(v wire.Value) bool {
	switch v.Kind() {
	case wire.Object:
		for _, m := range v.Members() {
			if !allZero(m.Value) {
				return false
			}
		}
		return true
	case wire.Array:
		return len(v.Elems()) == 0
	case wire.String:
		return v.Str() == ""
	case wire.Number:
		return v.Num() == "0"
	case wire.Bool:
		return !v.True()
	}
	return true
}
