package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"reassay/capture"
	"reassay/check"
	"reassay/workers"
)

// replayFlags are the flags of reassay replay.
type replayFlags struct {
	sdks       string
	workers    int
	isolate    isolateFlags
	nats       natsFlags
	store      string
	maxPayload int32
	detach     bool
	out        outputFlags
}

func newReplay(e env) *cobra.Command {
	var f replayFlags
	c := &cobra.Command{
		Use:   "replay FILE...",
		Short: "Send captured exchanges through NATS to workers and print the report",
		Long: "replay publishes the exchange captures of the files to the mirror of a NATS server with JetStream, where workers\n" +
			"judge them as they judge live traffic, and prints the report when every verdict of its own run is in. Without\n" +
			"--nats or --context a server is embedded; its store is a temporary folder unless --store names one.",
		Args: someFiles,
		RunE: func(c *cobra.Command, files []string) error { return f.run(c.Context(), e, files) },
	}
	f.out.register(c)
	flags := c.Flags()
	flags.StringVar(&f.sdks, "sdk", strings.Join(check.DefaultSDKs, ","),
		"which SDKs run: openai-node@5.23.2,openai-python, openai-node@all for each version, all for everything that reassay sdk list names, none")
	flags.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "how many exchanges are judged at once; 0 leaves the judging to a reassay serve on the same server")
	f.isolate.register(c)
	f.nats.register(c)
	flags.StringVar(&f.store, "store", "", "folder of the embedded server's store; it is kept, and so are the verdicts in it")
	flags.Int32Var(&f.maxPayload, "max-payload", 0, "largest message of the embedded server in bytes; 0 is the server's default")
	flags.BoolVar(&f.detach, "detach", false, "with --nats or --context: only publish, do not wait for verdicts")
	return c
}

// run replays files; every error of usage is told before anything is sent.
func (f *replayFlags) run(ctx context.Context, e env, files []string) error {
	switch {
	case f.workers < 0:
		return usage("--workers: %d, want 0 or more", f.workers)
	case f.nats.given() && f.store != "":
		return usage("--store is the embedded server's; with --nats or --context the server has its own")
	case !f.nats.given() && f.workers == 0:
		return usage("--workers 0 needs --nats: nobody else can judge on an embedded server")
	case !f.nats.given() && f.detach:
		return usage("--detach needs --nats: an embedded server ends with this command")
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
	out, err := f.out.output(e)
	if err != nil {
		return err
	}
	nc, done, err := f.connect(e)
	if err != nil {
		return &exitError{exitUnusable, err}
	}
	defer done()
	broken := false
	exchanges := e.sound(files, &broken)
	replay := workers.Replay{Conn: nc, Checker: checker, Judge: f.workers > 0, Config: workers.Config{
		Workers:      f.workers,
		KeepEvidence: f.nats.given() || f.store != "", // else the store ends with this command
	}}
	if f.detach {
		n, err := replay.Publish(ctx, exchanges)
		fmt.Fprintf(e.stderr, "published %d exchanges\n", n)
		return detached(n, broken, err)
	}
	progress := progressLine{w: e.stderr, terminal: e.terminal.stderr}
	replay.Progress = progress.show
	judged, err := replay.Verdicts(ctx, exchanges)
	progress.end()
	for _, j := range judged {
		if j.Err != nil {
			broken = true
			fmt.Fprintf(e.stderr, "reassay: exchange %q: %v\n", j.ID, j.Err)
			continue
		}
		if err := out.add(j.Verdict); err != nil {
			return &exitError{exitUnusable, err}
		}
	}
	if err != nil {
		// What was judged before the trouble is still worth reading.
		return &exitError{exitUnusable, errors.Join(err, quiet(out.finish(true)))}
	}
	return out.finish(broken)
}

// quiet drops an exit code: the error that it stands beside has its own.
func quiet(err error) error {
	var exit *exitError
	if errors.As(err, &exit) {
		return exit.err
	}
	return err
}

func detached(n int, broken bool, err error) error {
	switch {
	case err != nil:
		return &exitError{exitUnusable, err}
	case n == 0:
		return &exitError{exitUnusable, errors.New("nothing to publish")}
	case broken:
		return &exitError{code: exitUnusable}
	}
	return nil
}

// connect reaches the server that is named, or embeds one. done ends what was begun.
func (f *replayFlags) connect(e env) (nc *nats.Conn, done func(), err error) {
	if f.nats.given() {
		nc, _, err := f.nats.connect("reassay replay")
		if err != nil {
			return nil, nil, err
		}
		return nc, nc.Close, nil
	}
	store, remove := f.store, func() error { return nil }
	if store == "" {
		if store, remove, err = e.tempDir(); err != nil {
			return nil, nil, fmt.Errorf("make a folder for the embedded server: %w", err)
		}
	}
	server, err := workers.StartServer(workers.ServerConfig{Store: store, MaxPayload: f.maxPayload})
	if err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	stop := func() {
		server.Stop()
		if err := remove(); err != nil {
			fmt.Fprintf(e.stderr, "reassay: remove the embedded server's folder: %v\n", err)
		}
	}
	nc, err = server.Connect("reassay replay")
	if err != nil {
		stop()
		return nil, nil, err
	}
	return nc, func() { nc.Close(); stop() }, nil
}

// sound yields the exchanges that could be read and complains about the others, which it remembers in broken.
func (e env) sound(files []string, broken *bool) iter.Seq[*capture.Exchange] {
	return func(yield func(*capture.Exchange) bool) {
		for in := range e.exchanges(files) {
			if in.err != nil {
				*broken = true
				e.complain(in.err)
				continue
			}
			if !yield(in.exchange) {
				return
			}
		}
	}
}

// progressLine tells how far a replay has come: on a terminal a line that is written over, elsewhere a line a second.
type progressLine struct {
	w        io.Writer
	terminal bool
	last     time.Time
	now      workers.Progress
	shown    bool
}

const (
	progressEvery         = time.Second
	progressEveryTerminal = 100 * time.Millisecond
)

func (p *progressLine) show(now workers.Progress) {
	p.now = now
	every := progressEvery
	if p.terminal {
		every = progressEveryTerminal
	}
	if time.Since(p.last) >= every {
		p.last = time.Now()
		p.print()
	}
}

func (p *progressLine) print() {
	begin, end := "", "\n"
	if p.terminal {
		begin, end = "\r\x1b[K", ""
	}
	dead := ""
	if p.now.Dead > 0 {
		dead = fmt.Sprintf(", %d dead letters", p.now.Dead)
	}
	fmt.Fprintf(p.w, "%spublished %d, judged %d%s%s", begin, p.now.Published, p.now.Judged, dead, end)
	p.shown = true
}

func (p *progressLine) end() {
	if p.now.Published == 0 {
		return
	}
	p.print()
	if p.terminal {
		fmt.Fprintln(p.w)
	}
}
