package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"reassay/workers"
)

func newDead(e env) *cobra.Command {
	c := &cobra.Command{
		Use:   "dead",
		Short: "Look through a daemon's dead letters, and try them again",
		Long: "A dead letter is a message of the mirror that no worker of reassay serve could judge: one that is no begin and no\n" +
			"manifest, an exchange that is larger than the daemon takes, a judgement that failed three times. It is kept in the\n" +
			"stream REASSAY_DEAD with the reason, the subject that it came under and how often it was tried. --nats or --context\n" +
			"say where the daemon's server is; nats://127.0.0.1:4222 unless told.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newDeadList(e), newDeadShow(e), newDeadRetry(e))
	return c
}

func newDeadList(e env) *cobra.Command {
	var nats natsFlags
	var format string
	c := &cobra.Command{
		Use:   "list",
		Short: "List the dead letters, oldest first, one a line",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkListFormat(format); err != nil {
				return err
			}
			return withStores(c.Context(), nats, "reassay dead list", func(s *workers.Stores) error { return listDead(c.Context(), e, s, format) })
		},
	}
	nats.register(c)
	registerListFormat(c, &format)
	return c
}

// registerListFormat registers --format of a command that prints what a store holds.
func registerListFormat(c *cobra.Command, format *string) {
	c.Flags().StringVar(format, "format", formatText, "text for people; jsonl: one JSON object a line")
}

func checkListFormat(format string) error {
	if known := []string{formatText, formatJSONL}; !slices.Contains(known, format) {
		return usage("--format: unknown format %q, want %s", format, words(known))
	}
	return nil
}

// withStores opens a daemon's stores for as long as do takes.
func withStores(ctx context.Context, f natsFlags, name string, do func(*workers.Stores) error) error {
	nc, _, err := f.connect(name)
	if err != nil {
		return err
	}
	defer nc.Close()
	stores, err := workers.OpenStores(ctx, nc)
	if err == nil {
		err = do(stores)
	}
	var exit *exitError
	if err != nil && !errors.As(err, &exit) {
		err = &exitError{exitUnusable, err}
	}
	return err
}

// deadLine is a dead letter as --format jsonl says it.
type deadLine struct {
	ID            uint64  `json:"id"`
	StoredAt      string  `json:"stored_at"`
	Reason        string  `json:"reason"`
	Subject       string  `json:"subject"`
	Deliveries    int     `json:"deliveries"`
	Bytes         int     `json:"bytes"`
	Payload       *string `json:"payload,omitempty"`        // where it is UTF-8
	PayloadBase64 string  `json:"payload_base64,omitempty"` // else
}

func deadLineOf(d workers.DeadLetter) deadLine {
	return deadLine{ID: d.ID, StoredAt: d.Stored.UTC().Format(time.RFC3339Nano), Reason: d.Reason, Subject: d.Subject, Deliveries: d.Deliveries, Bytes: len(d.Payload)}
}

func listDead(ctx context.Context, e env, s *workers.Stores, format string) error {
	table := tabwriter.NewWriter(e.stdout, 0, 8, 2, ' ', 0)
	n := 0
	for d, err := range s.DeadLetters(ctx) {
		if err != nil {
			return errors.Join(err, table.Flush())
		}
		if n++; n == 1 && format == formatText {
			fmt.Fprintln(table, "ID\tSTORED\tTRIED\tSUBJECT\tREASON")
		}
		if format == formatJSONL {
			err = json.NewEncoder(e.stdout).Encode(deadLineOf(d))
		} else {
			_, err = fmt.Fprintf(table, "%d\t%s\t%d\t%s\t%s\n", d.ID, d.Stored.UTC().Format(time.RFC3339), d.Deliveries, printable(d.Subject), printable(d.Reason))
		}
		if err != nil {
			return err
		}
	}
	if n == 0 {
		fmt.Fprintln(e.stderr, "there are no dead letters")
	}
	return table.Flush()
}

