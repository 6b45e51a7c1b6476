package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reassay/check"
	"reassay/workers"
)

// rejudgeFlags are the flags of reassay rejudge.
type rejudgeFlags struct {
	sdks      string
	workers   int
	isolate   isolateFlags
	nats      natsFlags
	content   contentFlags
	format    string
	retryable bool
	dryRun    bool
}

func newRejudge(e env) *cobra.Command {
	var f rejudgeFlags
	c := &cobra.Command{
		Use:   "rejudge [ID...]",
		Short: "Judge the evidence that a daemon kept under the rules and SDKs of this program",
		Long: "rejudge judges what is kept of exchanges again, all of them or those named, and shows what changed. Each new verdict\n" +
			"is stored beside the old one, which is left untouched, unless there is one of the same interpretation (the same rules,\n" +
			"SDKs and limits) already. A verdict that says what an SDK could not finish for lack of time or memory is not final: one\n" +
			"of the same interpretation that does not say so takes its place; --retryable judges just those, one at a time.",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, ids []string) error { return f.run(c.Context(), e, ids) },
	}
	flags := c.Flags()
	flags.StringVar(&f.sdks, "sdk", strings.Join(check.DefaultSDKs, ","),
		"which SDKs run: openai-node@5.23.2,openai-python, openai-node@all for each version, all for everything that reassay sdk list names, none")
	flags.IntVar(&f.workers, "workers", 1, "how many exchanges are judged at once")
	f.isolate.register(c)
	f.nats.register(c)
	f.content.register(c)
	registerListFormat(c, &f.format)
	flags.BoolVar(&f.retryable, "retryable", false, "only exchanges whose newest verdict is not final because an SDK took more time or memory than it may")
	flags.BoolVar(&f.dryRun, "dry-run", false, "show what would change and store nothing")
	return c
}

