package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"reassay/check"
)

// maxVerdictLine is the longest line of verdicts that is read, in bytes.
const maxVerdictLine = 256 << 20

func newReport(e env) *cobra.Command {
	var (
		flags          outputFlags
		interpretation string
	)
	c := &cobra.Command{
		Use:   "report FILE...",
		Short: "Make the corruption report of verdicts; - is standard input",
		Long: "report reads verdicts, one JSON object a line as check --format jsonl writes them, and prints the report over them.\n" +
			"Verdicts of several interpretations (other rules, other SDKs) are never added up: choose one of them with\n" +
			"--interpretation.",
		Args: someFiles,
		RunE: func(c *cobra.Command, files []string) error {
			out, err := flags.output(e)
			if err != nil {
				return err
			}
			return reportOn(c.Context(), e, files, interpretation, out)
		},
	}
	flags.register(c)
	c.Flags().StringVar(&interpretation, "interpretation", "", "count only verdicts of this interpretation id")
	return c
}

func reportOn(ctx context.Context, e env, files []string, interpretation string, out *output) error {
	broken := false
	for _, name := range files {
		r, shown, err := e.input(name)
		if err != nil {
			broken = true
			e.complain(err)
			continue
		}
		err = verdictLines(r, func(line int, v check.Verdict, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				broken = true
				fmt.Fprintf(e.stderr, "reassay: %s:%d: %v\n", shown, line, err)
				return nil
			case interpretation != "" && v.Interpretation.ID != interpretation:
				return nil
			}
			if err := out.add(v); err != nil {
				return fmt.Errorf("%s:%d: %w; choose one with --interpretation", shown, line, err)
			}
			return nil
		})
		r.Close()
		if err != nil {
			return &exitError{exitUnusable, err}
		}
	}
	return out.finish(broken)
}

// verdictLines reads verdicts, one a line, and hands each over with its 1-based line, or the error that stands in its
// place. It ends with the first error of take, or of reading.
func verdictLines(r io.Reader, take func(line int, v check.Verdict, err error) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxVerdictLine)
	line := 0
	for in.Scan() {
		line++
		text := bytes.TrimSpace(in.Bytes())
		if len(text) == 0 {
			continue
		}
		v, err := check.DecodeVerdict(text)
		if err := take(line, v, err); err != nil {
			return err
		}
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		return take(line+1, check.Verdict{}, fmt.Errorf("read verdict: the line has more than %d bytes", maxVerdictLine))
	} else if err != nil {
		return take(line+1, check.Verdict{}, fmt.Errorf("read verdicts: %w", err))
	}
	return nil
}
