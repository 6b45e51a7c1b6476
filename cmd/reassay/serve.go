package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"reassay/check"
	"reassay/workers"
)

// serveFlags are the flags of reassay serve.
type serveFlags struct {
	sdks    string
	nats    natsFlags
	store   string
	listen  string
	workers int
	isolate isolateFlags
	idle    time.Duration
	join    time.Duration
	ackWait time.Duration
}

func newServe(e env) *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve",
		Short: "Judge mirrored exchanges from NATS until stopped",
		Long: "serve reads the mirror subjects of a NATS server with JetStream, judges each exchange when all its legs have\n" +
			"ended, and stores the verdicts in the stream REASSAY_VERDICTS. Without --nats or --context a server is embedded, which\n" +
			"listens on --listen and keeps its streams in --store. SIGINT and SIGTERM end it in good order; what was not judged is\n" +
			"judged by the next one.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), e) },
	}
	flags := c.Flags()
	flags.StringVar(&f.sdks, "sdk", strings.Join(check.DefaultSDKs, ","),
		"which SDKs run: openai-node@5.23.2,openai-python, openai-node@all for each version, all for everything that reassay sdk list names, none")
	f.nats.register(c)
	flags.StringVar(&f.store, "store", "reassay-store", "folder of the embedded server's store")
	flags.StringVar(&f.listen, "listen", "127.0.0.1:4222", "address of the embedded server; it has no credentials, so only loopback is taken")
	flags.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "how many exchanges are judged at once")
	f.isolate.register(c)
	flags.DurationVar(&f.idle, "idle-limit", workers.DefaultIdle, "an exchange without a new message for so long is incomplete")
	flags.DurationVar(&f.join, "join-limit", workers.DefaultJoin, "an exchange whose legs have not all ended so long after its begin is incomplete")
	flags.DurationVar(&f.ackWait, "ack-wait", workers.DefaultAckWait, "how long after a worker's last sign of life what it was judging is given to another")
	return c
}

func (f *serveFlags) run(ctx context.Context, e env) error {
	if f.workers < 1 {
		return usage("--workers: %d, want at least 1", f.workers)
	}
	if f.ackWait < time.Second {
		return usage("--ack-wait: %s, want at least 1s", f.ackWait)
	}
	if err := f.nats.validateEmbedded(); err != nil {
		return err
	}
	sdks, err := splitSDKs(f.sdks)
	if err != nil {
		return err
	}
	checker, stop, err := f.isolate.checker(e, f.workers, check.Config{SDKs: sdks})
	if err != nil {
		return err
	}
	defer stop()
	config := workers.Config{Workers: f.workers, Idle: f.idle, Join: f.join, AckWait: f.ackWait, Log: newLog(e.stderr), Reached: e.reached}
	if err := config.Validate(); err != nil {
		return usage("%v", err)
	}
	nc, url, done, err := f.connect()
	if err != nil {
		return &exitError{exitUnusable, err}
	}
	defer done()
	err = workers.Run(ctx, nc, checker, config, func() {
		config.Log.Info("judging", zap.String("nats", url), zap.Int("workers", f.workers), zap.String("interpretation", checker.Interpretation().ID))
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		return &exitError{exitUnusable, err}
	}
	config.Log.Info("stopped")
	return nil
}

// connect reaches the server that is named, or embeds one.
func (f *serveFlags) connect() (nc *nats.Conn, url string, done func(), err error) {
	if f.nats.given() {
		nc, url, err := f.nats.connect("reassay serve")
		if err != nil {
			return nil, "", nil, err
		}
		return nc, url, nc.Close, nil
	}
	if err := workers.CheckLoopback(f.listen); err != nil {
		return nil, "", nil, fmt.Errorf("--listen: %w", err)
	}
	server, err := workers.StartServer(workers.ServerConfig{Store: f.store, Addr: f.listen, SyncAlways: true})
	if err != nil {
		return nil, "", nil, err
	}
	nc, err = server.Connect("reassay serve")
	if err != nil {
		server.Stop()
		return nil, "", nil, err
	}
	return nc, server.URL(), func() { nc.Close(); server.Stop() }, nil
}

// newLog writes JSON lines.
func newLog(w io.Writer) *zap.Logger {
	config := zap.NewProductionEncoderConfig()
	config.EncodeTime = zapcore.ISO8601TimeEncoder
	return zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(config), zapcore.Lock(zapcore.AddSync(w)), zap.InfoLevel))
}
