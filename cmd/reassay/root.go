package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// The exit codes (contract, section 4). exitUnusable beats exitOverBar beats exitUnsure.
const (
	exitOK       = 0 // nothing at or over the bar
	exitOverBar  = 1 // something was
	exitUnusable = 2 // bad usage, input that could not be read, or nothing to judge
	exitUnsure   = 3 // judged, but an exchange was incomplete or an SDK inconclusive
)

// exitError ends the program with a code. What there is to say was said already when err is nil.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// run is the whole program: it reads e's arguments, does what they ask for and returns the exit code.
func run(ctx context.Context, e env) int {
	root := &cobra.Command{
		Use:   "reassay",
		Short: "Judges what official SDKs make of the reply streams of LLM gateways",
		Long: "reassay takes reply streams of LLM gateways, runs what the official SDKs make of the same bytes, and says for each\n" +
			"SDK version whether its caller gets the message that the model's API sent.\n\n" +
			"Exit codes: 0 nothing at or over the bar of --fail-on; 1 something was; 2 bad usage, input that could not be read, or\n" +
			"nothing to judge; 3 judged, but an exchange was incomplete or an SDK inconclusive. 2 beats 1 beats 3.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetArgs(e.args)
	root.SetIn(e.stdin)
	root.SetOut(e.stdout)
	root.SetErr(e.stderr)
	root.AddCommand(newCheck(e), newReplay(e), newServe(e), newTap(e), newRules(e), newSDK(e), newReport(e), newVerdict(e), newRejudge(e), newDead(e), newVersion(e), newRunWorker(e))

	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	code, hint := exitUnusable, true
	var exit *exitError
	if errors.As(err, &exit) {
		code, hint = exit.code, false
		if exit.err == nil {
			return code
		}
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	fmt.Fprintf(e.stderr, "reassay: %v\n", err)
	if hint {
		fmt.Fprintln(e.stderr, "hint: reassay --help lists the commands, reassay COMMAND --help their flags")
	}
	return code
}

// usage is an error in how the program was called.
func usage(format string, args ...any) error {
	return &exitError{exitUnusable, fmt.Errorf(format, args...)}
}
