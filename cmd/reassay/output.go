package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"reassay/check"
	"reassay/report"
)

// The formats of --format.
const (
	formatText     = "text"
	formatJSONL    = "jsonl"
	formatJSON     = "json"
	formatMarkdown = "markdown"
)

var formats = []string{formatText, formatJSONL, formatJSON, formatMarkdown}

// outputFlags are the flags of every command that ends in verdicts or a report.
type outputFlags struct {
	format, failOn, count string
	brief                 bool
	content               string
}

func (f *outputFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.format, "format", formatText,
		"text: what went wrong in each exchange, then the report; jsonl: one verdict a line in the order of the input;\n"+
			"json: the report; markdown: the report")
	flags.StringVar(&f.failOn, "fail-on", string(check.WorstChanged),
		"exit with 1 on this and anything worse: "+words(bars)+" or "+never)
	flags.StringVar(&f.count, "count", string(report.Gateway),
		"gateway leaves out what only an SDK or the model's API did; caller counts all that a caller suffers")
	flags.BoolVar(&f.brief, "brief", false, "in format text, only the report")
	flags.StringVar(&f.content, "content", string(contentFull),
		"what verdicts show of replies: full, hash (length and keyed sha256, the key being $"+contentKeyName+
			"\nor else random for each run) or none")
}

// output writes verdicts one by one in the wanted format, and the report when they are all in.
type output struct {
	format  string
	brief   bool
	style   report.Style
	w       io.Writer
	stderr  io.Writer
	bar     *bar
	redact  redaction
	builder *report.Builder
	n       int
}

// output reads the flags; the error is one of usage.
func (f *outputFlags) output(e env) (*output, error) {
	if !slices.Contains(formats, f.format) {
		return nil, usage("--format: unknown format %q, want %s", f.format, words(formats))
	}
	counting, err := report.ParseCounting(f.count)
	if err != nil {
		return nil, usage("--count: %v", err)
	}
	b, err := newBar(f.failOn, counting)
	if err != nil {
		return nil, err
	}
	redact, err := newRedaction(f.content, e.getenv)
	if err != nil {
		return nil, err
	}
	return &output{
		format: f.format, brief: f.brief, w: e.stdout, stderr: e.stderr, bar: b, redact: redact, builder: report.New(counting),
		style: report.Style{Color: e.color(e.terminal.stdout), Width: e.width()},
	}, nil
}

// add takes in the next verdict.
func (o *output) add(v check.Verdict) error {
	o.n++
	o.bar.add(v)
	if err := o.builder.Add(v); err != nil {
		return err
	}
	v = o.redact.apply(v)
	switch {
	case o.format == formatJSONL:
		_, err := o.w.Write(append(v.JSON(), '\n'))
		return err
	case o.format == formatText && !o.brief:
		return report.Exchange(o.w, v, o.bar.counting, o.style)
	}
	return nil
}

// finish writes the report and returns the error that carries the exit code; broken says that some input could not
// be read.
func (o *output) finish(broken bool) error {
	if broken {
		fmt.Fprintln(o.stderr, "hint: mend or remove what could not be read; everything else is judged all the same")
	}
	if o.n == 0 {
		if broken {
			return &exitError{code: exitUnusable}
		}
		return &exitError{exitUnusable, fmt.Errorf("nothing to judge: an empty run is not green")}
	}
	if err := o.report(); err != nil {
		return err
	}
	if broken {
		return &exitError{code: exitUnusable}
	}
	if code := o.bar.code(); code != exitOK {
		return &exitError{code: code}
	}
	return nil
}

func (o *output) report() error {
	switch r := o.builder.Report(); o.format {
	case formatText:
		return r.Text(o.w, o.style)
	case formatMarkdown:
		return r.Markdown(o.w)
	case formatJSON:
		text := json.NewEncoder(o.w)
		text.SetEscapeHTML(false)
		text.SetIndent("", "  ")
		return text.Encode(r)
	}
	return nil
}
