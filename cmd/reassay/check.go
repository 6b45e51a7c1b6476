package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"reassay/check"
)

// judgeFlags are the flags of every command that judges captures.
type judgeFlags struct {
	sdks      string
	assembled bool
	workers   int
	isolate   isolateFlags
	out       outputFlags
}

func (f *judgeFlags) register(c *cobra.Command) {
	f.out.register(c)
	flags := c.Flags()
	flags.StringVar(&f.sdks, "sdk", strings.Join(check.DefaultSDKs, ","),
		"which SDKs run: openai-node@5.23.2,openai-python, openai-node@all for each version, all for everything that reassay sdk list names, none")
	flags.BoolVar(&f.assembled, "assembled", false, "keep in each verdict what each SDK handed over, in its own rendering")
	flags.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "how many exchanges are judged at once")
	f.isolate.register(c)
}

// checker prepares the judging; the error is one of usage. done ends what it started.
func (f *judgeFlags) checker(e env) (c *check.Checker, done func(), err error) {
	if f.workers < 1 {
		return nil, nil, usage("--workers: %d, want at least 1", f.workers)
	}
	sdks, err := splitSDKs(f.sdks)
	if err != nil {
		return nil, nil, err
	}
	return f.isolate.checker(e, f.workers, check.Config{SDKs: sdks, Assembled: f.assembled})
}

// noSDKs is the word for running none. An empty flag, such as a variable that was never set, is an error.
const noSDKs = "none"

// splitSDKs reads "openai-node@5.23.2,openai-python"; the error is one of usage.
func splitSDKs(flag string) ([]string, error) {
	if strings.TrimSpace(flag) == noSDKs {
		return []string{}, nil
	}
	var out []string
	for _, name := range strings.Split(flag, ",") {
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, name)
		}
	}
	if out == nil {
		return nil, usage("--sdk: %q names no SDK; %s runs none", flag, noSDKs)
	}
	return out, nil
}

func newCheck(e env) *cobra.Command {
	var f judgeFlags
	c := &cobra.Command{
		Use:   "check FILE...",
		Short: "Judge captured exchanges; - is standard input",
		Long: "check judges the exchange captures of the files, without a server, and prints what it found: JSON lines with one\n" +
			"exchange each, or single JSON values, either of them gzip'd or not. A line that cannot be read is reported with\n" +
			"its file and line, and the rest is judged all the same.",
		Args: someFiles,
		RunE: func(c *cobra.Command, files []string) error {
			checker, done, err := f.checker(e)
			if err != nil {
				return err
			}
			defer done()
			out, err := f.out.output(e)
			if err != nil {
				return err
			}
			return judge(c.Context(), e, checker, f.workers, files, out)
		},
	}
	f.register(c)
	return c
}

// judged is one input's verdict, or why there is none.
type judged struct {
	verdict check.Verdict
	err     error
	fatal   bool // the judging itself ended; what follows is not judged either
}

// judge reads, judges and prints in the order of the input.
func judge(ctx context.Context, e env, checker *check.Checker, workers int, files []string, out *output) error {
	broken := false
	err := ordered(ctx, workers, e.exchanges(files),
		func(ctx context.Context, in input) judged {
			if in.err != nil {
				return judged{err: in.err}
			}
			v, err := checker.Exchange(ctx, in.exchange)
			return judged{v, err, err != nil}
		},
		func(j judged) error {
			switch {
			case j.fatal:
				return j.err
			case j.err != nil:
				broken = true
				e.complain(j.err)
				return nil
			}
			return out.add(j.verdict)
		})
	if err != nil {
		return &exitError{exitUnusable, err}
	}
	return out.finish(broken)
}

// complain reports input that could not be read.
func (e env) complain(err error) {
	fmt.Fprintf(e.stderr, "reassay: %v\n", err)
}