func (f *rejudgeFlags) run(ctx context.Context, e env, ids []string) error {
	if err := checkListFormat(f.format); err != nil {
		return err
	}
	if f.workers < 1 {
		return usage("--workers: %d, want at least 1", f.workers)
	}
	if f.retryable {
		f.workers = 1 // what took too long or too much beside others gets the machine to itself
	}
	redact, err := f.content.policy(e.getenv)
	if err != nil {
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
	return withStores(ctx, f.nats, "reassay rejudge", func(s *workers.Stores) error {
		r := rejudging{flags: f, stores: s, checker: checker, redact: redact, env: e}
		err := ordered(ctx, f.workers, r.candidates(ctx, ids), r.judge, r.tell)
		return errors.Join(err, r.sum())
	})
}

// rejudging is one run of the command.
type rejudging struct {
	flags   *rejudgeFlags
	stores  *workers.Stores
	checker *check.Checker
	redact  func(check.Verdict) check.Verdict
	env     env

	judged, changed, stored, failed int
}

// candidate is an exchange that may be judged again, or why it is not known.
type candidate struct {
	key workers.ExchangeKey
	err error
}

// rejudged is what became of one.
type rejudged struct {
	key     workers.ExchangeKey
	old     check.Verdict
	now     check.Verdict
	stored  bool
	skipped bool
	err     error
}

func (r *rejudging) candidates(ctx context.Context, ids []string) iter.Seq[candidate] {
	return func(yield func(candidate) bool) {
		if len(ids) == 0 {
			for key, err := range r.stores.Kept(ctx) {
				if !yield(candidate{key, err}) {
					return
				}
			}
			return
		}
		for _, id := range ids {
			found, err := r.stores.Find(ctx, id)
			if err != nil && !yield(candidate{err: err}) {
				return
			}
			for _, key := range found {
				if !yield(candidate{key: key}) {
					return
				}
			}
		}
	}
}

// judge judges one exchange again and stores the verdict.
func (r *rejudging) judge(ctx context.Context, c candidate) (out rejudged) {
	out = rejudged{key: c.key, err: c.err}
	if out.err != nil {
		return out
	}
	verdicts, err := r.stores.Verdicts(ctx, c.key)
	if errors.Is(err, workers.ErrNoExchange) {
		out.skipped = true // its worker has kept the evidence and is about to store the verdict
		return out
	}
	if err != nil {
		out.err = err
		return out
	}
	out.old = r.compared(verdicts)
	if r.flags.retryable && !workers.Retryable(verdicts[len(verdicts)-1].Verdict) {
		out.skipped = true
		return out
	}
	evidence, err := r.stores.Evidence(ctx, c.key)
	if err != nil {
		out.err = err
		return out
	}
	if evidence.Lost != "" {
		out.now, out.err = r.checker.Incomplete(evidence.Exchange, evidence.Lost)
	} else {
		out.now, out.err = r.checker.Exchange(ctx, evidence.Exchange)
	}
	if out.err != nil || r.flags.dryRun {
		return out
	}
	out.now = r.redact(out.now)
	out.stored, out.err = r.stores.Judged(ctx, c.key, out.now)
	return out
}

// compared is the verdict that the new one is laid beside: that of its own interpretation, else the newest.
func (r *rejudging) compared(verdicts []workers.StoredVerdict) check.Verdict {
	own := r.checker.Interpretation().ID
	i := slices.IndexFunc(verdicts, func(v workers.StoredVerdict) bool { return v.Verdict.Interpretation.ID == own })
	if i < 0 {
		i = len(verdicts) - 1
	}
	return verdicts[i].Verdict
}

// changeLine is one exchange as --format jsonl says it.
type changeLine struct {
	Exchange string   `json:"exchange"`
	Key      string   `json:"key"`
	Old      brief    `json:"old"`
	New      brief    `json:"new"`
	Changes  []string `json:"changes"`
	Stored   bool     `json:"stored"`
}

func (r *rejudging) tell(j rejudged) error {
	switch {
	case j.err != nil:
		r.failed++
		r.env.complain(j.err)
		return nil
	case j.skipped:
		return nil
	}
	r.judged++
	changes := changesOf(j.old, j.now)
	if len(changes) > 0 {
		r.changed++
	}
	if j.stored {
		r.stored++
	}
	if r.flags.format == formatJSONL {
		return json.NewEncoder(r.env.stdout).Encode(changeLine{j.now.Exchange, j.key.String(), briefOf(j.old), briefOf(j.now), changes, j.stored})
	}
	if len(changes) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(r.env.stdout, "%s (%s)\n    %s\n", printable(j.now.Exchange), j.key, printable(strings.Join(changes, "\n    ")))
	return err
}

func (r *rejudging) sum() error {
	fmt.Fprintf(r.env.stderr, "%d judged again, %d changed, %d new verdicts stored\n", r.judged, r.changed, r.stored)
	if r.failed > 0 {
		return &exitError{code: exitUnusable}
	}
	return nil
}

// changesOf says where two verdicts on one exchange differ, one sentence each. Values are not compared: a content policy
// may have taken them out of either.
func changesOf(old, now check.Verdict) []string {
	changes := []string{}
	differ := func(what string, a, b string) {
		if a != b {
			changes = append(changes, fmt.Sprintf("%s: %s, was %s", what, b, a))
		}
	}
	differ("worst", string(old.Worst), string(now.Worst))
	if old.WorstAny != old.Worst || now.WorstAny != now.Worst {
		differ("worst over all causes", string(old.WorstAny), string(now.WorstAny))
	}
	differ("MR-S", old.MRS.Status, now.MRS.Status)
	before, after := runsOf(old), runsOf(now)
	for _, run := range after.names {
		was, ran := before.outcome[run]
		if !ran {
			was = "not run"
		}
		differ(run, was, after.outcome[run])
	}
	for _, run := range before.names {
		if _, runs := after.outcome[run]; !runs {
			differ(run, before.outcome[run], "not run")
		}
	}
	found, finds := findingsOf(old), findingsOf(now)
	for _, f := range finds {
		if !slices.Contains(found, f) {
			changes = append(changes, "new: "+f)
		}
	}
	for _, f := range found {
		if !slices.Contains(finds, f) {
			changes = append(changes, "gone: "+f)
		}
	}
	return changes
}

// runs are a verdict's SDK runs by name, in its order.
type runs struct {
	names   []string
	outcome map[string]string
}

func runsOf(v check.Verdict) runs {
	r := runs{outcome: map[string]string{}}
	for _, s := range v.SDKs {
		name := fmt.Sprintf("%s@%s/%s/%s", s.SDK, s.Version, s.API, s.Mode)
		r.names = append(r.names, name)
		r.outcome[name] = string(s.Outcome)
		if s.Exception != nil {
			r.outcome[name] += " " + s.Exception.Class
		}
	}
	return r
}

func findingsOf(v check.Verdict) []string {
	var all []string
	for _, f := range v.Findings {
		all = append(all, strings.TrimSuffix(fmt.Sprintf("%s %s in %s, %s", f.Rule, f.Name, f.Leg, f.Path), ", "))
	}
	return all
}
