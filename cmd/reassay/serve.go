package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"reassay/check"
	"reassay/meter"
	"reassay/workers"
)

// serveFlags are the flags of reassay serve, a group each.
type serveFlags struct {
	sdks    string
	nats    natsFlags
	server  serverFlags
	limits  limitFlags
	work    workFlags
	keep    keepFlags
	isolate isolateFlags
	http    httpFlags
	log     logFlags
}

func newServe(e env) *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve",
		Short: "Judge mirrored exchanges from NATS until stopped",
		Long: "serve reads the mirror subjects of a NATS server with JetStream, judges each exchange when all its legs have\n" +
			"ended, and stores the verdicts in the stream REASSAY_VERDICTS. Without --nats or --context a server is embedded, which\n" +
			"listens on --listen and keeps its streams in --store. Any number of serve may share one server's work. SIGINT and\n" +
			"SIGTERM end it in good order; what was not judged is judged by the next one.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), e) },
	}
	c.Flags().StringVar(&f.sdks, "sdk", strings.Join(check.DefaultSDKs, ","),
		"which SDKs run: openai-node@5.23.2,openai-python, openai-node@all for each version, all for everything that reassay sdk list names, none")
	f.nats.register(c)
	f.server.register(c)
	f.limits.register(c)
	f.work.register(c)
	f.keep.register(c)
	f.isolate.register(c)
	f.http.register(c)
	f.log.register(c)
	return c
}

// validate says what is wrong with the flags before anything is started.
func (f *serveFlags) validate() error {
	natsValid := f.nats.validateEmbedded
	if f.server.file != "" {
		natsValid = f.nats.validate // its users may have to log in
	}
	for _, valid := range []func() error{f.work.validate, natsValid, f.limits.validate, f.keep.validate, f.http.validate} {
		if err := valid(); err != nil {
			return err
		}
	}
	return f.server.validate(f.nats.given())
}

func (f *serveFlags) run(ctx context.Context, e env) error {
	if err := f.validate(); err != nil {
		return err
	}
	log, err := f.log.logger(e.stderr)
	if err != nil {
		return err
	}
	f.work.tuneMemory(e.getenv)
	config := workers.Config{Limits: f.limits.limits(), Log: log, Reached: e.reached}
	f.work.fill(&config)
	if err := f.keep.fill(&config, e.getenv); err != nil {
		return err
	}
	if err := config.Validate(); err != nil {
		return usage("%v", err)
	}
	sdks, err := splitSDKs(f.sdks)
	if err != nil {
		return err
	}
	checker, stop, err := f.isolate.checker(e, f.work.workers, check.Config{SDKs: sdks})
	if err != nil {
		return err
	}
	defer stop()
	nc, url, done, err := f.connect(&config)
	if err != nil {
		return &exitError{exitUnusable, err}
	}
	defer done()
	config.Meter = meter.New(meter.About{Version: buildVersion(), Interpretation: checker.Interpretation(), Workers: f.work.workers})
	silence, err := f.http.start(e, log, routes(config.Meter))
	if err != nil {
		return &exitError{exitUnusable, err}
	}
	defer silence()
	defer f.endAnyway(ctx, e, log)()
	err = workers.Run(ctx, nc, checker, config, func() {
		log.Info("judging", zap.String("nats", url), zap.Int("workers", f.work.workers), zap.Stringer("memory", f.work.memory),
			zap.String("interpretation", checker.Interpretation().ID))
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		return &exitError{exitUnusable, err}
	}
	log.Info("stopped")
	return nil
}

// connect reaches the server that is named, or embeds one.
func (f *serveFlags) connect(config *workers.Config) (nc *nats.Conn, url string, done func(), err error) {
	log := config.Log
	if f.nats.given() {
		if nc, url, err = f.nats.connect("reassay serve"); err != nil {
			return nil, "", nil, err
		}
		done = nc.Close
	} else {
		var login []nats.Option
		if f.nats.creds != "" {
			login = append(login, nats.UserCredentials(f.nats.creds))
		}
		var server *workers.Server
		if nc, server, done, err = f.server.connect("reassay serve", log, login...); err != nil {
			return nil, "", nil, err
		}
		url, config.Store = server.URL(), server.StoreLimit()
	}
	tellConnection(nc, log)
	return nc, url, done, nil
}

// tellConnection logs when the connection is lost and comes back, and what the server complains about.
func tellConnection(nc *nats.Conn, log *zap.Logger) {
	nc.SetDisconnectErrHandler(func(_ *nats.Conn, err error) {
		if err != nil {
			log.Warn("the NATS server is gone, waiting for it", zap.Error(err))
		}
	})
	nc.SetReconnectHandler(func(nc *nats.Conn) {
		log.Info("the NATS server is back", zap.String("nats", nc.ConnectedUrlRedacted()))
	})
	nc.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		log.Warn("the NATS server complains", zap.Error(err))
	})
}

// stopGrace is how long giving back, closing and the embedded server's own end may take beyond --stop-within.
const stopGrace = 10 * time.Second

// endAnyway ends the process where stopping in good order takes too long: the server hands out anew what was not
// acknowledged. The function that it returns calls that off.
func (f *serveFlags) endAnyway(ctx context.Context, e env, log *zap.Logger) (off func()) {
	stopped, off := context.WithCancel(context.Background())
	context.AfterFunc(ctx, func() {
		select {
		case <-time.After(f.work.within + stopGrace):
			log.Error("does not stop in good order, ended")
			e.exit(exitUnusable)
		case <-stopped.Done():
		}
	})
	return off
}
