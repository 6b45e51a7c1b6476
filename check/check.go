package check

import (
	"context"
	"fmt"

	"reassay/capture"
	"reassay/rules"
	"reassay/sdkemu"
	"reassay/sdkemu/golang"
	"reassay/sdkemu/node"
	"reassay/sdkemu/python"
)

// Checker judges exchanges. It is safe for concurrent use.
type Checker struct {
	config         Config
	releases       []release
	interpretation Interpretation
}

// New prepares a Checker; the error names an SDK or version that is not built in.
func New(c Config) (*Checker, error) {
	if c.SDKs == nil {
		c.SDKs = DefaultSDKs
	}
	if c.Emulators == nil && len(c.SDKs) > 0 {
		built, err := Emulators()
		if err != nil {
			return nil, err
		}
		c.Emulators = built
	}
	releases, err := releasesOf(c.SDKs, c.Emulators)
	if err != nil {
		return nil, err
	}
	k := &Checker{config: c, releases: releases}
	k.interpretation = k.interpret()
	return k, nil
}

// Emulators are the SDKs that are built in. The error says that a bundled SDK cannot be loaded.
func Emulators() ([]sdkemu.Emulator, error) {
	n, err := node.New()
	if err != nil {
		return nil, fmt.Errorf("load the Node SDKs: %w", err)
	}
	return []sdkemu.Emulator{n, python.New(), golang.New()}, nil
}

func (c *Checker) maxBody() int {
	if c.config.MaxBody > 0 {
		return c.config.MaxBody
	}
	return DefaultMaxBody
}

// Exchange judges one exchange. What is wrong with the exchange stands in the verdict; the error means that the
// judging itself failed (the context ended).
func (c *Checker) Exchange(ctx context.Context, in *capture.Exchange) (Verdict, error) {
	if err := ctx.Err(); err != nil {
		return Verdict{}, fmt.Errorf("judge exchange %s: %w", in.ID, err)
	}
	x := c.read(in)
	if lost := x.lost(); lost != "" {
		return c.Incomplete(in, lost)
	}
	x.lay()
	runs, err := c.runSDKs(ctx, x)
	if err != nil {
		return Verdict{}, fmt.Errorf("judge exchange %s: %w", in.ID, err)
	}
	judged := rules.Judge(&x.c)
	c.settle(x, runs)
	v := c.verdict(x)
	v.Reference, v.MRS = x.reference, x.mrs
	v.UpstreamFailed = x.c.Broken()
	v.Findings = judged.Findings
	v.Rules = RulesRun{Ran: judged.Ran, NotApplicable: judged.NotApplicable}
	for _, s := range runs {
		v.SDKs = append(v.SDKs, s.out)
	}
	v.Worst, v.WorstAny, v.Reason = x.worst(runs, judged.Findings)
	v.bound()
	return v, nil
}

// verdict is what a verdict says about the exchange before anything is judged.
func (c *Checker) verdict(x *exchange) Verdict {
	v := head(x.in, c.interpretation)
	addBesides(v.Evidence, x.in)
	for _, l := range x.legs {
		v.Evidence[l.Name] = evidence(l.captured)
		v.Legs[l.Name] = l.canonical()
		v.Unread = append(v.Unread, unreadOf(l)...)
	}
	v.Dialects = Dialects{Upstream: x.upstreamDialect(), Caller: x.callerDialect()}
	return v
}

// head is a verdict with what is known of every exchange, judged or not.
func head(in *capture.Exchange, i Interpretation) Verdict {
	v := Verdict{
		VerdictVersion: VerdictVersion,
		Exchange:       in.ID,
		Gateway:        Gateway(in.Gateway),
		Population:     in.Population,
		ObservedAt:     in.ObservedAt,
		Labels:         in.Labels,
		Sample:         in.Sample,
		Interpretation: i,
		Evidence:       map[string]Evidence{},
		Legs:           map[string]Leg{},
		SDKs:           []SDK{},
		Findings:       []rules.Finding{},
		Unread:         []Unread{},
		Rules:          RulesRun{Ran: []string{}, NotApplicable: map[string]string{}},
	}
	if v.Population == "" {
		v.Population = "captured"
	}
	return v
}