func newDeadShow(e env) *cobra.Command {
	var nats natsFlags
	var format string
	c := &cobra.Command{
		Use:   "show ID",
		Short: "Show one dead letter with the message that it is about",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkListFormat(format); err != nil {
				return err
			}
			ids, err := deadIDs(args)
			if err != nil {
				return err
			}
			return withStores(c.Context(), nats, "reassay dead show", func(s *workers.Stores) error {
				d, err := s.DeadLetter(c.Context(), ids[0])
				if err != nil {
					return err
				}
				return showDead(e, d, format)
			})
		},
	}
	nats.register(c)
	registerListFormat(c, &format)
	return c
}

func showDead(e env, d workers.DeadLetter, format string) error {
	if format == formatJSONL {
		line := deadLineOf(d)
		if utf8.Valid(d.Payload) {
			text := string(d.Payload)
			line.Payload = &text
		} else {
			line.PayloadBase64 = base64.StdEncoding.EncodeToString(d.Payload)
		}
		return json.NewEncoder(e.stdout).Encode(line)
	}
	table := tabwriter.NewWriter(e.stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintf(table, "dead letter\t%d\nstored\t%s\nreason\t%s\nsubject\t%s\ntried\t%d times\n", d.ID, d.Stored.UTC().Format(time.RFC3339Nano),
		printable(d.Reason), printable(d.Subject), d.Deliveries)
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(e.stdout, "payload of %d bytes:\n%s\n", len(d.Payload), printable(string(d.Payload)))
	return err
}

func newDeadRetry(e env) *cobra.Command {
	var nats natsFlags
	var all bool
	c := &cobra.Command{
		Use:   "retry ID...",
		Short: "Give dead letters back to the mirror, where they are judged anew",
		Long: "retry gives the messages of dead letters back to the mirror and removes the dead letters. A daemon judges their\n" +
			"exchanges anew from what the mirror still holds of them: after a newer reassay was installed, or one that may take more\n" +
			"memory was started. What still cannot be judged is a dead letter again, with another ID.",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if all == (len(args) > 0) {
				return usage("reassay dead retry: name the dead letters by ID, or give --all")
			}
			ids, err := deadIDs(args)
			if err != nil {
				return err
			}
			return withStores(c.Context(), nats, "reassay dead retry", func(s *workers.Stores) error {
				if all {
					if ids, err = everyDead(c.Context(), s); err != nil {
						return err
					}
				}
				return retryDead(c.Context(), e, s, ids)
			})
		},
	}
	nats.register(c)
	c.Flags().BoolVar(&all, "all", false, "retry every dead letter that there is now")
	return c
}

func deadIDs(args []string) ([]uint64, error) {
	var ids []uint64
	for _, a := range args {
		id, err := strconv.ParseUint(a, 10, 64)
		if err != nil || id == 0 {
			return nil, usage("%q is no ID of a dead letter: reassay dead list shows them", a)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func everyDead(ctx context.Context, s *workers.Stores) (ids []uint64, err error) {
	for d, err := range s.DeadLetters(ctx) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, d.ID)
	}
	return ids, nil
}

// retryDead retries one after the other; one that cannot be does not keep the rest.
func retryDead(ctx context.Context, e env, s *workers.Stores, ids []uint64) error {
	var failed []error
	for _, id := range ids {
		if err := s.Retry(ctx, id); err != nil {
			failed = append(failed, err)
			continue
		}
		fmt.Fprintf(e.stdout, "dead letter %d was given back to the mirror\n", id)
	}
	return errors.Join(failed...)
}

// printable is text for a terminal: what is no printable character, line ends and tabs aside, is escaped, because what
// a stranger sent may hold a terminal's commands.
func printable(text string) string {
	var out []byte
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			out = fmt.Appendf(out, `\x%02x`, text[i])
		case r == '\n' || r == '\t' || strconv.IsPrint(r):
			out = utf8.AppendRune(out, r)
		default:
			quoted := strconv.QuoteRune(r)
			out = append(out, quoted[1:len(quoted)-1]...)
		}
		i += size
	}
	return string(out)
}
