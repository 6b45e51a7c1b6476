package main

import (
	"slices"

	"github.com/spf13/cobra"

	"reassay/workers"
)

// keepFlags say what the daemon keeps of the exchanges that it judges.
type keepFlags struct {
	content  contentFlags
	evidence string
}

// The words of --evidence.
const (
	evidenceUnclean = "unclean"
	evidenceNone    = "none"
)

var evidences = []string{evidenceUnclean, evidenceNone}

func (f *keepFlags) register(c *cobra.Command) {
	f.content.register(c)
	c.Flags().StringVar(&f.evidence, "evidence", evidenceUnclean, "whose legs are kept byte for byte in the bucket REASSAY_EVIDENCE, for reassay verdict show and rejudge: unclean, those of every verdict that is not clean; or none")
}

func (f *keepFlags) validate() error {
	if !slices.Contains(evidences, f.evidence) {
		return usage("--evidence: unknown word %q, want %s", f.evidence, words(evidences))
	}
	return nil
}

// fill puts the flags into the workers' configuration; the error is one of usage.
func (f *keepFlags) fill(c *workers.Config, getenv func(string) string) (err error) {
	c.KeepEvidence = f.evidence != evidenceNone
	c.Redact, err = f.content.policy(getenv)
	return err
}
