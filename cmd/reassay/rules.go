package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reassay/rules"
)

func newRules(e env) *cobra.Command {
	return &cobra.Command{
		Use:   "rules [ID]",
		Short: "List the rules, or explain one",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listRules(e)
			}
			id := strings.ToUpper(args[0])
			i := slices.IndexFunc(rules.Catalogue, func(r *rules.Rule) bool { return r.ID == id })
			if i < 0 {
				return usage("no rule %q; reassay rules lists them", args[0])
			}
			return explainRule(e, rules.Catalogue[i])
		},
	}
}

// explainRule writes what the rule says of itself, with an exchange on which it fires and one on which it is quiet.
func explainRule(e env, r *rules.Rule) error {
	text, _ := rules.Explain(r.ID)
	_, err := fmt.Fprint(e.stdout, text)
	return err
}

func listRules(e env) error {
	for _, r := range rules.Catalogue {
		if _, err := fmt.Fprintf(e.stdout, "%-6s %-3s %s\n", r.ID, r.Tier, r.Title); err != nil {
			return err
		}
	}
	return nil
}
