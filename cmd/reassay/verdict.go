package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"reassay/capture"
	"reassay/check"
	"reassay/report"
	"reassay/workers"
)

func newVerdict(e env) *cobra.Command {
	c := &cobra.Command{
		Use:   "verdict",
		Short: "Look at the verdicts that a daemon stored, and at the bytes behind them",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newVerdictShow(e))
	return c
}

// formatCapture prints evidence as an exchange capture.
const formatCapture = "capture"

// verdictFlags are the flags of reassay verdict show.
type verdictFlags struct {
	nats   natsFlags
	format string
	leg    string
}

var verdictFormats = []string{formatText, formatJSONL, formatCapture}

func newVerdictShow(e env) *cobra.Command {
	var f verdictFlags
	c := &cobra.Command{
		Use:   "show ID",
		Short: "Show the verdicts on one exchange and the bytes that they stand on",
		Long: "show prints every verdict that is stored on an exchange, one an interpretation, the newest first, and the legs as\n" +
			"they were mirrored, where these are kept: reassay serve keeps them for each verdict that is not clean. ID is the\n" +
			"exchange's id, or <gateway>.<exchange> as in the subject of its verdict, which is found at once in any number of them.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains(verdictFormats, f.format) {
				return usage("--format: unknown format %q, want %s", f.format, words(verdictFormats))
			}
			return withStores(c.Context(), f.nats, "reassay verdict show", func(s *workers.Stores) error { return f.show(c.Context(), e, s, args[0]) })
		},
	}
	f.nats.register(c)
	flags := c.Flags()
	flags.StringVar(&f.format, "format", formatText,
		"text for people; jsonl: the verdicts, one a line; capture: the legs as one line of a capture file, for reassay check -")
	flags.StringVar(&f.leg, "leg", "", "print the bytes of this leg and nothing else: stream, non_stream, request, upstream.1, ...")
	return c
}

func (f *verdictFlags) show(ctx context.Context, e env, s *workers.Stores, id string) error {
	key, err := findOne(ctx, s, id)
	if err != nil {
		return err
	}
	if f.leg != "" || f.format == formatCapture {
		evidence, err := s.Evidence(ctx, key)
		if err != nil {
			return err
		}
		return f.bytes(e.stdout, evidence)
	}
	verdicts, err := s.Verdicts(ctx, key)
	if err != nil {
		return err
	}
	slices.Reverse(verdicts)
	for _, v := range verdicts {
		if f.format == formatJSONL {
			_, err = e.stdout.Write(append(v.Verdict.JSON(), '\n'))
		} else {
			err = showVerdict(e, v)
		}
		if err != nil {
			return err
		}
	}
	if f.format == formatJSONL {
		return nil
	}
	evidence, err := s.Evidence(ctx, key)
	if errors.Is(err, workers.ErrNoEvidence) {
		_, err = fmt.Fprintln(e.stdout, "no bytes are kept")
		return err
	}
	if err != nil {
		return err
	}
	return showEvidence(e.stdout, evidence)
}

// findOne finds the one exchange that an id names.
func findOne(ctx context.Context, s *workers.Stores, id string) (workers.ExchangeKey, error) {
	found, err := s.Find(ctx, id)
	if err != nil {
		return workers.ExchangeKey{}, err
	}
	if len(found) > 1 {
		var names []string
		for _, k := range found {
			names = append(names, k.String())
		}
		return workers.ExchangeKey{}, fmt.Errorf("%d exchanges have the id %q: name one of them: %s", len(found), id, strings.Join(names, ", "))
	}
	return found[0], nil
}

// bytes prints what programs take.
func (f *verdictFlags) bytes(w io.Writer, evidence workers.Evidence) error {
	if f.leg == "" {
		_, err := w.Write(append(capture.Encode(evidence.Exchange), '\n'))
		return err
	}
	var names []string
	for _, l := range evidence.Exchange.Legs() {
		if string(l.Role) == f.leg {
			_, err := w.Write(l.Leg.Body)
			return err
		}
		names = append(names, string(l.Role))
	}
	return usage("--leg: there is no leg %q, want %s", f.leg, words(names))
}

func showVerdict(e env, v workers.StoredVerdict) error {
	fmt.Fprintf(e.stdout, "exchange %s\nstored %s as %s, interpretation %s, worst %s\n\n", printable(v.Verdict.Exchange), v.Stored.UTC().Format(time.RFC3339),
		v.Key, v.Verdict.Interpretation.ID, v.Verdict.Worst)
	return report.Exchange(e.stdout, v.Verdict, report.Caller, report.Style{Color: e.color(e.terminal.stdout), Width: e.width()})
}

func showEvidence(w io.Writer, evidence workers.Evidence) error {
	if evidence.Lost != "" {
		fmt.Fprintf(w, "of these bytes the mirror lost a part: %s\n", printable(evidence.Lost))
	}
	for _, l := range evidence.Exchange.Legs() {
		fmt.Fprintf(w, "--- %s: %s\n", l.Role, describeLeg(l.Leg))
		if _, err := fmt.Fprintf(w, "%s\n", printable(string(l.Leg.Body))); err != nil {
			return err
		}
	}
	return nil
}

// describeLeg is what is known of a leg beside its bytes.
func describeLeg(l *capture.Leg) string {
	said := []string{string(l.Dialect)}
	if l.Status != 0 {
		said = append(said, fmt.Sprintf("status %d", l.Status))
	}
	if l.ContentType != "" {
		said = append(said, l.ContentType)
	}
	said = append(said, fmt.Sprintf("%d bytes", len(l.Body)))
	if len(l.Chunks) > 0 {
		said = append(said, fmt.Sprintf("%d chunks", len(l.Chunks)))
	}
	if l.Error != nil {
		said = append(said, fmt.Sprintf("broken off by %s: %s", l.Error.By, l.Error.Message))
	}
	return printable(strings.Join(said, ", "))
}

// brief is a verdict in the few words that a comparison needs.
type brief struct {
	Interpretation string      `json:"interpretation"`
	Worst          check.Worst `json:"worst"`
	WorstAny       check.Worst `json:"worst_any"`
}

func briefOf(v check.Verdict) brief { return brief{v.Interpretation.ID, v.Worst, v.WorstAny} }
