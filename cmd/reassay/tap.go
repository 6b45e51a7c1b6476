package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"reassay/mirror"
	"reassay/tap"
)

// tapFlags are the flags of reassay tap, a group each.
type tapFlags struct {
	passing tapPassFlags
	mirror  tapMirrorFlags
	nats    natsFlags
	log     logFlags
	routes  bool
	within  time.Duration
}

func newTap(e env) *cobra.Command {
	var f tapFlags
	c := &cobra.Command{
		Use:   "tap --listen ADDR --upstream URL",
		Short: "Pass calls of model APIs through untouched and mirror them to NATS",
		Long: "tap is a reverse proxy before a gateway, or behind one with --side upstream. It passes every request and every reply\n" +
			"through as it comes, and mirrors those whose path it knows to a NATS server, where reassay serve judges them. It goes\n" +
			"on passing when the NATS server is down or slow. docs/tap.md says how two taps see one exchange from both sides.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), e) },
	}
	f.passing.register(c)
	f.mirror.register(c)
	f.nats.register(c)
	f.log.register(c)
	c.Flags().BoolVar(&f.routes, "show-routes", false, "print the paths that are mirrored, --route's included, with their dialects and where each is documented, and end")
	c.Flags().DurationVar(&f.within, "stop-within", 20*time.Second, "how long after SIGTERM or SIGINT replies may go on; then they are broken off. A second signal ends the process at once")
	return c
}

func (f *tapFlags) run(ctx context.Context, e env) error {
	routes, err := f.mirror.allRoutes()
	if err != nil {
		return err
	}
	if f.routes {
		return showRoutes(e, routes)
	}
	switch {
	case f.within < 0:
		return usage("--stop-within: %s, want 0s or more", f.within)
	case !(f.mirror.sample > 0 && f.mirror.sample <= 1):
		return usage("--sample: %v, want a share over 0 and up to 1", f.mirror.sample)
	}
	hops, err := f.passing.hops()
	if err != nil {
		return err
	}
	config := tap.Config{Routes: routes}
	if err := f.passing.fill(e, &config); err != nil {
		return err
	}
	f.mirror.fill(&config)
	if config.Log, err = f.log.logger(e.stderr); err != nil {
		return err
	}
	tuneMemory(e.getenv)
	nc, where, err := f.nats.connect("reassay tap", nats.RetryOnFailedConnect(true), nats.Timeout(tapNATSPatience))
	if err != nil {
		return err
	}
	defer nc.Close()
	tellConnection(nc, config.Log)
	if !nc.IsConnected() {
		config.Log.Warn("the NATS server is not there, waiting for it; until then the buffer takes what it can", zap.String("nats", where))
	}
	if config.Sender, err = mirror.NewSender(nc, f.mirror.sender()); err != nil {
		return usage("%v", err)
	}
	t, err := tap.New(config)
	if err != nil {
		return usage("%v", err)
	}
	err = f.serve(ctx, t, hops, config.Log)
	t.Close()
	f.close(config.Sender, config.Log)
	tellTap(t.Counts(), config.Sender.Stats(), config.Log)
	return err
}

const (
	// tapNATSPatience is how long the NATS server may take to answer; requests pass only afterwards.
	tapNATSPatience = 2 * time.Second
	// tapFlush is how long what is buffered may take to be stored when the tap ends.
	tapFlush = 5 * time.Second
)

// close stores what is still buffered.
func (f *tapFlags) close(sender *mirror.Sender, log *zap.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), tapFlush)
	defer cancel()
	if err := sender.Close(ctx); err != nil {
		log.Warn("the mirror is not whole", zap.Error(err))
	}
}

// serve listens on every hop until ctx ends or a listener fails.
func (f *tapFlags) serve(ctx context.Context, t *tap.Tap, hops []tapHop, log *zap.Logger) error {
	failed := make(chan error, len(hops))
	var servers []*http.Server
	for _, h := range hops {
		server, err := t.Server(h.upstream)
		if err != nil {
			f.stop(t, servers, log)
			return usage("--upstream: %v", err)
		}
		listener, err := net.Listen("tcp", h.listen)
		if err != nil {
			f.stop(t, servers, log)
			return &exitError{exitUnusable, fmt.Errorf("--listen: %w", err)}
		}
		servers = append(servers, server)
		if server.TLSConfig = f.passing.tls; server.TLSConfig != nil {
			go func() { failed <- server.ServeTLS(listener, "", "") }()
		} else {
			go func() { failed <- server.Serve(listener) }()
		}
		log.Info("passing", zap.Stringer("listen", listener.Addr()), zap.String("upstream", h.upstream.Redacted()), zap.String("side", string(f.mirror.side)))
	}
	report := time.NewTicker(tapReport)
	defer report.Stop()
	var lost int64
	for {
		select {
		case <-ctx.Done():
			f.stop(t, servers, log)
			return nil
		case err := <-failed:
			f.stop(t, servers, log)
			return &exitError{exitUnusable, fmt.Errorf("listen: %w", err)}
		case <-report.C:
			lost = tellLost(t, lost, log)
		}
	}
}

// stop lets replies end for as long as --stop-within says, and breaks the rest off.
func (f *tapFlags) stop(t *tap.Tap, servers []*http.Server, log *zap.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), f.within)
	defer cancel()
	done := make(chan error, len(servers))
	for _, s := range servers {
		go func() {
			err := s.Shutdown(ctx)
			if err != nil {
				t.StopPassing()
				err = errors.Join(err, s.Close())
			}
			done <- err
		}()
	}
	for range servers {
		if err := <-done; err != nil {
			log.Warn("replies were broken off", zap.Error(err))
		}
	}
}

// tapReport is how often what the mirror lost is told of, where it lost anything.
const tapReport = time.Minute

func tellLost(t *tap.Tap, before int64, log *zap.Logger) int64 {
	stats := t.Stats()
	lost := sum(stats.Dropped) + sum(stats.BrokenOff)
	if lost > before {
		log.Warn("exchanges passed that the mirror lost", zap.Int64("lost", lost-before), zap.Any("dropped", stats.Dropped),
			zap.Any("broken_off", stats.BrokenOff), zap.Int64("buffered_bytes", stats.Buffered))
	}
	return lost
}

func sum(counts map[mirror.Reason]int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}

// tellTap is the account at the end.
func tellTap(c tap.Counts, s mirror.Stats, log *zap.Logger) {
	log.Info("stopped", zap.Int64("mirrored", c.Mirrored), zap.Int64("passed", c.Passed), zap.Int64("unjoined", c.Unjoined),
		zap.Int64("stored", s.Stored), zap.Int64("sampled_out", s.SampledOut), zap.Any("dropped", s.Dropped), zap.Any("broken_off", s.BrokenOff))
}

func showRoutes(e env, routes []tap.Route) error {
	var out strings.Builder
	for _, r := range routes {
		dialect := string(r.Dialect)
		if dialect == "" {
			dialect = "pass"
		}
		fmt.Fprintf(&out, "%s\t%s\t%s\n", r.Pattern, dialect, r.Source)
	}
	_, err := fmt.Fprint(e.stdout, out.String())
	return err
}
