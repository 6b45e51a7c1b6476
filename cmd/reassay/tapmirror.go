package main

import (
	"time"

	"github.com/spf13/cobra"

	"reassay/mirror"
	"reassay/tap"
)

// tapMirrorFlags say what a tap mirrors, and as what.
type tapMirrorFlags struct {
	side       tap.Side
	join       tap.Join
	gateway    mirror.Gateway
	run        string
	routes     []string
	request    tap.RequestPolicy
	maxRequest byteSize
	maxReply   byteSize
	linger     time.Duration
	sample     float64
	buffer     byteSize
}

func (f *tapMirrorFlags) register(c *cobra.Command) {
	f.maxRequest, f.maxReply, f.buffer = tap.DefaultMaxRequest, tap.DefaultMaxReply, mirror.DefaultBuffer
	flags := c.Flags()
	flags.TextVar(&f.side, "side", tap.Front, "where the tap stands: front, before the gateway, or upstream, between the gateway and a model's API")
	flags.TextVar(&f.join, "join", tap.JoinHeader, "the header by which a tap behind the gateway knows an exchange again: x-reassay-exchange, or traceparent where the gateway forwards that alone; the same for both taps")
	flags.StringVar(&f.gateway.Name, "gateway", "gateway", "the gateway's name in verdicts; the same for both taps")
	flags.StringVar(&f.gateway.Version, "gateway-version", "", "the gateway's version in verdicts")
	flags.StringVar(&f.run, "run", tap.DefaultRun, "a word that keeps the exchanges of one installation apart from another's; the same for both taps")
	flags.StringArrayVar(&f.routes, "route", nil, "PATTERN=DIALECT: paths that are mirrored beside those of --show-routes, and before them; {x} stands for a part without a slash, the dialect pass for paths that are not to be mirrored")
	flags.TextVar(&f.request, "request", tap.RequestJudged, "what is mirrored of requests: judged, the settings and tools that rules and SDKs read, without the conversation; full, the body; none")
	flags.Var(&f.maxRequest, "max-request", "requests over so many bytes are not mirrored; their replies are")
	flags.Var(&f.maxReply, "max-reply", "replies over so many bytes are not mirrored")
	flags.DurationVar(&f.linger, "linger", tap.DefaultLinger, "how long the mirror waits after a reply for a tap behind the gateway to name its legs; 0s where there is none. Callers never wait")
	flags.Float64Var(&f.sample, "sample", 1, "the share of exchanges that are mirrored, over 0 to 1; two taps of one gateway choose the same ones")
	flags.Var(&f.buffer, "buffer", "how many bytes wait in memory for the NATS server; exchanges over that pass and are not mirrored")
}

// allRoutes are the ones given, then those that are known.
func (f *tapMirrorFlags) allRoutes() ([]tap.Route, error) {
	var routes []tap.Route
	for _, text := range f.routes {
		r, err := tap.ParseRoute(text)
		if err != nil {
			return nil, usage("--route: %v", err)
		}
		routes = append(routes, r)
	}
	return append(routes, tap.Routes()...), nil
}

// fill puts the flags into the tap's configuration.
func (f *tapMirrorFlags) fill(c *tap.Config) {
	c.Side, c.Join, c.Gateway, c.Run, c.Request = f.side, f.join, f.gateway, f.run, f.request
	c.MaxRequest, c.MaxReply, c.Linger = int64(f.maxRequest), int64(f.maxReply), f.linger
}

func (f *tapMirrorFlags) sender() mirror.SenderConfig {
	// The tap itself leaves out of requests what is not to be mirrored.
	return mirror.SenderConfig{Gateway: f.gateway, Run: f.run, Sample: f.sample, Buffer: int64(f.buffer), FullRequests: true}
}
